"""Tests of cubefold discover from outside: fabrics of InfiniBand's own tools, Slurm's texts, host lists, hosts.json."""

import json
import os

import pytest

from fabrics import Torus, fabric, host_name
from jobs import refused_with, run_alone, written
from simulated_fabric import SimulatedFabric

TORUS = ("TorusName=pod1 Dims=4x2x2 Nodes=n[0-15]\n"  # as scontrol show topology of Slurm 26.05 prints it
         "  TorusName=pod1 PlacementDims=2x2x1(4) Anchors=4\n")
TORUS_CONF = """%YAML 1.1
---
- topology: topo1
  cluster_default: true
  block: {}
  flat: {}
  ring: {}
  torus3d:
    toruses:
    - name: pod1
      nodes: n[0-15]
      dims:
        x: 4
        y: 2
        z: 2
      placements: []
      regions: []
  tree: {}
...
"""


def discover(*arguments, **options):
    return run_alone("cubefold", "discover", *arguments, **options)


def json_of(*arguments, **options):
    job = discover(*arguments, "--json", "-", **options)
    assert job.status == 0, job.err
    return json.loads(job.out)


FABRICS = {
    "torus 4x4": (Torus([4, 4], [True, True]), 1, "hypercube:4"),
    "torus 3x3x4 with 2 hosts": (Torus([3, 3, 4], [True] * 3), 2, "torus:3x3x4"),
    "mesh 5x4": (Torus([5, 4], [False, False]), 1, "mesh:4x5"),
    "hypercube:6": (Torus([2] * 6, [False] * 6), 1, "hypercube:6"),
}


def grid_of(name):
    """Reads the names of networks that these tests expect."""
    kind, numbers = name.split(":")
    if kind == "hypercube":
        return Torus([2] * int(numbers), [False] * int(numbers))
    extents = [int(extent) for extent in numbers.split("x")]
    return Torus(extents, [kind == "torus"] * len(extents))


def expect_same_distances(answer, grid, hosts):
    found = grid_of(answer["network"])
    at = {host["name"]: tuple(host["at"]) for host in answer["hosts"]}
    assert len(at) == hosts * len(grid.nodes)
    for one in grid.nodes:
        for other in grid.nodes:
            a, b = at[host_name(grid, one, 0)], at[host_name(grid, other, hosts - 1)]
            assert found.distance(a, b) == grid.distance(one, other), (one, other)


@pytest.mark.parametrize("name", FABRICS)
def test_finds_the_grid_of_a_fabric(tmp_path, name):
    grid, hosts, network = FABRICS[name]
    answer = json_of("--input", written(tmp_path, "fabric.txt", fabric(grid, hosts)))
    assert answer["network"] == answer["part"] == network
    assert answer["whole"]
    expect_same_distances(answer, grid, hosts)


@pytest.mark.parametrize("name", FABRICS)
def test_finds_what_ibnetdiscover_prints_of_a_simulated_fabric(tmp_path, name):
    grid, hosts, network = FABRICS[name]
    with SimulatedFabric(tmp_path, fabric(grid, hosts, seed=5)) as simulated:
        answer = json_of("--input", simulated.discovered)
    assert answer["network"] == network
    expect_same_distances(answer, grid, hosts)


def test_takes_hosts_that_slurm_lists_by_name_from_another_text(tmp_path):
    lines = written(tmp_path, "lines.txt", "TorusName=bay Dims=3x2x1 Nodes=c[1-6]\n"
                                           "  TorusName=bay PlacementDims=3x1x1(3) Anchors=2\n")
    snake = written(tmp_path, "topology.yaml", "- topology: t\n  torus3d:\n    toruses:\n"
                    "      - {name: bay, dims: {x: 3, y: 2, z: 1}, nodes: 'c[1-3],c6,c5,c4'}\n")
    addresses = written(tmp_path, "addresses.txt", "".join(
        f"{host} bay:{i % 3}:{i // 3}:0.{host} torus:x:y:z.node\n" for i, host in enumerate(SNAKE)))
    for paths in [[snake], [snake, lines], [lines, snake], [addresses, lines], [addresses, snake]]:
        answer = json_of(*(word for path in paths for word in ["--input", path]))
        assert [host["name"] for host in answer["hosts"]] == SNAKE
        assert answer["network"] == "torus:3x2x1"
    refused_with(discover("--input", lines), "'bay' lists its hosts by name, as `scontrol show topology` does")


