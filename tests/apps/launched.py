"""Runs jobs under mpiexec, whose own faults are no faults of the programs: a job whose launcher fails is repeated."""

import os
import signal
import subprocess
import uuid
from contextlib import suppress
from pathlib import Path

REPETITIONS = 3
SECONDS_BETWEEN_LOOKS = 24
LAUNCHERS = ("mpiexec", "mpirun", "orte", "prte", "hydra_pmi_proxy")  # what the names of their processes begin with


class LauncherFailed(Exception):
    """mpiexec has crashed, or waits though all processes of the program have ended, as that of Open MPI 4.1.4 does now
    and then when a job is aborted."""


def processes_with(mark):
    """Returns the numbers of the processes that have the mark, as NAME=VALUE, in their environment."""
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in environment.read_bytes().split(b"\0"):
                found.append(int(environment.parent.name))
        except OSError:  # the process belongs to another user, or has ended
            pass
    return found


def names_with(mark):
    """Returns the names of the processes that have the mark."""
    names = []
    for process in processes_with(mark):
        with suppress(OSError):  # it has ended
            names.append(Path(f"/proc/{process}/comm").read_text().strip())
    return sorted(names)


def end_all_with(mark):
    """Ends what has been left, so that it does not disturb the next job."""
    for process in processes_with(mark):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def output_of(launcher, mark, timeout):
    """Returns what a job has written. Looks now and then whether anything but the launcher is running."""
    left = timeout
    while left > SECONDS_BETWEEN_LOOKS:
        try:
            return launcher.communicate(timeout=SECONDS_BETWEEN_LOOKS)
        except subprocess.TimeoutExpired:
            if all(name.startswith(LAUNCHERS) for name in names_with(mark)):
                raise LauncherFailed(f"waits, with {names_with(mark)}") from None
        left -= SECONDS_BETWEEN_LOOKS
    return launcher.communicate(timeout=left)


def launched(command, timeout, env=None, cwd=None, before_end=lambda mark: None):
    """Runs a job once and returns it completed. `before_end` gets the mark of its processes when mpiexec has ended.
    Ends all of them. Raises subprocess.TimeoutExpired for a program that hangs, and LauncherFailed."""
    name, value = "CUBEFOLD_JOB", uuid.uuid4().hex
    mark = f"{name}={value}"
    with subprocess.Popen(command, cwd=cwd, env={**os.environ, **(env or {}), name: value}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as launcher:
        try:
            out, err = output_of(launcher, mark, timeout)
            before_end(mark)
        finally:
            end_all_with(mark)
    if launcher.returncode < 0:
        raise LauncherFailed(f"status {launcher.returncode}: {err[-300:]}")
    return subprocess.CompletedProcess(command, launcher.returncode, out, err)


def repeated(run_once):
    """Runs a job, and again if its launcher fails."""
    for _ in range(REPETITIONS - 1):
        with suppress(LauncherFailed):
            return run_once()
    return run_once()
