"""Quantum ESPRESSO, CP2K, the HPC Challenge, MPB and PETSc as Debian has them compute the same with the preloaded
libraries as without. The tests of a program are skipped, with the reason, where it is not installed."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jobs import BUILD, MPI_LIBRARY, REASON_WITHOUT_PRELOAD, WATCHDOG_SECONDS, preloaded, run_alone, written

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

# This is a lattice of dielectric balls.
BALLS = """\
(set! num-bands 4)
(set! k-points (list (vector3 0 0 0.3) (vector3 0.5 0.5 0)))
(set! geometry (list (make sphere (center 0 0 0) (radius 0.3) (material (make dielectric (epsilon 12))))))
(set! resolution 12)
(run)
"""

# The matrices of PETSc for Fourier transforms, there and back.
FFT_MATRICES = """\
#include <petscmat.h>

static void there_and_back(PetscInt rank, const PetscInt* n, PetscInt points) {
  Mat transform;
  Vec x, y, z, before, after;
  PetscReal norm, spectrum, error;
  MatCreateFFT(PETSC_COMM_WORLD, rank, n, MATFFTW, &transform);
  MatCreateVecsFFTW(transform, &x, &y, &z);
  VecCreate(PETSC_COMM_WORLD, &before);
  VecSetSizes(before, PETSC_DECIDE, points);
  VecSetFromOptions(before);
  PetscInt first, end;
  VecGetOwnershipRange(before, &first, &end);
  for (PetscInt i = first; i < end; ++i) VecSetValue(before, i, (i * i) % 17 + 1, INSERT_VALUES);
  VecAssemblyBegin(before);
  VecAssemblyEnd(before);
  VecDuplicate(before, &after);
  VecScatterPetscToFFTW(transform, before, x);
  MatMult(transform, x, y);
  VecNorm(y, NORM_2, &spectrum);
  MatMultTranspose(transform, y, z);
  VecScatterFFTWToPetsc(transform, z, after);
  VecScale(after, 1.0 / (PetscReal)points);
  VecAXPY(after, -1.0, before);
  VecNorm(before, NORM_2, &norm);
  VecNorm(after, NORM_2, &error);
  PetscPrintf(PETSC_COMM_WORLD, "%d dimensions: %.9e %s\\n", (int)rank, (double)spectrum,
              error < 1e-13 * norm ? "right" : "wrong");
  VecDestroy(&before);
  VecDestroy(&after);
  VecDestroy(&x);
  VecDestroy(&y);
  VecDestroy(&z);
  MatDestroy(&transform);
}

int main(int argc, char** argv) {
  PetscInitialize(&argc, &argv, NULL, NULL);
  const PetscInt line[] = {720}, n[] = {8, 12, 10, 6};
#ifdef PETSC_USE_COMPLEX
  there_and_back(1, line, 720);
  there_and_back(3, n, 960);
  there_and_back(4, n, 5760);
#endif
  there_and_back(2, n, 96);
  PetscFinalize();
  return 0;
}
"""


def pkg_config_of(petsc):
    """Returns the folder of the file for pkg-config of `PETSc real` or `PETSc complex`, or nothing."""
    return next(Path("/usr/lib/petscdir").glob(f"petsc3*/*-{petsc.split()[1]}/lib/pkgconfig"), None)


def reason_to_skip(program):
    if not MPI_LIBRARY.startswith("Open MPI"):
        return "Debian's programs are linked with Open MPI"
    if REASON_WITHOUT_PRELOAD:
        return REASON_WITHOUT_PRELOAD
    if program.startswith("PETSc"):
        is_installed = bool(pkg_config_of(program))
    else:
        is_installed = unchanged.is_installed() if program == "pw.x" else shutil.which(program)
    if not is_installed:
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


FFTW_LIBRARY = "libcubefold-fftw3-mpi.so"
needs_fftw_library = pytest.mark.skipif(not (BUILD / "lib" / FFTW_LIBRARY).exists(), reason="built without FFTW MPI")


def run_with_fftw(folder, is_preloaded, program, *arguments):
    variables = {**preloaded(FFTW_LIBRARY), "CUBEFOLD_FFTW": "cubefold"} if is_preloaded else {}
    return run_with(folder, variables, program, *arguments)


def expect_all_transforms_replaced(text, least):
    [(ours, all_of_them)] = re.findall(r"^cubefold: (\d+) of (\d+) transforms of FFTW MPI by cubefold", text, re.M)
    assert int(ours) == int(all_of_them) >= least


@needs("mpb-mpi")
@needs_fftw_library
@pytest.mark.parametrize("is_preloaded", [False, True])
def test_mpb_finds_the_bands_of_a_photonic_crystal(tmp_path, is_preloaded):
    done = run_with_fftw(tmp_path, is_preloaded, "mpb-mpi", written(tmp_path, "balls.ctl", BALLS))
    bands = [[float(number) for number in line.split(",")[-4:]]
             for line in re.findall(r"^freqs:, (\d.*)$", done.stdout, re.M)]
    assert bands == [pytest.approx([0.257703, 0.257753, 0.474072, 0.474164], abs=1e-5),
                     pytest.approx([0.442836, 0.464706, 0.464788, 0.492648], abs=1e-5)]
    if is_preloaded:
        expect_all_transforms_replaced(done.stderr, least=100)


def transforms_of_petsc(folder, kind, is_preloaded):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "PETSc"], capture_output=True, text=True, check=True,
                           env={**os.environ, "PKG_CONFIG_PATH": str(pkg_config_of(kind))}).stdout.split()
    subprocess.run([os.environ["CUBEFOLD_MPICC"], "-o", folder / "matrices",
                    written(folder, "matrices.c", FFT_MATRICES), *flags], check=True, timeout=WATCHDOG_SECONDS)
    return run_with_fftw(folder, is_preloaded, folder / "matrices")


@needs_fftw_library
@pytest.mark.parametrize("kind, count", [pytest.param("PETSc real", 2, marks=needs("PETSc real")),
                                         pytest.param("PETSc complex", 8, marks=needs("PETSc complex"))])
def test_matrices_of_petsc_are_the_same_transforms(tmp_path, kind, count):
    plain = transforms_of_petsc(tmp_path, kind, False)
    done = transforms_of_petsc(tmp_path, kind, True)
    assert done.stdout == plain.stdout
    assert done.stdout.count("right") == count // 2
    expect_all_transforms_replaced(done.stderr, least=count)