SNAKE = ["c1", "c2", "c3", "c6", "c5", "c4"]


def on_planes(grid, planes):
    """Returns the text of a fabric for each plane, all of the same hosts: `fabrics.py` has one adapter for each."""
    for plane in range(planes):
        text = fabric(grid, seed=1 + plane).replace(" HCA-1", f" mlx5_{plane}")
        for letter in "SH":
            text = text.replace(f'"{letter}-0', f'"{letter}-{plane}').replace("guid=0x", f"guid=0x{plane}000000000")
        yield text.replace("[1](0x", f"[1](0x{plane}000000000")


def test_takes_one_adapter_of_each_host(tmp_path):
    grid = Torus([3, 4], [True, True])
    planes = written(tmp_path, "fabric.txt", "".join(on_planes(grid, 2)))
    refused_with(discover("--input", planes), "fabric.txt: 12 of 12 hosts are on several switches, as host 'node000-0' "
                 "with mlx5_0 on ")
    for adapter in ["mlx5_0", "mlx5_1"]:
        answer = json_of("--input", planes, "--adapter", adapter)
        assert answer["network"] == "torus:3x4"
        expect_same_distances(answer, grid, 1)
    refused_with(discover("--input", planes, "--adapter", "mlx4_0"), "unknown adapter 'mlx4_0'; did you mean 'mlx5_0'?")
    refused_with(discover("--input", written(tmp_path, "t.yaml", TORUS_CONF), "--adapter", "mlx5_0"),
                 "--adapter is for the source ibnetdiscover, not slurm")


def test_leaves_out_a_manager_on_two_switches_and_says_so(tmp_path):
    text = fabric(Torus([3, 5], [True, True])).replace("node004-0 HCA-1", "node003-0 HCA-2")
    path = written(tmp_path, "fabric.txt", text)
    answer = json_of("--input", path)
    assert (answer["network"], len(answer["hosts"])) == ("torus:3x5", 13)
    assert answer["source"].endswith("15 switches; left out, as they are on several switches: node003-0")
    assert len(json_of("--input", path, "--hosts", "node000-0,node001-0")["hosts"]) == 2
    refused = discover("--input", path, "--hosts", "node003-0")
    refused_with(refused, "host 'node003-0' is not among the 13 hosts of ibnetdiscover, ")
    refused_with(refused, "fabric.txt: 15 switches; left out, as they are on several switches: node003-0")


def test_reads_the_grouped_form_of_ibnetdiscover(tmp_path):
    grid = Torus([4, 5], [True, True])
    with SimulatedFabric(tmp_path, fabric(grid, 2, seed=5)) as simulated:
        grouped = written(tmp_path, "grouped.txt", simulated.discover("-g"))
        assert json_of("--input", grouped)["hosts"] == json_of("--input", simulated.discovered)["hosts"]


def test_takes_the_usual_name_of_a_fabric_from_the_user(tmp_path):
    path = written(tmp_path, "fabric.txt", fabric(FABRICS["torus 4x4"][0]))
    assert json_of("--input", path, "--grid", "torus:4x4")["network"] == "torus:4x4"
    refused_with(discover("--input", path, "--grid", "mesh:4x4"), "cabled as hypercube:4, and --grid is mesh:4x4")


def test_prints_what_it_found_as_a_table(tmp_path):
    addresses = "".join(f"n{i} pod1:{i}:0:0.n{i} torus:x:y:z.node\n" for i in [0, 2])
    job = discover("--input", written(tmp_path, "a.txt", addresses), "--input", written(tmp_path, "t.txt", TORUS))
    assert job.out.splitlines() == [
        "network  torus:4x2x2", "part     ring:4, 4 nodes, with 2 holes", "hosts    2 on 2 nodes", "holes    (1) (3)",
        "source   SLURM_TOPOLOGY_ADDR on 'pod1', extents by Slurm's topology", "",
        "host  in network  in part", "n0    0 0 0       0", "n2    2 0 0       2"]


