"""cubefold::core and the program cubefold build and pass their tests on a machine without MPI and FFTW."""

import os
import subprocess
from pathlib import Path

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
_, CXX = os.environ["CUBEFOLD_COMPILERS"].split()


def shell(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


# What takes seconds even in an optimised build, which runs it too.
LONG = "*Wormhole*:LccFigures.*:ChoosePlacement.*:*4096*:DirectExchange.*:*_on_all_grids*:TaskSchedule*"


def pass_in_two_halves(program):
    """Side by side."""
    halves = [subprocess.Popen([program, "--gtest_brief=1"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env={**os.environ, "GTEST_TOTAL_SHARDS": "2", "GTEST_SHARD_INDEX": str(i),
                                    "GTEST_FILTER": f"-{LONG}"}) for i in range(2)]
    for half in halves:
        printed = half.communicate()[0]
        assert half.returncode == 0 and "[  PASSED  ]" in printed, printed


def test_core_alone(tmp_path):
    configured = shell("cmake", "-S", SOURCE, "-B", tmp_path, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={CXX}",
                       "-DCMAKE_BUILD_TYPE=Plain", "-DCMAKE_CXX_FLAGS=-O0", "-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON",
                       "-DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON")
    assert "cubefold: core, mpi: OFF, fft: OFF" in configured
    shell("cmake", "--build", tmp_path, "--target", "core_tests")
    pass_in_two_halves(tmp_path / "bin" / "core_tests")
    shell("cmake", "--build", tmp_path, "--target", "cubefold")
    assert "4 nodes, 8 directed links" in shell(tmp_path / "bin" / "cubefold", "routes", "ring:4")
    assert not list(tmp_path.rglob("*cubefold_mpi*"))
