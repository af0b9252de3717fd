"""The report of ./dev bench about the examples: it reads what they print, and compares their forms."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(os.environ["CUBEFOLD_SOURCE"]) / "tests" / "bench"))
from report import examples  # noqa: E402


class Examples:
    """Stands for a setting in whose lab the examples take known times."""

    full = True
    scratch = Path("scratch")

    def shuffled(self, items):
        return list(items)[::-1]

    def inside_lab(self, program, *arguments, options=(), environment=None):
        if program == "jacobi":
            return f"256 columns in 32 blocks, 10 sweeps in {10 / arguments[2]:.3f} s; singular values:\n1\n"
        if program == "halo":
            return f"halo:1w: right\nranks in order {30 if options else 10}.000 ms a step, placed 5.000 ms: 2 times\n"
        if program == "gradient":
            return "10 parameters\nMPI_Allreduce 8.000 ms a step, cubefold_allreduce 2.000 ms: 4 times\n"
        seconds = 2 if (environment or {}).get("CUBEFOLD_ALLTOALL") == "mpi" else 1
        return f"4 x 10 keys in {seconds}.000 s: right\n"


def test_forms_are_compared_by_the_times_that_examples_print():
    rows = {(row["example"], row["other"]): row for row in examples._measure_forms(Examples(), {}, 3)}
    jacobi = rows["jacobi", "whole blocks"]
    assert jacobi["other_seconds"] == pytest.approx([1] * 3)
    assert jacobi["seconds"] == pytest.approx([0.25] * 3)
    assert rows["poisson", "MPI_Alltoall"]["other_seconds"] == [2] * 3
    assert rows["poisson", "MPI_Alltoall"]["seconds"] == [1] * 3
    assert [other for program, other in rows if program == "bitonic_sort"] == ["ranks on nodes in random order",
                                                                               "ranks in order"]


def test_shuffled_hosts_are_those_of_the_lab():
    times = {hosts: examples._measure_halo(Examples(), hosts, 2) for hosts in examples.ORDERS_OF_HOSTS}
    assert times["in order"]["other_seconds"] == pytest.approx([0.01] * 2)
    assert times["shuffled"]["other_seconds"] == pytest.approx([0.03] * 2)
    assert times["shuffled"]["seconds"] == pytest.approx([0.005] * 2)


def test_gradients_are_averaged_by_both_allreduces_in_one_run():
    row = examples._measure_gradient(Examples(), {}, 2)
    assert (row["other_seconds"], row["seconds"]) == (pytest.approx([0.008] * 2), pytest.approx([0.002] * 2))


def test_the_gain_of_each_comparison_is_that_of_medians(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed, which ./dev bench installs")
    row = {"grid": "torus:4x4", "rate": "10mbit", "ports": "one", "queue": "64kb", "example": "halo",
           "other": "ranks in order", "other_seconds": [0.3, 0.2, 0.4], "ours": "placed", "seconds": [0.1, 0.15, 0.2]}
    texts = examples.render([row], tmp_path)
    assert texts["halo_summary"] == ("- torus:4x4, one-port, 10mbit, 64kb queues: placed 150 ms, "
                                     "ranks in order 300 ms: 2.00 times as fast")
    assert "300 (200-400)" in texts["examples_table"]
    assert (tmp_path / "examples.svg").exists()
