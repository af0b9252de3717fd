"""The pages on performance are those that the report writes from its JSON file."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib", reason="matplotlib is not installed, which ./dev bench installs")

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
sys.path.append(str(SOURCE / "tests/bench"))

from report.__main__ import TEMPLATES, write  # noqa: E402


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    write(json.loads((SOURCE / "docs/performance/report.json").read_text()), folder)
    return folder


@pytest.mark.parametrize("page", TEMPLATES)
def test_pages_are_written_from_the_report(written, page):
    assert (SOURCE / "docs" / page).read_text() == (written / page).read_text(), "./dev bench --render writes it anew"


def test_all_pictures_of_the_report_are_published(written):
    drawn = {file.name for file in (written / "performance").glob("*.svg")}
    assert drawn == {file.name for file in (SOURCE / "docs/performance").glob("*.svg")}


def test_no_place_of_a_template_is_unknown(written):
    for page in TEMPLATES:
        assert re.findall(r"\$\w+", (written / page).read_text()) == []


def test_times_in_the_readme_stand_together_in_a_row_of_the_page_that_it_links():
    rows = [line for line in (SOURCE / "README.md").read_text().splitlines() if "(docs/performance.md#" in line]
    page = (SOURCE / "docs/performance.md").read_text().splitlines()
    assert len(rows) == 2
    for row in rows:
        figures = re.findall(r"\d[\d.]* (?:m?s|%)", row)
        assert any(all(f" {figure} " in line for figure in figures) for line in page), row
