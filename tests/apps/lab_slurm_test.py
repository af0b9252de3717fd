"""Slurm on the nodes of a lab. The tests with a lab are skipped, with the reason, where Slurm is not installed."""

import json
import os
import random
import re
import signal
import subprocess
from pathlib import Path

import pytest

from jobs import BUILD, WATCHDOG_SECONDS, run_alone
from launched import processes_with
from lab_links import misfits, misfits_of_node_exchange, traffic_of
from labs import REASON, change, expect_none_with, lab, lab_of, needs_labs

from cubefold_lab import lab as labs_up
from cubefold_lab import slurm, slurm_files
from cubefold_lab.errors import LabError
from cubefold_lab.network import describe_network

NAME = f"slurm-{os.getpid()}"


def reason_to_skip():
    try:
        slurm.check()
    except LabError as error:
        return f"{error} (./dev slurm installs it)"
    return REASON


needs_slurm = pytest.mark.skipif(bool(reason_to_skip()), reason=reason_to_skip())


def network(grid):
    return describe_network(str(BUILD / "bin/cubefold"), grid, "balanced")


def run_script(folder, text, *arguments, **environment):
    script = folder / "script"
    script.write_text(text)
    done = subprocess.run(["sh", script, *arguments], capture_output=True, text=True, check=True,
                          env={**os.environ, **environment})
    return done.stdout


@pytest.mark.parametrize("grid", ["torus:4x3x5", "torus:4x3", "ring:7", "hypercube:3", "hypercube:1"])
def test_every_task_is_told_the_coordinates_of_its_node(tmp_path, grid):
    net = network(grid)
    for node in range(net.node_count):
        out = run_script(tmp_path, slurm_files.task_prolog(net), SLURMD_NODENAME=f"node-{node}")
        address, pattern = re.fullmatch("export SLURM_TOPOLOGY_ADDR=(.*)\nexport SLURM_TOPOLOGY_ADDR_PATTERN=(.*)\n",
                                        out).groups()
        place, name = address.split(".")
        told = tuple(map(int, place.split(":")[1:]))
        assert name == f"node-{node}"
        assert told == (*net.coordinates[node], 0)[:len(told)] and len(told) >= len(net.coordinates[node])
        assert pattern == {1: "ring:position.node", 3: "torus:x:y:z.node"}[len(told)]


@pytest.mark.parametrize("grid", ["mesh:4x4", "line:4", "hypercube:4", "grid:4wx4", "torus:4x4,cut=0-1", "torus:4x8~4"])
def test_networks_that_slurm_does_not_know_have_no_addresses(tmp_path, grid):
    net = network(grid)
    assert run_script(tmp_path, slurm_files.task_prolog(net), SLURMD_NODENAME="node-0") == ""
    assert run_script(tmp_path, slurm_files.scontrol(net, "echo"), "show", "topology") == "show topology\n"


@pytest.mark.parametrize("grid, shown", [
    ("torus:4x3", "TorusName=lab Dims=4x3x1 Nodes=node-[0-11]"),
    ("torus:4x3x5", "TorusName=lab Dims=4x3x5 Nodes=node-[0-59]"),
    ("ring:7", "RingName=lab Nodes=node-[0-6] RingSize=7"),
])
def test_scontrol_shows_the_topology_and_passes_everything_else_on(tmp_path, grid, shown):
    script = slurm_files.scontrol(network(grid), "echo")
    assert run_script(tmp_path, script, "show", "topology") == shown + "\n"
    assert run_script(tmp_path, script, "show", "node", "node-1") == "show node node-1\n"


@pytest.mark.parametrize("grid, network_found", [("torus:4x3", "torus:4x3x1"), ("torus:4x3x5", "torus:4x3x5"),
                                                 ("ring:7", "ring:7")])
def test_the_topology_file_and_scontrol_say_the_network(tmp_path, grid, network_found):
    (tmp_path / "topology.yaml").write_text(slurm_files.topology_yaml(network(grid)))
    shown = run_script(tmp_path, slurm_files.scontrol(network(grid), "echo"), "show", "topoconf")
    (tmp_path / "topoconf.yaml").write_text(shown)
    for name in ["topology.yaml", "topoconf.yaml"]:
        found = run_alone("cubefold", "discover", "--input", tmp_path / name, "--json", "-")
        assert json.loads(found.out)["network"] == network_found


def test_slurm_counts_the_slots_of_every_node():
    settings = dict(line.split("=", 1) for line in slurm_files.slurm_conf(network("torus:4x4"), 3).splitlines())
    assert settings["NodeName"] == "node-[0-15] CPUs=3 State=UNKNOWN"
    outside = [value for value in settings.values() if value.startswith("/") and not value.startswith("/run/slurm/")]
    assert outside == ["/bin/true"]


def test_slurm_needs_root(monkeypatch):
    monkeypatch.setattr(slurm.os, "geteuid", lambda: 1000)
    with pytest.raises(LabError, match="^--slurm needs root, because slurmd"):
        slurm.check()


