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
