"""The hosts of a lab's jobs: their order, the nodes that are left out, and the host map."""

import json
import os
import subprocess

import pytest

from jobs import REASON_WITHOUT_PRELOAD, WATCHDOG_SECONDS
from lab_links import misfits, misfits_of_node_exchange, traffic_of
from labs import BUILD, change, lab, lab_of, needs_labs
from sweeps import ALL, more

from cubefold_lab import hosts, launch
from cubefold_lab import lab as labs_up
from cubefold_lab.errors import LabError
from cubefold_lab.network import describe_network

NAME = f"hosts-{os.getpid()}"


def network(grid):
    return describe_network(str(BUILD / "bin/cubefold"), grid, "balanced")


TORUS = network("torus:4x4")


class Emulated:
    name = "lab"
    network = TORUS


@pytest.mark.parametrize("seed", range(20))
def test_a_shuffled_job_has_every_node_once_and_the_same_order_for_the_same_seed(seed):
    nodes = hosts.allocate(TORUS, seed=seed).nodes
    assert sorted(nodes) == list(range(16)) and nodes != tuple(range(16))
    assert hosts.allocate(TORUS, seed=seed).nodes == nodes
    assert hosts.allocate(TORUS, seed=seed + 20).nodes != nodes


def test_nodes_that_are_left_out_have_no_slots():
    allocation = hosts.allocate(TORUS, 3, without=[3, 9, 3], seed=5)
    assert sorted(allocation.nodes) == [0, 1, 2, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15]
    assert allocation.slot_count == 42


@pytest.mark.parametrize("without, line", [
    ([3, 16], "--without 16: not one of the 16 nodes of torus:4x4"),
    (range(16), "--without: leaves none of the 16 nodes of torus:4x4"),
])
def test_nodes_that_cannot_be_left_out_are_refused_by_number(without, line):
    with pytest.raises(LabError, match=f"^{line}$"):
        hosts.allocate(TORUS, without=without)


@pytest.mark.parametrize("more, by_number", [
    ({}, True), ({"per_node": 3}, True), ({"distribution": "cyclic"}, True),
    ({"per_node": 3, "distribution": "cyclic"}, False), ({"seed": 1}, False), ({"without": [15]}, False),
])
def test_the_name_of_the_grid_says_where_processes_are_only_if_they_are_placed_by_number(more, by_number):
    assert hosts.allocate(TORUS, **more).is_by_number(TORUS) == by_number


@pytest.mark.parametrize("distribution", hosts.DISTRIBUTIONS)
def test_used_nodes_are_those_that_get_a_process(distribution):
    allocation = hosts.allocate(TORUS, 3, seed=2, distribution=distribution)
    filled = [node for node in allocation.nodes for _ in range(3)]
    order = filled if distribution == "block" else 3 * list(allocation.nodes)
    for count in range(1, 49):
        assert set(allocation.used_nodes(count)) == set(order[:count])


def test_the_host_map_has_name_coordinates_and_slots_of_every_host():
    found = json.loads(hosts.host_map(Emulated, [6, 1], 4))
    assert found == {"format_version": 1, "network": "torus:4x4", "source": "cubefold-lab lab",
                     "hosts": [{"name": "node-1", "at": [1, 0], "slots": 4},
                               {"name": "node-6", "at": [2, 1], "slots": 4}]}


def test_on_a_network_without_axes_the_host_map_has_node_numbers():
    class Cut:
        name = "lab"
        network = network("torus:4x4,cut=0-1")

    assert [host["at"] for host in json.loads(hosts.host_map(Cut, [0, 6], 1))["hosts"]] == [0, 6]


@pytest.mark.parametrize("arguments, line", [
    (["run", "--without", "3,,4", "true"], "--without: '' is not a whole number from 0 up"),
    (["run", "--without", "3-5", "true"], "--without: '3-5' is not a whole number from 0 up"),
    (["run", "--shuffle", "x", "true"], "--shuffle: 'x' is not a whole number from 0 up"),
    (["run", "--distribution", "cycle", "true"],
     "--distribution: unknown value 'cycle'; did you mean 'cyclic'? known: block, cyclic"),
    (["hosts", "--per-node", "0"], "--per-node: '0' is not a whole number from 1 up"),
])
def test_a_bad_option_is_named_in_one_line(arguments, line):
    done = lab(*arguments)
    help_of = f"(see cubefold-lab {arguments[0]} --help)"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"cubefold-lab: {line} {help_of}\n")


@pytest.fixture(scope="module")
def ring():
    with lab_of("ring:5", name=NAME) as name:
        yield name


