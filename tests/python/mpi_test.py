"""Virtual communicators, exchanges and transforms of the Python package under mpiexec, and the examples of
docs/python.md."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sweeps import more

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
BUILD = Path(os.environ["CUBEFOLD_BUILD"])
PROGRAMS = SOURCE / "tests/python"
WATCHDOG_SECONDS = 200

pytestmark = pytest.mark.skipif(not list(BUILD.glob("python/cubefold/_fft*")),
                                reason="built without mpi4py of the MPI of this build")


def run(process_count, *arguments, **variables):
    return subprocess.run([os.environ["CUBEFOLD_MPIEXEC"], "-n", str(process_count), sys.executable, "-B",
                           *map(str, arguments)],
                          env={**os.environ, "PYTHONPATH": str(BUILD / "python"), **variables}, capture_output=True,
                          text=True, timeout=WATCHDOG_SECONDS, check=False)


@pytest.mark.parametrize("processes", [more(1), 3, more(8)])
@pytest.mark.parametrize("program", ["comm_program.py", "fft_program.py"])
def test_on_any_number_of_processes(program, processes):
    done = run(processes, PROGRAMS / program, CUBEFOLD_ALLTOALL="linear", CUBEFOLD_ALLREDUCE="bucket:2")
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr


def test_process_0_says_at_the_end_how_neighbours_exchanged():
    done = run(3, PROGRAMS / "comm_program.py", CUBEFOLD_NEIGHBORS="direct", CUBEFOLD_VERBOSE="1")
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stderr.splitlines() if ": neighbours with blocks of " in line]
    assert any("up to 31 bytes: direct: CUBEFOLD_NEIGHBORS says so" in line for line in lines), done.stderr
    assert any("several sizes: direct: CUBEFOLD_NEIGHBORS says so" in line for line in lines), done.stderr


def test_an_exchange_that_mpi_makes_is_right():
    done = run(2, PROGRAMS / "fft_program.py", CUBEFOLD_ALLTOALL="mpi")
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr


def test_an_error_that_nobody_catches_ends_with_its_text():
    done = run(1, "-c", "from mpi4py import MPI; import cubefold; cubefold.Comm(MPI.COMM_WORLD, 'ring:3')")
    assert done.returncode != 0
    assert "ValueError: cubefold_comm_create: " in done.stderr


@pytest.mark.parametrize("number, processes", [(0, 1), (1, 4)])
def test_the_examples_of_the_page_run(number, processes, tmp_path):
    examples = re.findall(r"^```python\n(.*?)^```", (SOURCE / "docs/python.md").read_text(), re.DOTALL | re.MULTILINE)
    assert len(examples) == 2
    (tmp_path / "example.py").write_text(examples[number])
    done = run(processes, tmp_path / "example.py")
    assert done.returncode == 0 and done.stdout, done.stderr