def test_writes_hosts_json_for_map(tmp_path):
    hosts = tmp_path / "hosts.json"
    topology = written(tmp_path, "t.yaml", TORUS_CONF)
    assert discover("--input", topology, "--hosts", "n[0-1,4-5]", "--output", hosts).status == 0
    job = run_alone("cubefold", "map", "mesh:2x2", "--phase", "cube", "--placement", "standard", "--hosts", hosts,
                    "--emit", "seq")
    assert job.out.split() == ["n0", "n1", "n4", "n5"]
    assert json_of("--input", hosts)["network"] == "torus:4x2x2"


@pytest.mark.parametrize("grid", ["line:2", "line:2,hosts=2-1"])
def test_map_takes_several_hosts_on_a_node(tmp_path, grid):
    hosts = tmp_path / "hosts.json"
    assert discover("--input", written(tmp_path, "h.txt", "b 1\nc 0\na 0\n"), "--output", hosts).status == 0
    job = run_alone("cubefold", "map", grid, "--phase", "ring", "--placement", "identity", "--hosts", hosts,
                    "--emit", "seq")
    assert job.out.split() == ["c", "a", "b"]


def test_map_refuses_hosts_json_that_does_not_fit(tmp_path):
    def mapped(hosts, grid, *arguments):
        path = tmp_path / "hosts.json"
        assert discover("--input", written(tmp_path, "h.txt", hosts), "--output", path).status == 0
        return run_alone("cubefold", "map", grid, "--phase", "cube", "--hosts", path, *arguments)

    refused_with(mapped("a 0 0\nb 1 0\nc 0 1\n", "mesh:3x2"),
                   "its hosts use hypercube:2,without=3 of hypercube:2, not mesh:3x2")
    refused_with(mapped("a 0\nb 1\n", "line:4"), "its hosts use hypercube:1 of hypercube:1, not line:4")
    refused_with(mapped("a 0\nb 0\nc 1\n", "line:3"),
                   "its hosts use hypercube:1,hosts=2-1 of hypercube:1, not line:3")
    refused_with(mapped("a 0 slots=1\nb 1\n", "line:2", "--per-node", 2), "a has 1 slot for 2 processes")


HALF_A_TORUS = """---
- topology: t
  torus3d:
    toruses:
      - name: pod1
        dims: {x: 4, y: 2, z: 1}
        regions:
          - anchor: {x: 2, y: 0, z: 0}
            dims: {x: 2, y: 2, z: 1}
            nodes: n[0-3]
...
"""


def scontrol(tmp_path, topology, topoconf=""):
    """Returns the environment of a machine whose scontrol shows these texts."""
    texts = "".join(f"{name}) cat <<'END'\n{text}END\n;;\n"
                    for name, text in [("topology", topology), ("topoconf", topoconf)])
    program = written(tmp_path, "scontrol", f"#!/bin/sh\ncase $2 in\n{texts}esac\n")
    program.chmod(0o755)
    return {"PATH": f"{tmp_path}:{os.environ['PATH']}"}


def test_asks_slurm_inside_a_job(tmp_path):
    job = {"SLURM_JOB_NODELIST": "n[4-7]", "SLURMD_NODENAME": "n6", "SLURM_TOPOLOGY_ADDR_PATTERN": "torus:x:y:z.node",
           "SLURM_TOPOLOGY_ADDR": "pod1:2:1:0.n6", **scontrol(tmp_path, TORUS, TORUS_CONF)}
    answer = json_of(env=job)
    assert (answer["network"], answer["part"]) == ("torus:4x2x2", "ring:4")
    assert [host["name"] for host in answer["hosts"]] == ["n4", "n5", "n6", "n7"]
    refused_with(discover(env={**job, "SLURM_TOPOLOGY_ADDR": "pod1:2:1:1.n6"}), "puts it elsewhere")
    refused_with(discover("--hosts", "n99", env=job), "host 'n99' is not among the 16 hosts of Slurm's topology")


