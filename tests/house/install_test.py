"""What is installed can be used: by CMake, by pkg-config, from C++ and from C."""

import os
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
BUILD = Path(os.environ["CUBEFOLD_BUILD"])
CC, CXX = os.environ["CUBEFOLD_COMPILERS"].split()


def shell(*command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    path = tmp_path_factory.mktemp("prefix")
    shell("cmake", "--install", BUILD, "--prefix", path)
    return path


@pytest.fixture(scope="module")
def libraries(prefix):
    return next(prefix.rglob("libcubefold_core.so")).parent


def flags_of_this_build():
    """A sanitized library wants a sanitized program."""
    cache = (BUILD / "CMakeCache.txt").read_text().splitlines()
    return next(line.split("=", 1)[1] for line in cache if line.startswith("CMAKE_CXX_FLAGS:"))


def test_an_outside_project_finds_builds_and_runs(prefix, tmp_path):
    flags = flags_of_this_build()
    shell("cmake", "-S", SOURCE / "tests/consumer", "-B", tmp_path, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
          f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_CXX_COMPILER={CXX}", f"-DCMAKE_CXX_FLAGS={flags}",
          f"-DCMAKE_C_FLAGS={flags}")
    shell("cmake", "--build", tmp_path)
    mpiexec = os.environ["CUBEFOLD_MPIEXEC"]
    assert shell(tmp_path / "planner") == "rank 6 of an 8-ring under xor is on node 4\n"
    assert shell(mpiexec, "-n", 4, tmp_path / "exchange").count("right") == 1
    assert shell(mpiexec, "-n", 4, tmp_path / "transform") == "impulse to ones: right\n"
    assert shell(mpiexec, "-n", 4, tmp_path / "spectrum") == "ones to an impulse: right\n"


@pytest.mark.parametrize("package, program, says", [("cubefold", "exchange", "right\n"),
                                                    ("cubefold-fft", "spectrum", "ones to an impulse: right\n")])
def test_pkg_config_is_enough_for_a_c_program(prefix, libraries, tmp_path, package, program, says):
    if "sanitize" in flags_of_this_build():
        pytest.skip("a plain C program cannot link sanitized C++ libraries")
    environment = {**os.environ, "PKG_CONFIG_PATH": str(libraries / "pkgconfig")}
    flags = shell("pkg-config", "--cflags", "--libs", package, env=environment).split()
    built = tmp_path / program
    shell("mpicc", "-std=c99", SOURCE / f"tests/consumer/{program}.c", "-o", built, *flags, "-lm",
          f"-Wl,-rpath,{libraries}")
    assert shell(os.environ["CUBEFOLD_MPIEXEC"], "-n", 4, built) == says


def test_pkg_config_knows_all_three_libraries(libraries):
    environment = {**os.environ, "PKG_CONFIG_PATH": str(libraries / "pkgconfig")}
    for name, library in [("cubefold-core", "-lcubefold_core"), ("cubefold", "-lcubefold_mpi"),
                          ("cubefold-fft", "-lcubefold_fft")]:
        assert library in shell("pkg-config", "--libs", name, env=environment)
        assert shell("pkg-config", "--modversion", name, env=environment).strip() == "0.1.0"


def test_installed_programs_find_their_libraries(prefix):
    environment = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
    for name in ["cubefold", "cubefold-exchange", "cubefold-fft", "cubefold-permute", "cubefold-signal"]:
        assert shell(prefix / "bin" / name, "--version", env=environment).strip() == f"{name} 0.1.0"


def test_libraries_have_a_soname_and_hide_what_is_not_the_interface(libraries):
    for module in ["core", "mpi", "fft"]:
        library = libraries / f"libcubefold_{module}.so"
        assert f"libcubefold_{module}.so.0.1" in shell("readelf", "-d", library)
    core = shell("nm", "-DC", "--defined-only", libraries / "libcubefold_core.so")
    assert "cubefold::parse_grid" in core
    assert "by_weight_place" not in core
    c_interface = shell("nm", "-D", "--defined-only", libraries / "libcubefold_mpi.so")
    assert " v_send" in c_interface
    assert "layout_of" not in c_interface
    fft_interface = shell("nm", "-D", "--defined-only", libraries / "libcubefold_fft.so")
    assert " cubefold_fft_execute" in fft_interface
    assert "fftw" not in fft_interface
