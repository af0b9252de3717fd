"""Outputs of programs without MPI: files appear whole, and all other targets are written directly."""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fabrics import Torus, fabric
from jobs import BUILD, WATCHDOG_SECONDS, expect_refused, run_alone
from sweeps import combinations

folder_of_inputs = tempfile.TemporaryDirectory()
FABRIC = Path(folder_of_inputs.name) / "fabric.txt"
FABRIC.write_text(fabric(Torus([3, 3], [True, True])))

# A command for every option that names an output. The path follows the command.
OUTPUTS = {
    "advise --json": ["advise", "ring:4", "--block", "8", "--json"],
    "advise --svg": ["advise", "ring:4", "--block", "8", "--svg"],
    "fabric --json": ["fabric", FABRIC, "--json"],
    "fabric --port-order": ["fabric", FABRIC, "--port-order"],
    "fabric --torus-2qos": ["fabric", FABRIC, "--torus-2qos"],
    "fabric --network": ["fabric", FABRIC, "--network"],
    "routes --json": ["routes", "ring:4", "--json"],
    "map --json": ["map", "ring:4", "--phase", "cube", "--json"],
    "map --emit-to": ["map", "ring:4", "--phase", "cube", "--emit", "vcoord", "--emit-to"],
    "lcc --json": ["lcc", "4", "--phase", "transpose", "--json"],
    "plan --json": ["plan", "exchange", "ring:4", "--block", "8", "--json"],
    "plan --table": ["plan", "exchange", "ring:4", "--block", "8", "--table"],
    "simulate --json": ["simulate", "exchange", "ring:4", "--block", "8", "--json"],
    "wormhole --json":
        ["wormhole", "hypercube:2", "--pattern", "transpose", "--load", "0.1", "--cycles", "100", "--json"],
    "draw --output": ["draw", "ring:4", "--output"],
    "signal --output": ["--points", "64", "--output"],
}

each_output = pytest.mark.parametrize("name", OUTPUTS)


def command(name, *more):
    program = "cubefold-signal" if name.startswith("signal") else "cubefold"
    return [str(BUILD / "bin" / program), *map(str, OUTPUTS[name]), *map(str, more)]


def shell(line, name, folder):
    """Runs `line`, in which "$@" is the command for the output of that name, without the path."""
    done = subprocess.run(["sh", "-c", line, "sh", *command(name)], cwd=folder, capture_output=True,
                          timeout=WATCHDOG_SECONDS)
    assert done.returncode == 0, done.stderr
    return done


def written_to_a_file(name, folder):
    shell('"$@" expected', name, folder)
    content = (folder / "expected").read_bytes()
    (folder / "expected").unlink()
    return content


@each_output
def test_a_dash_is_standard_output_and_nothing_else_is_there(tmp_path, name):
    assert shell('"$@" -', name, tmp_path).stdout == written_to_a_file(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name, path", combinations(list(OUTPUTS),
                                                    ["/dev/stdout", "/proc/self/fd/1", "link-to-it", "log"]))
def test_standard_output_by_another_name_is_appended_to_and_never_replaced(tmp_path, name, path):
    expected = written_to_a_file(name, tmp_path)
    (tmp_path / "link-to-it").symlink_to("/dev/stdout")
    (tmp_path / "log").write_text("what was there\n")
    inode = (tmp_path / "log").stat().st_ino
    shell(f'"$@" {path} >> log', name, tmp_path)
    log = (tmp_path / "log").read_bytes()
    assert log.startswith(b"what was there\n")
    assert expected in log
    assert (tmp_path / "log").stat().st_ino == inode
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link-to-it", "log"]
    assert os.readlink("/dev/stdout") == "/proc/self/fd/1"


def test_standard_error_and_other_open_files_are_appended_to(tmp_path):
    expected = written_to_a_file("routes --json", tmp_path)
    for line in ['"$@" /dev/stderr 2>> log', '"$@" /dev/fd/7 7>> log', '"$@" log 7>> log']:
        (tmp_path / "log").write_text("what was there\n")
        shell(line, "routes --json", tmp_path)
        assert (tmp_path / "log").read_bytes() == b"what was there\n" + expected


def test_what_is_printed_comes_in_its_order(tmp_path):
    done = shell('"$@" /dev/stdout', "routes --json", tmp_path)
    written = written_to_a_file("routes --json", tmp_path)
    assert done.stdout.startswith(written)
    assert done.stdout.endswith(shell('"$@" file', "routes --json", tmp_path).stdout)


