"""The completions that are made from --help offer the words of the programs, and the man pages have their options."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
PROGRAMS = Path(os.environ["CUBEFOLD_BUILD"]) / "bin"
SCRIPT = SOURCE / "tools/packages/program_texts.py"


sys.path.append(str(SCRIPT.parent))
from program_texts import subcommands  # noqa: E402


def test_subcommands_are_found_in_both_forms_of_help():
    assert subcommands("Usage\n\nSubcommands:\n  map         Finds\n  lcc         Finds\n\nExamples:\n") == \
        ["map", "lcc"]
    assert subcommands("usage\n\npositional arguments:\n  COMMAND\n    up        bring up\n    run       run\n\n") == \
        ["up", "run"]
    assert subcommands("Usage\n\nOptions:\n  -h,--help   Print\n") == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("texts")
    without = ["--without-man-pages"] if shutil.which("help2man") is None else []
    subprocess.run([sys.executable, "-B", SCRIPT, "--programs", PROGRAMS, "--output", path, *without], check=True)
    return path


def offered(folder, *words):
    """Returns what bash offers for the last of these words."""
    line = " ".join(f"'{word}'" for word in words)
    script = (f"source {folder}/cubefold.bash; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _cubefold; "
              'printf "%s\\n" "${COMPREPLY[@]}"')
    return subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True,
                          check=True).stdout.split()


@pytest.mark.parametrize("words, expected", [
    (["cubefold", "wo"], ["wormhole"]),
    (["/usr/bin/cubefold", "map", "--ph"], ["--phase"]),
    (["cubefold", "map", "torus:4x4", "--obj"], ["--objective"]),
    (["cubefold", "map", "torus:4x4", "--objective", "t"], ["together"]),
    (["cubefold", "plan", "ex"], ["exchange"]),
    (["cubefold", "plan", "exchange", "torus:4x4", "--alph"], ["--alpha"]),
    (["cubefold-exchange", "--grid", "to"], ["torus:"]),
    (["cubefold-exchange", "--placement", "x"], ["xor"]),
    (["cubefold-lab", "up", "--ra"], ["--rate"]),
    (["cubefold", "verify", "_cube"], ["_cubefold"]),
])
def test_bash_offers_the_words_of_the_programs(folder, words, expected):
    if not (PROGRAMS / Path(words[0]).name).exists():
        pytest.skip(f"built without {words[0]}")
    assert offered(folder, *words) == expected


def test_the_functions_of_zsh_are_read_without_errors(folder):
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed")
    subprocess.run(["zsh", "-n", folder / "_cubefold"], check=True)
    assert (folder / "_cubefold").read_text().startswith("#compdef cubefold ")


def test_man_pages_have_the_options_and_a_summary(folder):
    if shutil.which("help2man") is None:
        pytest.skip("help2man is not installed, which ./dev package installs")
    page = (folder / "cubefold-signal.1").read_text()
    assert "cubefold-signal \\- writes a file of tones and noise" in page
    assert "\\-\\-tones" in page
