"""cubefold built in other ways: as a part of another project, as static libraries, and for another machine."""

import os
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
CC, CXX = os.environ["CUBEFOLD_COMPILERS"].split()
MPIEXEC = os.environ["CUBEFOLD_MPIEXEC"]
MPICC = os.environ["CUBEFOLD_MPICC"]
SHORT = ["-DCUBEFOLD_UNITE=ON", "-DCMAKE_BUILD_TYPE=Plain", "-DCMAKE_CXX_FLAGS=-O0",
         f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_CXX_COMPILER={CXX}"]


def shell(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def built(source, folder, *options):
    shell("cmake", "-S", source, "-B", folder, "-G", "Ninja", *SHORT, *options)
    shell("cmake", "--build", folder)


def expect_programs_that_run(folder):
    assert shell(folder / "planner") == "rank 6 of an 8-ring under xor is on node 4\n"
    assert shell(MPIEXEC, "-n", 4, folder / "exchange").count("right") == 1
    assert shell(MPIEXEC, "-n", 4, folder / "transform") == "impulse to ones: right\n"
    shell(folder / "earlier")


@pytest.mark.more
def test_a_project_that_has_cubefold_as_a_part_builds_and_installs_nothing_else(tmp_path):
    built(SOURCE / "tests/consumer", tmp_path, f"-DCONSUMER_SUBPROJECT={SOURCE}")
    expect_programs_that_run(tmp_path)
    parts = {path.name.partition(".")[0] for path in (tmp_path / "cubefold/lib").glob("lib*")}
    assert parts == {"libcubefold_core", "libcubefold_mpi", "libcubefold_fft"}
    assert not (tmp_path / "bin").exists() and not (tmp_path / "lib").exists()
    assert not list((tmp_path / "cubefold").glob("bin/*"))
    shell("cmake", "--install", tmp_path, "--prefix", tmp_path / "prefix")
    assert not (tmp_path / "prefix").exists()


@pytest.mark.more
def test_static_libraries_are_found_by_cmake_and_pkg_config(tmp_path):
    prefix = tmp_path / "prefix"
    built(SOURCE, tmp_path / "static", "-DBUILD_SHARED_LIBS=OFF", "-DCUBEFOLD_TESTS=OFF", "-DCUBEFOLD_PROGRAMS=OFF",
          "-DCUBEFOLD_PYTHON=OFF", "-DCUBEFOLD_FORTRAN=OFF")
    shell("cmake", "--install", tmp_path / "static", "--prefix", prefix)
    libraries = {path.name for path in prefix.rglob("*.a")}
    assert libraries == {"libcubefold_core.a", "libcubefold_mpi.a", "libcubefold_fft.a"}
    preloaded = {path.name for path in prefix.rglob("*.so")}
    assert preloaded - {"libcubefold-fftw3-mpi.so"} == {"libcubefold-preload.so", "libcubefold-profile.so"}
    built(SOURCE / "tests/consumer", tmp_path / "consumer", f"-DCMAKE_PREFIX_PATH={prefix}")
    expect_programs_that_run(tmp_path / "consumer")
    environment = {**os.environ, "PKG_CONFIG_PATH": str(next(prefix.rglob("pkgconfig")))}
    flags = shell("pkg-config", "--static", "--cflags", "--libs", "cubefold", env=environment).split()
    program = tmp_path / "program"
    shell(MPICC, "-std=c99", SOURCE / "tests/consumer/exchange.c", "-o", program, *flags)
    assert shell(MPIEXEC, "-n", 4, program) == "right\n"


def test_a_build_for_another_machine_is_configured_without_running_a_program(tmp_path):
    """CMake takes the machine for another one if its system is named."""
    said = shell("cmake", "-S", SOURCE, "-B", tmp_path, "-G", "Ninja", *SHORT, "-DCMAKE_SYSTEM_NAME=Linux",
                 "-DCMAKE_CROSSCOMPILING_EMULATOR=/bin/false", "-DMPIEXEC_EXECUTABLE=", "-DCUBEFOLD_TESTS=OFF")
    assert "cubefold: core, mpi: ON" in said


@pytest.mark.parametrize("options, line", [
    (["-DCMAKE_CXX_FLAGS=-U__GNUC__ -D__GNUC__=11"], "cubefold needs GCC 12 or clang 14, and"),
    (["-DCUBEFOLD_YAML=OFF", "-DCUBEFOLD_TESTS=ON"], "libyaml is missing or off; -DCUBEFOLD_YAML=OFF"),
])
def test_a_build_that_cannot_be_is_refused_with_a_line(tmp_path, options, line):
    done = subprocess.run(["cmake", "-S", SOURCE, "-B", tmp_path, "-G", "Ninja", *SHORT, *options], check=False,
                          capture_output=True, text=True)
    assert done.returncode != 0
    assert line in " ".join(done.stderr.split())