@pytest.mark.parametrize("printed, line", [
    ("slurm-wlm 24.11.5", "--slurm needs Slurm 22.05; slurmctld is of slurm-wlm 24.11.5"),
    ("", "--slurm needs Slurm 22.05; slurmctld is of no known version"),
])
def test_another_slurm_is_refused_with_its_version(monkeypatch, tmp_path, printed, line):
    for name in slurm.PROGRAMS:
        (tmp_path / name).write_text(f"#!/bin/sh\necho {printed}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setattr(slurm.os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(LabError, match=f"^{line}$"):
        slurm.check()


def test_a_missing_program_of_slurm_is_named_with_its_package(monkeypatch, tmp_path):
    monkeypatch.setattr(slurm.os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LabError, match="^needs the program 'slurmctld', which is in Debian's package slurmctld$"):
        slurm.check()


def test_if_slurm_does_not_start_the_error_has_the_last_line_of_its_log(monkeypatch):
    printed = {"sinfo": "down*\nidle\n", "tail": "[2026-11-23] fatal: no key\n"}
    monkeypatch.setattr(slurm, "call_inside", lambda _lab, command: printed[command[0]])
    monkeypatch.setattr(slurm, "START_LIMIT_SECONDS", -1)
    with pytest.raises(LabError, match=r"^Slurm's nodes are down\* and idle after -1 s; the last line of its "
                                       r"controller's log: \[2026-11-23\] fatal: no key$"):
        slurm.wait_until_idle(None)


def test_slots_are_those_of_slurm():
    done = lab("up", "ring:4", "--slots", 2)
    assert done.returncode == 2
    assert done.stderr == ("cubefold-lab: --slots needs --slurm; 'cubefold-lab run --per-node' says how many processes "
                           "it starts on a node\n")


@needs_labs
def test_a_lab_without_slurm_has_no_login():
    with lab_of("ring:3", name=NAME + "-without") as name:
        done = lab("login", "--name", name, "sinfo")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (f"cubefold-lab: lab '{name}' has no Slurm (cubefold-lab up --slurm brings up a lab with "
                           "Slurm)\n")


@pytest.fixture(scope="module")
def torus():
    with lab_of("torus:4x4", "--slurm", name=NAME) as name:
        yield name


def login(*command):
    return change("login", "--name", NAME, *command)


def run_batch(folder, script, *options):
    """Submits a job with sbatch, waits for its end by a named pipe, and returns what it has printed."""
    end = folder / "end"
    os.mkfifo(end)
    (folder / "job").write_text(f"#!/bin/sh\ntrap 'echo $? >{end}' EXIT\nset -e\n{script}\n")
    login("sbatch", "--output", folder / "out", *(options or ["--nodes", 16]), folder / "job")
    status = subprocess.run(["cat", end], capture_output=True, text=True, timeout=WATCHDOG_SECONDS).stdout
    out = (folder / "out").read_text()
    assert status == "0\n", out
    return out


@needs_slurm
def test_a_batch_job_puts_its_messages_on_the_links(torus, tmp_path):
    script = ("CUBEFOLD_GRID=torus:4x4 srun --mpi=pmix cubefold-exchange --algorithm direct --compare none "
              f"--block 16KiB --repetitions 2 --json {tmp_path}/exchange.json")
    printed = []
    traffic = traffic_of(NAME, tmp_path / "exchange.json", 3, lambda: printed.append(run_batch(tmp_path, script)))
    assert "16 processes on torus:4x4" in printed[0] and "all right" in printed[0]
    assert misfits(*traffic) == []


@needs_slurm
def test_a_job_with_a_host_map_knows_its_nodes_although_some_are_missing(torus, tmp_path):
    change("hosts", "--name", NAME, "--output", tmp_path / "hosts.json")
    out = run_batch(tmp_path, f"export CUBEFOLD_HOSTS={tmp_path}/hosts.json; srun --exclude 'node-[3,9]' --nodes 14 "
                              "--ntasks 14 cubefold-exchange --compare none --block 64 --repetitions 1")
    assert "14 processes on torus:4x4,without=3-9" in out and "all right" in out


@needs_slurm
def test_a_job_without_a_variable_runs_with_2_ranks_on_a_node_and_two_nodes_missing(torus, tmp_path):
    script = ("cubefold-run -- cubefold-exchange --compare none --block 256 --repetitions 2\n"
              "cubefold-run -- cubefold-fft --lengths 28x32x28 --check")
    options = ["--nodes", 14, "--exclude", "node-[3,9]", "--ntasks-per-node", 2]
    out = run_batch(tmp_path, f"cd {tmp_path}; {script}", *options)
    assert "28 processes on 2 ranks on each node of torus:4x4,without=3-9" in out
    assert "all right" in out and ": right" in out


@needs_slurm
def test_ranks_of_a_job_without_a_variable_start_where_its_map_says_and_use_those_links(torus, tmp_path):
    """From sbatch to the bytes of all links, with 4 ranks on a node, two nodes missing and hosts in another order."""
    order = random.Random(7).sample(range(14), 14)
    hosts = [node for node in range(16) if node not in (3, 9)]
    runs, printed = 6, []
    script = ("unset $(env | sed -n 's/^\\(CUBEFOLD_[A-Z_]*\\)=.*/\\1/p')\n"
              f"cd {tmp_path}; cubefold discover --output seen.json\n"
              f"cubefold-run --keep files --phase alltoall --placement nodes={'-'.join(map(str, order))} -- "
              f"env CUBEFOLD_ALLTOALL=nodes:direct cubefold-exchange --compare none --block 8KiB "
              f"--repetitions {runs - 1}")
    options = ["--nodes", 14, "--exclude", "node-[3,9]", "--ntasks-per-node", 4]
    bad = misfits_of_node_exchange(NAME, "torus:4x4,without=3-9", runs * 4 * 4 * 8192,
                                   lambda: printed.append(run_batch(tmp_path, script, *options)))
    assert bad == []
    assert "56 processes on 4 ranks on each node of torus:4x4,without=3-9" in printed[0] and "all right" in printed[0]
    assert [host["name"] for host in json.loads((tmp_path / "seen.json").read_text())["hosts"]] == [
        f"node-{node}" for node in hosts]
    assert (tmp_path / "files/ranks.txt").read_text().split() == [
        f"node-{hosts[place]}" for place in order for _ in range(4)]


@needs_slurm
def test_tasks_run_on_nodes_with_their_names_and_addresses(torus):
    lines = login("srun", "--nodes", 16, "--ntasks-per-node", 2, "--label", "sh", "-c",
                  "echo $(hostname) $SLURM_TOPOLOGY_ADDR")
    told = {int(line.split(":")[0]): line.split(": ")[1] for line in lines.splitlines()}
    assert told == {task: f"node-{task // 2} lab:{task // 2 % 4}:{task // 8}:0.node-{task // 2}" for task in range(32)}


@needs_slurm
def test_a_plain_srun_knows_the_torus(torus):
    out = login("srun", "--nodes", 16, "--mpi=pmix", "cubefold-exchange", "--compare", "none", "--block", 64,
                "--repetitions", 1)
    assert "16 processes on torus:4x4" in out and "all right" in out


@needs_slurm
def test_a_job_may_leave_nodes_out(torus):
    out = login("srun", "--exclude", "node-[3,9]", "--nodes", 14, "hostname")
    assert sorted(out.split()) == sorted(f"node-{node}" for node in range(16) if node not in (3, 9))


@needs_slurm
def test_mpirun_starts_its_processes_in_the_allocation(torus):
    out = login("salloc", "--nodes", 3, "--ntasks", 6, "mpirun", "sh", "-c", "echo $OMPI_COMM_WORLD_RANK $(hostname)")
    ranks = dict(line.split() for line in out.splitlines())
    assert sorted(ranks) == [str(rank) for rank in range(6)]
    assert set(ranks.values()) == {"node-0", "node-1", "node-2"}


@needs_slurm
def test_a_job_that_knows_nothing_of_its_network_starts_its_ranks_where_they_suit_it(torus, tmp_path):
    best = tmp_path / "best.json"
    mapped = run_alone("cubefold", "map", "torus:4x4", "--phase", "cube", "--json", best)
    assert mapped.status == 0, mapped.err
    node_of_rank = json.loads(best.read_text())["node_of_rank"]
    assert node_of_rank != list(range(16))
    tell = "echo $SLURM_PROCID $(hostname) $(grep -c node- $CUBEFOLD_HOSTS)"
    out = run_batch(tmp_path, f"cd {tmp_path}; cubefold-run --phase cube -- sh -c '{tell}'")
    assert sorted(out.splitlines()) == sorted(f"{rank} node-{node} 16" for rank, node in enumerate(node_of_rank))
    assert not list(tmp_path.glob("cubefold_run_*"))


def state_of_the_machine():
    """Returns the files in the folders that Slurm uses on a machine, and the file systems that are mounted."""
    folders = ["/etc/slurm", "/run/slurm", "/run/munge", "/var/spool", "/var/log/slurm"]
    return [sorted(map(str, Path(folder).rglob("*"))) for folder in folders], Path("/proc/mounts").read_text()


@needs_slurm
@pytest.mark.parametrize("end", ["down", "kill"])
def test_nothing_of_slurm_is_left_when_the_lab_ends(monkeypatch, end):
    name = f"{NAME}-{end}"
    monkeypatch.setenv("CUBEFOLD_TEST", name)
    before = state_of_the_machine()
    change("up", "ring:4", "--slurm", "--name", name)
    monkeypatch.delenv("CUBEFOLD_TEST")
    mark = f"CUBEFOLD_TEST={name}"
    assert len(processes_with(mark)) > 4
    assert change("login", "--name", name, "srun", "--nodes", 4, "echo", "runs").split() == 4 * ["runs"]
    if end == "down":
        change("down", "--name", name)
    else:
        os.kill(labs_up.find(name).holder, signal.SIGKILL)
    expect_none_with(mark)
    assert state_of_the_machine() == before
    assert name not in change("status")
