"""Tests of cubefold map for jobs that do not have all nodes of their part of a network. Routes are followed here."""

import json
from collections import Counter

import pytest

from jobs import expect_refused, run_alone
from traffic import route

MISSING = [3, 9]
OURS = [node for node in range(16) if node not in MISSING]
GRID = "torus:4x4,without=3-9"


def host_map(tmp_path, nodes=OURS, network="torus:4x4", **more):
    """Writes a host map. The hosts are named after their nodes and come in any order."""
    hosts = [{"name": f"n{node}", "at": [node % 4, node // 4], **more} for node in nodes]
    path = tmp_path / "hosts.json"
    path.write_text(json.dumps({"format_version": 1, "network": network, "source": "a test", "hosts": hosts[::-1]}))
    return path


def map_ranks(*arguments):
    return run_alone("cubefold", "map", *arguments)


def certificate(tmp_path, *arguments):
    path = tmp_path / "certificate.json"
    job = map_ranks(*arguments, "--json", path)
    assert job.status == 0, job.err
    return json.loads(path.read_text())


def busiest(nodes, pairs):
    """Returns the messages on the busiest link of the whole torus."""
    loads = Counter()
    for start, end in pairs:
        if nodes[start] != nodes[end]:
            loads.update(route(nodes[start], nodes[end], [4, 4], True, "balanced"))
    return max(loads.values())


def halo_pairs(rows, columns):
    ranks = [(i, j) for i in range(rows) for j in range(columns)]
    return [(a, b) for a, (i, j) in enumerate(ranks) for b, (k, m) in enumerate(ranks) if abs(i - k) + abs(j - m) == 1]


@pytest.mark.parametrize("grid", ["torus:4x4", GRID])
@pytest.mark.parametrize("per_node", [1, 4])
def test_places_ranks_on_the_hosts_that_there_are(grid, per_node, tmp_path):
    hosts = host_map(tmp_path, slots=4)
    shape = (7, 2 * per_node)
    claimed = certificate(tmp_path, grid, "--phase", f"halo:{shape[0]}x{shape[1]}", "--per-node", per_node, "--hosts",
                          hosts)
    assert (claimed["grid"], claimed["routing"]) == (GRID, "table")
    assert Counter(claimed["node_of_rank"]) == dict.fromkeys(range(14), per_node)
    nodes = [OURS[node] for node in claimed["node_of_rank"]]
    assert claimed["busiest_link"] == [busiest(nodes, halo_pairs(*shape))]
    assert claimed["value"] < claimed["compared"][0]["value"]
    assert run_alone("cubefold", "verify", tmp_path / "certificate.json").out.startswith("ok: ")


def test_a_doctored_certificate_of_a_job_with_holes_is_refused(tmp_path):
    claimed = certificate(tmp_path, GRID, "--phase", "halo:7x2", "--placement", "identity")
    for key, value, line in [("grid", "torus:4x4,without=3-8", "average_hops: "),
                             ("grid", "torus:4x4,without=3", "node_of_rank: 14 ranks where "),
                             ("grid", "torus:4x4,without=3-16", "grid: "),
                             ("lower_bound", 2, "lower_bound: 2 is claimed, 1 is right"),
                             ("value", 1, "value: 1 is claimed, ")]:
        path = tmp_path / "doctored.json"
        path.write_text(json.dumps({**claimed, key: value}))
        job = run_alone("cubefold", "verify", path)
        assert (job.status, job.err) == (1, "")
        assert any(found.startswith(f"{path}: {line}") for found in job.out.splitlines()), job.out


@pytest.mark.parametrize("launcher", ["rankfile", "seq", "slurm-hostfile", "vcoord", "bgq", "scotch",
                                      "mpich-rank-order"])
def test_files_of_launchers_name_places_of_the_whole_network_and_are_read_back(launcher, tmp_path):
    hosts, file = host_map(tmp_path), tmp_path / "ranks"
    job = map_ranks("torus:4x4", "--phase", "halo:7x2", "--hosts", hosts, "--emit", launcher, "--emit-to", file,
                    "--json", tmp_path / "c.json")
    assert job.status == 0, job.err
    nodes = [OURS[node] for node in json.loads((tmp_path / "c.json").read_text())["node_of_rank"]]
    lines = file.read_text().splitlines()
    expected = {"rankfile": [f"rank {rank}=n{node} slot=S*" for rank, node in enumerate(nodes)],
                "vcoord": [f"({node % 4},{node // 4})" for node in nodes],
                "bgq": [f"{node % 4} {node // 4} 0" for node in nodes],
                "scotch": ["14", *(f"{rank}\t{node}" for rank, node in enumerate(nodes))],
                "mpich-rank-order": [str(nodes.index(node)) for node in OURS]}
    assert lines == expected.get(launcher, [f"n{node}" for node in nodes])
    back = map_ranks("torus:4x4", "--phase", "halo:7x2", "--hosts", hosts, "--import", launcher, file, "--placement",
                     "identity", "--json", "-")
    assert [OURS[node] for node in json.loads(back.out)["compared"][-1]["node_of_rank"]] == nodes


def test_is_no_worse_than_an_imported_order(tmp_path):
    hosts, file = host_map(tmp_path), tmp_path / "theirs"
    file.write_text("".join(f"n{node}\n" for node in [0, 4, 8, 12, 13, 14, 15, 11, 10, 6, 7, 5, 1, 2]))
    claimed = certificate(tmp_path, "torus:4x4", "--phase", "ring", "--phase", "halo:2x7*2", "--hosts", hosts,
                          "--import", "seq", file, "--effort", 1)
    assert claimed["value"] <= claimed["compared"][-1]["value"]
    assert run_alone("cubefold", "verify", tmp_path / "certificate.json").out.startswith("ok: ")


def test_says_that_nothing_is_gained_for_an_all_to_all(tmp_path):
    job = map_ranks("torus:4x4", "--phase", "alltoall", "--hosts", host_map(tmp_path))
    assert job.out.endswith("optimal: yes\ngain: none, nothing that was tried has less on its busiest links than the "
                            "identity\n")


@pytest.mark.parametrize("launcher, line, message", [
    ("vcoord", "(3,0)", "node 3 of torus:4x4 is not one of the job's 14 nodes"),
    ("bgq", "1 2 0", "node 9 of torus:4x4 is not one of the job's 14 nodes"),
    ("bgq", "4 0 0", "coordinate 4 is beyond extent 4 of axis 0"),
    ("seq", "n3", "no node has the host 'n3'"),
])
def test_refuses_orders_that_use_nodes_of_others(launcher, line, message, tmp_path):
    file = tmp_path / "theirs"
    file.write_text(f"{line}\n")
    job = map_ranks("torus:4x4", "--phase", "ring", "--hosts", host_map(tmp_path), "--import", launcher, file)
    expect_refused(job, f"{file}: line 1: {message}")


def test_refuses_a_mapping_of_scotch_onto_nodes_of_others(tmp_path):
    file = tmp_path / "theirs"
    for node, message in [(9, "node 9 of torus:4x4 is not one of the job's 14 nodes"),
                          (16, "torus:4x4 has no node 16")]:
        file.write_text(f"14\n0 {node}\n")
        job = map_ranks("torus:4x4", "--phase", "ring", "--hosts", host_map(tmp_path), "--import", "scotch", file)
        expect_refused(job, f"{file}: line 2: {message}")


@pytest.mark.parametrize("grid, phase, message", [
    ("torus:4x4", "halo:4x4", "phase 'halo:4x4': 4x4 are 16 ranks, not 14"),
    ("torus:4x4", "cube", "phase 'cube': 14 ranks are no power of two"),
    ("torus:4x4,without=3-8", "ring",
     "hosts file HOSTS: its hosts use torus:4x4,without=3-9 of torus:4x4, not torus:4x4,without=3-8"),
    ("torus:4x4,without=3", "ring",
     "hosts file HOSTS: its hosts use torus:4x4,without=3-9 of torus:4x4, not torus:4x4,without=3"),
    ("mesh:4x4", "ring", "hosts file HOSTS: its hosts use torus:4x4,without=3-9 of torus:4x4, not mesh:4x4"),
    ("torus:4x4,without=16", "ring", "grid 'torus:4x4,without=16': torus:4x4 has no node 16"),
    ("torus:4x4,without=3-3", "ring", "grid 'torus:4x4,without=3-3': node 3 is left out twice"),
])
def test_refuses_what_does_not_fit_the_job(grid, phase, message, tmp_path):
    hosts = host_map(tmp_path)
    expect_refused(map_ranks(grid, "--phase", phase, "--hosts", hosts), message.replace("HOSTS", str(hosts)))


def test_refuses_holes_in_a_part_that_is_too_large_for_a_table(tmp_path):
    hosts = tmp_path / "hosts.json"
    names = [{"name": f"n{x}", "at": [x]} for x in range(1, 1200)]
    hosts.write_text(json.dumps({"format_version": 1, "network": "ring:1200", "source": "a test", "hosts": names}))
    expect_refused(map_ranks("ring:1200", "--phase", "ring", "--hosts", hosts),
                   f"hosts file {hosts}: 1200 nodes; the most of a network without some of its nodes is 1024")


def test_a_list_of_hosts_has_a_line_for_each_node_that_is_left(tmp_path):
    hosts = tmp_path / "hosts.txt"
    hosts.write_text("".join(f"n{node}\n" for node in OURS))
    job = map_ranks(GRID, "--phase", "ring", "--placement", "identity", "--hosts", hosts, "--emit", "seq")
    assert job.out == hosts.read_text()
    expect_refused(map_ranks("torus:4x4", "--phase", "ring", "--hosts", hosts),
                   f"hosts file {hosts}: 14 hosts where the grid has 16 nodes")


@pytest.mark.parametrize("grid, phase, identity, choice, bound", [
    ("torus:4x4,without=3-9", "halo:7x2", 4, 2, 1), ("torus:4x4,without=3-9", "alltoall", 8, 8, 8),
    ("torus:8x8,without=3-42", "allreduce", 12, 8, 7), ("torus:4x4x4,without=5-20-33-60", "halo:3x4x5", 5, 3, 1),
    ("torus:8x8,cut=0-1", "halo:8x8", 2, 1, 1), ("torus:4x8~4", "halo:4wx8w", 4, 2, 1)])
def test_choices_are_better_than_the_identity(grid, phase, identity, choice, bound, tmp_path):
    claimed = certificate(tmp_path, grid, "--phase", phase)
    assert [claimed["compared"][0]["value"], claimed["value"], claimed["lower_bound"]] == [identity, choice, bound]
    assert run_alone("cubefold", "verify", tmp_path / "certificate.json").out.startswith("ok: ")
