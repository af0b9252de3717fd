"""The commands of the tutorial and of the page on examples run as they are written, and print what the pages show."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from jobs import BUILD, MPI_LIBRARY

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
PAGE = (SOURCE / "docs/tutorial.md").read_text()


def commands_of(page):
    """Returns pairs of the commands in the console blocks of a page and what they print, in order."""
    blocks = re.findall(r"^```console\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    return [(command, shown) for block in blocks
            for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)]


def without_numbers(text):
    """Returns the text with a mark for each number, since times differ from run to run and so does their width."""
    return re.sub(r" +", " ", re.sub(r"\d[\d.]*(?:e[+-]?\d+)?", "#", text))


def prints(shown, printed, has_times):
    """Returns whether a page shows what was printed; a first line `...` stands for any lines."""
    if has_times:
        shown, printed = without_numbers(shown), without_numbers(printed)
    if shown.startswith("...\n"):
        return printed.endswith(shown.removeprefix("...\n"))
    return printed == shown


def environment():
    free = {name: value for name, value in os.environ.items() if not name.startswith("CUBEFOLD")}
    as_root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"} if os.geteuid() == 0 else {}
    return free | as_root | {"PATH": f"{BUILD / 'bin'}:{os.environ['PATH']}"}


def expect_what_is_shown(page, folder):
    if not MPI_LIBRARY.startswith("Open MPI"):
        pytest.skip("the pages show mpirun of Open MPI")
    if not (BUILD / "bin/cubefold-fft").exists():
        pytest.skip("built without cubefold::fft")
    for command, shown in commands_of(page):
        done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment(), capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        assert prints(shown, done.stdout, "mpirun " in command), f"{command}\n{done.stdout}\n{shown}"


def test_the_examples_print_what_their_page_shows(tmp_path):
    page = (SOURCE / "docs/examples.md").read_text()
    expect_what_is_shown(page, tmp_path)
    assert len(commands_of(page)) >= 6


def test_the_tutorial_prints_what_it_shows(tmp_path):
    expect_what_is_shown(PAGE, tmp_path)
    assert {"cg.json", "cg.html", "cg.svg", "order.txt", "spectrum.npy"} <= {file.name for file in tmp_path.iterdir()}


def test_another_output_would_be_noticed():
    assert commands_of("```console\n$ a b\n1\n2\n$ c\n```\n") == [("a b", "1\n2\n"), ("c", "")]
    assert prints("a 1\n", "a 1\n", has_times=False)
    assert not prints("a 1\n", "a 2\n", has_times=False)
    assert prints("...\na  1.5 ms\n", "x\na 12e-3 ms\n", has_times=True)
    assert not prints("...\na 1.5 ms: right\n", "x\na 1.5 ms: wrong\n", has_times=True)
