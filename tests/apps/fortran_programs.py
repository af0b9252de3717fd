"""Programs in Fortran that tests compile."""

import os
import shutil
import subprocess

import pytest

from jobs import WATCHDOG_SECONDS

MPIFORT = os.environ["CUBEFOLD_MPIFORT"]
needs_fortran = pytest.mark.skipif(not shutil.which(MPIFORT), reason="this MPI has no Fortran compiler")


def built(folder, text):
    """Compiles a program in Fortran and returns its path."""
    (folder / "program.f90").write_text(text)
    done = subprocess.run([MPIFORT, "-fallow-argument-mismatch", "-o", folder / "program", folder / "program.f90"],
                          capture_output=True, text=True, timeout=WATCHDOG_SECONDS)
    assert done.returncode == 0, done.stderr
    return folder / "program"
