"""Tests of cubefold fabric from outside: routes of the real OpenSM on simulated fabrics with random cabling."""

import collections
import itertools
import json
import re

import pytest

from fabrics import Torus, fabric
from jobs import refused_with, run_alone, written
from simulated_fabric import SimulatedFabric
from sweeps import more


def judge(*arguments, **options):
    return run_alone("cubefold", "fabric", *arguments, **options)


def json_of(*arguments):
    job = judge(*arguments, "--json", "-")
    assert job.status == 0, job.err
    return json.loads(job.out)


def routes_of(answer):
    return {routes["routes"]: routes for routes in answer["routes"]}


HYPERCUBE_6 = Torus([2] * 6, [False] * 6)
TORUS_4 = Torus([4] * 3, [True] * 3)
TORUS_334 = Torus([3, 3, 4], [True] * 3)


@pytest.mark.parametrize("grid, hosts, name, bound", [
    (Torus([2] * 4, [False] * 4), 2, "hypercube:4", 32),
    more(HYPERCUBE_6, 1, "hypercube:6", 32),
    (TORUS_4, 1, "torus:4x4x4", 32),
    more(TORUS_334, 16, "torus:3x3x4", 4608),
    (Torus([5, 3], [False] * 2), 2, "mesh:3x5", 72),
])
def test_the_port_order_file_makes_opensm_reach_the_bound(tmp_path, grid, hosts, name, bound):
    with SimulatedFabric(tmp_path, fabric(grid, hosts, seed=3)) as simulated:
        order = tmp_path / "ports.txt"
        given = [simulated.discovered, "--grid", name]
        assert judge(*given, "--port-order", order).status == 0
        as_cabled = routes_of(json_of(*given, "--lfts", simulated.route("dor")))
        minhop = routes_of(json_of(*given, "--lfts", simulated.route("minhop")))
        answer = json_of(*given, "--lfts", simulated.route("dor", "-O", order))
    assert (answer["network"], answer["bound"]) == (name, bound)
    ordered = routes_of(answer)
    assert ordered["forwarding tables"]["messages"] == bound
    assert ordered["forwarding tables"]["cycle"] == []
    assert minhop["forwarding tables"]["messages"] > bound
    for key in ["messages", "busiest_link", "cycle"]:  # what is printed without tables is what OpenSM does
        assert ordered["forwarding tables"][key] == ordered["dor, ports in order"][key]
        assert as_cabled["forwarding tables"][key] == as_cabled["dor, ports as cabled"][key]


def twice(_):
    return 2


def once_or_twice(shuffled):
    return shuffled.randint(1, 2)


def uneven(node):
    return 1 + sum(node) % 3


@pytest.mark.parametrize("grid, options", [
    (Torus([5], [True]), {"cables_of": twice}),
    (Torus([5, 5], [True] * 2), {"hosts_per_switch": 3, "cables_of": twice}),
    (Torus([4, 3], [False] * 2), {"seed": 2, "cables_of": twice}),
    more(Torus([4, 3], [True] * 2), {"hosts_of": uneven, "cables_of": once_or_twice}),
    (Torus([3, 2, 4], [True, False, True]), {"hosts_of": uneven, "cables_of": once_or_twice}),
    more(Torus([2] * 4, [False] * 4), {"hosts_per_switch": 2, "seed": 5, "cables_of": once_or_twice}),
])
def test_hosts_take_turns_at_parallel_cables_as_under_opensm(tmp_path, grid, options):
    with SimulatedFabric(tmp_path, fabric(grid, **options)) as simulated:
        order = tmp_path / "ports.txt"
        assert judge(simulated.discovered, "--port-order", order).status == 0
        as_cabled = routes_of(json_of(simulated.discovered, "--lfts", simulated.route("dor")))
        ordered = routes_of(json_of(simulated.discovered, "--lfts", simulated.route("dor", "-O", order)))
    for key in ["messages", "busiest_link", "cycle"]:
        assert as_cabled["forwarding tables"][key] == as_cabled["dor, ports as cabled"][key]
        assert ordered["forwarding tables"][key] == ordered["dor, ports in order"][key]