def test_takes_the_network_that_the_address_of_the_task_names(tmp_path):
    pod2 = "- topology: topo2\n  torus3d: {toruses: [{name: pod2, dims: {x: 2, y: 2, z: 1}, nodes: 'm[0-3]'}]}\n"
    two = TORUS_CONF.replace("...\n", pod2 + "...\n")
    job = {"SLURM_JOB_NODELIST": "m[0-3]", "SLURMD_NODENAME": "m2", "SLURM_TOPOLOGY_ADDR_PATTERN": "torus:x:y:z.node",
           "SLURM_TOPOLOGY_ADDR": "pod2:0:1:0.m2", **scontrol(tmp_path, "", two)}
    assert json_of(env=job)["network"] == "torus:2x2x1"
    refused_with(discover(env={**job, "SLURM_TOPOLOGY_ADDR": "pod3:0:1:0.m2"}), "there is no network 'pod3'")
    login = scontrol(tmp_path, "", two)
    refused_with(discover(env=login), "there are several networks, 'pod1' and 'pod2'")
    assert json_of("--hosts", "m[1-2]", env=login)["network"] == "torus:2x2x1"
    path = written(tmp_path, "two.yaml", two)
    assert len(json_of("--input", path, "--hosts", "m[1-2]")["hosts"]) == 2


def test_asks_slurm_for_the_hosts_of_boxes(tmp_path):
    job = scontrol(tmp_path, "", HALF_A_TORUS)
    answer = json_of(env=job)
    assert (answer["network"], len(answer["hosts"])) == ("torus:4x2x1", 4)
    assert answer["hosts"][0] == {"name": "n0", "at": [2, 0, 0], "in_part": answer["hosts"][0]["in_part"]}


def test_asks_slurm_on_a_login_node(tmp_path):
    assert len(json_of(env=scontrol(tmp_path, TORUS, TORUS_CONF))["hosts"]) == 16
    refused_with(discover(env=scontrol(tmp_path, TORUS)), "'pod1' lists its hosts by name, as `scontrol show topology` "
                 "does, and not by their places on torus:4x2x2; these are in topology.yaml")
    tree = scontrol(tmp_path, "SwitchName=top Level=1 LinkSpeed=1 Nodes=n[0-3] Switches=leaf[0-1]\n")
    refused_with(discover(env=tree), "trees and blocks do not say where a host sits on a grid")
    two_lines = written(tmp_path, "tree.txt", "SwitchName=leaf0 Level=0 LinkSpeed=1 Nodes=n[0-1]\n"
                                              "SwitchName=top Level=1 LinkSpeed=1 Nodes=n[0-1] Switches=leaf0\n")
    refused_with(discover("--input", two_lines), "trees and blocks do not say where a host sits on a grid")


def test_finds_nothing_without_a_source(tmp_path):
    silent = scontrol(tmp_path, "")
    refused_with(discover(env=silent), "nothing found: SLURM_TOPOLOGY_ADDR is not set")
    tree = {"SLURM_TOPOLOGY_ADDR": "top.leaf0.n0", "SLURM_TOPOLOGY_ADDR_PATTERN": "switch.switch.node", **silent}
    refused_with(discover(env=tree), "the network is a tree of switches, where nothing is to be gained")


@pytest.mark.parametrize("arguments, reason", [
    (["--from", "slrum"], "unknown source 'slrum'; did you mean 'slurm'?"),
    (["--pattern", "n%x"], "there are no hosts"),
    (["--pattern", "n%x", "--hosts", "n[0-99999999999]"], "not a range of whole numbers below 2^32"),
    (["--input", "missing.txt"], "missing.txt: cannot read"),
    (["--output", "-", "--json", "-"], "cannot both write to standard output"),
    (["--from", "json"], "json: it reads one text, not 0"),
])
def test_refuses_what_does_not_fit(arguments, reason):
    refused_with(discover(*arguments), reason)


