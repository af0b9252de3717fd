"""The modules stay separate: includes point down, only mpi, fft and fortran use MPI, only fft and fftw_mpi use FFTW,
and the README shows code that is compiled."""

import os
import re
import shutil
import subprocess
import textwrap
from fnmatch import fnmatch
from pathlib import Path

import pytest

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])

# The modules in the order of docs/architecture.md. A module includes itself and the modules before it.
MODULES = ["text", "topology", "hosts", "gf2", "embedding", "lcc", "schedule", "exchange", "collective",
           "simulation", "plan", "transform", "mpi", "preload", "profile", "fft", "fftw_mpi", "fortran", "python"]


def tracked_files():
    if not shutil.which("git"):
        pytest.skip("needs git, which says which files are sources")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=SOURCE, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    return [path for name in filter(None, listed.stdout.split("\0")) if (path := SOURCE / name).is_file()]


def sources(*folders):
    return [p for folder in folders for p in sorted((SOURCE / folder).rglob("*"))
            if p.suffix in {".cpp", ".hpp", ".h", ".c"}]


def includes(path):
    return re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', path.read_text(), re.MULTILINE)


def module_of(path):
    parts = path.relative_to(SOURCE).parts
    names = [part for part in parts if part in MODULES]
    return names[0] if names else None


def test_every_folder_of_the_library_is_a_module():
    folders = {p.name for root in ["lib", "include/cubefold"] for p in (SOURCE / root).iterdir() if p.is_dir()}
    assert folders == set(MODULES)


def upward_includes(path, lines):
    here = MODULES.index(module_of(path))
    targets = [re.match(r"(?:cubefold/|\.\./)?(\w+)/", line) for line in lines]
    return [t.group(1) for t in targets if t and t.group(1) in MODULES[here + 1:]]


def test_includes_point_down():
    for path in sources("lib", "include"):
        if module_of(path):
            assert upward_includes(path, includes(path)) == [], path


def test_an_include_that_points_up_would_be_noticed():
    for header in ["cubefold/mpi/error.hpp", "mpi/round.hpp", "../mpi/round.hpp"]:
        assert upward_includes(SOURCE / "lib/topology/grid.cpp", [header]) == ["mpi"]
    assert upward_includes(SOURCE / "lib/mpi/round.cpp", ["schedule/layer.hpp", "round.hpp", "fmt/format.h"]) == []


def allowed(path, header):
    module = module_of(path)
    rest = path.relative_to(SOURCE).parts
    if header == "mpi.h":
        return (module in {"mpi", "preload", "profile", "fft", "fftw_mpi", "fortran", "python"}
                or rest[0] in {"apps", "tests"} or path.name == "cubefold.h")
    return module in {"fft", "fftw_mpi"} or rest[:2] == ("apps", "fft")


@pytest.mark.parametrize("header", ["mpi.h", "fftw3.h", "fftw3-mpi.h"])
def test_mpi_and_fftw_stay_in_their_modules(header):
    for path in sources("lib", "include", "apps"):
        if header in includes(path):
            assert allowed(path, header), path


def test_public_headers_show_nothing_of_fftw_and_nothing_private():
    for path in sources("include"):
        assert "fftw3.h" not in includes(path), path
        for name in includes(path):
            assert "/" not in name or name.startswith("cubefold/"), path


def test_readme_shows_lines_of_the_example_that_is_compiled():
    shown = re.search(r"^```c\n(.*?)^```", (SOURCE / "README.md").read_text(), flags=re.DOTALL | re.MULTILINE)[1]
    assert 3 < len(shown.splitlines()) <= 12
    assert textwrap.indent(shown, "  ") in (SOURCE / "apps/examples/readme.c").read_text()


def long_lines(text):
    return [number for number, line in enumerate(text.splitlines(), 1) if len(line) > 120]


def is_usual(name):
    return re.fullmatch(r"[\w.][\w.+-]*", name) is not None


def test_no_name_of_a_file_reads_like_an_option():
    assert [path for path in tracked_files() if not all(map(is_usual, path.relative_to(SOURCE).parts))] == []


def test_a_file_left_by_a_program_would_be_noticed():
    assert is_usual("CMakeLists.txt") and not is_usual("--output.0") and not is_usual("two words")


def test_lines_of_sources_have_at_most_120_columns():
    kinds = {".cpp", ".hpp", ".h", ".c", ".py", ".cmake", ".in", ".txt", ".f90", ".js", ".css", ".html"}
    for path in [p for p in tracked_files() if p.suffix in kinds or p.name in {"dev", "run"}]:
        assert long_lines(path.read_text()) == [], path


def test_a_long_line_would_be_noticed():
    assert long_lines("x" * 120 + "\n" + "x" * 121 + "\n") == [2]


def has_both_sides_of_a_merge(text):
    return re.search(r"^(<{7}|>{7}) ", text, flags=re.MULTILINE) is not None


def test_no_page_or_source_has_both_sides_of_a_merge():
    kinds = {".cpp", ".hpp", ".h", ".c", ".py", ".cmake", ".txt", ".f90", ".md", ".yml"}
    for path in [p for p in tracked_files() if p.suffix in kinds or p.name in {"dev", "run"}]:
        assert not has_both_sides_of_a_merge(path.read_text()), path


def test_both_sides_of_a_merge_would_be_noticed():
    assert has_both_sides_of_a_merge("a\n<<<<<<" + "< HEAD\nb\n")
    assert not has_both_sides_of_a_merge("a << b\n=======\n")


def test_nothing_names_a_path_of_one_machine():
    pattern = re.compile(r"(?<![\w.$}])/(work|root|home)/\w")
    for path in tracked_files():
        if path != Path(__file__):
            assert not pattern.search(path.read_text(errors="replace")), path


def unbuilt(tests, build_file):
    """Returns the tests that the build file names neither by their paths from its folder nor without _test."""
    words = re.split(r"[\s()]+", build_file.read_text())
    return [test for test in tests if test.stem.removesuffix("_test") not in words
            and not any(fnmatch(str(test.relative_to(build_file.parent)), word) for word in words)]


def test_every_test_is_built():
    tests = [path for path in sources("tests") if path.stem.endswith("_test")]
    assert unbuilt(tests, SOURCE / "tests/CMakeLists.txt") == []


def test_a_test_that_the_build_file_leaves_out_would_be_noticed(tmp_path):
    (tmp_path / "CMakeLists.txt").write_text("file(GLOB tests gf2/*_test.cpp)\nset(files grid)\n"
                                             "add_executable(all mpi/round_test.cpp)")
    built = [tmp_path / "mpi/round_test.cpp", tmp_path / "gf2/round_test.cpp", tmp_path / "mpi/grid_test.cpp"]
    others = [tmp_path / "round_test.cpp", tmp_path / "mpi/round_test.c", tmp_path / "gf2/round.cpp"]
    assert unbuilt(built + others, tmp_path / "CMakeLists.txt") == others
