"""Programs under the launcher of another MPI, where each process finds itself alone."""

import pytest

from jobs import run, run_alone
from sweeps import more

SIZES_AND_RANKS = [("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"), ("PMI_SIZE", "PMI_RANK"),
                   ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID")]
PROGRAMS = {"cubefold-exchange": ["--block", "8", "--repetitions", "1"],
            "cubefold-permute": ["--block", "8", "--repetitions", "1"],
            "cubefold-calibrate": ["--output", "file"], "cubefold-fft": ["--lengths", "8", "--output", "file"]}

# These variables are cleared, because Open MPI's own mpirun and Slurm set them too.
NOBODY = {name: "" for pair in SIZES_AND_RANKS for name in pair}


# Each program and each launcher is in a case that ./dev test runs.
@pytest.mark.parametrize("program, size, rank", [
    pytest.param(program, *names, marks=[pytest.mark.more] if p > 0 and n > 0 else [])
    for p, program in enumerate(PROGRAMS) for n, names in enumerate(SIZES_AND_RANKS)])
def test_several_that_are_alone_stop_before_they_write_and_one_of_them_says_why(tmp_path, program, size, rank):
    for number in ["0", "2"]:
        job = run_alone(program, *PROGRAMS[program], env={**NOBODY, size: "4", rank: number}, cwd=tmp_path)
        assert (job.status, job.out) == (2, "")
        if number == "0":
            (line,) = job.err.splitlines()
            assert line.startswith(f"{program}: {size} says that 4 processes were started, but this one is alone")
            assert "its MPI is Open MPI v" in line or "its MPI is MPICH" in line
        else:
            assert job.err == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("size, rank", [SIZES_AND_RANKS[0], *(more(*names) for names in SIZES_AND_RANKS[1:])])
def test_one_process_may_be_alone(size, rank):
    job = run_alone("cubefold-exchange", *PROGRAMS["cubefold-exchange"], env={**NOBODY, size: "1", rank: "0"})
    assert job.status == 0, job.err


def test_the_innermost_launcher_counts():
    """This happens if mpirun starts one process in a step of a batch system, or in a script that another MPI
    started."""
    job = run(1, "cubefold-exchange", *PROGRAMS["cubefold-exchange"],
              env={"PMI_SIZE": "4", "SLURM_STEP_NUM_TASKS": "8"})
    assert job.status == 0, job.err


def test_sizes_that_are_no_numbers_are_ignored():
    job = run_alone("cubefold-exchange", *PROGRAMS["cubefold-exchange"], env={**NOBODY, "PMI_SIZE": "many"})
    assert job.status == 0, job.err


@pytest.mark.parametrize("program", ["cubefold-exchange", *map(more, list(PROGRAMS)[1:])])
def test_help_is_printed_by_a_process_that_is_alone(program):
    job = run_alone(program, "--help", env={**NOBODY, "PMI_SIZE": "4"})
    assert (job.status, job.err) == (0, "")
