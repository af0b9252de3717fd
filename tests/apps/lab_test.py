"""Tests of cubefold-lab on this machine. They are skipped, with the reason, where namespaces are not allowed."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from jobs import BUILD, WATCHDOG_SECONDS
from launched import processes_with
from labs import LAB, expect_none_with, lab, lab_of, needs_labs
from sweeps import ALL, combinations

from cubefold_lab import lab as labs_up

pytestmark = needs_labs

NAME = f"test-{os.getpid()}"
SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
GRID, NODES = ("torus:4x4", 16) if ALL else ("ring:4", 4)


@pytest.fixture(scope="module")
def network():
    with lab_of(GRID, "--rate", "10mbit", name=NAME) as name:
        yield name


def test_programs_run_on_nodes_that_only_know_their_links(network):
    done = lab("run", "--name", NAME, "sh", "-c", "echo $OMPI_COMM_WORLD_RANK $(hostname) $CUBEFOLD_GRID")
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == sorted(f"{n} node-{n} {GRID}" for n in range(NODES))


def test_two_labs_side_by_side_do_not_meet_and_leave_nothing_behind(network):
    names = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True).stdout
    other = NAME + "-b"
    assert lab("up", "ring:4", "--ports", "one", "--slow", "1-2:1mbit", "--name", other).returncode == 0
    again = lab("up", "ring:4", "--name", other)
    assert again.returncode == 2 and f"lab '{other}' is up already" in again.stderr
    status = lab("status").stdout
    assert f"{NAME}: {GRID}" in status and f"{other}: ring:4" in status and "slow: 1-2 1mbit" in status
    assert lab("run", "--name", other, "true").returncode == 0
    assert lab("down", "--name", other).returncode == 0
    assert subprocess.run(["ip", "netns", "list"], capture_output=True, text=True).stdout == names
    assert lab("exec", "--name", NAME, 0, "true").returncode == 0


def test_when_its_first_process_is_killed_nothing_of_a_lab_is_left():
    name = NAME + "-k"
    assert lab("up", "ring:4", "--name", name).returncode == 0
    running = subprocess.Popen([LAB, "exec", "--name", name, "0", "sh", "-c", "echo runs; exec sleep 600"],
                               stdout=subprocess.PIPE, text=True)
    assert running.stdout.readline() == "runs\n"
    holder = next(k["holder"] for k in json.loads(lab("status", "--json", "-").stdout)["labs"] if k["name"] == name)
    os.kill(holder, signal.SIGKILL)
    assert running.wait() != 0
    assert name not in lab("status").stdout
    assert "no lab" in lab("down", "--name", name).stderr


def states_with(mark):
    """Returns number and state of each process with the mark, by the names of their programs."""
    found = {}
    for process in processes_with(f"CUBEFOLD_TEST={mark}"):
        with suppress(OSError):  # it has ended
            before, _, after = Path(f"/proc/{process}/stat").read_text().rpartition(")")
            found[before.partition("(")[2]] = process, after.split()[0]
    return found


def stopped_job(name, mark):
    """Starts a job that stops itself, and waits until the nsenter of that job has stopped too. Returns the job, and the
    process in the lab."""
    job = subprocess.Popen([LAB, "exec", "--name", name, "0", "sh", "-c", "kill -STOP $$; exit 3"],
                           env={**os.environ, "CUBEFOLD_TEST": mark})
    while states_with(mark).get("nsenter", (0, ""))[1] != "T":
        assert job.poll() is None
    return job, states_with(mark)["sh"][0]


def test_a_job_that_was_stopped_and_goes_on_ends_as_usual(network):
    job, process = stopped_job(NAME, f"{NAME}-on")
    os.kill(process, signal.SIGCONT)
    assert job.wait(WATCHDOG_SECONDS) == 3


def test_a_command_of_the_lab_itself_that_was_stopped_goes_on(network, monkeypatch):
    mark = f"{NAME}-short"
    monkeypatch.setenv("CUBEFOLD_TEST", mark)
    with ThreadPoolExecutor() as pool:
        output = pool.submit(labs_up.call_inside, labs_up.find(NAME), ["sh", "-c", "kill -STOP $$; cat"], "text")
        while states_with(mark).get("nsenter", (0, ""))[1] != "T":
            assert not output.done()
        os.kill(states_with(mark)["sh"][0], signal.SIGCONT)
        assert output.result() == "text"


def test_a_stopped_job_ends_when_the_command_is_ended(network):
    job, _ = stopped_job(NAME, f"{NAME}-end")
    job.terminate()
    assert job.wait(WATCHDOG_SECONDS) != 0
    expect_none_with(f"CUBEFOLD_TEST={NAME}-end")


def test_a_lab_with_a_stopped_job_is_taken_down():
    name = NAME + "-s"
    assert lab("up", "ring:4", "--name", name).returncode == 0
    job, _ = stopped_job(name, name)
    assert lab("down", "--name", name).returncode == 0
    assert job.wait(WATCHDOG_SECONDS) != 0


def test_a_job_ends_if_a_daemon_of_mpirun_ends_before_it_has_answered(network, tmp_path):
    """mpirun finds this daemon first, which ends on one node. An orted that puts itself into the background would have
    left its agent by then, but a prted stays."""
    own = shutil.which("orted") or shutil.which("prted")
    daemon = tmp_path / Path(own).name
    leaves = "*--daemonize*" if daemon.name == "orted" else "none"
    daemon.write_text(f"""#!/bin/sh
