"""The defects of ./dev plant fit the sources as they are. That the tests find them is too long to run here."""

import os
import sys
from pathlib import Path

import pytest

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests/planted"))

from defects import DEFECTS  # noqa: E402
from run_planted import found_once  # noqa: E402


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_a_defect_fits_the_source(defect):
    assert found_once((SOURCE / defect.file).read_text(), defect) == ""
    assert defect.replacement != defect.text


def test_defects_have_names_of_their_own():
    assert len({defect.name for defect in DEFECTS}) == len(DEFECTS)


def test_programs_are_targets_of_tests():
    lists = (SOURCE / "tests/CMakeLists.txt").read_text()
    assert {defect.program for defect in DEFECTS if f"({defect.program}" not in lists} == set()
