"""Quantum ESPRESSO, CP2K and the HPC Challenge as Debian has them compute the same with the preloaded library as
without. The tests of a program are skipped, with the reason, where it is not installed."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jobs import MPI_LIBRARY, REASON_WITHOUT_PRELOAD, WATCHDOG_SECONDS, preloaded, run_alone, written

sys.path.insert(0, str(Path(os.environ["CUBEFOLD_SOURCE"]) / "tests" / "bench"))
from report import gfft, unchanged  # noqa: E402

ON_A_TORUS = {"CUBEFOLD_GRID": "torus:2x2", "CUBEFOLD_ALLTOALL": "direct"}
LINE = re.compile(r"^cubefold: (\d+) of (\d+) MPI_Alltoall\b(?:, (\d+) of (\d+) MPI_Alltoallv)?", re.M)

# This is a molecule of water in a box.
WATER = """\
&GLOBAL
  PROJECT water
  RUN_TYPE ENERGY
  PRINT_LEVEL LOW
&END GLOBAL
&FORCE_EVAL
  METHOD Quickstep
  &DFT
    BASIS_SET_FILE_NAME GTH_BASIS_SETS
    POTENTIAL_FILE_NAME GTH_POTENTIALS
    &MGRID
      CUTOFF 100
    &END MGRID
    &SCF
      EPS_SCF 1.0E-7
    &END SCF
    &XC
      &XC_FUNCTIONAL PADE
      &END XC_FUNCTIONAL
    &END XC
  &END DFT
  &SUBSYS
    &CELL
      ABC 5 5 5
    &END CELL
    &COORD
      O 0 0 0
      H 0.76 0.59 0
      H -0.76 0.59 0
    &END COORD
    &KIND O
      BASIS_SET SZV-GTH
      POTENTIAL GTH-PADE-q6
    &END KIND
    &KIND H
      BASIS_SET SZV-GTH
      POTENTIAL GTH-PADE-q1
    &END KIND
  &END SUBSYS
&END FORCE_EVAL
"""


def reason_to_skip(program):
    if not MPI_LIBRARY.startswith("Open MPI"):
        return "Debian's programs are linked with Open MPI"
    if REASON_WITHOUT_PRELOAD:
        return REASON_WITHOUT_PRELOAD
    if not (unchanged.is_installed() if program == "pw.x" else shutil.which(program)):
        return f"{program} is not installed (./dev programs installs it)"
    return ""


def needs(program):
    reason = reason_to_skip(program)
    return pytest.mark.skipif(bool(reason), reason=reason)


def run_program(folder, is_preloaded, program, *arguments):
    return run_with(folder, {**preloaded("libcubefold-preload.so"), **ON_A_TORUS} if is_preloaded else {}, program,
                    *arguments)


def run_with(folder, variables, program, *arguments):
    environment = {**os.environ, "OMP_NUM_THREADS": "1", **variables}
    return subprocess.run([os.environ["CUBEFOLD_MPIEXEC"], "-n", "4", program, *arguments], cwd=folder,
                          env=environment, capture_output=True, text=True, timeout=WATCHDOG_SECONDS, check=True)


def counted(text):
    """Returns the calls that cubefold did and all calls, of MPI_Alltoall and of MPI_Alltoallv."""
    [found] = LINE.findall(text)
    return [int(number or 0) for number in found]


def expect_all_replaced(text, least_equal, least_unequal):
    """Expects at least so many calls of MPI_Alltoall and of MPI_Alltoallv, and that cubefold did them all."""
    ours, all_of_them, ours_of_unequal, all_unequal = counted(text)
    assert ours == all_of_them >= least_equal
    assert ours_of_unequal == all_unequal >= least_unequal


@needs("pw.x")
@pytest.mark.parametrize("is_preloaded", [False, True])
def test_quantum_espresso_finds_the_energy_of_silicon(tmp_path, is_preloaded):
    done = run_program(tmp_path, is_preloaded, "pw.x", "-in", unchanged.silicon(tmp_path))
    assert unchanged.energy_in(done.stdout) == "-15.84009484"
    if is_preloaded:
        expect_all_replaced(done.stderr, least_equal=100, least_unequal=10)


@needs("pw.x")
def test_the_profile_of_quantum_espresso_has_its_exchanges_and_can_be_placed(tmp_path):
    done = run_with(tmp_path, {**preloaded("libcubefold-profile.so"), "CUBEFOLD_PROFILE": str(tmp_path / "pw.json")},
                    "pw.x", "-in", unchanged.silicon(tmp_path))
    assert unchanged.energy_in(done.stdout) == "-15.84009484"
    map_file = tmp_path / "map.json"
    found = run_alone("cubefold", "map", "torus:2x2", "--phase", f"profile:{tmp_path}/pw.json", "--json", map_file)
    assert found.status == 0, found.err
    assert "MPI_Alltoall among all 4 ranks " in found.out
    assert run_alone("cubefold", "verify", map_file).status == 0


@needs("cp2k.psmp")
@pytest.mark.parametrize("is_preloaded", [False, True])
def test_cp2k_finds_the_energy_of_water(tmp_path, is_preloaded):
    done = run_program(tmp_path, is_preloaded, "cp2k.psmp", "-i", written(tmp_path, "water.inp", WATER))
    [energy] = re.findall(r"^ ENERGY\|.*:\s+(\S+)$", done.stdout, re.M)
    assert float(energy) == pytest.approx(-16.94634074, abs=1e-8)
    if is_preloaded:
        expect_all_replaced(done.stderr, least_equal=10, least_unequal=100)


@needs("hpcc")
@pytest.mark.parametrize("is_preloaded", [False, True])
def test_the_hpc_challenge_checks_its_results(tmp_path, is_preloaded):
    written(tmp_path, "hpccinf.txt", gfft.INPUT.format(order=200))
    done = run_program(tmp_path, is_preloaded, "hpcc")
    results = dict(re.findall(r"^(\w+)=(\S+)$", (tmp_path / "hpccoutf.txt").read_text(), re.M))
    assert results["Success"] == "1"
    assert results["MPIRandomAccess_Errors"] == results["MPIRandomAccess_LCG_Errors"] == "0"
    assert 0 < float(results["MPIFFT_maxErr"]) < 1e-13
    if is_preloaded:
        expect_all_replaced(done.stderr, least_equal=10, least_unequal=0)