def test_hosts_of_a_doubled_ring_use_all_cables(tmp_path):
    answer = json_of(written(tmp_path, "fabric.txt", fabric(Torus([5], [True]), cables_of=twice)))
    assert [routes["messages"] for routes in answer["routes"]] == [2, 2]


@pytest.mark.parametrize("grid, hosts, name, messages", [
    more(TORUS_4, 1, "torus:4x4x4", 48),
    more(TORUS_334, 16, "torus:3x3x4", 6912),
    (Torus([6, 6], [True] * 2), 1, "torus:6x6", 36),
    more(Torus([4, 3, 5], [False] * 3), 1, "mesh:4x3x5", 72),
    (Torus([5, 2, 3], [True, False, True]), 1, "grid:5wx2x3w", 18),
    (Torus([4, 4], [True, False]), 1, "grid:4wx4", 16),
])
def test_opensm_takes_the_configuration_of_torus_2qos(tmp_path, grid, hosts, name, messages):
    with SimulatedFabric(tmp_path, fabric(grid, hosts, seed=4)) as simulated:
        conf = tmp_path / "torus-2QoS.conf"
        given = [simulated.discovered, "--grid", name]
        assert judge(*given, "--torus-2qos", conf).status == 0
        tables = simulated.route("torus-2QoS", "-Q", "--torus_config", conf)
        assert routes_of(json_of(*given, "--lfts", tables))["forwarding tables"]["messages"] == messages


def walked(discovered, tables):
    """Returns the messages on every (switch, port, switch), and its followers, of routes that this function walks."""
    peers, host_of_guid, home = {}, {}, {}
    for line in discovered.read_text().splitlines():
        if heading := re.match(r'(Switch|Ca)\s+\d+ "([SH]-\w+)"', line):
            element = heading[2]
        elif port := re.match(r'\[(\d+)\](?:\((\w+)\))?\s+"([SH]-\w+)"', line):
            peers[element, int(port[1])] = port[3]
            if port[2]:
                host_of_guid[int(port[2], 16)], home[element] = element, port[3]
    port_to = {}
    for line in tables.read_text().splitlines():
        if heading := re.search(r"guid 0x(\w+) \(", line):
            switch = f"S-{heading[1]}"
        elif entry := re.match(r"0x\w+ (\d+) .*Channel Adapter portguid (0x\w+):", line):
            port_to[switch, host_of_guid[int(entry[2], 16)]] = int(entry[1])
    messages, followers = collections.Counter(), collections.defaultdict(set)
    for source, target in itertools.permutations(home, 2):
        here, before = home[source], None
        while here != home[target]:
            port = port_to[here, target]
            link = (here, port, peers[here, port])
            messages[link] += 1
            followers[before].add(link)
            here, before = link[2], link
        assert peers[here, port_to[here, target]] == target
    return messages, followers


def guid_in(name):
    return re.search(r"\((S-\w+)\)", name)[1]


@pytest.mark.parametrize("engine", ["minhop", more("dor"), "dfsssp"])
def test_counts_what_a_walk_of_all_messages_counts(tmp_path, engine):
    with SimulatedFabric(tmp_path, fabric(Torus([4, 5], [True] * 2), 2, seed=6)) as simulated:
        tables = simulated.route(engine)
        answer = routes_of(json_of(simulated.discovered, "--lfts", tables))["forwarding tables"]
        for options in [[], ["-a"]]:
            tables_now = simulated.dump_fts(*options)
            assert routes_of(json_of(simulated.discovered, "--lfts", tables_now))["forwarding tables"] == answer
        refused_with(judge(simulated.discovered, "--lfts", simulated.dump_fts("-n")),
                     "dump_fts.txt: no entry names the adapter to which it leads, as by dump_fts -n")
        messages, followers = walked(simulated.discovered, tables)
    link = answer["busiest_link"]
    assert answer["messages"] == max(messages.values())
    assert answer["messages"] == messages[guid_in(link["from"]), link["port"], guid_in(link["to"])]
    cycle = [guid_in(name) for name in answer["cycle"]]
    assert cycle
    next_switches = {(link[0], link[2], after[2]) for link in messages for after in followers[link]}
    for i, here in enumerate(cycle):
        assert (here, cycle[(i + 1) % len(cycle)], cycle[(i + 2) % len(cycle)]) in next_switches