def test_refuses_a_text_of_no_source(tmp_path):
    refused_with(discover("--input", written(tmp_path, "a.txt", "hello world\n")), "no source reads this text")


FOUR_HOSTS = "r1i0n0 0 0\nr1i0n1 1 0\nr1i0n2 0 1\nr1i0n3 1 1\n"
HOST_FILES = {
    "repeats": "".join(f"r1i0n{node}\n" * 2 for node in range(4)),
    "hydra": "".join(f"r1i0n{node}:2\n" for node in range(4)),
    "open mpi": "# ours\nr1i0n0 slots=2 max_slots=4  # first\n\nr1i0n[1-3]\tslots = 2\n",
}


@pytest.mark.parametrize("form", HOST_FILES)
def test_reads_host_files_in_every_form(tmp_path, form):
    hosts = written(tmp_path, "hosts.txt", HOST_FILES[form])
    for source in (["--pattern", "r1i0n%n", "--grid", "torus:2x2"],
                   ["--input", written(tmp_path, "map.txt", FOUR_HOSTS)]):
        answer = json_of(*source, "--hostfile", hosts)
        assert [(host["name"], host["slots"]) for host in answer["hosts"]] == [(f"r1i0n{i}", 2) for i in range(4)]
    answer = json_of("--pattern", "r1i0n%x", "--input", hosts)
    assert [host["slots"] for host in answer["hosts"]] == [2] * 4


JOBS = {
    "slurm": {"SLURM_JOB_NODELIST": "r1i0n[0-1]", "SLURM_TASKS_PER_NODE": "3,2"},
    "lsf": {"LSB_MCPU_HOSTS": "r1i0n0 3 r1i0n1 2"},
    "pbs": {"PBS_NODEFILE": "nodes"},
    "fujitsu": {"PJM_O_NODEINF": "nodes", "PJM_MPI_PROC": "5"},
}


@pytest.mark.parametrize("scheduler", JOBS)
def test_takes_the_ranks_of_the_job_from_every_scheduler(tmp_path, scheduler):
    nodes = written(tmp_path, "nodes", "r1i0n0\n" * 3 + "r1i0n1\n" * 2 if scheduler == "pbs" else "r1i0n0\nr1i0n1\n")
    job = {name: str(nodes) if value == "nodes" else value for name, value in JOBS[scheduler].items()}
    answer = json_of("--input", written(tmp_path, "map.txt", FOUR_HOSTS), "--job", env=job)
    assert [(host["name"], host["slots"]) for host in answer["hosts"]] == [("r1i0n0", 3), ("r1i0n1", 2)]


def test_spreads_as_many_ranks_as_asked_for(tmp_path):
    source = ["--input", written(tmp_path, "map.txt", FOUR_HOSTS)]
    slots = [host["slots"] for host in json_of(*source, "--hosts", "r1i0n[0-3]", "--ranks", 6)["hosts"]]
    assert slots == [2, 2, 1, 1]
    refused_with(discover(*source, "--hosts", "r1i0n[0-3]:2", "--ranks", 9),
                 "9 ranks are more than the slots of the hosts, 2(x4)")
    refused_with(discover(*source, "--job"), "there is no job: none of SLURM_JOB_NODELIST, PBS_NODEFILE")


def test_compares_names_without_case_and_shows_those_of_the_file(tmp_path):
    upper = written(tmp_path, "upper.txt", FOUR_HOSTS.replace("r1i0n0", "R1I0N0.site"))
    assert [host["name"] for host in json_of("--input", upper, "--hosts", "r1i0n[0-3]")["hosts"]] == [
        "R1I0N0.site", "r1i0n1", "r1i0n2", "r1i0n3"]
    ib = written(tmp_path, "ib.txt", FOUR_HOSTS.replace(" ", "-ib0 ", 1))
    refused_with(discover("--input", ib, "--hosts", "r1i0n[0-3]"),
                 f"host 'r1i0n0' is not among the 4 hosts of {ib}")
    refused_with(discover("--input", ib, "--hosts", "r1i0n[0-3]"), "there is 'r1i0n0-ib0'")
