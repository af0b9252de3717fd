"""Programs on an MPI whose calls fail one after the other, that is late, and that completes in another order."""

import re
from functools import partial

import numpy as np
import pytest

from jobs import REASON_WITHOUT_PRELOAD, run, with_preloaded
from mpi_faults import COMMANDS, EXCHANGE, POLLS, counted, defects, job_with_fault, numbers_of, sweep
from signals import random_signal
from sweeps import ALL, more, positions

pytestmark = pytest.mark.skipif(bool(REASON_WITHOUT_PRELOAD), reason=REASON_WITHOUT_PRELOAD)


def test_calls_of_one_process_are_counted_and_fail(tmp_path):
    count = counted(job_with_fault(EXCHANGE, tmp_path, 1, 0))
    assert count > 50
    assert 0 < counted(job_with_fault(EXCHANGE, tmp_path, 1, 0, "MPI_Barrier")) < count
    job = job_with_fault(EXCHANGE, tmp_path, 1, 1, "MPI_Barrier")
    assert job.status == 2
    assert re.fullmatch(r"cubefold-exchange: process 1 of 4: MPI_Barrier: MPI_ERR_OTHER: .*", job.complaints[0])


def test_defects_are_noticed(tmp_path):
    job = job_with_fault(EXCHANGE, tmp_path, 1, 0)
    names = {path.name for path in tmp_path.iterdir()}
    assert defects(job, tmp_path, names) == []
    assert defects(None, tmp_path, names) == ["hangs"]
    assert defects(job, tmp_path, names | {"more.json"}) == ["more.json is not there"]
    assert defects(job, tmp_path, names - {"out.json"}) == ["out.json is left"]
    (tmp_path / "out.json").write_text('{"seconds": 1')
    job.status = 2
    assert defects(job, tmp_path, names) == ["0 lines in place of one: []", "out.json is not whole"]
    job.status = 139
    assert defects(job, tmp_path, names)[0].startswith("status 139: ")


def test_numbers_of_calls_are_spread():
    assert numbers_of("", 3, 10) == [1, 2, 3]
    assert numbers_of("", 101, 3) == [1, 51, 101]
    assert numbers_of("MPI_Test", 20, 10) == [1, 2, 4, 8]
    assert numbers_of("MPI_Test", 0, 10) == []


@pytest.mark.parametrize("name, rank, most", [more("fft", 2, 14), ("fft-with-all", 0, 10),
                                              ("fft-by-binary-exchange", 2, 8), more("exchange", 0, 10),
                                              ("exchange-with-all", 2, 10), ("permute", 2, 10), ("calibrate", 0, 4),
                                              ("preloaded", 2, 16)])
def test_ends_when_a_call_of_one_process_fails(name, rank, most):
    told = []
    ends = sweep(name, rank, "", most, told.append, partial(positions, step=5))
    assert ends["defects"] == 0, told
    assert ends["refused"] > 0 or not ALL


@pytest.mark.parametrize("name, rank", [more("fft", 2), more("fft-with-all", 0), more("fft-by-binary-exchange", 2),
                                        more("exchange", 0), ("exchange-with-all", 2), more("permute", 2),
                                        more("calibrate", 0), ("preloaded", 2)])
def test_ends_when_a_call_that_polls_fails(name, rank):
    told = []
    for function in positions(POLLS, 3):
        assert sweep(name, rank, function, 2, told.append, partial(positions, step=2))["defects"] == 0, told


def test_a_request_does_not_wait_for_a_message_of_its_thread_that_has_failed():
    """Threads of the preloaded library complete persistent requests by messages. Its other calls of MPI_Send only ask
    whether a datatype is committed."""
    told = []
    assert set(sweep("preloaded", 2, "MPI_Send", 10, told.append, partial(positions, step=4))) == {"right"}, told


def test_a_process_that_makes_no_communicator_while_the_others_wait_for_it_does_not_go_on_alone():
    """The preloaded library may pass calls on only if all processes do that."""
    told = []
    assert sweep("preloaded", 2, "MPI_Comm_split", 16, told.append, partial(positions, step=4))["defects"] == 0, told


def test_a_program_that_finds_no_number_of_processes_does_not_hang(tmp_path):
    """It took itself for one that is alone, and left the others waiting."""
    job = job_with_fault(EXCHANGE, tmp_path, 1, 1, "MPI_Comm_size")
    assert job is not None and len(job.complaints) == 1, job.err


# A random number, by which an MPI chooses what is late, and what it reports first.
@pytest.mark.parametrize("seed", [1, more(2)])
@pytest.mark.parametrize("program, arguments", [
    ("cubefold-exchange", ["--algorithm", "all", "--block", "8,24KiB", "--repetitions", 1]),
    ("cubefold-permute", ["--block", "8,24KiB", "--repetitions", 100]),
    ("soak", ["--exchanges", 500, "--growth", 1000])])
def test_right_on_an_mpi_that_is_late_and_completes_in_another_order(seed, program, arguments):
    job = run(4, program, *arguments, env={"CUBEFOLD_SHUFFLED_MPI": str(seed)},
              wrapper=with_preloaded("libshuffled_mpi.so"))
    assert job.status == 0, job.err
    times = [int(times) for times in re.findall(r"times late or left out: (\d+)", job.err)]
    assert len(times) == 4 and min(times) > 50


@pytest.mark.parametrize("seed", [1, more(2)])
def test_a_transform_is_the_same_on_such_an_mpi(tmp_path, seed):
    np.save(tmp_path / "in.npy", random_signal(1 << 12, "complex128"))
    arguments = ["--input", tmp_path / "in.npy", "--check", "--distribution", "block,cyclic", "--algorithm"]
    for algorithm in ("transposed", "binary-exchange"):
        plain = run(4, "cubefold-fft", *arguments, algorithm, "--output", tmp_path / "plain.npy")
        late = run(4, "cubefold-fft", *arguments, algorithm, "--output", tmp_path / "late.npy",
                   env={"CUBEFOLD_SHUFFLED_MPI": str(seed)},
                   wrapper=with_preloaded("libshuffled_mpi.so"))
        assert (plain.status, late.status) == (0, 0), plain.err + late.err
        assert (tmp_path / "plain.npy").read_bytes() == (tmp_path / "late.npy").read_bytes()
