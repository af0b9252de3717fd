"""Hooks of MkDocs that let it read the pages of docs/ as code hosts do, which render CommonMark.

Python-Markdown, which MkDocs uses, asks for four columns of indentation for what belongs to a list item, and for an
empty line before a list. Links that leave docs/ lead to copies of these files in the site.
"""

import re
from pathlib import Path

from mkdocs.structure.files import File

SOURCE = Path(__file__).parents[2]
COPIES = "repository"

ITEM = re.compile(r"(?:[-*+]|\d+[.)]) +")
OUTSIDE = re.compile(r"\]\(\.\./([^)#]+)((?:#[^)]*)?)\)")

SEARCH = r"""<script>
      if (location.protocol === "file:") document.querySelector("[role=search]").remove();
      else document.head.append(Object.assign(document.createElement("script"), {src: "\1"}));
    </script>"""


def indented_by_four(markdown):
    """Returns the page with everything that belongs to a list item indented by four columns for each list."""
    lines, columns, is_fenced, is_loose = [], [], False, False  # columns has the width of each open list item
    for line in markdown.splitlines():
        text = line.lstrip()
        if is_fenced or not text:
            lines.append(" " * 4 * len(columns) + line[sum(columns):] if text else "")
            is_fenced = is_fenced and not text.startswith("```")
            continue
        column, after_text, was_in_list = len(line) - len(text), bool(lines and lines[-1]), bool(columns)
        while columns and column < sum(columns) and (ITEM.match(text) or not after_text):
            columns.pop()
        column -= min(column, sum(columns))
        item = ITEM.match(text) if column < 4 else None
        if item and after_text and (not was_in_list or is_loose):
            lines.append("")
        is_loose = bool(columns) and (is_loose or not after_text)
        lines.append(" " * (4 * len(columns) + column) + text)
        if item:
            columns.append(column + item.end())
        is_fenced = text.startswith("```")
    return "\n".join(lines) + "\n"


def targets_outside(markdown):
    """Returns the paths, from the root of the repository, to which links of a page outside docs/ lead."""
    return [path for path, _ in OUTSIDE.findall(markdown)]


def on_files(files, config):
    pages = [Path(page.abs_src_path).read_text() for page in files.documentation_pages()]
    for path in sorted({path for page in pages for path in targets_outside(page)}):
        copy = File(f"{COPIES}/{path}", str(SOURCE), config["site_dir"], use_directory_urls=False)
        copy.abs_src_path = str(SOURCE / path)
        files.append(copy)
    return files


def on_page_markdown(markdown, **_):
    return indented_by_four(OUTSIDE.sub(rf"]({COPIES}/\1\2)", markdown))


def on_page_content(html, **_):
    """Gives tables the class that the theme draws and lets scroll."""
    return html.replace("<table>", '<table class="docutils">')


def on_post_page(output, **_):
    """Mends what the pages of Debian's theme load: jQuery has another name there, and a script is missing. Browsers let
    no script read the index of the search from a file, so pages have a search only if a server sends them."""
    output = output.replace("js/jquery-3.6.0.min.js", "js/jquery-2.1.1.min.js")
    output = re.sub(r'<script src="[^"]*js/theme_extra\.js" defer></script>', "", output)
    return re.sub(r'<script src="([^"]*search/main\.js)" defer></script>', SEARCH, output)


def on_post_template(output_content, template_name, **_):
    return on_post_page(output_content) if template_name.endswith(".html") else output_content