def processes(*options):
    """Runs a job and returns what its processes print: rank and node, the grid's name, and the host map."""
    script = "echo $OMPI_COMM_WORLD_RANK $(hostname); test -z $CUBEFOLD_HOSTS || cat $CUBEFOLD_HOSTS >&2"
    done = lab("run", "--name", NAME, *options, "sh", "-c", f"({script}) 2>&1; echo grid $CUBEFOLD_GRID")
    assert done.returncode == 0, done.stderr
    return done.stdout


def ranks_in(text):
    found = dict(line.split() for line in text.splitlines() if line[:1].isdigit())
    return [int(found[str(rank)].removeprefix("node-")) for rank in range(len(found))]


@needs_labs
@pytest.mark.parametrize("options, more", [
    more(["--shuffle", 4], {"seed": 4}),
    more(["--without", "1,3"], {"without": [1, 3]}),
    (["--shuffle", 4, "--per-node", 2, "--distribution", "cyclic"],
     {"seed": 4, "per_node": 2, "distribution": "cyclic"}),
    (["--shuffle", 1, "--per-node", 2, "--without", "0"], {"seed": 1, "per_node": 2, "without": [0]}),
])
def test_processes_start_where_the_allocation_says_and_read_it_in_the_host_map(ring, options, more):
    allocation = hosts.allocate(network("ring:5"), **more)
    out = processes(*options)
    expected = [node for node in allocation.nodes for _ in range(allocation.per_node)]
    assert ranks_in(out) == (expected if allocation.distribution == "block"
                             else allocation.per_node * list(allocation.nodes))
    assert "grid ring" not in out
    assert out.count('"name": "node-2", "at": [2]') == allocation.slot_count


@needs_labs
def test_without_such_options_processes_know_the_grid_and_no_file_is_left(ring):
    out = processes("--per-node", 2)
    assert ranks_in(out) == [node for node in range(5) for _ in range(2)]
    assert out.count("grid ring:5") == 10 and "node-2\"" not in out
    left = change("exec", "--name", NAME, 0, "ls", "/run/lab")
    assert "job-" not in left


@needs_labs
def test_the_host_map_of_a_lab_is_printed_or_written(ring, tmp_path):
    printed = change("hosts", "--name", NAME, "--per-node", 2)
    assert [host["name"] for host in json.loads(printed)["hosts"]] == [f"node-{n}" for n in range(5)]
    assert {host["slots"] for host in json.loads(printed)["hosts"]} == {2}
    assert json.loads(printed)["source"] == f"cubefold-lab {NAME}"
    assert change("hosts", "--name", NAME, "--per-node", 2, "--output", tmp_path / "hosts.json") == ""
    assert (tmp_path / "hosts.json").read_text() == printed


@needs_labs
def test_more_processes_than_the_nodes_that_are_left_are_refused(ring):
    done = lab("run", "--name", NAME, "--without", "0,1", "-n", 4, "true")
    assert done.stderr == "cubefold-lab: -n 4: the job has room for 1 to 3 processes, 1 on each of 3 nodes\n"


# Two nodes are missing, and all messages of the smaller network pass one of them.
WHOLE, MISSING, PER_NODE, LEFT = ("torus:4x4", [3, 9], 4, 14) if ALL else ("ring:4", [1, 3], 2, 2)
LENGTHS = "56x64x56" if ALL else "12x16x10"
HOLES = f"{WHOLE},without={MISSING[0]}-{MISSING[1]}"


@pytest.fixture(scope="module")
def holes():
    with lab_of(WHOLE, "--rate", "20mbit", name=NAME + "-holes") as name:
        yield name


def run_with_holes(name, *program):
    return change("run", "--name", name, "--per-node", PER_NODE, "--shuffle", 7, "--without",
                  ",".join(map(str, MISSING)), "--time-limit", WATCHDOG_SECONDS, *program)


@needs_labs
def test_programs_run_on_shuffled_hosts_with_several_ranks_each_and_two_missing(holes):
    out = run_with_holes(holes, "cubefold-exchange", "--compare", "none", "--block", "256", "--repetitions", 2)
    assert f"{LEFT * PER_NODE} processes on {PER_NODE} ranks on each node of {HOLES}" in out and "all right" in out
    assert ": right" in run_with_holes(holes, "cubefold-fft", "--lengths", LENGTHS, "--check")


@needs_labs
def test_blocks_of_all_ranks_of_a_node_take_the_links_of_one_message(holes, monkeypatch):
    monkeypatch.setenv("CUBEFOLD_ALLTOALL", "nodes:direct")
    runs, bytes_between_nodes = 6, PER_NODE * PER_NODE * 8192

    def exchange():
        run_with_holes(holes, "cubefold-exchange", "--compare", "none", "--block", "8KiB", "--repetitions", runs - 1)

    assert misfits_of_node_exchange(holes, HOLES, runs * bytes_between_nodes, exchange) == []


