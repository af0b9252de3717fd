"""cubefold::core and the program cubefold build and run on a machine without MPI and FFTW. The tests of core are those of any
build; `cmake --preset core` has them alone."""

import os
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
_, CXX = os.environ["CUBEFOLD_COMPILERS"].split()


def run(*command):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)


def shell(*command):
    done = run(*command)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    path = tmp_path_factory.mktemp("build")
    configured = shell("cmake", "-S", SOURCE, "-B", path, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={CXX}",
                       "-DCMAKE_BUILD_TYPE=Plain", "-DCMAKE_CXX_FLAGS=-O0", "-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON",
                       "-DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON", "-DCUBEFOLD_TESTS=OFF")
    assert "cubefold: core, mpi: OFF, fft: OFF" in configured
    shell("cmake", "--build", path)
    return path


def test_core_alone(build):
    assert "4 nodes, 8 directed links" in shell(build / "bin" / "cubefold", "routes", "ring:4")
    assert not list(build.rglob("*cubefold_mpi*"))


def test_a_project_that_asks_for_what_was_not_built_is_told_its_name(build, tmp_path):
    shell("cmake", "--install", build, "--prefix", tmp_path / "prefix")
    refused = run("cmake", "-S", SOURCE / "tests/consumer", "-B", tmp_path / "consumer", "-G", "Ninja",
                  f"-DCMAKE_PREFIX_PATH={tmp_path / 'prefix'}", f"-DCMAKE_CXX_COMPILER={CXX}",
                  "-DCONSUMER_LANGUAGES=CXX", "-DCONSUMER_COMPONENTS=core;fft")
    assert refused.returncode != 0
    assert "this cubefold has no component 'fft'; it was built with: core" in " ".join(refused.stderr.split())
