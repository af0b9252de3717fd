"""The report of ./dev bench about Quantum ESPRESSO: it reads what processes and pw.x write, and compares the forms."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(os.environ["CUBEFOLD_SOURCE"]) / "tests" / "bench"))
from report import unchanged  # noqa: E402

PLACE = unchanged.LAB.grid


class Programs:
    """Stands for a setting in whose lab pw.x takes known times, of which two processes write their own."""

    full = True

    def __init__(self, scratch, energies=("-15.84", "-15.84", "-15.84")):
        self.scratch = scratch
        self.energies = energies

    def library(self, name):
        return Path(f"lib{name}.so")

    def shuffled(self, items):
        return list(items)[::-1]

    def inside_lab(self, program, *arguments, environment):
        assert "ecutwfc = 30" in Path(arguments[1]).read_text()
        form = ("cubefold-preload" in environment["LD_PRELOAD"]) + ("CUBEFOLD_TUNING" in environment)
        for process in range(2):
            (Path(environment["TIMED_ALLTOALL"]) / f"{process}.seconds").write_text(f"{2 ** (2 - form) + process}\n")
        return f"     total energy   =  -1 Ry\n!    total energy   =     {self.energies[form]} Ry\n"


@pytest.fixture(autouse=True)
def a_pseudopotential(monkeypatch, tmp_path):
    (tmp_path / "pseudopotential.gz").write_bytes(unchanged.gzip.compress(b"<PP_INFO>"))
    monkeypatch.setattr(unchanged, "PSEUDOPOTENTIAL", tmp_path / "pseudopotential.gz")


def test_forms_are_compared_by_the_mean_over_the_processes(tmp_path):
    row = unchanged._measure_case(Programs(tmp_path), PLACE, 30, "1d-10", 3)
    assert row["seconds"] == {"as it is": [4.5] * 3, "preloaded": [2.5] * 3, "preloaded, with a tuning file": [1.5] * 3}
    table = unchanged.render([row], None)["unchanged_summary"]
    assert table.endswith("| torus:4x4, 30 Ry | 4500 (4500-4500) | 2500 (2500-2500) | 1.80 | 1500 (1500-1500) | 3.00 |")


def test_different_energies_are_an_error(tmp_path):
    with pytest.raises(RuntimeError, match="different energies"):
        unchanged._measure_case(Programs(tmp_path, ("-1", "-1", "-2")), PLACE, 30, "1d-10", 1)


def test_says_that_nothing_was_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(unchanged, "PSEUDOPOTENTIAL", tmp_path / "none")
    said = []
    assert unchanged.measure(Programs(tmp_path), said.append) is None
    assert said == ["no pw.x: Quantum ESPRESSO is not installed"]
    assert "not installed" in unchanged.render(None, None)["unchanged_summary"]