STARTER = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode)"


def test_a_file_that_the_starter_of_the_program_writes_to_is_refused(tmp_path):
    """mpirun does this too: its processes have a pipe, and it writes the log."""
    (tmp_path / "log").write_text("what was there\n")
    with open(tmp_path / "log", "a") as log:
        done = subprocess.run([sys.executable, "-c", STARTER, *command("routes --json", "log")], cwd=tmp_path,
                              stdout=log, stderr=subprocess.PIPE, text=True, timeout=WATCHDOG_SECONDS)
    assert done.returncode == 2
    assert done.stderr == ("cubefold: log: the process that started this one writes to it; name another file, "
                           "or - for standard output\n")
    assert (tmp_path / "log").read_text() == "what was there\n"


@each_output
def test_a_named_pipe_is_written_to(tmp_path, name):
    expected = written_to_a_file(name, tmp_path)
    os.mkfifo(tmp_path / "pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_bytes()), daemon=True)
    reader.start()
    shell('"$@" pipe', name, tmp_path)
    reader.join(timeout=WATCHDOG_SECONDS)
    assert read == [expected]
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize("name, path", combinations(list(OUTPUTS), ["/dev/full", "full"]))
def test_a_device_is_written_to_and_says_when_it_is_full(tmp_path, name, path):
    (tmp_path / "full").symlink_to("/dev/full")
    done = subprocess.run(command(name, path), cwd=tmp_path, capture_output=True, text=True, timeout=WATCHDOG_SECONDS)
    assert done.returncode == 2
    assert done.stderr.endswith(f": {path}: cannot write: No space left on device\n") and done.stderr.count("\n") == 1
    assert os.path.exists("/dev/full") and not os.path.isfile("/dev/full")


@each_output
def test_a_path_that_cannot_be_written_is_refused_before_the_work(tmp_path, name):
    for path, why in [("missing/file", "cannot create: No such file or directory"),
                      (".", "cannot write: Is a directory")]:
        done = subprocess.run(command(name, path), cwd=tmp_path, capture_output=True, text=True,
                              timeout=WATCHDOG_SECONDS)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.endswith(f"{path}: {why}\n") and done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@each_output
def test_a_file_is_replaced_where_links_lead_and_nothing_else_is_left(tmp_path, name):
    expected = written_to_a_file(name, tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "old").write_text("old")
    (tmp_path / "link").symlink_to("folder/old")
    (tmp_path / "dangling").symlink_to("folder/new")
    for link, file in [("link", "old"), ("dangling", "new")]:
        shell(f'"$@" {link}', name, tmp_path)
        assert (tmp_path / "folder" / file).read_bytes() == expected
        assert (tmp_path / link).is_symlink()
    assert sorted(p.name for p in (tmp_path / "folder").iterdir()) == ["new", "old"]


@each_output
def test_a_full_standard_output_is_an_error(name):
    for path in ["-", "/dev/null"]:
        with open("/dev/full", "w") as full:
            done = subprocess.run(command(name, path), stdout=full, stderr=subprocess.PIPE, text=True,
                                  timeout=WATCHDOG_SECONDS)
        silent = path == "/dev/null" and name in ["draw --output", "signal --output"]
        assert done.returncode == (0 if silent else 2)
        program = Path(command(name)[0]).name
        assert done.stderr == ("" if silent
                               else f"{program}: cannot write to standard output: No space left on device\n")


WITH_JSON = [name for name in OUTPUTS if name.split()[1] in ("--json", "--table", "--network")]


@pytest.mark.parametrize("name", [*WITH_JSON, "discover --output"])
def test_every_json_file_begins_with_its_format_the_version_and_the_date(tmp_path, name):
    hosts = tmp_path / "hosts.txt"
    hosts.write_text("a 0\nb 1\n")
    words = OUTPUTS.get(name, ["discover", "--input", hosts, "--grid", "line:2", "--output"])
    job = run_alone("cubefold", *words, "-", env={"SOURCE_DATE_EPOCH": "1"})
    assert job.status == 0, job.err
    found = json.loads(job.out)
    assert {key: found[key] for key in list(found)[:3]} == {
        "format_version": 1, "cubefold": "0.1.0", "date": "1970-01-01T00:00:01Z"}


def test_the_date_is_now_unless_the_environment_says_otherwise():
    before = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    for unset in ["", "1e9", "-1", "253402300800"]:
        job = run_alone("cubefold", *OUTPUTS["routes --json"], "-", env={"SOURCE_DATE_EPOCH": unset})
        if unset:
            expect_refused(job, f"SOURCE_DATE_EPOCH: '{unset}' is not a number of seconds since 1970")
        else:
            assert json.loads(job.out)["date"] >= before


def test_two_texts_for_standard_output_are_refused():
    job = run_alone("cubefold", *OUTPUTS["plan --json"], "-", "--table", "-")
    expect_refused(job, "plan: --json and --table cannot both write to standard output")


def printed_on_a_terminal(columns, *command):
    """Returns what a command prints on a terminal of this width."""
    terminal, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([str(BUILD / "bin/cubefold"), *map(str, command)], stdout=end, env=os.environ) as program:
        os.close(end)
        seen = b""
        while True:
            try:
                part = os.read(terminal, 1000)
            except OSError:  # the program has closed the other end
                break
            if not part:
                break
            seen += part
        assert program.wait() == 0
    os.close(terminal)
    return seen.decode().replace("\r", "")


WIDE = {"advise": ["advise", "torus:4x4", "--block", "8,1KiB"],
        "lcc": ["lcc", "16", "--phase", "transpose", "--phase", "shuffle"],
        "routes": ["routes", "ring:32"],
        "plan": ["plan", "exchange", "mesh:8x8", "--block", "8KiB"]}


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("name", WIDE)
def test_tables_fit_the_terminal_and_have_all_their_cells(name, columns):
    def is_of_a_table(line):  # cells are two blanks apart
        return "  " in line.strip()

    whole = [line for line in run_alone("cubefold", *WIDE[name]).out.splitlines() if is_of_a_table(line)]
    narrow = [line for line in printed_on_a_terminal(columns, *WIDE[name]).splitlines() if is_of_a_table(line)]
    assert max(map(len, whole)) > columns or name == "plan"
    assert max(map(len, narrow)) <= columns
    words = [set(re.split("  +", line.strip())) for line in whole]
    shown = [set(re.split("  +", line.strip())) for line in narrow]
    assert set().union(*words) == set().union(*shown)


def test_the_first_column_is_in_every_block_of_a_table():
    lines = printed_on_a_terminal(60, *WIDE["advise"]).splitlines()
    blocks = [i for i, line in enumerate(lines) if line.startswith("    block ")]
    assert len(blocks) >= 3
    assert all(lines[i + 1].startswith("      8 B ") and lines[i + 2].startswith("    1 KiB ") for i in blocks)
    assert all(lines[i - 1] == "" for i in blocks)


def shown_on_a_terminal(seconds, until=b"\0", **environment):
    """Returns what a long search shows on the terminal of its standard error, within some seconds or until it has shown
    these bytes."""
    terminal, end = pty.openpty()
    variables = {**os.environ, "TERM": "xterm", **environment}
    with subprocess.Popen([str(BUILD / "bin/cubefold"), "map", "torus:16x16x16", "--phase", "bit-reversal", "--phase",
                           "cube", "--effort", "1e15"], stdout=subprocess.DEVNULL, stderr=end, env=variables) as search:
        os.close(end)
        seen = b""
        deadline = time.monotonic() + seconds
        while until not in seen and time.monotonic() < deadline:
            if select.select([terminal], [], [], 0.1)[0]:
                try:
                    seen += os.read(terminal, 1000)
                except OSError:  # the other end is closed
                    break
        search.kill()
    os.close(terminal)
    return seen


def test_a_long_search_says_on_a_terminal_what_it_does():
    assert b"searching for a placement ... " in shown_on_a_terminal(WATCHDOG_SECONDS, b" s", NO_COLOR="")


def test_nothing_is_shown_where_escape_sequences_are_not_wanted():
    with ThreadPoolExecutor() as pool:  # both wait for as long as a search is silent at first
        without_colour = pool.submit(shown_on_a_terminal, 2.5, NO_COLOR="1")
        on_dumb_terminal = pool.submit(shown_on_a_terminal, 2.5, TERM="dumb")
    assert without_colour.result() == on_dumb_terminal.result() == b""