test "$(hostname)" = node-1 || exec {own} "$@"
case "$*" in {leaves}) exit 0;; esac
kill -TERM $$
""")
    daemon.chmod(0o755)
    done = lab("run", "--name", NAME, "true", env={"PATH": f"{tmp_path}:{os.environ['PATH']}",
                                                   "PRTE_MCA_prte_launch_agent": str(daemon)})
    assert done.returncode != 0
    assert "daemon" in done.stderr


# `up` is alone at first, then with the two processes that make and hold the lab, then while those run `ip` or `tc`.
@pytest.mark.parametrize("process_count", [1, 3, 4])
def test_an_interrupted_up_leaves_nothing_behind(process_count):
    name = f"{NAME}-i{process_count}"
    mark = f"CUBEFOLD_TEST={name}"
    grid = "torus:8x8" if ALL else "torus:4x4"
    starting = subprocess.Popen([LAB, "up", grid, "--rate", "1mbit", "--name", name], stderr=subprocess.PIPE,
                                stdout=subprocess.PIPE, env={**os.environ, "CUBEFOLD_TEST": name})
    while len(processes_with(mark)) < process_count and starting.poll() is None:
        pass
    starting.send_signal(signal.SIGTERM)
    starting.communicate()
    if starting.returncode == 0:  # it was up before the signal
        lab("down", "--name", name)
    assert name not in lab("status").stdout
    expect_none_with(mark)


UP_WITHOUT_SAVING = """\
import os, signal, sys
from cubefold_lab import cli, lab
lab.save = lambda _: os.kill(os.getpid(), signal.SIGKILL)
cli.main(sys.argv[2:], sys.argv[1], "", "0")
"""


def test_an_up_that_is_killed_before_the_lab_has_a_name_leaves_nothing_behind():
    name = NAME + "-n"
    killed = subprocess.run(
        [sys.executable, "-B", "-c", UP_WITHOUT_SAVING, BUILD / "bin", "up", "ring:4", "--name", name],
        env={**os.environ, "CUBEFOLD_TEST": name, "PYTHONPATH": str(SOURCE / "apps/lab")}, timeout=WATCHDOG_SECONDS)
    assert killed.returncode == -signal.SIGKILL
    assert name not in lab("status").stdout
    expect_none_with(f"CUBEFOLD_TEST={name}")


@pytest.mark.parametrize("number, command", combinations(
    [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], [["run"], ["exec", "3"]]))
def test_a_signal_to_the_program_alone_ends_what_it_has_started_in_the_lab(network, command, number):
    mark = f"{NAME}-{command[0]}-{number}"
    job = subprocess.Popen(
        [LAB, command[0], "--name", NAME, *command[1:], "sh", "-c", "echo runs; exec sleep 100000"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "CUBEFOLD_TEST": mark})
    assert job.stdout.readline() == "runs\n"
    job.send_signal(number)
    _, complaints = job.communicate(timeout=WATCHDOG_SECONDS)
    expect_none_with(f"CUBEFOLD_TEST={mark}")
    if number == signal.SIGKILL:
        return
    assert job.returncode == 130 and complaints.endswith("cubefold-lab: interrupted\n")
    assert f"job-{job.pid}" not in lab("exec", "--name", NAME, 0, "ls", "/run/lab").stdout


@pytest.mark.parametrize("arguments, line", [
    (["up", "rung:4"], "unknown kind 'rung'"),
    (["up", "ring:4", "--rate", "10"], "rate '10' is not a number with one of the units"),
    (["up", "ring:4", "--queue", "1mbit"], "queue '1mbit' is not a number"),
    (["up", "ring:400"], "ring:400 has 400 nodes; a lab has at most 256"),
    (["up", "ring:4", "--slow", "0-2:1mbit"], "0-2 is not a link of ring:4"),
    (["up", "ring:4", "--slow", "0-1"], "'0-1' is not a link and its rate"),
    (["run", "--name", NAME, "-n", "17", "true"],
     f"-n 17: the job has room for 1 to {NODES} processes, 1 on each of {NODES} nodes"),
    (["run", "--name", NAME, "no-such-program"], "'no-such-program' is neither a program"),
    (["run", "--name", NAME, "/no/program"], "/no/program does not exist"),
    (["exec", "--name", NAME, "0", "/no/program"], "/no/program does not exist"),
    (["exec", "--name", NAME, "16", "true"], f"node 16 is not one of the {NODES} nodes"),
    (["cut", "--name", NAME, "0-2"], f"0-2 is not a link of {GRID}"),
    (["run", "--name", "nobody", "true"], "no lab 'nobody' is up"),
    (["down", "--name", "nobody"], "no lab 'nobody' is up"),
])
def test_bad_input_gets_one_line(network, arguments, line):
    done = lab(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1 and done.stderr.startswith("cubefold-lab: ")
    assert line in done.stderr


def test_a_rate_beyond_the_cores_is_warned_of_with_the_number():
    name = NAME + "-w"
    done = lab("up", "ring:4", "--rate", "100gbit", "--name", name)
    assert re.search(r"warning: rate 100gbit on 8 shaped links .* above about [\d.]+mbit", done.stderr), done.stderr
    lab("down", "--name", name)


def test_missing_programs_are_named_with_their_package(tmp_path):
    done = lab("up", "ring:4", env={"PATH": str(tmp_path)})
    assert (done.returncode, done.stderr) == (
        2, "cubefold-lab: needs the program 'ip', which is in Debian's package iproute2\n")
