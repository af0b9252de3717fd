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


# With fmt 11 and with later standard libraries these functions come with no other header.
FUNCTIONS_OF_HEADERS = {
    "fmt/ranges.h": r"\bfmt::join\(",
    "algorithm": r"\bstd::(min|max|clamp|sort|stable_sort|find|find_if|any_of|all_of|none_of|count|count_if|equal|copy|"
                 r"fill|transform|reverse|rotate|lower_bound|upper_bound|unique|max_element|min_element|shuffle|"
                 r"next_permutation|generate|partition|is_sorted|is_permutation)\(|\bstd::ranges::",
    "bit": r"\bstd::(bit_cast|bit_width|bit_ceil|bit_floor|has_single_bit|popcount|countr_zero|countl_zero)\b",
    "charconv": r"\bstd::(from|to)_chars\b",
    "cmath": r"\bstd::(sqrt|ceil|floor|log2|log|pow|llround|lround|round|isfinite|isnan|hypot|abs|exp|cos|sin)\(",
    "cstring": r"\bstd::(memcpy|memset|memcmp|strlen|strcmp)\(",
    "limits": r"\bstd::numeric_limits\b",
    "numeric": r"\bstd::(accumulate|iota|gcd|lcm|partial_sum|inner_product|reduce)\(",
}


def missing_headers(text):
    return [header for header, functions in FUNCTIONS_OF_HEADERS.items()
            if re.search(functions, text) and f"#include <{header}>" not in text]


def test_sources_include_the_headers_of_the_functions_that_they_call():
    folders = [SOURCE / name for name in ["lib", "apps", "tests", "include"]]
    for path in [path for folder in folders for path in folder.rglob("*.[ch]pp")]:
        assert missing_headers(path.read_text()) == [], path


def test_a_missing_header_would_be_noticed():
    assert missing_headers("#include <array>\nint a = std::min({1, 2, 3});\n") == ["algorithm"]
    assert missing_headers("auto text = fmt::join(words, \", \");\n") == ["fmt/ranges.h"]
