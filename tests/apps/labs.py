"""Brings labs up for tests and runs programs in them."""

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from jobs import BUILD, MPI_LIBRARY, WATCHDOG_SECONDS
from launched import processes_with

LAB = str(BUILD / "bin/cubefold-lab")

sys.path.insert(0, str(Path(os.environ["CUBEFOLD_SOURCE"]) / "apps/lab"))


def reason_to_skip():
    from cubefold_lab import cli, lab as labs
    from cubefold_lab.errors import LabError
    try:
        labs.need(cli.PROGRAMS)
        labs.check_rights()
    except LabError as error:
        return str(error)
    if not MPI_LIBRARY.startswith("Open MPI"):
        return "the lab starts programs with the mpirun of Open MPI"
    if os.environ.get("OMPI_ALLOW_RUN_AS_ROOT") != "1":
        return "inside a lab everybody is root, and mpirun has not been allowed to run as root"
    return "" if "LD_PRELOAD" not in os.environ else "sanitizers' own preloads do not go with the lab's"


REASON = reason_to_skip()
needs_labs = pytest.mark.skipif(bool(REASON), reason=REASON)


def lab(*arguments, env=None):
    return subprocess.run([LAB, *map(str, arguments)], capture_output=True, text=True, timeout=WATCHDOG_SECONDS,
                          env={**os.environ, **(env or {})})


def change(*arguments):
    """Runs a command that has to succeed."""
    done = lab(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def lab_of(grid, *options, name):
    change("up", grid, *options, "--name", name)
    try:
        yield name
    finally:
        lab("down", "--name", name)


def loads(name, *options):
    """Returns the bytes that each link has carried since the last reset, with the headers of frames, by (from, to)."""
    links = json.loads(change("loads", "--name", name, "--json", "-", *options))["links"]
    return {(k["from"], k["to"]): k["bytes"] for k in links}


def expect_none_with(mark):
    """Waits until the kernel has ended all processes with the mark."""
    end = time.monotonic() + WATCHDOG_SECONDS
    while processes_with(mark):
        assert time.monotonic() < end, f"processes with {mark} are left"
        time.sleep(0.01)
