"""The report of ./dev bench about transforms: gains, times of plans, and the G-FFT of hpcc."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(os.environ["CUBEFOLD_SOURCE"]) / "tests" / "bench"))
from report import gfft, transforms  # noqa: E402

MODEL = """16 points, complex forward
exchange over process axis 0
  4 processes, ring: 3 blocks of 64 bytes each
  blocks of 64 bytes: complete exchange on ring:4, one port
  direct: 4 steps, 4 start-ups, 3 blocks sent by each; steps by the clock
  predicted 1.5 ms, the bound 1 ms, 1.5 times that
forward transforms of 4 points
exchange over process axis 0
  4 processes, ring: 3 blocks of 64 bytes each
  {second}
"""
MEASURED = "exchange 2 by measured calls: axes, fastest of up to 3 calls of each; direct 9 ms; axes 2.5 ms\n"


def row(name, seconds, baseline="", points=2**20):
    return {"transform": name, "baseline": baseline, "lengths": [points], "points": points, "seconds": seconds,
            "where": "a torus"}


def test_times_of_exchanges_are_added_as_planned():
    assert transforms.predicted_seconds({"plan": MODEL.format(second="predicted 2 ms")}) == pytest.approx(3.5e-3)


SUMMARY = """all: 6 messages and 384 bytes sent by each process
all exchanges: predicted {total} ms, the bound 1 ms, 3.5 times that
taken: transposed, predicted to take least
alternative bluestein: predicted 90 ms, the bound 80 ms, 1.12 times that, 9 messages and 999 bytes sent by each process
"""
BUTTERFLIES = """16 points, complex forward
half exchange of 4 x 4 x 1 points, natural labels, 2 stages
1 packets a stage; each rank sends 2 messages, 4 points; predicted 7 ms
""" + SUMMARY


def test_the_total_counts_where_a_plan_knows_it():
    stages = MODEL.format(second="predicted 2 ms")
    assert transforms.predicted_seconds({"plan": stages + SUMMARY.format(total=3.25)}) == pytest.approx(3.25e-3)
    assert transforms.predicted_seconds({"plan": BUTTERFLIES.format(total=7)}) == pytest.approx(7e-3)


def test_measured_calls_count_more_than_predictions():
    text = MODEL.format(second="predicted 2 ms") + SUMMARY.format(total=9) + MEASURED
    assert transforms.predicted_seconds({"plan": text}) == pytest.approx(4.0e-3)


def test_times_of_alternatives_are_not_those_of_the_plan():
    text = MODEL.format(second="MPI's own all-to-all: one host") + SUMMARY.replace("all exchanges", "others")
    assert transforms.predicted_seconds({"plan": text}) is None


@pytest.mark.parametrize("text", ["", MODEL.format(second="MPI's own all-to-all: one host")])
def test_no_time_is_added_up_where_a_plan_knows_none(text):
    assert transforms.predicted_seconds({"plan": text}) is None


def test_a_gain_is_that_of_medians():
    rows = [row("FFTW MPI natural", [9, 6, 1]), row("cubefold block", [2, 3, 9], "FFTW MPI natural"),
            row("cubefold cyclic", [2, 2, 2], "FFTW MPI natural")]
    slower = [row("FFTW MPI natural", [9]), row("cubefold cyclic", [2], "FFTW MPI natural")]
    said = transforms.gain_summary([rows, slower]).splitlines()
    assert said == ["- block: 2.00", "- cyclic: 3.00 to 4.50"]


def test_gains_of_short_lines_are_left_out():
    rows = [row("FFTW MPI natural", [9], points=2**18), row("cubefold block", [9], "FFTW MPI natural", points=2**18)]
    assert transforms.gain_summary([rows]) == "Only arrays smaller than those of a full run were measured."


# This is the output of hpcc 1.5.0.
SECTION = """Begin of MPIFFT section.
Number of nodes: 2
Vector size:                65536
Generation time:     0.000
Computing:     0.006
Inverse FFT:     0.007
max(|x-x0|): 5.661e-16
Gflop/s:     0.937
End of MPIFFT section.
Begin of StarFFT section.
Vector size: 512
"""


def test_the_g_fft_is_read_from_its_section():
    assert gfft.result_of(SECTION) == {"points": 65536, "flops": 0.937e9}
    assert gfft.result_of(SECTION.partition("Gflop")[0]) is None


@pytest.mark.parametrize("points, processes, order", [(65536, 2, 512), (2**22, 2, 4096), (2**16, 4, 363)])
def test_the_matrix_has_room_for_the_vectors_of_a_process(points, processes, order):
    assert gfft.matrix_order(points, processes) == order
    assert order**2 * 8 >= 4 * 16 * points / processes > (order - 1)**2 * 8
