"""No binary of the build needs another MPI than the one that the build uses, directly or through other libraries."""

import os
import re
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
BUILD = Path(os.environ["CUBEFOLD_BUILD"])
OWN = set(os.environ.get("CUBEFOLD_MPI_SONAMES", "").split())
MPI_LIBRARY = re.compile(r"^\s*(lib(?:mpi|mpich|mpi_abi)\.so\S*)", re.MULTILINE)


def binaries():
    files = [path for folder in ["bin", "lib", "python"] for path in sorted((BUILD / folder).rglob("*"))
             if "CMakeFiles" not in path.parts and path.is_file() and not path.is_symlink()]
    return [path for path in files if path.open("rb").read(4) == b"\x7fELF" and path.suffix not in [".o", ".gch"]]


def mpi_libraries(path):
    linked = subprocess.run(["ldd", path], capture_output=True, text=True, check=False).stdout
    return set(MPI_LIBRARY.findall(linked))


@pytest.mark.skipif(not OWN, reason="this build does not know the names of its MPI libraries")
def test_no_binary_needs_another_mpi():
    found = {path.name: mpi_libraries(path) for path in binaries()}
    assert OWN & set().union(*found.values()) != set()
    assert {name: libraries for name, libraries in found.items() if not libraries <= OWN} == {}


def test_libraries_of_another_mpi_would_be_noticed():
    shown = "\tlibmpi.so.40 => /lib/libmpi.so.40 (0x1)\n\tlibmpich.so.12 => /lib/libmpich.so.12 (0x2)\n\tlibm.so.6\n"
    assert MPI_LIBRARY.findall(shown) == ["libmpi.so.40", "libmpich.so.12"]


@pytest.mark.parametrize("library, launcher, warned", [
    ("Open MPI v4.1.4, package: Debian", "mpiexec (OpenRTE) 4.1.4", False),
    ("Open MPI v4.1.4, package: Debian", "HYDRA build details:", True),
    ("MPICH Version:\t4.0.2\nMPICH Release date:", "HYDRA build details:", False),
    ("MPICH Version:\t4.0.2\nMPICH Release date:", "mpiexec (OpenRTE) 4.1.4", True),
    ("MPICH Version:\t4.0.2\nMPICH Release date:", "slurm 22.05.8", False),
])
def test_a_launcher_of_another_mpi_is_named(tmp_path, library, launcher, warned):
    program = tmp_path / "launch"
    program.write_text(f"#!/bin/sh\necho '{launcher}'\n")
    program.chmod(0o755)
    done = subprocess.run(["cmake", f"-DMPI_C_LIBRARY_VERSION_STRING={library}", f"-DMPIEXEC_EXECUTABLE={program}",
                           "-P", SOURCE / "cmake/one_mpi.cmake"], capture_output=True, text=True, check=True)
    assert ("does not belong to" in " ".join(done.stderr.split())) == warned


@pytest.mark.parametrize("flavour, status", [("mpich", 0), ("", 0), ("Open MPI", 1), ("a-b", 1)])
def test_a_flavour_is_a_word_that_names_of_files_may_end_with(flavour, status):
    done = subprocess.run(["cmake", f"-DCUBEFOLD_FLAVOUR={flavour}", "-P", SOURCE / "cmake/flavour.cmake"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert (f"CUBEFOLD_FLAVOUR is '{flavour}', but a flavour has only small" in " ".join(done.stderr.split())) == (
        status != 0)


ABI_HEADER = "#define MPI_ABI_VERSION    1\n#undef MPI_ABI_SUBVERSION\n#define MPI_ABI_SUBVERSION 0\n"
OTHER_MPI = """
set(MPI_C_FOUND TRUE)
add_library(MPI::MPI_C INTERFACE IMPORTED)
target_link_libraries(MPI::MPI_C INTERFACE /lib/libmpi.so)
"""


@pytest.mark.parametrize("header, before, problem", [
    (ABI_HEADER, "", ""),
    (None, "", "there is no mpi.h or no libmpi_abi of the standard ABI of MPI 5"),
    ("#define MPI_VERSION 5\n", "", "mpi.h is not that of version 1 of the standard ABI of MPI"),
    (ABI_HEADER.replace("VERSION    1", "VERSION 2"), "", "mpi.h is not that of version 1 of the standard ABI of MPI"),
    (ABI_HEADER, OTHER_MPI, "MPI::MPI_C stands for another MPI already, /lib/libmpi.so"),
])
def test_the_standard_abi_is_used_only_if_it_is_here(tmp_path, header, before, problem):
    if header:
        (tmp_path / "mpi.h").write_text(header)
    (tmp_path / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.25)\nproject(abi LANGUAGES NONE)\n{before}"
        f"foreach(twice RANGE 1)\n  include({SOURCE}/cmake/standard_abi.cmake)\nendforeach()\n"
        'message(STATUS "says <${CUBEFOLD_ABI_PROBLEM}> <${MPI_C_FOUND}> <${MPI_C_LIBRARY_VERSION_STRING}>")\n')
    given = ["-DCUBEFOLD_ABI_LIBRARY=/lib/libmpi_abi.so", f"-DCUBEFOLD_ABI_INCLUDE_DIR={tmp_path if header else ''}"]
    said = subprocess.run(["cmake", "-G", "Ninja", "-S", tmp_path, "-B", tmp_path / "build", *given],
                          capture_output=True, text=True, check=True).stdout
    if problem:
        assert problem in said and said.split("says", 1)[1].rstrip().splitlines()[0].endswith("> <FALSE> <>")
    else:
        assert "says <> <TRUE> <standard ABI 1.0 of MPI>" in said
