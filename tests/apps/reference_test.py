"""docs/programs.md has the help of every program, and docs/reference.md has every variable, function and error code.

With CUBEFOLD_WRITE_PAGES=1 in the environment, as ./dev pages sets it, docs/programs.md is written.
"""

import os
import re
import sys
from pathlib import Path

import pytest

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
BUILD = Path(os.environ["CUBEFOLD_BUILD"])
sys.path.append(str(SOURCE / "tools/packages"))
from program_texts import PROGRAMS, help_of, subcommands  # noqa: E402
INTRODUCTION = """# Options of the programs

`./dev pages` writes this page from the `--help` of the programs. All of them end with status 0 without errors and with
status 2 if an option, a file or a size does not fit. The text for an option says where its default comes from;
[Reference](reference.md) explains the variables.
"""

# Macros of the build and of headers, and values that configure a file. All other names that begin like this are
# variables of the environment.
NOT_VARIABLES = {"CUBEFOLD_FROM_BIN_TO_SHARE", "CUBEFOLD_LAB_PACKAGE", "CUBEFOLD_LAB_PRELOAD", "CUBEFOLD_RUN_PACKAGE",
                 "CUBEFOLD_PRELOAD", "CUBEFOLD_SITE_HOSTS"}


def sections(*command):
    """Returns the help of a program or a subcommand, and of all subcommands below it."""
    text = help_of(BUILD / "bin" / command[0], *command[1:])
    text = "\n".join(line.rstrip() for line in text.strip().splitlines())
    shown = f"\n{'#' * min(len(command) + 1, 3)} {' '.join(command)}\n\n```text\n{text}\n```\n"
    return shown + "".join(sections(*command, name) for name in subcommands(text))


def page():
    return INTRODUCTION + "".join(map(sections, PROGRAMS))


def test_the_page_of_programs_has_the_help_of_all():
    if not all((BUILD / "bin" / program).exists() for program in PROGRAMS):
        pytest.skip("built without some of the programs")
    wanted, file = page(), SOURCE / "docs/programs.md"
    if os.environ.get("CUBEFOLD_WRITE_PAGES"):
        file.write_text(wanted)
    assert file.read_text() == wanted, "./dev pages writes docs/programs.md anew"


def test_subcommands_are_found_in_both_forms_of_help():
    assert subcommands("Usage\n\nSubcommands:\n  map         Finds\n  lcc         Finds\n\nExamples:\n") == \
        ["map", "lcc"]
    assert subcommands("usage\n\npositional arguments:\n  COMMAND\n    up        bring up\n    run       run\n\n") == \
        ["up", "run"]
    assert subcommands("Usage\n\nOptions:\n  -h,--help   Print\n") == []


def variables_of_sources():
    """Returns the variables of the environment that the sources name: in strings, where they are read or set."""
    found = set()
    for folder in ["lib", "apps"]:
        for path in (SOURCE / folder).rglob("*"):
            if path.suffix in {".cpp", ".hpp", ".c", ".py"}:
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
