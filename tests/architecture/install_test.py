"""An installation can be used by CMake, by pkg-config, from C++ and from C."""

import os
import re
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
BUILD = Path(os.environ["CUBEFOLD_BUILD"])
CC, CXX = os.environ["CUBEFOLD_COMPILERS"].split()
MPIEXEC = os.environ["CUBEFOLD_MPIEXEC"]
MPICC = os.environ["CUBEFOLD_MPICC"]
MPIFORT = os.environ["CUBEFOLD_MPIFORT"]
MPI_LIBRARY = os.environ["CUBEFOLD_MPI_LIBRARY"]
PLANNER_SAYS = "rank 6 of an 8-ring under xor is on node 4\n"


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
    """Returns the compiler flags of this build. A sanitized library needs a sanitized program."""
    cache = (BUILD / "CMakeCache.txt").read_text().splitlines()
    return next(line.split("=", 1)[1] for line in cache if line.startswith("CMAKE_CXX_FLAGS:"))


def configured(prefix, build, languages, components, *options, env=None):
    """Configures the project in tests/consumer, which finds cubefold below the prefix."""
    flags = flags_of_this_build()
    return subprocess.run(
        ["cmake", "-S", SOURCE / "tests/consumer", "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
         f"-DCONSUMER_LANGUAGES={languages}", f"-DCONSUMER_COMPONENTS={components}",
         f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_CXX_COMPILER={CXX}", f"-DCMAKE_CXX_FLAGS={flags}",
         f"-DCMAKE_C_FLAGS={flags}", *options], env=env, capture_output=True, text=True, check=False)


