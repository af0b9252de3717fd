"""What the sources avoid because other systems than that of the tests lack it."""

import ast
import os
import re
from pathlib import Path

import pytest

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])

SHIPPED_PYTHON = ["apps/lab/cubefold_lab", "apps/run/cubefold_run", "apps/planner", "tools/demo", "lib/python"]
LATER_NAMES = re.compile(r"\.remove(prefix|suffix)\(|\bfunctools\.cache\b|\bstrict=|\.is_relative_to\(|\blcm\(|"
                         r"BooleanOptionalAction|\b(slots|kw_only)=True|\bimport pairwise|itertools\.pairwise|"
                         r"\.bit_count\(|ast\.unparse|\}\s*\|\s*[{(\w]|\|= \{.*:")


def needs_a_later_python(text):
    """Returns whether Python 3.8 cannot read the text, or lacks a name or an operator in it."""
    try:
        tree = ast.parse(text, feature_version=(3, 8))
    except SyntaxError:
        return True
    notes = [getattr(node, name, None) for node in ast.walk(tree) for name in ("annotation", "returns")]
    kinds = {type(part) for note in notes if note is not None for part in ast.walk(note)}
    is_later = bool(kinds & {ast.BinOp, ast.Subscript}) and "from __future__ import annotations" not in text
    return is_later or bool(LATER_NAMES.search(text))


def test_programs_in_python_run_with_3_8():
    paths = [path for folder in SHIPPED_PYTHON for path in (SOURCE / folder).rglob("*.py")]
    assert len(paths) > 20
    for path in paths:
        assert not needs_a_later_python(path.read_text()), path


@pytest.mark.parametrize("text", ["match x:\n  case 1: pass\n", "a: int | None = 1\n", "def f() -> list[int]: pass\n",
                                  "x = y.removeprefix('a')\n", "x = {**a} | b\n"])
def test_later_python_would_be_noticed(text):
    assert needs_a_later_python(text)
    assert not needs_a_later_python("from __future__ import annotations\n\n\ndef f(a: int | None): pass\n")


def test_the_starter_of_programs_is_read_by_python_3_4():
    text = (SOURCE / "apps/python_program.in").read_text().replace("@", "")
    ast.parse(text, feature_version=(3, 4))


def test_sources_that_join_include_the_header_of_join():
    for path in [path for folder in ["lib", "apps", "tests"] for path in (SOURCE / folder).rglob("*.[ch]pp")]:
        text = path.read_text()
        assert "fmt::join(" not in text or "#include <fmt/ranges.h>" in text, path
