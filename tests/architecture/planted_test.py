"""The defects of ./dev plant fit the sources as they are. That the tests find them is too long to run here."""

import os
import re
import sys
from pathlib import Path

import pytest

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests/planted"))

from defects import DEFECTS  # noqa: E402
from fixes import FIXES  # noqa: E402
from run_planted import found_once  # noqa: E402

ALL = [*DEFECTS, *FIXES]


@pytest.mark.parametrize("defect", ALL, ids=lambda defect: defect.name)
def test_a_defect_fits_the_source(defect):
    assert found_once((SOURCE / defect.file).read_text(), defect) == ""
    assert defect.replacement != defect.text


def test_defects_have_names_of_their_own():
    assert len({defect.name for defect in ALL}) == len(ALL)


def test_programs_are_targets_of_tests():
    lists = "".join((SOURCE / "tests" / file).read_text() for file in ("CMakeLists.txt", "fortran/CMakeLists.txt"))
    assert {each.program for each in ALL if not each.is_in_python and f"({each.program}" not in lists} == set()


def test_tests_in_python_are_tests_of_ctest():
    entries = (SOURCE / "tests/python_tests.cmake").read_text()
    files = {each.program.removesuffix(".py") for each in ALL if each.is_in_python}
    assert {file for file in files if f"cubefold_python_test({file}" not in entries} == set()


def test_every_module_has_a_defect():
    modules = {f"{each.parent.name}/{each.name}" for top in ("lib", "apps") for each in (SOURCE / top).iterdir()
               if each.is_dir()}
    assert modules - {"/".join(each.file.split("/")[:2]) for each in ALL} == set()


def test_there_are_forty_fixes_and_all_name_their_commits():
    assert len(FIXES) >= 40
    assert {each.name for each in FIXES if not re.fullmatch("[0-9a-f]{8}", each.commit)} == set()
