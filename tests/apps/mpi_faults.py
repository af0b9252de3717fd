"""Lets calls of MPI fail one by one in running programs, and looks at how they end. ./dev faults runs it."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

from jobs import BUILD, WATCHDOG_SECONDS, Job, files_shared_with_other_jobs, with_preloaded
from launched import launched, names_with, repeated
from random_kills import is_whole
from signals import random_signal

PROCESSES = 4
POINTS = 1 << 12
SECONDS_FOR_ENDS = 24
SECONDS = WATCHDOG_SECONDS / 5  # a program with a small problem that takes longer hangs, even on a busy machine
MOST_TIMED_CALLS = 2000  # calibrate measures for some time, in which it makes at least so many calls
PATIENT = {"OMPI_MCA_odls_base_sigkill_timeout": "1"}  # the seconds that mpirun waits if it is not told otherwise
POLLS = ("MPI_Test", "MPI_Testsome", "MPI_Iprobe")  # the number of these calls depends on the time

# Small problems. FFTW looks at no error of its own calls of MPI, so that nothing is compared with FFTW MPI.
FFT = ["cubefold-fft", "--input", "in.npy", "--output", "out.npy", "--check"]
EXCHANGE = ["cubefold-exchange", "--block", "1KiB", "--repetitions", "1", "--json", "out.json"]
COMMANDS = {"fft": FFT, "fft-with-all": [*FFT, "--repeat", "2", "--plot", "out.svg", "--json", "out.json"],
            "fft-by-binary-exchange": [*FFT, "--algorithm", "binary-exchange", "--distribution", "block,cyclic"],
            "exchange": EXCHANGE, "exchange-with-all": [*EXCHANGE, "--algorithm", "all", "--compare", "all"],
            "permute": ["cubefold-permute", "--block", "1KiB", "--repetitions", "1", "--json", "out.json"],
            "calibrate": ["cubefold-calibrate", "--grid", "ring:4", "--quick", "--output", "out.json"],
            "preloaded": ["checking_program"]}

# Programs that know nothing of cubefold, with the settings by which the preloaded library makes all their exchanges.
# Each of their processes may have a line of its own for a call that failed, and MPICH's launcher may lose lines.
UNCHANGED = {"checking_program": {"CUBEFOLD_GRID": "ring:4", "CUBEFOLD_ALLTOALL": "direct",
                                  "CUBEFOLD_PROGRESS_THREAD": "1"}}


def await_ends(mark):
    """Waits for processes that mpiexec has told to end: they may be removing their files when it has ended itself."""
    end = time.monotonic() + SECONDS_FOR_ENDS
    while names_with(mark) and time.monotonic() < end:
        time.sleep(0.01)


def job_with_fault(command, folder, rank, number, function="", more=()):
    """Runs a program in an empty folder while call `number` of this function fails on the process of this rank. Without
    a name, all functions but those that poll count. With number 0 no call fails. Returns nothing if the program
    hangs."""
    libraries = ["libfail_mpi.so", *(["libpreload_calling_mpi.so"] if command[0] in UNCHANGED else [])]
    words = [os.environ["CUBEFOLD_MPIEXEC"], "-n", str(PROCESSES), *with_preloaded(*libraries),
             str(BUILD / "bin" / command[0]), *command[1:]]
    env = {"CUBEFOLD_FAIL_MPI": f"{rank}:{number}:{function}", **UNCHANGED.get(command[0], {}), **dict(more)}

    def run_once():
        for path in folder.iterdir():
            path.unlink()
        np.save(folder / "in.npy", random_signal(POINTS, "complex128"))
        return launched(words, SECONDS, env, folder, await_ends)

    try:
        return Job(command[0], repeated(run_once))
    except subprocess.TimeoutExpired:
        return None


def counted(job):
    """Returns the number of calls in a job in which none has failed."""
    assert job.status == 0, job.err
    return int(re.search(r"calls that count: (\d+)", job.err)[1])


def defects(job, folder, names):
    """Returns what is wrong with a job in which a call may have failed. `names` are those of the files of a job
    without a failure. A job either ends as usual or says in one line what has failed; a file is whole or not there. Of
    programs in UNCHANGED the status alone counts."""
    if job is None:
        return ["hangs"]
    wrong = []
    if job.status not in (0, 2):
        wrong.append(f"status {job.status}: {job.err[-300:]}")
    if job.status == 2 and job.program not in UNCHANGED and len(job.complaints) != 1:
        wrong.append(f"{len(job.complaints)} lines in place of one: {job.complaints[:3]}")
    left = {path.name for path in folder.iterdir()}
    wrong += [f"{name} is left" for name in files_shared_with_other_jobs(sorted(left - names))]
    wrong += [f"{name} is not there" for name in sorted(names - left) if job.status == 0]
    wrong += [f"{name} is not whole" for name in sorted(left & names) if not is_whole(folder / name)]
    return wrong


def numbers_of(function, count, most):
    """Returns at most `most` numbers from 1 to `count`, the first and the last among them. Those of functions that poll
    are the powers of two below: later calls may not come in the next job."""
    if function in POLLS:
        return [1 << i for i in range(min(most, max(1, count // 2).bit_length()))] if count else []
    return sorted({round(number) for number in np.linspace(1, count, min(count, most))})


def judged(name, rank, number, function, names):
    """Runs a program while a call fails, and returns its job and what is wrong with it. The tests let mpirun send
    SIGKILL at once after SIGTERM, which may come before a process has removed its file on a busy machine: such a job is
    repeated with the time that mpirun leaves by default."""
    for more in ({}, PATIENT):
        with tempfile.TemporaryDirectory() as folder:
            job = job_with_fault(COMMANDS[name], Path(folder), rank, number, function, more)
            wrong = defects(job, Path(folder), names)
        if not any(line.endswith(" is left") for line in wrong):
            break
    return job, wrong


def sweep(name, rank, function, most, tell=print, choose=lambda numbers: numbers):
    """Lets up to `most` calls fail, or those that `choose` takes from them, each in a job of its own. Returns how many
    jobs ended in which way."""
    ends = Counter()
    with tempfile.TemporaryDirectory() as folder:
        job = job_with_fault(COMMANDS[name], Path(folder), rank, 0, function)
        count = min(counted(job), MOST_TIMED_CALLS) if name == "calibrate" else counted(job)
        names = {path.name for path in Path(folder).iterdir()}
    for number in choose(numbers_of(function, count, most)):
        job, wrong = judged(name, rank, number, function, names)
        ends["defects" if wrong else "refused" if job.status else "right"] += 1
        if wrong:
            tell(f"{name}, call {number} of {function or 'MPI'} on process {rank}: {'; '.join(wrong)}")
    return ends


def main(arguments=None):
    """Prints a table of jobs and defects, and returns the number of defects."""
    parser = argparse.ArgumentParser(prog="./dev faults", description=__doc__)
    parser.add_argument("most", nargs="?", type=int, default=1000,
                        help="most calls that fail in each program, on each of two ranks (default: 1000)")
    parser.add_argument("--only", action="append", choices=COMMANDS, help="a program, in place of all")
    given = parser.parse_args(arguments)
    print("| program | ended with an error | right in spite of it | defects |\n|---|---:|---:|---:|", flush=True)
    found = 0
    for name in given.only or COMMANDS:
        ends = Counter()
        for rank in (0, PROCESSES - 2):
            for function in ("", *POLLS):
                ends += sweep(name, rank, function, given.most, lambda line: print(line, file=sys.stderr, flush=True))
        print(f"| {name} | {ends['refused']} | {ends['right']} | {ends['defects']} |", flush=True)
        found += ends["defects"]
    return found


if __name__ == "__main__":
    sys.exit(min(main(), 1))
