"""Quantum ESPRESSO as Debian has it computes the same with the preloaded library as without. The tests are skipped,
with the reason, where it is not installed."""

import gzip
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from jobs import MPI_LIBRARY, REASON_WITHOUT_PRELOAD, WATCHDOG_SECONDS, preloaded, written

PSEUDOPOTENTIAL = Path("/usr/share/doc/quantum-espresso/examples/EPW/sic/pp/Si.pz-vbc.UPF.gz")
ON_A_TORUS = {"CUBEFOLD_GRID": "torus:2x2", "CUBEFOLD_ALLTOALL": "direct"}
LINE = re.compile(r"^cubefold: (\d+) of (\d+) MPI_Alltoall(?:, (\d+) of (\d+) MPI_Alltoallv)? by cubefold;", re.M)

# This is silicon in its diamond structure.
SILICON = """\
&control
  calculation = 'scf', prefix = 'si', pseudo_dir = '.', outdir = '.'
/
&system
  ibrav = 2, celldm(1) = 10.2, nat = 2, ntyp = 1, ecutwfc = 30
/
&electrons
  conv_thr = 1d-10
/
ATOMIC_SPECIES
Si 28.086 Si.pz-vbc.UPF
ATOMIC_POSITIONS alat
Si 0.00 0.00 0.00
Si 0.25 0.25 0.25
K_POINTS automatic
2 2 2 1 1 1
"""


def reason_to_skip():
    if not MPI_LIBRARY.startswith("Open MPI"):
        return "Debian's programs are linked with Open MPI"
    if REASON_WITHOUT_PRELOAD:
        return REASON_WITHOUT_PRELOAD
    if shutil.which("pw.x") is None or not PSEUDOPOTENTIAL.exists():
        return "Quantum ESPRESSO is not installed (./dev programs installs it)"
    return ""


def run_program(folder, program, *arguments, **environment):
    return subprocess.run([os.environ["CUBEFOLD_MPIEXEC"], "-n", "4", program, *arguments], cwd=folder,
                          env={**os.environ, **environment}, capture_output=True, text=True,
                          timeout=WATCHDOG_SECONDS, check=True)


def counted(text):
    """Returns the calls that cubefold did and all calls, of MPI_Alltoall and of MPI_Alltoallv."""
    [found] = LINE.findall(text)
    return [int(number or 0) for number in found]


@pytest.mark.skipif(bool(reason_to_skip()), reason=reason_to_skip())
@pytest.mark.parametrize("is_preloaded", [False, True])
def test_quantum_espresso_finds_the_energy_of_silicon(tmp_path, is_preloaded):
    environment = {**preloaded("libcubefold-preload.so"), **ON_A_TORUS} if is_preloaded else {}
    (tmp_path / "Si.pz-vbc.UPF").write_bytes(gzip.decompress(PSEUDOPOTENTIAL.read_bytes()))
    done = run_program(tmp_path, "pw.x", "-in", written(tmp_path, "si.in", SILICON), **environment)
    assert re.findall(r"^!\s+total energy\s+=\s+(\S+) Ry", done.stdout, re.M) == ["-15.84009484"]
    if is_preloaded:
        ours, all_of_them, ours_of_unequal, all_unequal = counted(done.stderr)
        assert ours == all_of_them > 100
        assert ours_of_unequal == all_unequal > 10