class WithoutCable(Torus):
    """A grid without the cable between its first two nodes."""

    def neighbours(self, node):
        pair = {self.nodes[0], self.nodes[1]}
        return [other for other in super().neighbours(node) if {node, other} != pair]


def test_judges_the_tables_of_a_fabric_that_is_no_grid(tmp_path):
    with SimulatedFabric(tmp_path, fabric(WithoutCable([4, 5], [False] * 2))) as simulated:
        path, tables = simulated.discovered, simulated.route("minhop")
        answer = json_of(path, "--lfts", tables)
        messages, _ = walked(path, tables)
    assert answer["network"] is answer["bound"] is None
    assert "neither as a mesh nor as a torus" in answer["reason"]
    assert [routes["messages"] for routes in answer["routes"]] == [max(messages.values())]
    assert "neither as a mesh" in judge(path, "--lfts", tables).out
    refused_with(judge(path), "neither as a mesh nor as a torus")
    refused_with(judge(path, "--lfts", tables, "--port-order", tmp_path / "p"), "neither as a mesh nor as a torus")


def test_names_the_missing_cable_of_a_torus(tmp_path):
    path = written(tmp_path, "fabric.txt", fabric(WithoutCable([5, 3], [True] * 2)))
    answer = json_of(path, "--torus-2qos", tmp_path / "torus.conf")
    assert (answer["network"], len(answer["missing"])) == ("torus:3x5", 1)
    assert (tmp_path / "torus.conf").read_text().count("_link") == 2


@pytest.mark.parametrize("hosts", [more(1), 2])
def test_writes_the_fabric_with_its_routes_as_a_network(tmp_path, hosts):
    grid = Torus([3, 4], [True, True])
    network = tmp_path / "net.json"
    with SimulatedFabric(tmp_path, fabric(grid, hosts, seed=8)) as simulated:
        answer = routes_of(json_of(simulated.discovered, "--lfts", simulated.route("minhop"), "--network", network))
        found = run_alone("cubefold", "discover", "--input", simulated.discovered, "--json", "-")
    text = json.loads(network.read_text())
    assert text["nodes"] == [host["name"] for host in json.loads(found.out)["hosts"]]
    assert len(text.get("switches", [])) == (12 if hosts == 2 else 0)
    described = run_alone("cubefold", "routes", f"file:{network}", "--json", "-")
    assert described.status == 0, described.err
    routes = json.loads(described.out)
    loads = collections.Counter()
    for source, target in itertools.permutations(range(12 * hosts), 2):
        here = source
        while here != target:
            link = routes["links"][routes["next_hop"][here][target]]
            loads[link["from"], link["to"]] += 1
            here = link["to"]
    between_switches = [load for link, load in loads.items() if hosts == 1 or min(link) >= 12 * hosts]
    assert max(between_switches) == answer["forwarding tables"]["messages"]


def test_plans_and_simulates_exchanges_on_the_network(tmp_path):
    path = written(tmp_path, "fabric.txt", fabric(Torus([3, 3], [True] * 2), 2))
    network = f"file:{tmp_path / 'net.json'}"
    assert judge(path, "--network", tmp_path / "net.json").status == 0
    plan = run_alone("cubefold", "plan", "exchange", network, "--block", "1KiB", "--alpha", "1e-6", "--tau", "1e-9")
    assert plan.status == 0, plan.err
    simulated = run_alone("cubefold", "simulate", "exchange", network, "--block", "1KiB", "--algorithm", "linear")
    assert simulated.status == 0, simulated.err