@needs_labs
@pytest.mark.parametrize("switches, switch_count", [("hypercube:1", 2), more("ring:4", 4)])
def test_hosts_that_share_switches_are_nodes_of_their_own(switches, switch_count, tmp_path, monkeypatch):
    runs, file, map_of_switches = 4, tmp_path / "times.json", tmp_path / "hosts.json"
    grid, node_count = f"{switches},hosts=2", 2 * switch_count
    places = [{"name": f"node-{node}", "at": [node // 2]} for node in range(node_count)]
    map_of_switches.write_text(json.dumps({"format_version": 1, "network": switches, "source": "the test",
                                           "hosts": places}))
    monkeypatch.setenv("CUBEFOLD_HOSTS", str(map_of_switches))
    with lab_of(grid, "--rate", "20mbit", name=NAME + "-switches") as name:
        def exchange():
            out = change("run", "--name", name, "--time-limit", WATCHDOG_SECONDS, "cubefold-exchange", "--compare",
                         "none", "--block", "8KiB", "--repetitions", runs - 1, "--json", file)
            assert f"{node_count} processes on {grid}" in out and "all right" in out

        assert misfits(*traffic_of(name, file, runs, exchange)) == []
        assert f"{grid}, {node_count} nodes, {switch_count} switches, " in change("status")
        monkeypatch.delenv("CUBEFOLD_HOSTS")
        (tmp_path / "hostfile").write_text(hosts.hostfile(hosts.allocate(labs_up.find(name).network, seed=3)))
        out, _ = on_the_launcher(name, BUILD / "bin/cubefold-run", "--hostfile", tmp_path / "hostfile", "--input",
                                 map_of_switches, "--phase", "cube", "--", BUILD / "bin/cubefold-exchange", "--compare",
                                 "none")
        assert f"{node_count} processes on {grid}" in out and "all right" in out


def on_the_launcher(name, *command):
    """Runs a command as a user of the lab does who knows nothing of it, and returns what it prints and says."""
    found = labs_up.find(name)
    change("run", "--name", name, "true")  # leaves the agent by which mpirun starts processes
    kept = {variable: value for variable, value in os.environ.items() if not variable.startswith("CUBEFOLD_")}
    environment = launch.job_environment({**launch.COMMUNICATION, **launch.REMOTE_START}, kept,
                                         BUILD / "lib/libcubefold_lab_preload.so")
    done = subprocess.run(labs_up.entering(found, list(map(str, command))), env=environment, capture_output=True,
                          text=True, timeout=WATCHDOG_SECONDS)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def run_on_allocation(name, folder, per_node):
    """Returns the beginning of a command that runs a program on hosts in another order, two of which are missing."""
    allocation = hosts.allocate(network(WHOLE), per_node, without=MISSING, seed=7)
    (folder / "hostfile").write_text(hosts.hostfile(allocation))
    change("hosts", "--name", name, "--per-node", per_node, "--output", folder / "hosts.json")
    return [BUILD / "bin/cubefold-run", "--hostfile", folder / "hostfile", "--input", folder / "hosts.json",
            "--keep", folder / "files"]


@needs_labs
def test_mpirun_runs_a_job_that_knows_its_network_by_a_file_of_hosts_alone(holes, tmp_path):
    start = [*run_on_allocation(holes, tmp_path, PER_NODE), "--"]
    runs, printed = 6, []
    with_known_bytes = ["env", "CUBEFOLD_ALLTOALL=nodes:direct"]  # not as many calls as the choice of a method takes

    def exchange():
        printed.append(on_the_launcher(holes, *start, *with_known_bytes, BUILD / "bin/cubefold-exchange", "--compare",
                                       "none", "--block", "8KiB", "--repetitions", runs - 1)[0])

    assert misfits_of_node_exchange(holes, HOLES, runs * PER_NODE * PER_NODE * 8192, exchange) == []
    assert f"{LEFT * PER_NODE} processes on {PER_NODE} ranks on each node of {HOLES}" in printed[0]
    assert "all right" in printed[0]
    out, _ = on_the_launcher(holes, *start, BUILD / "bin/cubefold-fft", "--lengths", LENGTHS, "--check")
    assert ": right" in out


@needs_labs
@pytest.mark.skipif(bool(REASON_WITHOUT_PRELOAD), reason=REASON_WITHOUT_PRELOAD)
def test_a_program_that_nobody_changed_exchanges_on_the_network_of_its_hosts(holes, tmp_path):
    start = [*run_on_allocation(holes, tmp_path, 1), "--preload", "--", "env", "CUBEFOLD_ALLTOALL=direct"]
    out, said = on_the_launcher(holes, *start, BUILD / "bin/unchanged_program")
    assert out == "0 wrong numbers\n"
    assert ("cubefold: 2 of 2 MPI_Alltoall, 1 of 1 MPI_Alltoallv by cubefold; 1 communicator, 1 of them on the grid\n"
            in said)
