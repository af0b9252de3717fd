"""The command line and the outputs of cubefold-lab work as those of the other programs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jobs import WATCHDOG_SECONDS

sys.path.insert(0, str(Path(os.environ["CUBEFOLD_SOURCE"]) / "apps/lab"))

from cubefold_lab import outputs  # noqa: E402
from cubefold_lab.errors import LabError  # noqa: E402

LAB = Path(os.environ["CUBEFOLD_BUILD"]) / "bin/cubefold-lab"
COMMANDS = "up, run, login, hosts, exec, loads, slow, cut, mend, status, down, simulate"


def lab(*arguments, **options):
    return subprocess.run([LAB, *arguments],
                          **{"capture_output": True, "text": True, "timeout": WATCHDOG_SECONDS, **options})


@pytest.mark.parametrize("arguments, line", [
    (["upp", "torus:4x4"], f"unknown command 'upp'; did you mean 'up'? known: {COMMANDS} (see cubefold-lab --help)"),
    (["sim"], f"unknown command 'sim'; did you mean 'simulate'? known: {COMMANDS} (see cubefold-lab --help)"),
    (["fly"], f"unknown command 'fly'; known: {COMMANDS} (see cubefold-lab --help)"),
    (["help", "upp"], f"unknown command 'upp'; did you mean 'up'? known: {COMMANDS} (see cubefold-lab --help)"),
    (["--jsn"], "unknown option '--jsn' (see cubefold-lab --help)"),
    (["loads", "--jsn", "x"], "unknown option '--jsn'; did you mean '--json'? (see cubefold-lab loads --help)"),
    (["loads", "--js", "x"], "unknown option '--js'; did you mean '--json'? (see cubefold-lab loads --help)"),
    (["run", "--pre-node", "2"],
     "unknown option '--pre-node'; did you mean '--per-node'? (see cubefold-lab run --help)"),
    (["up", "--prots=one"], "unknown option '--prots'; did you mean '--ports'? (see cubefold-lab up --help)"),
    (["status", "more"], "unexpected argument 'more' (see cubefold-lab status --help)"),
    (["up"], "GRID is required (see cubefold-lab up --help)"),
    (["exec"], "NODE and PROGRAM ... are required (see cubefold-lab exec --help)"),
    (["up", "ring:4", "--ports", "al"],
     "--ports: unknown value 'al'; did you mean 'all'? known: one, all (see cubefold-lab up --help)"),
    (["up", "--tie", "up"], "--tie: unknown value 'up'; known: positive, balanced (see cubefold-lab up --help)"),
    (["up", "ring:4", "--rate"], "--rate: a value is missing (see cubefold-lab up --help)"),
    (["run", "-n", "0", "true"], "-n: '0' is not a whole number from 1 up (see cubefold-lab run --help)"),
    (["exec", "x", "true"], "NODE: 'x' is not a whole number from 0 up (see cubefold-lab exec --help)"),
    (["loads", "--json", "-", "--svg", "-"], "loads: --json and --svg cannot both write to standard output"),
])
def test_a_mistake_is_named_in_one_line_before_anything_that_is_missing(arguments, line):
    done = lab(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"cubefold-lab: {line}\n")


def test_says_its_version_and_help_in_both_ways():
    assert lab("--version").stdout == lab("version").stdout == "cubefold-lab 0.1.0\n"
    assert lab().stdout == lab("help").stdout == lab("--help").stdout
    assert lab("help", "up").stdout == lab("up", "--help").stdout
    assert lab().returncode == lab("help", "up").returncode == 0


@pytest.mark.parametrize("arguments",
                         [["--help"], ["up", "--help"], ["--version"], ["status"], ["status", "--json", "-"], []])
def test_a_full_standard_output_is_an_error(arguments):
    with open("/dev/full", "w") as full:
        done = lab(*arguments, stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert done.returncode == 2
    assert done.stderr == "cubefold-lab: cannot write to standard output: No space left on device\n"


def test_the_list_of_labs_goes_where_it_is_told(tmp_path):
    def is_list(text):  # other users may have labs up meanwhile
        return isinstance(json.loads(text)["labs"], list)

    assert lab("status", "--json", "file", cwd=tmp_path).stdout == ""
    assert is_list((tmp_path / "file").read_text())
    assert is_list(lab("status", "--json", "-").stdout)
    for line in ['"$@" /dev/stdout >> log', '"$@" log >> log', '"$@" /dev/fd/5 5>> log', '"$@" link']:
        (tmp_path / "log").write_text("what was there\n")
        (tmp_path / "link").unlink(missing_ok=True)
        (tmp_path / "link").symlink_to("log")
        done = subprocess.run(["sh", "-c", line, "sh", LAB, "status", "--json"], cwd=tmp_path, capture_output=True,
                              text=True)
        assert (done.returncode, done.stderr) == (0, "")
        kept = "" if line.endswith("link") else "what was there\n"
        log = (tmp_path / "log").read_text()
        assert log.startswith(kept) and is_list(log[len(kept):])
        assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "link", "log"]
    assert os.readlink("/dev/stdout") == "/proc/self/fd/1"


@pytest.mark.parametrize("path, why",
                         [("/dev/full", "No space left on device"), ("missing/file", "No such file or directory"),
                          (".", "Is a directory")])
def test_what_cannot_be_written_is_said_in_one_line(tmp_path, path, why):
    done = lab("status", "--json", path, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"cubefold-lab: {path}: cannot write: {why}\n")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_whole_or_not_there(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_text("old")

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(outputs.os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        outputs.write_output(path, "new")
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("file", "old")]


def test_a_file_has_the_permissions_that_the_umask_leaves(tmp_path):
    earlier = os.umask(0o027)
    try:
        outputs.write_output(tmp_path / "file", "text")
    finally:
        os.umask(earlier)
    assert (tmp_path / "file").stat().st_mode & 0o7777 == 0o640


def test_a_link_under_the_temporary_name_is_not_followed(tmp_path, monkeypatch):
    monkeypatch.setattr(outputs.secrets, "randbits", lambda _: 5)
    (tmp_path / "victim").write_text("victim")
    (tmp_path / "file.5.part").symlink_to("victim")
    with pytest.raises(LabError, match="file: cannot write: File exists$"):
        outputs.write_output(tmp_path / "file", "text")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file.5.part", "victim"]
    assert (tmp_path / "victim").read_text() == "victim"


def test_a_file_to_which_the_starter_of_the_program_writes_is_refused(tmp_path):
    starter = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode)"
    with open(tmp_path / "log", "w") as log:
        done = subprocess.run([sys.executable, "-c", starter, LAB, "status", "--json", "log"], cwd=tmp_path, stdout=log,
                              stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == ("cubefold-lab: log: the process that started this one writes to it; name another file, "
                           "or - for standard output\n")


def test_a_named_pipe_is_written_to(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE, text=True) as reader:
        outputs.write_output(tmp_path / "pipe", "text")
        assert reader.stdout.read() == "text"


def test_lab_errors_name_the_path():
    with pytest.raises(LabError, match="^/missing/file: cannot write: No such file or directory$"):
        outputs.write_output("/missing/file", "text")
