"""The reports of ./dev bench about unchanged stencils and mpi4py-fft read what programs print, and compare both
forms."""

import os
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(os.environ["CUBEFOLD_SOURCE"]) / "tests" / "bench"))
from report import mpi4py_fft, neighbours  # noqa: E402


class Programs:
    """Stands for a setting in whose lab a program takes half as long with the preloaded library."""

    full = False

    def shuffled(self, items):
        return list(items)[::-1]

    def network(self, _lab):
        return nullcontext()

    def library(self, name):
        return f"lib{name}.so"

    def inside_lab(self, program, *arguments, environment=None):
        assert program != "timed_neighbours" or environment["CUBEFOLD_LAB_PAUSE"] == "100"
        ms = 5 if environment.get("LD_PRELOAD") == "libcubefold-preload.so" else 10
        if program == "timed_neighbours":
            assert arguments == (3, "4x4", 64)
            return ("called           64 B        5.000 ms of 4.000 5.000 6.000\n"
                    "MPI's own        64 B       10.000 ms of 9.000 10.000 11.000\n")
        assert arguments[1:] == ("slab", 32, 10)
        return f"slab of 32^3 points: {ms * 1e-3:.4f} s, the median of the last 5 calls\n"


def test_a_stencil_has_a_row_for_each_block():
    rows = neighbours.measure(Programs(), lambda _text: None)
    texts = neighbours.render(rows, None)
    assert texts["neighbours_summary"] == "It is 2.00 to 2.00 times as fast with the library."
    line = texts["neighbours_table"].splitlines()[2]
    assert line == "| torus:4x4, all-port, 10mbit | 8 | 64 B | 10.0 (9.00-11.0) | 5.00 (4.00-6.00) | 2.00 |"


def test_blocks_of_several_sizes_are_told_apart():
    rows = [{"grid": "torus:4x4x4", "rate": "10mbit", "ports": "all", "block_bytes": size, "form": form,
             "seconds": [size * seconds]}
            for size in (16, 64) for form, seconds in ((neighbours.ALONE, 3e-3), (neighbours.PRELOADED, 2e-3))]
    lines = neighbours.render(rows, None)["neighbours_table"].splitlines()[2:]
    assert [line.split("|")[2:4] + line.split("|")[-2:-1] for line in lines] == [
        [" 26 ", " 16 B ", " 1.50 "], [" 26 ", " 64 B ", " 1.50 "]]


def test_mpi4py_fft_has_a_row_for_each_decomposition(monkeypatch):
    monkeypatch.setattr(mpi4py_fft, "_is_installed", lambda: True)
    rows = mpi4py_fft.measure(Programs(), lambda _text: None)
    line = mpi4py_fft.render(rows, None)["mpi4py_fft_table"].splitlines()[2]
    assert line.startswith("| 32^3 points, slabs | 10.0 (") and line.endswith("| 2.00 |")


def test_mpi4py_fft_may_be_missing(monkeypatch):
    monkeypatch.setattr(mpi4py_fft, "_is_installed", lambda: False)
    assert mpi4py_fft.measure(Programs(), lambda _text: None) is None
    assert "not measured" in mpi4py_fft.render(None, None)["mpi4py_fft_table"]


def test_output_without_times_is_no_report():
    with pytest.raises(ValueError):
        mpi4py_fft._seconds("nothing")
