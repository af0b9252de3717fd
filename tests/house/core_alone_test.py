"""cubefold::core and the program cubefold build and run on a machine without MPI and FFTW. The tests of core are those of any
build; `cmake --preset core` has them alone."""

import os
import subprocess
from pathlib import Path

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
_, CXX = os.environ["CUBEFOLD_COMPILERS"].split()


def shell(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_core_alone(tmp_path):
    configured = shell("cmake", "-S", SOURCE, "-B", tmp_path, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={CXX}",
                       "-DCMAKE_BUILD_TYPE=Plain", "-DCMAKE_CXX_FLAGS=-O0", "-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON",
                       "-DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON")
    assert "cubefold: core, mpi: OFF, fft: OFF" in configured
    shell("cmake", "--build", tmp_path, "--target", "cubefold")
    assert "4 nodes, 8 directed links" in shell(tmp_path / "bin" / "cubefold", "routes", "ring:4")
    assert not list(tmp_path.rglob("*cubefold_mpi*"))
