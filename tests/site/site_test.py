"""The pages lead to each other without dead links, and MkDocs has made a site of them that loads nothing from other
hosts. ./dev docs makes the pages in build/docs and the site in build/site, and then runs these tests."""

import os
import re
import sys
from pathlib import Path

import pytest

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
MADE = SOURCE / "build/docs"  # what docs/ has, and the pages that are made
SITE = SOURCE / "build/site"
PAGES_OF_SITE = sorted(MADE.glob("*.md"))
PAGES = [*sorted(SOURCE.glob("*.md")), *PAGES_OF_SITE]


def prose(markdown):
    return re.sub(r"^ *```.*?^ *```", "", markdown, flags=re.DOTALL | re.MULTILINE)


def headings(markdown):
    """Returns the texts of the headings, without marks."""
    found = re.findall(r"^#+ (.*)$", prose(markdown), re.MULTILINE)
    return [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("`", "").replace("*", "") for text in found]


def anchor_of_code_hosts(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchor_of_mkdocs(heading):
    plain = heading.encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


def anchors(markdown):
    """Returns the anchors that lead to the same heading on code hosts and in the site."""
    texts = headings(markdown)
    once = {text for text in texts if [anchor_of_mkdocs(t) for t in texts].count(anchor_of_mkdocs(text)) == 1}
    return {anchor_of_mkdocs(text) for text in once if anchor_of_mkdocs(text) == anchor_of_code_hosts(text)}


def file_of(page, target):
    """Returns the file to which a link of a page leads. Pages in build/docs have their links from docs/."""
    if page.parent == MADE and target.startswith("../"):
        return SOURCE / target.removeprefix("../")
    if page.parent == SOURCE and target.startswith("docs/"):
        return MADE / target.removeprefix("docs/")
    return page.parent / target


def dead_links(page, markdown):
    """Returns the links of a page to files that do not exist and to anchors that no heading has."""
    dead = []
    for target, anchor in re.findall(r"\]\(([^)#:\s]*)(?:#([^)]*))?\)", prose(markdown)):
        file = file_of(page, target) if target else page
        text = markdown if not target else file.read_text() if file.suffix == ".md" and file.exists() else ""
        if not file.exists() or (anchor and anchor not in anchors(text)):
            dead.append(f"{target}#{anchor}" if anchor else target)
    return dead


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_link_of_a_page_is_dead(page):
    assert dead_links(page, page.read_text()) == []


def test_dead_links_would_be_noticed(tmp_path):
    page = tmp_path / "page.md"
    (tmp_path / "other.md").write_text("# One\n\n## Two / three\n\n## Same\n\n## Same\n\n## `map` and *lcc*\n")
    page.write_text("# Page\n[a](other.md#one) [b](other.md#map-and-lcc) [c](#page)\n```\n[code](no.md)\n```\n"
                    "[d](no.md) [e](other.md#two-three) [f](other.md#same) [g](#nothing)\n")
    assert dead_links(page, page.read_text()) == ["no.md", "other.md#two-three", "other.md#same", "#nothing"]


def test_the_navigation_of_the_site_has_every_page_once():
    named = re.findall(r"(\S+\.md)$", (SOURCE / "mkdocs.yml").read_text(), re.MULTILINE)
    assert sorted(named) == sorted(page.name for page in PAGES_OF_SITE)


def test_pages_of_the_site_lead_to_no_page_outside_of_it():
    for page in PAGES_OF_SITE:
        assert re.findall(r"\]\(\.\./[^)]*\.md", page.read_text()) == [], page


def test_pictures_have_texts_that_say_what_they_show():
    for page in PAGES:
        for text in re.findall(r"!\[([^]]*)\]", page.read_text()):
            assert len(text.split()) >= 5, f"{page.name}: {text}"


def test_the_site_has_every_page():
    assert {page.stem for page in PAGES_OF_SITE} <= {page.stem for page in SITE.glob("*.html")}
    assert {"programs.md", "performance-tables.md"} <= {page.name for page in PAGES_OF_SITE}


def test_tests_that_the_papers_page_names_exist():
    known = "\n".join(path.read_text() for path in (SOURCE / "tests").rglob("*_test.cpp"))
    for suite, name in re.findall(r"`(\w+)\.(\w+)`", (MADE / "papers.md").read_text()):
        assert re.search(rf"TEST(_F|_P)?\(\s*{suite},\s*{name}\)", known), f"{suite}.{name}"


def test_the_tutorial_installs_as_the_installation_page_does():
    tutorial, page = (MADE / "tutorial.md").read_text(), (MADE / "installing.md").read_text()
    install = tutorial.partition("## Install it\n\n")[2].partition("\n\n")[0].splitlines()
    assert install[0].startswith("    cmake --preset release")
    assert [line for line in install if line not in page] == []


def test_the_site_loads_nothing_from_other_hosts():
    for file in [*SITE.rglob("*.html"), *SITE.rglob("*.css")]:
        loaded = re.findall(r"""<(?:script|img|link|iframe)\b[^>]*(?:src|href)=["']?((?:https?:)?//[^"'> ]*)"""
                            r"""|(?:url\(|@import )["']?((?:https?:)?//[^"') ]*)""", file.read_text())
        assert loaded == [], file


def test_anchors_of_the_site_are_those_that_links_were_checked_against():
    for page in PAGES_OF_SITE:
        html = (SITE / f"{page.stem}.html").read_text()
        assert anchors(page.read_text()) <= set(re.findall(r'<h[1-6] id="([^"]*)"', html)), page


def test_lists_are_indented_as_python_markdown_wants_them():
    sys.path.append(str(SOURCE / "tools/site"))
    from pages import indented_by_four
    page = ("Text:\n- one\n  more\n\n  | a |\n  |---|\n\n      code\n  - two\n- three\n\nEnd\n\n1. four\n\n   - five\n"
            "\n```\n- code\n  code\n```\n")
    assert indented_by_four(page) == (
        "Text:\n\n- one\n    more\n\n    | a |\n    |---|\n\n        code\n\n    - two\n\n- three\n\nEnd\n\n1. four\n\n"
        "    - five\n\n```\n- code\n  code\n```\n")
