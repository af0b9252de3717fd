"""Runs the programs under mpirun or alone, and returns what a user would see."""

import os
import re
import subprocess
import tempfile
from pathlib import Path

import pytest

from launched import launched, repeated

BUILD = Path(os.environ["CUBEFOLD_BUILD"])
MPI_LIBRARY = os.environ.get("CUBEFOLD_MPI_LIBRARY", "")  # such as `Open MPI v4.1.4`
WITH_MPICH = MPI_LIBRARY.startswith("MPICH")
MPI_PROGRAMS = ("cubefold-exchange", "cubefold-permute", "cubefold-calibrate", "cubefold-fft")
# Without mpirun, Open MPI would start a daemon and look for networks, which takes most of the time of a refusal.
ALONE = {"OMPI_MCA_ess_singleton_isolated": "1", "OMPI_MCA_btl": "self", "OMPI_MCA_pml": "ob1"}
WATCHDOG_SECONDS = 600  # a program that takes longer hangs, even on one busy core


def names_in(header):
    """The names in a list of descriptors of the library or of a program, as messages show them."""
    text = (Path(os.environ["CUBEFOLD_SOURCE"]) / header).read_text()
    return ", ".join(name.replace("_", "-") for name in re.findall(r"^  LINE\((\w+)\)", text, re.MULTILINE))


ALGORITHMS = names_in("include/cubefold/exchange/method.hpp")
FORMATS = names_in("apps/planner/launchers/launcher.hpp")


class Job:
    def __init__(self, program, completed):
        self.program = program
        self.status = completed.returncode
        self.out = completed.stdout
        self.err = completed.stderr

    @property
    def complaints(self):
        """Returns the program's own lines on standard error. mpirun adds its report of the exit status."""
        return [line for line in self.err.splitlines() if line.startswith(self.program + ":")]


def run(process_count, program, *arguments, env=None, cwd=None, wrapper=(), timeout=WATCHDOG_SECONDS):
    command = [os.environ["CUBEFOLD_MPIEXEC"], "-n", str(process_count), *wrapper, str(BUILD / "bin" / program)]
    command += map(str, arguments)
    return Job(program, repeated(lambda: launched(command, timeout, env, cwd)))


def run_alone(program, *arguments, stdin=None, env=None, cwd=None, timeout=WATCHDOG_SECONDS):
    """Runs a program without mpirun. Standard input is a text or an open file."""
    given = {"input": stdin} if stdin is None or isinstance(stdin, str) else {"stdin": stdin}
    with tempfile.TemporaryDirectory() as folder:
        # All such processes have the same number, so each one removes the folder of another one that begins.
        alone = {**ALONE, "OMPI_MCA_orte_tmpdir_base": folder} if program in MPI_PROGRAMS else {}
        completed = subprocess.run([str(BUILD / "bin" / program), *map(str, arguments)], **given,
                                   env={**os.environ, **alone, **(env or {})},
                                   cwd=cwd, capture_output=True, text=True, timeout=timeout)
    return Job(program, completed)


def expect_refused(job, line):
    """Expects one line, from one process, with exit status 2."""
    assert job.complaints == [f"{job.program}: {line}"], job.err
    assert job.status == 2
    assert job.out == ""


def refused_with(job, part):
    """Expects one line that contains these words, with exit status 2."""
    assert (job.status, job.out, len(job.complaints)) == (2, "", 1), job.err
    assert part in job.complaints[0]


def skip_without_fftw_mpi(job):
    """Skips the test if the program cannot compare, as in builds with MPICH, for which Debian has no FFTW MPI."""
    if "built without FFTW MPI" in job.err:
        pytest.skip("built without FFTW MPI")


def written(folder, name, text):
    """Writes a file and returns its path."""
    path = folder / name
    path.write_text(text)
    return path


def expect_help(program, processes=0):
    """Expects help that one process prints, with examples, and no wider than a terminal. With 0 processes the program
    runs without mpirun."""
    shown = run(processes, program, "--help") if processes else run_alone(program, "--help")
    assert shown.status == 0
    assert shown.out.count("Usage:") == 1
    assert "Examples:" in shown.out
    assert max(len(line) for line in shown.out.splitlines()) <= 120


def expect_wrong_byte_noticed(program, *arguments, where):
    """Expects one error with the place of a single wrong byte in a message."""
    job = run(4, program, *arguments, "--block", "1KiB", "--repetitions", 1, env=preloaded("libcorrupt_messages.so"))
    assert job.status == 2
    assert len(job.complaints) == 1
    assert where in job.complaints[0]


# A sanitizer's runtime has to come before all other libraries. replaced_calls_test runs the same functions with it.
IS_SANITIZED = "-fsanitize" in (BUILD / "CMakeCache.txt").read_text()
REASON_WITHOUT_PRELOAD = ("a sanitized library cannot be preloaded into programs without the sanitizer"
                          if IS_SANITIZED else "")


def files_shared_with_other_jobs(names):
    """Returns the names without those that stay when one process has ended. Open MPI's mpirun then ends the others by
    SIGTERM. That of MPICH does so by SIGKILL, after which nobody can remove the incomplete file."""
    return [name for name in names if not (WITH_MPICH and re.fullmatch(r"out\.npy\.[0-9]+\.part", name))]


def exported_functions(library):
    """Returns the names that a preloaded library exports, but for the types of exceptions, which are common to all
    libraries that throw or catch them."""
    listed = subprocess.run(["nm", "-D", "--defined-only", BUILD / "lib" / library], capture_output=True, text=True,
                            check=True).stdout
    return {name for line in listed.splitlines() if not (name := line.split()[-1]).startswith("_ZT")}


def with_preloaded(*libraries):
    """Returns the words before a program by which a launcher, which is not to have the libraries, starts it with
    them."""
    return ["env", *(f"{name}={value}" for name, value in preloaded(*libraries).items())]


def preloaded(*libraries):
    paths = [BUILD / "lib" / library for library in libraries]
    assert all(path.exists() for path in paths), "what is missing is preloaded without a word"
    others = os.environ.get("LD_PRELOAD")
    return {"LD_PRELOAD": ":".join([*([others] if others else []), *map(str, paths)])}