def test_says_what_it_leaves_out_of_a_fabric(tmp_path):
    text = fabric(Torus([3, 5], [True, True]), 2).replace("node004-0 HCA-1", "node003-0 HCA-2")
    path = written(tmp_path, "fabric.txt", text.replace("node005-0 HCA-1", "MT4129 ConnectX7   Mellanox Technologies"))
    answer = json_of(path)
    assert (answer["network"], answer["hosts"]) == ("torus:3x5", 28)
    chip = re.search(r'"(H-\w+)"\s+# "MT4129', path.read_text())[1]
    assert answer["remarks"] == ["left out, as they are on several switches: node003-0",
                                 f"adapters that name no host: {chip}"]
    assert judge(path).out.splitlines()[2:4] == [f"         {remark}" for remark in answer["remarks"]]


def test_prints_a_table_and_the_switches_of_a_cycle(tmp_path):
    lines = judge(written(tmp_path, "fabric.txt", fabric(Torus([5], [True]), 2))).out.splitlines()
    assert lines[0:3] == ["network  ring:5", "         5 switches, 10 hosts (2 a switch)",
                          "bound    12 messages on the busiest link, whatever the routes"]
    assert lines[4].split() == ["routes", "messages", "cycle", "busiest", "link"]
    assert lines[6].startswith("dor, ports in order         12  5 links   port ")
    assert len(lines) - lines.index("cycle under dor, ports in order: each message waits for the next link, so one "
                                    "virtual lane may deadlock") == 6


def test_writes_all_files_or_none(tmp_path):
    path = written(tmp_path, "fabric.txt", fabric(HYPERCUBE_6))
    order = tmp_path / "ports.txt"
    job = judge(path, "--port-order", order, "--torus-2qos", tmp_path / "torus.conf")
    refused_with(job, "torus-2QoS routes tori and meshes of 2 or 3 axes, not hypercube:6; if rings of 4 are meant")
    assert not order.exists()
    refused_with(judge(written(tmp_path, "ring.txt", fabric(Torus([5], [True]))), "--torus-2qos", "-"),
                   "torus-2QoS routes tori and meshes of 2 or 3 axes, not ring:5")


def test_refuses_files_that_do_not_fit(tmp_path):
    path = written(tmp_path, "fabric.txt", fabric(Torus([3, 3], [True] * 2)))
    with SimulatedFabric(tmp_path, fabric(Torus([3, 3], [True] * 2), seed=2)) as other:
        tables = other.route("minhop")
        refused_with(judge(path, "--lfts", tables), "the fabric has no switch 0x")
        refused_with(judge(other.discovered, "--lfts", other.discovered), "discovered.txt: line 6: it is neither")
        refused_with(judge(tables), "minhop.dump: there are no hosts on switches")
        refused_with(judge(other.discovered, "--lfts", written(tmp_path, "part.dump", tables.read_text()[:3000])),
                       "part.dump: ")
    refused_with(judge(path, "--grid", "mesh:3x3"), "cabled as torus:3x3, and --grid is mesh:3x3")
    refused_with(judge(path, "--json", "-", "--port-order", "-"), "only one option can write to standard output")
    refused_with(judge("-", "--lfts", "-"), "cannot both be standard input")
    refused_with(judge("missing.txt"), "missing.txt: cannot read")
    refused_with(judge(), "FABRIC is required")
    large = written(tmp_path, "large.txt", fabric(Torus([8, 8], [True] * 2), 16))
    refused_with(judge(large, "--network", "-"), "at most 1024 nodes and switches, and the fabric 1088")
