"""What counts as a fault of mpiexec, and not of the program that it started."""

import subprocess
import time

import pytest

import launched
from launched import LauncherFailed, names_with, repeated

SECONDS = 600  # of a program that hangs


@pytest.fixture
def mpiexec(tmp_path, monkeypatch):
    """Returns a function that makes a launcher of this script."""
    monkeypatch.setattr(launched, "SECONDS_BETWEEN_LOOKS", 0.5)

    def made(script, name="mpiexec"):
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return [path]

    return made


def test_a_job_that_ends_is_completed(mpiexec):
    done = launched.launched(mpiexec('echo "$NAME"; echo said >&2; exit 3'), SECONDS, {"NAME": "given"})
    assert (done.returncode, done.stdout, done.stderr) == (3, "given\n", "said\n")


def test_a_launcher_that_waits_for_ended_processes_has_failed(mpiexec):
    """The shell waits for its standard input, which is a pipe that only it could write to."""
    with pytest.raises(LauncherFailed):
        launched.launched(mpiexec('p=$(mktemp -u); mkfifo "$p"; exec 3<>"$p"; rm "$p"; read line <&3'), SECONDS)


def test_a_launcher_that_crashes_has_failed(mpiexec):
    with pytest.raises(LauncherFailed):
        launched.launched(mpiexec("kill -SEGV $$"), SECONDS)


def test_a_program_that_hangs_is_no_fault_of_the_launcher(mpiexec):
    with pytest.raises(subprocess.TimeoutExpired):
        launched.launched(mpiexec("sleep 1000000", name="program"), 1.2)


def test_processes_that_are_left_are_ended(mpiexec):
    marks = []
    launched.launched(mpiexec("sleep 1000000 > /dev/null 2>&1 &"), SECONDS,
                      before_end=lambda mark: marks.append((mark, names_with(mark))))
    mark, names = marks[0]
    assert len(names) == 1
    deadline = time.monotonic() + SECONDS
    while names_with(mark) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert names_with(mark) == []


@pytest.mark.parametrize("failures, runs", [(0, 1), (1, 2), (2, 3)])
def test_a_job_is_repeated_if_its_launcher_fails(failures, runs):
    tried = []

    def run_once():
        tried.append(None)
        if len(tried) <= failures:
            raise LauncherFailed
        return len(tried)

    assert repeated(run_once) == runs


def test_a_launcher_that_always_fails_is_not_tried_for_ever():
    tried = []

    def run_once():
        tried.append(None)
        raise LauncherFailed

    with pytest.raises(LauncherFailed):
        repeated(run_once)
    assert len(tried) == launched.REPETITIONS
