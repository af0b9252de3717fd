"""cubefold::core and the program cubefold build and run on a machine without MPI and FFTW. The test copies the
results of this build, in which every needed command has already run, so nothing is compiled again. The tests of core
are those of any build; `cmake --preset core` builds them alone."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
BUILD = Path(os.environ["CUBEFOLD_BUILD"])
_, CXX = os.environ["CUBEFOLD_COMPILERS"].split()
SETTINGS = re.compile(r"(CMAKE_(BUILD_TYPE|DISABLE_PRECOMPILE_HEADERS|COMPILE_WARNING_AS_ERROR|"
                      r"C(XX)?_(COMPILER|COMPILER_LAUNCHER|FLAGS\w*))|CUBEFOLD_(UNITE|OPTIMISE_PROGRAMS)):")
BUILT = ["lib/libcubefold_core.so*", "bin/cubefold", "bin/cubefold-signal"]


def run(*command):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)


def shell(*command):
    done = run(*command)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def settings_of_this_build():
    return [f"-D{line}" for line in (BUILD / "CMakeCache.txt").read_text().splitlines() if SETTINGS.match(line)]


def commands(build):
    """Returns all commands that compile or link in this build directory."""
    return {line.replace(str(build), "BUILD") for line in shell("ninja", "-C", build, "-t", "commands").splitlines()}


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    path = tmp_path_factory.mktemp("build")
    configured = shell("cmake", "-S", SOURCE, "-B", path, "-G", "Ninja", *settings_of_this_build(),
                       "-DCUBEFOLD_TESTS=OFF", "-DCUBEFOLD_PYTHON=OFF",
                       "-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON")
    assert "cubefold: core, mpi: OFF, fft: OFF" in configured
    assert commands(path) - commands(BUILD) == set()
    for pattern in BUILT:
        for file in BUILD.glob(pattern):
            (path / file.relative_to(BUILD)).parent.mkdir(exist_ok=True)
            shutil.copy2(file, path / file.relative_to(BUILD), follow_symlinks=False)
    return path


def test_core_alone(build):
    assert any("libcubefold_core.so" in command for command in commands(build))
    assert not any("cubefold_mpi" in command for command in commands(build))
    program = build / "bin/cubefold"
    assert str(BUILD) not in shell("readelf", "-d", program)
    assert "4 nodes, 8 directed links" in shell(program, "routes", "ring:4")


def test_a_project_that_asks_for_what_was_not_built_is_told_its_name(build, tmp_path):
    shell("cmake", "--install", build, "--prefix", tmp_path / "prefix")
    refused = run("cmake", "-S", SOURCE / "tests/consumer", "-B", tmp_path / "consumer", "-G", "Ninja",
                  f"-DCMAKE_PREFIX_PATH={tmp_path / 'prefix'}", f"-DCMAKE_CXX_COMPILER={CXX}",
                  "-DCONSUMER_LANGUAGES=CXX", "-DCONSUMER_COMPONENTS=core;fft")
    assert refused.returncode != 0
    assert "this cubefold has no component 'fft'; it was built with: core" in " ".join(refused.stderr.split())
