"""Programs in which one allocation after the other fails on one process: they end with an error of one line."""

import os
import re

import numpy as np
import pytest

from jobs import preloaded, run, skip_without_fftw_mpi, with_preloaded
from mpi_faults import UNCHANGED
from signals import random_signal
from sweeps import ALL, more, positions

POINTS = 1 << 12  # 16 KiB on each of 4 processes
FFT = ["cubefold-fft", "--input", "in.npy", "--output", "out.npy"]
FFT_WITH_ALL = [*FFT, "--check", "--compare", "fftw", "--repeat", 2, "--plot", "out.svg"]


def setting(rank, number, least_bytes=1):
    """Says that allocation `number` of the process of this rank fails. Numbers count from 1, and allocations of fewer
    bytes do not count. With number 0 none fails."""
    if "asan" in os.environ["CUBEFOLD_BUILD"]:
        pytest.skip("programs with a sanitizer bring an operator new of their own")
    return {"CUBEFOLD_FAIL_ALLOCATION": f"{rank}:{number}:{least_bytes}"}


def failing_allocation(rank, number, least_bytes=1):
    """Returns the environment in which an allocation fails."""
    return {**setting(rank, number, least_bytes), **preloaded("libfail_allocation.so")}


def counted(job):
    assert job.status == 0, job.err
    return int(re.search(r"allocations that count: (\d+)", job.err)[1])


def test_allocations_of_one_process_are_counted_and_fail():
    """The allocation that fails is one for data, after which the program ends by itself. The first one of all would
    abort the process before MPI_Init, and Open MPI's mpirun was seen to wait for ever after that."""
    command = [2, "cubefold-exchange", "--block", "64KiB"]
    assert counted(run(*command, env=failing_allocation(1, 0))) > 100
    assert counted(run(*command, env=failing_allocation(1, 0, 1 << 30))) == 0
    assert run(*command, env=failing_allocation(1, 1, 64 << 10)).status == 2
    assert run(*command, env=failing_allocation(2, 1, 64 << 10)).status == 0


def evenly_spread(count, most):
    """Returns at most `most` numbers from 1 to count, the first and the last among them."""
    return sorted({round(number) for number in np.linspace(1, count, min(count, most))})


@pytest.mark.parametrize("rank, most, command", [
    (0, 12, FFT), more(2, 12, FFT), (1, 20, FFT_WITH_ALL),
    (1, 12, ["cubefold-exchange", "--block", "16KiB", "--repetitions", 1, "--json", "out.json"]),
    (3, 12, ["cubefold-permute", "--block", "16KiB", "--repetitions", 1, "--json", "out.json"]),
    (2, 5, ["cubefold-calibrate", "--grid", "ring:4", "--quick", "--output", "out.json"])])
def test_ends_when_one_process_has_no_memory_for_data(tmp_path, rank, most, command):
    def run_in(name, number):
        folder = tmp_path / name
        folder.mkdir()
        np.save(folder / "in.npy", random_signal(POINTS, "complex128"))
        return folder, run(4, *command, cwd=folder, env=failing_allocation(rank, number, 16 << 10))

    folder, job = run_in("whole", 0)
    skip_without_fftw_mpi(job)
    names = {path.name for path in folder.iterdir()}
    count = counted(job)
    assert count > 0
    failed = 0
    for number in positions(evenly_spread(count, most), 6):
        folder, job = run_in(f"without {number}", number)
        failed += job.status != 0
        left = {path.name for path in folder.iterdir()}
        if job.status == 0:
            assert left == names
            if "out.npy" in names:
                assert (folder / "out.npy").read_bytes() == (tmp_path / "whole" / "out.npy").read_bytes()
        else:
            assert job.status == 2, job.err
            assert len(job.complaints) == 1, job.err
            assert job.complaints[0].endswith(f"process {rank} of 4: out of memory")
            assert left == {"in.npy"}
    assert failed > 0 or not ALL


def test_an_unchanged_program_ends_when_one_process_has_no_memory():
    def run_without(number):
        environment = {**UNCHANGED["checking_program"], **setting(1, number)}
        return run(4, "checking_program", env=environment,
                   wrapper=with_preloaded("libfail_allocation.so", "libcubefold-preload.so"))

    # At the end other processes are in MPI_Finalize, and Open MPI's mpirun was seen to wait for ever after MPI_Abort
    # then.
    count = counted(run_without(0)) * 98 // 100
    for number in positions(evenly_spread(count, 12), 6):
        job = run_without(number)
        assert job.status in (0, 2), job.err
