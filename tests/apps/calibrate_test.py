"""Tests of cubefold-calibrate from outside. simgrid_test and lab_traffic_test check its results on networks with
known values."""

import json
import math
import re
import socket

import pytest

from jobs import expect_help, expect_refused, preloaded, refused_with, run, run_alone
from sweeps import more
from traffic import coordinates, monitored, node_at, sent_between_nodes

TIMES = ["alpha_seconds", "gap_seconds", "barrier_seconds", "copy_seconds_per_byte"]


def calibrated(processes, folder, *arguments, **more):
    path = folder / "machine.json"
    job = run(processes, "cubefold-calibrate", "--quick", "--output", path, *arguments, **more)
    assert job.status == 0, job.err
    return job, json.loads(path.read_text())


@pytest.mark.parametrize("processes, grid, wrap_links", [
    (2, "ring:2", [False]), (3, "ring:3", [True]), more(4, "line:4", [False]), more(4, "torus:2x2", None),
    (4, "torus:1x4", [False, True]), more(6, "mesh:3x2", [False, False]), more(8, "grid:4wx2", [True, False]),
    more(8, "hypercube:3", [False] * 3)])
def test_writes_a_machine_file_of_finite_times(tmp_path, processes, grid, wrap_links):
    _, machine = calibrated(processes, tmp_path, "--grid", grid)
    wrap_links = wrap_links or [False, False]
    assert (machine["format_version"], machine["processes"], machine["hosts"]) == (1, processes, 1)
    assert all(math.isfinite(machine[key]) and machine[key] >= 0 for key in TIMES)
    assert machine["alpha_seconds"] > 0 and machine["barrier_seconds"] > 0
    has_links = [extent > 1 for extent in ([1, 4] if grid == "torus:1x4" else [2] * len(wrap_links))]
    assert [math.isfinite(tau) and tau > 0 for tau in machine["tau_seconds_per_byte"]] == has_links
    assert machine["ports"] in ["one", "all"]
    assert "queues" not in machine, "one host has none"
    assert all(there or not behaves for there, behaves in zip(wrap_links, machine["wraps"], strict=True))
    assert [times["block_bytes"] for times in machine["plain_exchanges"]] == [16, 256, 2048, 16384]
    assert all(times[key] > 0 for times in machine["plain_exchanges"] for key in ["alltoall_seconds", "linear_seconds"])
    assert [time["vector_bytes"] for time in machine["plain_allreduces"]] == [256, 2048, 16384, 131072, 1048576]
    assert all(time["seconds"] > 0 for time in machine["plain_allreduces"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", machine["date"])
    assert [path.name for path in tmp_path.iterdir()] == ["machine.json"]


def test_measures_slow_exchanges_once_and_no_longer_ones(tmp_path):
    job, machine = calibrated(2, tmp_path, "--grid", "ring:2", "--repetitions", 3,
                              env=preloaded("libslow_alltoall.so"))
    assert [times["block_bytes"] for times in machine["plain_exchanges"]] == [16, 256]
    assert machine["plain_exchanges"][1]["alltoall_seconds"] > 10
    assert job.err.count("a slow exchange") == 2, "one of each process"
    assert "blocks of 2 KiB        left out with longer ones: a call may take more than 10 s\n" in job.out


@pytest.mark.parametrize("grid, extents, wrapped",
                         [("grid:4wx2", [4, 2], [0]), more("mesh:4x2", [4, 2], []), more("ring:8", [8], [0])])
def test_sends_over_every_link_and_to_neighbours_only(tmp_path, grid, extents, wrapped):
    calibrated(8, tmp_path, "--grid", grid, "--without-exchanges", env=monitored(tmp_path))
    neighbours = set()
    for node in range(8):
        for axis, extent in enumerate(extents):
            place = coordinates(node, extents)
            place[axis] += 1
            if place[axis] == extent and axis not in wrapped:
                continue
            other = node_at([c % k for c, k in zip(place, extents)], extents)
            neighbours |= {(node, other), (other, node)}
    assert set(sent_between_nodes(tmp_path)) == neighbours
    assert "queues" not in json.loads((tmp_path / "machine.json").read_text())


@pytest.mark.parametrize("processes, grid", [(4, "ring:4,cut=0-1"), more(6, "ring:6,cut=0-1"), more(6, "hyperx:3x2"),
                                             more(6, "torus:2x3~1")])
def test_measures_other_networks_over_their_links_only(tmp_path, processes, grid):
    _, machine = calibrated(processes, tmp_path, "--grid", grid, "--without-exchanges", env=monitored(tmp_path))
    assert machine["grid"] == grid
    assert len(machine["tau_seconds_per_byte"]) == 1 and machine["tau_seconds_per_byte"][0] > 0
    assert not any(machine["wraps"])
    links = json.loads(run_alone("cubefold", "routes", grid, "--json", "-").out)["links"]
    used = set(sent_between_nodes(tmp_path))
    assert used <= {(link["from"], link["to"]) for link in links}
    assert used >= {(b, a) for a, b in used}
    assert run(processes, "cubefold-exchange", "--grid", grid, "--block", 64, "--repetitions", 1,
               env={"CUBEFOLD_MACHINE": str(tmp_path / "machine.json")}).status == 0


# Hosts of neighbouring switches send to each other, and those of one switch if there is no other. The last network has
# more switches than hosts.
@pytest.mark.parametrize("processes, grid, pairs", [
    (4, "line:3,hosts=2-1-1", {(0, 1), (0, 2), (1, 2), (2, 3)}),
    more(6, "ring:3,hosts=2", {(0, 2), (0, 3), (0, 4), (0, 5), (1, 2), (1, 3), (1, 4), (1, 5), (2, 4), (2, 5), (3, 4),
                               (3, 5), (0, 1), (2, 3), (4, 5)}),
    more(6, "hypercube:0,hosts=6", {(a, b) for b in range(6) for a in range(b)}),
    more(6, "ring:8,hosts=3-3-0-0-0-0-0-0", {(a, b) for b in range(6) for a in range(b)})])
def test_measures_networks_with_hosts_on_switches_between_hosts_that_are_near(tmp_path, processes, grid, pairs):
    _, machine = calibrated(processes, tmp_path, "--grid", grid, "--without-exchanges", env=monitored(tmp_path))
    assert machine["grid"] == grid and machine["tau_seconds_per_byte"][0] > 0
    used = set(sent_between_nodes(tmp_path))
    assert used and used <= pairs | {(b, a) for a, b in pairs}


def test_refuses_networks_in_which_no_two_hosts_are_near(tmp_path):
    job = run(2, "cubefold-calibrate", "--grid", "line:4,hosts=1-0-0-1", "--output", tmp_path / "machine.json")
    expect_refused(job, "line:4,hosts=1-0-0-1 has no two nodes that are linked both ways, or over one or two switches; "
                        "there is nothing to measure")


def test_prints_a_row_for_everything_that_is_measured_with_aligned_columns(tmp_path):
    job, _ = calibrated(6, tmp_path, "--grid", "grid:3wx2", "--repetitions", 2)
    assert "6 processes on grid:3wx2, 1 host" in job.out
    rows, exchanges, vectors = (job.out.splitlines()[part] for part in [slice(4, 12), slice(12, 16), slice(16, None)])
    assert [row[:22].strip() for row in rows] == ["alpha", "gap", "tau of axis 0", "tau of axis 1", "barrier",
                                                  "copies", "two ports at once", "wrap links of axis 0"]
    for row in rows:
        median, least, greatest = map(float, row[22:58].split())
        assert least <= median <= greatest
    sizes = ["16 B", "256 B", "2 KiB", "16 KiB"]
    assert [row[:22].strip() for row in exchanges] == [f"blocks of {size}" for size in sizes]
    assert all(re.fullmatch(r" *[0-9.]+ ms by MPI_Alltoall, [0-9.]+ ms by linear", row[22:]) for row in exchanges)
    sizes = ["256 B", "2 KiB", "16 KiB", "128 KiB", "1 MiB"]
    assert [row[:22].strip() for row in vectors] == [f"vectors of {size}" for size in sizes]
    assert all(re.fullmatch(r" *[0-9.]+ ms by MPI_Allreduce", row[22:]) for row in vectors)


def test_takes_the_grid_from_the_environment_and_replaces_a_file_that_is_there(tmp_path):
    (tmp_path / "machine.json").write_text("old")
    _, machine = calibrated(3, tmp_path, "--without-exchanges", env={"CUBEFOLD_GRID": "line:3"})
    assert machine["grid"] == "line:3"


# The one refusal that all processes agree on: it is written once.
def test_refuses_several_processes_on_a_node_in_one_line_and_leaves_the_file_alone(tmp_path):
    path = tmp_path / "machine.json"
    path.write_text("old")
    expect_refused(run(4, "cubefold-calibrate", "--output", path, "--grid", "ring:2"),
                   "2 ranks on each node of ring:2: a measurement needs one process on every node, as with "
                   "mpirun --map-by ppr:1:node")
    assert path.read_text() == "old"


@pytest.mark.parametrize("arguments, line", [
    (["--grid", "ring:1"], "ring:1 has 1 node; there is nothing to measure below 2"),
    ([], "nothing is known of the network; --grid or CUBEFOLD_HOSTS names it"),
    (["--grid", "torus:8x8"], "grid 'torus:8x8' has 64 nodes, but there is 1 process"),
    (["--grid", "donut:4"], "grid 'donut:4': unknown kind 'donut'; known: torus, mesh, "),
    (["--repetitions", "0"], "(see cubefold-calibrate --help)"), (["--block", "8"], "(see cubefold-calibrate --help)"),
    (["extra"], "(see cubefold-calibrate --help)")])
def test_refuses_what_does_not_fit_in_one_line_and_leaves_the_file_alone(tmp_path, arguments, line):
    path = tmp_path / "machine.json"
    path.write_text("old")
    refused_with(run_alone("cubefold-calibrate", "--output", path, *arguments), line)
    assert path.read_text() == "old"


def test_wants_to_know_where_to_write():
    expect_refused(run_alone("cubefold-calibrate"), "--output is required (see cubefold-calibrate --help)")


def test_finds_out_at_once_that_the_file_cannot_be_written(tmp_path):
    path = tmp_path / "missing" / "machine.json"
    expect_refused(run(4, "cubefold-calibrate", "--grid", "ring:4", "--output", path),
                   f"{path}: cannot create: No such file or directory")


def own_map(folder, name):
    path = folder / "hosts.json"
    path.write_text(json.dumps({"format_version": 1, "network": "ring:4", "source": "a test",
                                "hosts": [{"name": name, "at": [1]}]}))
    return path


@pytest.mark.parametrize("processes", [more(1), 3])
def test_a_check_needs_three_hosts_whatever_the_number_of_processes(tmp_path, processes):
    expect_refused(run(processes, "cubefold-calibrate", "--check", own_map(tmp_path, socket.gethostname())),
                   "the job has 1 host; a check of a map needs at least 3")


def test_a_check_names_a_host_of_the_job_that_is_not_in_the_file(tmp_path):
    path = own_map(tmp_path, "elsewhere")
    expect_refused(run_alone("cubefold-calibrate", "--check", path),
                   f"host '{socket.gethostname()}' of the job is not in the hosts file {path}")


def test_a_check_refuses_a_file_that_is_missing_or_no_host_map(tmp_path):
    path = tmp_path / "hosts.json"
    expect_refused(run_alone("cubefold-calibrate", "--check", path),
                   f"hosts file {path}: cannot read: No such file or directory")
    path.write_text("hosts")
    expect_refused(run_alone("cubefold-calibrate", "--check", path), f"hosts file {path}: not JSON at byte 1")


@pytest.mark.parametrize("arguments, line", [
    (["--check", "hosts.json", "--output", "machine.json"], "--output excludes --check"),
    (["--output", "machine.json", "--table"], "--table requires --check"),
    (["--output", "machine.json", "--json", "x.json"], "--json requires --check"),
    (["--check", "hosts.json", "--grid", "ring:3"],
     "--check takes the network from the hosts file, not from --grid"),
])
def test_options_of_a_check_and_of_a_calibration_do_not_go_together(arguments, line):
    job = run_alone("cubefold-calibrate", *arguments)
    assert job.status == 2 and len(job.complaints) == 1
    assert job.complaints[0].startswith(f"cubefold-calibrate: {line}")


def test_help_is_printed_once_and_fits_a_terminal():
    expect_help("cubefold-calibrate")
