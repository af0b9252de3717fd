"""The page of references has every variable of the environment, and every function and error code of the C interface.
./dev docs runs these tests."""

import os
import re
from pathlib import Path

import pytest

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])

# Macros of the build and of headers, and values that configure a file. All other names that begin like this are
# variables of the environment.
NOT_VARIABLES = {"CUBEFOLD_FROM_BIN_TO_SHARE", "CUBEFOLD_PRELOAD", "CUBEFOLD_SITE_HOSTS"}


def variables_of_sources():
    """Returns the variables of the environment that the sources name: in strings, where they are read or set."""
    found = set()
    for folder in ["lib", "apps"]:
        for path in (SOURCE / folder).rglob("*"):
            if path.suffix in {".cpp", ".hpp", ".c", ".py", ".in"}:
                found |= set(re.findall(r'"(CUBEFOLD(?:_[A-Z_]+)?)"', path.read_text()))
    return found - NOT_VARIABLES


def reference():
    return (SOURCE / "docs/reference.md").read_text()


def test_the_reference_has_all_variables_and_no_others():
    table = reference().partition("## Environment variables")[2].partition("\n## ")[0]
    named = set(re.findall(r"^\| `(CUBEFOLD\w*)` \|", table, re.MULTILINE))
    assert named == variables_of_sources()


@pytest.mark.parametrize("header", ["cubefold.h", "cubefold_fft.h"])
def test_the_reference_has_all_functions_of_c(header):
    text = (SOURCE / "include/cubefold" / header).read_text()
    declared = re.findall(r"^CUBEFOLD_API [\w* ]*\b(cubefold_\w+)\(", text, re.MULTILINE)
    assert declared != []
    assert [name for name in declared if f"`{name}`" not in reference()] == []


def test_the_reference_has_all_error_codes():
    codes = re.findall(r"(CUBEFOLD_(?:SUCCESS|ERROR_\w+)) = (\d)", (SOURCE / "include/cubefold/cubefold.h").read_text())
    assert [f"| `{name}` | {value} |" for name, value in codes
            if f"| `{name}` | {value} |" not in reference()] == []