def build_consumer(prefix, build, languages, components, *options, env=None):
    done = configured(prefix, build, languages, components, *options, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    shell("cmake", "--build", build, env=env)


NO_MPI = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON" for package in ["MPI", "PkgConfig", "fmt", "nlohmann_json"]]


@pytest.fixture(scope="module")
def without_mpi(tmp_path_factory):
    """Returns a build folder, which several tests configure in turn so that CMake looks at the compiler once, and an
    environment whose PATH has only the programs for building a C++ project."""
    folder = tmp_path_factory.mktemp("without_mpi")
    tools = folder / "tools"
    tools.mkdir()
    for tool in ["cmake", "ninja", CXX, "as", "ld", "ar", "ranlib", "sh"]:
        (tools / Path(tool).name).symlink_to(shutil.which(tool))
    assert shutil.which("mpicc", path=tools) is None
    return folder / "build", {"PATH": str(tools)}


def test_an_outside_project_finds_builds_and_runs(prefix, tmp_path):
    build_consumer(prefix, tmp_path, "C;CXX", "core;mpi;fft")
    assert shell(tmp_path / "planner") == PLANNER_SAYS
    assert shell(MPIEXEC, "-n", 4, tmp_path / "exchange").count("right") == 1
    assert shell(MPIEXEC, "-n", 4, tmp_path / "transform") == "impulse to ones: right\n"
    assert shell(MPIEXEC, "-n", 4, tmp_path / "spectrum") == "ones to an impulse: right\n"


@pytest.mark.parametrize("name", ["preload", "profile"])
def test_an_installed_library_for_preloading_finds_those_that_it_needs(prefix, libraries, name):
    linked = shell("ldd", libraries / f"libcubefold-{name}.so")
    assert f"{libraries}/libcubefold_{'core' if name == 'preload' else 'mpi'}.so" in linked
    assert "not found" not in linked
    starter = (prefix / "bin/cubefold-run").read_text()
    [relative] = re.findall(r'"([^"]*libcubefold-{}\.so)"', starter)
    path = prefix / "bin" / relative.format(name)
    assert path.resolve() == (libraries / f"libcubefold-{name}.so").resolve()


@pytest.mark.parametrize("components", ["core", ""])
def test_core_needs_neither_mpi_nor_c(prefix, without_mpi, components):
    folder, environment = without_mpi
    (folder / "planner").unlink(missing_ok=True)  # of the other components
    build_consumer(prefix, folder, "CXX", components, *NO_MPI, env=environment)
    assert shell(folder / "planner", env=environment) == PLANNER_SAYS


def test_headers_of_core_include_no_other_library(prefix):
    include = prefix / "include"
    headers = [str(path.relative_to(include)) for path in sorted(include.rglob("*.hpp"))
               if path.parent.name not in ["mpi", "fft"]]
    assert "cubefold/embedding/placement.hpp" in headers
    needed = subprocess.run([CXX, "-std=c++20", "-M", "-I", include, "-x", "c++", "-"], check=True, text=True,
                            input="".join(f"#include <{header}>\n" for header in headers), capture_output=True).stdout
    assert len(re.findall(r"\S*/cubefold/\S*", needed)) >= len(headers)
    assert re.findall(r"\S*/(?:fmt|nlohmann|mpi[^/]*\.h)\S*", needed) == []


@pytest.mark.more
def test_a_project_in_c_plus_plus_alone_finds_all_components(prefix, tmp_path):
    build_consumer(prefix, tmp_path, "CXX", "core;fft")
    assert shell(MPIEXEC, "-n", 4, tmp_path / "transform") == "impulse to ones: right\n"


def test_a_project_in_c_alone_finds_the_c_interface(prefix, tmp_path):
    if "sanitize" in flags_of_this_build():
        pytest.skip("a plain C program cannot link sanitized C++ libraries")
    build_consumer(prefix, tmp_path, "C", "mpi;fft")
    assert shell(MPIEXEC, "-n", 4, tmp_path / "exchange") == "right\n"
    assert shell(MPIEXEC, "-n", 4, tmp_path / "spectrum") == "ones to an impulse: right\n"


@pytest.mark.more
def test_a_project_in_fortran_alone_finds_the_module(prefix, tmp_path):
    if not list(prefix.rglob("cubefold.mod")):
        pytest.skip("built without cubefold::fortran")
    build_consumer(prefix, tmp_path, "Fortran;CXX", "fortran")
    assert shell(MPIEXEC, "-n", 4, tmp_path / "exchange_fortran") == "right\n"
    assert list(prefix.rglob("cubefold.f90")) != []


@pytest.mark.parametrize("components, reason", [
    ("core;mpi", "component 'mpi' of cubefold needs MPI 3.1, which is not found"),
    ("fft", "component 'fft' of cubefold needs MPI 3.1, which is not found"),
    ("core;gpu", "this cubefold has no component 'gpu'; it was built with: core, mpi, c, fft, fft_c"),
])
def test_a_component_that_is_not_there_is_named(prefix, without_mpi, components, reason):
    folder, environment = without_mpi
    refused = configured(prefix, folder, "CXX", components, *NO_MPI, env=environment)
    assert refused.returncode != 0
    assert reason in " ".join(refused.stderr.split())


@pytest.mark.parametrize("package, source, compiler, says", [
    ("cubefold", "exchange.c", [MPICC, "-std=c99"], "right\n"),
    ("cubefold-fft", "spectrum.c", [MPICC, "-std=c99"], "ones to an impulse: right\n"),
    ("cubefold-fortran", "exchange_fortran.f90", [MPIFORT], "right\n"),
])
def test_pkg_config_is_enough_for_a_program(prefix, libraries, tmp_path, package, source, compiler, says):
    if "sanitize" in flags_of_this_build():
        pytest.skip("a plain C program cannot link sanitized C++ libraries")
    if not (libraries / f"pkgconfig/{package}.pc").exists():
        pytest.skip(f"built without {package}")
    environment = {**os.environ, "PKG_CONFIG_PATH": str(libraries / "pkgconfig")}
    flags = shell("pkg-config", "--cflags", "--libs", package, env=environment).split()
    built = tmp_path / "program"
    shell(*compiler, SOURCE / "tests/consumer" / source, "-o", built, *flags, "-lm", f"-Wl,-rpath,{libraries}")
    assert shell(MPIEXEC, "-n", 4, built) == says


def test_pkg_config_knows_all_three_libraries(libraries):
    environment = {**os.environ, "PKG_CONFIG_PATH": str(libraries / "pkgconfig")}
    for name, library in [("cubefold-core", "-lcubefold_core"), ("cubefold", "-lcubefold_mpi"),
                          ("cubefold-fft", "-lcubefold_fft")]:
        assert library in shell("pkg-config", "--libs", name, env=environment)
        assert shell("pkg-config", "--modversion", name, env=environment).strip() == "0.1.0"


def test_pkg_config_names_the_mpi_that_built_the_library(libraries):
    environment = {**os.environ, "PKG_CONFIG_PATH": str(libraries / "pkgconfig")}
    assert shell("pkg-config", "--variable=mpi", "cubefold", env=environment).strip() == MPI_LIBRARY
    assert re.match(r"(Open MPI|MPICH) v\d", MPI_LIBRARY)


def test_the_installation_page_says_all_that_a_new_user_has_to_type(prefix, libraries, tmp_path):
    """The commands of the page run as they are written, except the build, which exists, and lib64, which the page
    mentions."""
    if "sanitize" in flags_of_this_build():
        pytest.skip("a plain C program cannot link sanitized C++ libraries")
    if not MPI_LIBRARY.startswith("Open MPI"):
        pytest.skip("the page shows commands of Open MPI")
    page = (SOURCE / "docs/installing.md").read_text()
    commands = re.search(r"^((?:    [^\n]*\n)+)", page, flags=re.MULTILINE)[1]
    configure, build, *rest = re.split(r" && |\n", textwrap.dedent(commands))
    assert (configure, build) == ("cmake --preset release", "cmake --build --preset release")
    (tmp_path / "build").mkdir()
    (tmp_path / "build/release").symlink_to(BUILD)
    (tmp_path / "apps").symlink_to(SOURCE / "apps")
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home")}
    if os.geteuid() == 0:
        environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    typed = "\n".join([*rest, "command -v cubefold"]).replace("/lib", f"/{libraries.relative_to(prefix)}")
    said = shell("sh", "-ec", typed, cwd=tmp_path, env=environment)
    assert said.endswith(f"the ranks of 16 processes add up to 120\n{tmp_path}/home/cubefold/bin/cubefold\n")


def test_installed_programs_find_their_libraries(prefix):
    environment = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
    for name in ["cubefold", "cubefold-signal", "cubefold-lab", "cubefold-run"]:
        assert shell(prefix / "bin" / name, "--version", env=environment) == f"{name} 0.1.0\n"
    for name in ["cubefold-exchange", "cubefold-fft", "cubefold-permute", "cubefold-calibrate"]:
        version, notes = shell(prefix / "bin" / name, "--version", env=environment).splitlines()
        assert version == f"{name} 0.1.0"
        assert re.fullmatch(rf"{re.escape(MPI_LIBRARY)}, compiled by (GNU|Clang) [\d.]+", notes)


def test_libraries_have_a_soname_and_hide_what_is_not_the_interface(libraries):
    for module in ["core", "mpi", "fft"]:
        library = libraries / f"libcubefold_{module}.so"
        assert f"libcubefold_{module}.so.0.1" in shell("readelf", "-d", library)
    core = shell("nm", "-DC", "--defined-only", libraries / "libcubefold_core.so")
    assert "cubefold::parse_grid" in core
    assert "by_weight_place" not in core


@pytest.mark.parametrize("module, header", [("mpi", "cubefold.h"), ("fft", "cubefold_fft.h")])
def test_libraries_export_the_functions_of_the_headers_and_no_others(libraries, module, header):
    symbols = shell("nm", "-D", "--defined-only", libraries / f"libcubefold_{module}.so").split()[2::3]
    functions = {symbol for symbol in symbols if not symbol.startswith("_Z")}
    declared = re.findall(r"^CUBEFOLD_API [\w* ]*\b(\w+)\(", (SOURCE / "include/cubefold" / header).read_text(), re.M)
    assert functions == set(declared)
