"""Outputs of programs under mpirun: files appear whole, all other targets are written directly, and process 0 alone
writes."""

import functools
import io
import os
import subprocess

import numpy as np
import pytest

from jobs import BUILD, WATCHDOG_SECONDS, expect_refused, run, run_alone
from signals import random_signal
from sweeps import ALL, combinations, more

OUTPUTS = {
    "exchange --json": ["cubefold-exchange", "--block", "8", "--repetitions", "1", "--json"],
    "permute --json": ["cubefold-permute", "--block", "8", "--repetitions", "1", "--json"],
    "calibrate --output": ["cubefold-calibrate", "--grid", "ring:2", "--quick", "--output"],
    "fft --json": ["cubefold-fft", "--lengths", "8", "--json"],
    "fft --plot": ["cubefold-fft", "--lengths", "8", "--plot"],
    "fft --output": ["cubefold-fft", "--lengths", "8", "--output"],
}
PLAIN = {"exchange": [], "permute": [], "fft": ["--lengths", "8"]}
BEGIN = {"exchange --json": b"{\n", "permute --json": b"{\n", "calibrate --output": b"{\n", "fft --json": b"{\n",
         "fft --plot": b"<svg ", "fft --output": b"\x93NUMPY"}

each_output = pytest.mark.parametrize("name", OUTPUTS)
MORE_OUTPUTS = ["permute --json", "fft --plot"]  # written by the same functions as the others
most_outputs = pytest.mark.parametrize("name", [more(name) if name in MORE_OUTPUTS else name for name in OUTPUTS])


def shell(line, *words, folder):
    """Runs `line`, in which "$@" is the words."""
    return subprocess.run(["sh", "-c", line, "sh", *words], cwd=folder, capture_output=True, timeout=WATCHDOG_SECONDS)


def under_mpirun(processes, program, *arguments):
    return [os.environ["CUBEFOLD_MPIEXEC"], "-n", str(processes), str(BUILD / "bin" / program), *arguments]


@most_outputs
def test_a_dash_is_standard_output_and_nothing_else_is_there(tmp_path, name):
    done = shell('"$@" -', *under_mpirun(2, *OUTPUTS[name]), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(BEGIN[name])
    assert b"\ncubefold" not in done.stdout, "the table would stand between"
    assert list(tmp_path.iterdir()) == []


@each_output
def test_standard_output_by_its_name_is_appended_to_and_never_replaced(tmp_path, name):
    """mpirun gives its processes a pipe; without mpirun they write to the log directly."""
    commands = [[str(BUILD / "bin" / OUTPUTS[name][0]), *OUTPUTS[name][1:]]]
    if name.startswith("calibrate"):  # it needs two processes
        commands = []
    if ALL or name in ["calibrate --output", "fft --output"]:
        commands.append(under_mpirun(2, *OUTPUTS[name]))
    for words in commands:
        (tmp_path / "log").write_text("what was there\n")
        done = shell('"$@" /dev/stdout >> log', *words, folder=tmp_path)
        assert done.returncode == 0, done.stderr
        log = (tmp_path / "log").read_bytes()
        assert log.startswith(b"what was there\n") and BEGIN[name] in log
        assert [p.name for p in tmp_path.iterdir()] == ["log"]
        assert os.readlink("/dev/stdout") == "/proc/self/fd/1"


@most_outputs
def test_the_file_to_which_mpirun_writes_is_refused(tmp_path, name):
    (tmp_path / "log").write_text("what was there\n")
    done = shell('"$@" log >> log', *under_mpirun(2, *OUTPUTS[name]), folder=tmp_path)
    assert done.returncode == 2
    assert b"log: the process that started this one writes to it; name another file" in done.stderr
    assert (tmp_path / "log").read_text() == "what was there\n"


def test_the_file_to_which_mpirun_writes_is_refused_behind_another_process(tmp_path):
    """A shell starts the program and waits for it, as the proxies of MPICH's launcher do."""
    program, *arguments = OUTPUTS["exchange --json"]
    behind = [os.environ["CUBEFOLD_MPIEXEC"], "-n", "2", "sh", "-c", '"$0" "$@"; exit $?', str(BUILD / "bin" / program)]
    done = shell('"$@" log >> log', *behind, *arguments, folder=tmp_path)
    assert done.returncode == 2
    assert b"log: the process that started this one writes to it" in done.stderr


@each_output
def test_a_device_is_written_to_and_says_when_it_is_full(tmp_path, name):
    program, *arguments = OUTPUTS[name]
    is_started_alone = name not in ["calibrate --output", "fft --output", "exchange --json"]
    start = run_alone if is_started_alone else functools.partial(run, 2)
    job = start(program, *arguments, "/dev/full", cwd=tmp_path)
    assert (job.status, job.complaints) == (2, [f"{program}: /dev/full: cannot write: No space left on device"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("processes, shape", [more(1, (20,)), (3, (7, 5)), (4, (600000,))])
def test_a_result_that_leaves_through_a_pipe_is_that_of_the_file(tmp_path, processes, shape):
    np.save(tmp_path / "in.npy", random_signal(shape, "float64"))
    words = under_mpirun(processes, "cubefold-fft", "--input", "in.npy", "--output")
    assert shell('"$@" out.npy', *words, folder=tmp_path).returncode == 0
    piped = shell('"$@" - | cat', *words, folder=tmp_path).stdout
    assert piped == (tmp_path / "out.npy").read_bytes()
    np.testing.assert_allclose(np.load(io.BytesIO(piped)), np.fft.fftn(np.load(tmp_path / "in.npy")), atol=1e-9)


def test_a_plan_is_explained_whatever_is_not_written():
    job = run(2, "cubefold-fft", "--lengths", "64", "--explain", "--output", "-")
    assert job.status == 0 and "cubefold-fft 0.1.0: " in job.out


@pytest.mark.parametrize("program, arguments", combinations(list(PLAIN), [[], ["--help"], ["--version"]]))
def test_a_full_standard_output_is_an_error_on_all_processes(program, arguments):
    """mpirun does not tell its processes that its own output is full, so each process has a full output here."""
    name = f"cubefold-{program}"
    job = run(3, name, *PLAIN[program], *arguments, wrapper=["sh", "-c", 'exec "$0" "$@" > /dev/full'])
    assert job.complaints == [f"{name}: cannot write to standard output: No space left on device"], job.err
    assert job.status == 2
    assert "MPI_ABORT" not in job.err


def test_a_long_table_on_a_full_standard_output_is_an_error_on_all_processes():
    sizes = ",".join(map(str, range(1, 100)))
    job = run(3, "cubefold-exchange", "--block", sizes, "--repetitions", 1, "--algorithm", "direct", "--compare",
              "none", wrapper=["sh", "-c", 'exec "$0" "$@" > /dev/full'])
    assert job.complaints == ["cubefold-exchange: cannot write to standard output: No space left on device"], job.err
    assert "MPI_ABORT" not in job.err


@pytest.mark.parametrize("options, line", [
    (["--output", "-", "--json", "-"], "--output and --json both name -"),
    (["--wisdom", "-"], "--wisdom -: wisdom is read and written; it takes a file"),
    (["--wisdom", "pipe"], "--wisdom pipe: wisdom is read and written; it takes a file"),
])
def test_refuses_streams_that_do_not_fit(tmp_path, options, line):
    os.mkfifo(tmp_path / "pipe")
    expect_refused(run_alone("cubefold-fft", "--lengths", "8", *options, cwd=tmp_path), line)
    assert [p.name for p in tmp_path.iterdir()] == ["pipe"]
