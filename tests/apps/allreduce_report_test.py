"""The report of ./dev bench about allreduce: it reads what a program prints, and compares it with MPI's algorithms."""

import os
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(os.environ["CUBEFOLD_SOURCE"]) / "tests" / "bench"))
from report import allreduce  # noqa: E402


class Allreduces:
    """Stands for a setting in whose lab our calls take 10 ms, or 30 ms without a machine file, MPI's ring 20 ms and its
    other algorithms 40 ms."""

    full = False
    scratch = Path("scratch")

    def shuffled(self, items):
        return list(items)[::-1]

    def network(self, _lab):
        return nullcontext()

    def planned(self, *arguments, option):
        assert option == "--table="
        assert arguments[:3] == ("plan", "allreduce", "torus:4x4")
        return {"bound": {"vectors": 0.5}}

    def inside_lab(self, program, *arguments, per_node=1, environment=None):
        if program == "cubefold-calibrate":
            assert arguments == ("--output", self.scratch / "machine.json")
            return ""
        assert (program, arguments, per_node) == ("timed_allreduce", (3, 128), 1)
        algorithm = environment.get("OMPI_MCA_coll_tuned_allreduce_algorithm")
        lines = [("MPI", 20 if algorithm == "4" else 40)]
        if "TIMED_ALLREDUCE" in environment:
            lines.append(("cubefold", 10 if environment.get("CUBEFOLD_MACHINE") == "scratch/machine.json" else 30))
        return "".join(f"{who:8}      128 KiB {ms:12.3f} ms of {ms - 1}.000 {ms}.000 {ms + 1}.000\n"
                       for who, ms in lines)


def test_calls_are_compared_with_the_fastest_algorithm_of_mpi():
    rows = allreduce.measure(Allreduces(), lambda _text: None)
    assert {row["form"] for row in rows} == {"cubefold", allreduce.WITH_FILE, allreduce.DEFAULT,
                                               *allreduce.FAST}
    texts = allreduce.render(rows, None)
    assert texts["allreduce_summary"] == (
        "With all ports and vectors from 128 KiB on, `cubefold_allreduce` is 2.00 to 2.00 times as fast as the fastest "
        "algorithm of Open MPI. The least ratio of all cases is 2.00, and 1.33 beside MPI's default.")
    line = texts["allreduce_table"].splitlines()[2]
    assert line == ("| torus:4x4, all-port, 10mbit | 128 KiB | 10.0 (9.00-11.0) | 30.0 (29.0-31.0) | 40.0 | 20.0 | "
                    "ring | 2.00 | 548 % |")


def test_without_a_machine_file_our_calls_are_those_without_it():
    every = allreduce.measure(Allreduces(), lambda _text: None)
    rows = [row for row in every if allreduce.WITH_FILE not in (row["form"], row.get("beside"))]
    line = allreduce.render(rows, None)["allreduce_table"].splitlines()[2]
    assert line == ("| torus:4x4, all-port, 10mbit | 128 KiB | - | 30.0 (29.0-31.0) | 40.0 | 20.0 | ring | 0.67 | "
                    "183 % |")


def test_the_bound_is_that_of_the_plan_with_headers():
    case = allreduce.Case(allreduce.Lab("torus:4x4", "10mbit"), (128,))
    assert allreduce._bound_seconds(Allreduces(), case, 128) == pytest.approx(0.5 * 128 * 1024 * 8e-7 * 1514 / 1448)
