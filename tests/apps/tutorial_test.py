"""The commands of the tutorial and of the page on examples run as they are written, and print what the pages show."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jobs import BUILD, MPI_LIBRARY
from page_commands import commands_of, files_of, first_difference, prints

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
PAGE = (SOURCE / "docs/tutorial.md").read_text()


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """What the tutorial exports after the installation."""
    if not MPI_LIBRARY.startswith("Open MPI"):
        pytest.skip("the pages show mpirun of Open MPI")
    if not (BUILD / "bin/cubefold-fft").exists():
        pytest.skip("built without cubefold::fft")
    if re.search(r"^CMAKE_CXX_FLAGS:.*sanitize", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE):
        pytest.skip("a plain C program cannot link sanitized C++ libraries")
    prefix = tmp_path_factory.mktemp("home") / "cubefold"
    subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True, capture_output=True)
    libraries = next(prefix.rglob("libcubefold_core.so")).parent
    exports = re.search(r"^((?: +export .*\n)+)", PAGE, re.MULTILINE)[1]
    typed = exports.replace("/lib", f"/{libraries.relative_to(prefix)}") + "env -0"
    as_root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"} if os.geteuid() == 0 else {}
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # python3 is the interpreter that has NumPy
    said = subprocess.run(["sh", "-ec", typed], env={"PATH": path, "HOME": prefix.parent}, check=True,
                          capture_output=True, text=True).stdout
    return as_root | dict(each.split("=", 1) for each in said.split("\0") if each)


def test_the_examples_print_what_their_page_shows(tmp_path, environment):
    page = (SOURCE / "docs/examples.md").read_text()
    built = environment | {"PATH": f"{environment['PATH']}:{BUILD / 'bin'}"}
    assert first_difference(page, tmp_path, built) is None
    assert len(commands_of(page)) >= 6


def test_the_tutorial_prints_what_it_shows(tmp_path, environment):
    assert first_difference(PAGE, tmp_path, environment) is None
    assert {"cg.json", "cg.html", "cg.svg", "order.txt", "spectrum.npy", "ranks.txt", "field"} <= {
        file.name for file in tmp_path.iterdir()}


def test_another_output_would_be_noticed(tmp_path):
    assert commands_of("```console\n$ a b\n1\n2\n$ c\n```\n") == [("a b", "1\n2\n"), ("c", "")]
    assert prints("a 1\n", "a 1\n", has_times=False)
    assert not prints("a 1\n", "a 2\n", has_times=False)
    assert prints("...\na  1.5 ms\n", "x\na 12e-3 ms\n", has_times=True)
    assert not prints("...\na 1.5 ms: right\n", "x\na 1.5 ms: wrong\n", has_times=True)
    page = "```c\n/* a.c: a program */\nint a;\n```\n```console\n$ cat a.c\nint b;\n```\n```c\nint c;\n```\n"
    assert files_of(page) == {"a.c": "/* a.c: a program */\nint a;\n"}
    assert "the page shows\nint b;" in first_difference(page, tmp_path)
    assert first_difference("```console\n$ exit 3\n```\n", tmp_path) == "$ exit 3\nended with 3; the page shows\n"
