"""The values that cubefold-lab computes before it runs anything: rates, the network, and the input of ip and tc."""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(os.environ["CUBEFOLD_SOURCE"]) / "apps/lab"))

from cubefold_lab import cli, hosts, lab, launch, rates, report, wiring  # noqa: E402
from cubefold_lab.errors import LabError  # noqa: E402
from cubefold_lab.network import describe_network, parse_cable  # noqa: E402

CUBEFOLD = Path(os.environ["CUBEFOLD_BUILD"]) / "bin/cubefold"


def network(grid, tie="balanced"):
    return describe_network(str(CUBEFOLD), grid, tie)


@pytest.mark.parametrize("text, bits", [("10mbit", 10**7), ("2.5MBit", 2500000), ("64kbit", 64000), ("1gbit", 10**9)])
def test_rates_are_read_with_their_unit(text, bits):
    assert rates.parse_rate(text) == bits


@pytest.mark.parametrize("text", ["10", "mbit", "10mb", "-3mbit", "0mbit", "", "1e3mbit"])
def test_other_rates_are_refused_by_name(text):
    with pytest.raises(LabError, match=re.escape(f"rate '{text}'")):
        rates.parse_rate(text)


@pytest.mark.parametrize("bits", [1, 1000, 10**7, 2500000, 123456789])
def test_a_rate_is_written_as_it_is_read(bits):
    assert rates.parse_rate(rates.rate_text(bits)) == bits


def test_the_machine_this_was_measured_on_forwards_16_nodes_at_10_and_64_one_port_nodes_at_3_mbit():
    torus = network("torus:4x4")
    assert rates.too_fast(10**7, wiring.shaped_link_count(torus, "all"), cores=2) is None
    large = network("torus:8x8")
    assert rates.too_fast(3 * 10**6, wiring.shaped_link_count(large, "one"), cores=2) is None
    assert "above about" in rates.too_fast(10**7, wiring.shaped_link_count(large, "one"), cores=2)


@pytest.mark.parametrize("grid, cables", [("torus:4x4", 32), ("mesh:4x4", 24), ("ring:8", 8), ("hypercube:4", 32),
                                          ("torus:2x2", 4), ("grid:4wx3", 20)])
def test_every_pair_of_neighbours_is_one_cable(grid, cables):
    pairs = network(grid).cables()
    assert len(pairs) == cables
    assert all((a.source, a.target) == (b.target, b.source) for a, b in pairs)


def test_cables_are_named_by_their_nodes_either_way_round():
    torus = network("torus:4x4")
    forth, back = parse_cable("3-0", torus)
    assert (forth.source, forth.target, back.source, back.target) == (3, 0, 0, 3)
    for text in ["0-2", "3", "3-", "a-b", "0-99"]:
        with pytest.raises(LabError):
            parse_cable(text, torus)


def forwarding(plan, net, shape):
    """Returns for every node and switch the device by which each address leaves, according to the routes. With one port
    that of a node is the router's."""
    return [{line.split()[2].split("/")[0]: line.split()[6] for line in plan.ip[place] if line.startswith("route add")}
            for place in wiring.places_of_links(net, shape.ports)]


@pytest.mark.parametrize("ports", ["one", "all"])
@pytest.mark.parametrize("grid, tie", [("torus:4x4", "balanced"), ("ring:6", "positive"), ("mesh:3x2", "balanced"),
                                       ("ring:4,hosts=2", "balanced"), ("torus:3x3,without=4", "balanced")])
def test_following_the_kernel_routes_leads_every_packet_home_on_a_shortest_way(grid, tie, ports):
    net, shape = network(grid, tie), wiring.Shape(10**6, 64000, ports)
    tables = forwarding(wiring.wiring(net, shape), net, shape)
    devices = {wiring.device_of(link): link for link in net.links}
    asked = subprocess.run([CUBEFOLD, "routes", grid, "--tie", tie, "--json", "-"], capture_output=True, check=True)
    hops = json.loads(asked.stdout)["next_hop"]
    for source in range(net.node_count):
        for target in range(net.node_count):
            here = source
            while here != target:
                link = devices[tables[here][wiring.data_address(target)]]
                assert link.index == hops[here][target]
                here = link.target
            if ports == "one":
                assert tables[target][wiring.data_address(target)] == "port"


def test_one_port_gives_every_node_a_router_and_one_shaped_device():
    net = network("ring:4")
    plan = wiring.wiring(net, wiring.Shape(10**6, 64000, "one"))
    assert plan.namespaces == [f"node-{n}" for n in range(4)] + [f"router-{n}" for n in range(4)]
    assert all(any("dev port root" in line for line in plan.tc[name]) for name in plan.namespaces)
    assert not any("link" in line for line in plan.tc["node-0"])


def test_a_switch_is_a_namespace_without_an_address():
    plan = wiring.wiring(network("ring:3,hosts=2-0-1"), wiring.Shape(10**6, 64000, "one"))
    assert plan.namespaces == [*(f"node-{n}" for n in range(3)), *(f"router-{n}" for n in range(3)),
                               *(f"switch-{n}" for n in range(3, 6))]
    assert not any("addr" in line.split() for n in range(3, 6) for line in plan.ip[f"switch-{n}"])


def test_addresses_devices_and_host_names_are_legal_and_unique_for_the_largest_lab():
    net = network("torus:16x16")
    plan = wiring.wiring(net, wiring.Shape(10**6, 64000, "one"))
    hardware = [word for line in plan.cables for word in line.split() if re.fullmatch("(..:){5}..", word)]
    assert len(hardware) == len(set(hardware))
    assert len({wiring.data_address(n) for n in range(256)} | {wiring.control_address(n) for n in range(256)}) == 512
    assert all(len(wiring.device_of(link)) <= 15 for link in net.links)
    assert all(re.fullmatch("[a-z0-9-]{1,63}", name) for name in plan.namespaces)


def test_what_the_caller_set_for_mpi_stays_and_the_preload_comes_last():
    settings = {**launch.COMMUNICATION, "CUBEFOLD_GRID": "ring:4"}
    env = launch.job_environment(settings, {"OMPI_MCA_btl_tcp_eager_limit": "65536", "LD_PRELOAD": "a.so"}, "b.so")
    assert env["OMPI_MCA_btl_tcp_eager_limit"] == "65536"
    assert env["OMPI_MCA_pml"] == "ob1"
    assert env["LD_PRELOAD"] == "a.so:b.so"
    assert env["CUBEFOLD_GRID"] == "ring:4"
    oversubscribed = launch.job_environment({}, {"PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}, "b.so")
    assert oversubscribed == {"LD_PRELOAD": "b.so"}


def settings_of(launcher):
    """Returns the settings of ORTE or PRRTE, with the words that both have."""
    words = {"orte": "runtime", "prte": "runtime", "rsh": "ssh", "hwloc_base": "hwloc_default"}
    found = {}
    for name, value in {**launch.COMMUNICATION, **launch.REMOTE_START}.items():
        prefix, _, rest = name.partition("_MCA_")
        if prefix == launcher and not rest.startswith(("pml", "btl", "reachable", "mpi_", "prte_if", "oob")):
            for word, common in words.items():
                rest = rest.replace(word, common)
            found[rest] = value
    return found


def test_the_launchers_of_open_mpi_4_and_5_get_the_same_settings():
    assert settings_of("OMPI") == settings_of("PRTE")
    assert settings_of("PRTE")["plm_ssh_agent"].endswith("/agent")


def test_the_nodes_of_processes_are_those_that_mpirun_fills():
    assert hosts.Allocation((5, 3, 4), 2, "block").node_of_each(5) == [5, 5, 3, 3, 4]
    assert hosts.Allocation((5, 3, 4), 2, "cyclic").node_of_each(5) == [5, 3, 4, 5, 3]


@pytest.mark.parametrize("places, error", [
    (["elsewhere", socket.gethostname()], ""),
    (["", "elsewhere"], f"cubefold-lab: process 1 runs on {socket.gethostname()} in place of elsewhere\n"),
    (["too few lines"], ""),
])
def test_a_process_that_is_not_on_its_node_ends_with_a_line(tmp_path, places, error):
    (tmp_path / "places").write_text("".join(f"{place}\n" for place in places))
    done = subprocess.run(["true"], capture_output=True, text=True, env={
        "LD_PRELOAD": str(CUBEFOLD.parent.parent / "lib/libcubefold_lab_preload.so"), "OMPI_COMM_WORLD_RANK": "1",
        "CUBEFOLD_LAB_PLACES": str(tmp_path / "places"), "PATH": os.environ["PATH"]})
    assert (done.stderr, done.returncode) == (error, 1 if error else 0)


def test_processes_sleep_longer_when_they_yield_where_many_share_a_core():
    assert [launch.pause_us(count, 2) for count in (1, 16, 32, 64, 200)] == [100, 100, 400, 1600, 5000]
    assert launch.pause_us(64, 4) == 400


def test_root_has_to_allow_mpirun_explicitly():
    with pytest.raises(LabError, match="OMPI_ALLOW_RUN_AS_ROOT=1"):
        launch.check_root_is_allowed({"OMPI_ALLOW_RUN_AS_ROOT": "1"})


@pytest.mark.parametrize("arguments, line", [
    (["fly"], "unknown command 'fly'; known: up, run, "),
    (["up"], "GRID is required (see cubefold-lab up --help)"),
    (["run"], "PROGRAM ... is required (see cubefold-lab run --help)"),
    (["exec", "0"], "PROGRAM ... is required (see cubefold-lab exec --help)"),
    (["simulate", "ring:4"], "PROGRAM ... is required (see cubefold-lab simulate --help)"),
    (["run", "-n", "0", "true"], "-n: '0' is not a whole number from 1 up (see cubefold-lab run --help)"),
    (["run", "--per-node", "0", "true"], "--per-node: '0' is not a whole number from 1 up"),
    (["run", "--time-limit", "-1", "true"], "--time-limit: '-1' is not a whole number from 1 up"),
    (["simulate", "ring:4", "-n", "0", "true"], "-n: '0' is not a whole number from 1 up"),
    (["loads", "--times", "two"], "--times: 'two' is not a whole number from 1 up"),
    (["up", "ring:4", "--tie", "up"], "--tie: unknown value 'up'; known: positive, balanced"),
])
def test_a_command_line_that_does_not_fit_is_answered_in_one_line(arguments, line):
    done = subprocess.run([CUBEFOLD.with_name("cubefold-lab"), *arguments], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"cubefold-lab: {line}")
    assert re.search(r"\(see cubefold-lab( \w+)? --help\)$", done.stderr)


def test_a_program_at_a_path_has_to_be_there(tmp_path):
    tools = cli.Tools(tmp_path, "", "0.1.0")
    assert tools.program("/bin/sh") == "/bin/sh"
    with pytest.raises(LabError, match="^/no/program does not exist$"):
        tools.program("/no/program")
    with pytest.raises(LabError, match=f"^{tmp_path} is not a program that can be run$"):
        tools.program(str(tmp_path))


def test_predictions_for_another_network_are_refused(tmp_path):
    class Emulated:
        network = network("ring:4")

    file = tmp_path / "loads.json"
    file.write_text('{"links": [{"from": 0, "to": 2, "bytes": 5}]}')
    with pytest.raises(LabError, match="0-2 is not a link of ring:4"):
        report.predicted_loads(file, Emulated, 1)
    file.write_text('{"links": [{"from": 0}]}')
    with pytest.raises(LabError, match="no list 'links'"):
        report.predicted_loads(file, Emulated, 1)
    with pytest.raises(LabError, match="^/missing.json: cannot read: No such file or directory$"):
        report.predicted_loads("/missing.json", Emulated, 1)
    with pytest.raises(LabError, match=f"^{tmp_path}: cannot read: Is a directory$"):
        report.predicted_loads(tmp_path, Emulated, 1)
    file.write_text('{"links": [{"from": 0, "to": 1, "bytes": 5}]}')
    assert sum(report.predicted_loads(file, Emulated, 3).values()) == 15


def test_the_state_of_labs_is_where_sudo_and_sudo_with_the_environment_both_look(monkeypatch):
    monkeypatch.setattr(lab.os, "geteuid", lambda: 0)
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/1000")
    kept = lab.state_folder()
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert lab.state_folder() == kept


def test_the_state_of_a_user_is_in_a_folder_of_that_user(monkeypatch):
    monkeypatch.setattr(lab.os, "geteuid", lambda: 1000)
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/1000")
    assert lab.state_folder() == Path("/run/user/1000/cubefold-lab")
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert lab.state_folder() == Path("/tmp/cubefold-lab-1000")


def test_a_lab_that_is_taken_down_while_labs_are_listed_is_left_out(monkeypatch, tmp_path):
    """A link to nothing stands for a file that is there when files are listed, and gone when it is read."""
    monkeypatch.setattr(lab, "state_folder", lambda: tmp_path)
    tmp_path.chmod(0o700)
    (tmp_path / "gone.json").symlink_to(tmp_path / "nothing")
    assert lab.labs() == []


def test_a_state_folder_that_others_may_have_written_to_is_not_read(monkeypatch, tmp_path):
    folder = tmp_path / "state"
    monkeypatch.setattr(lab, "state_folder", lambda: folder)
    assert lab.labs() == []
    folder.mkdir(mode=0o700)
    assert lab.labs() == []
    folder.chmod(0o770)
    with pytest.raises(LabError, match=f"others can write to {folder}"):
        lab.labs()
    folder.chmod(0o700)
    monkeypatch.setattr(lab.os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(LabError, match=f"{folder} belongs to somebody else"):
        lab.labs()
    monkeypatch.undo()
    link = tmp_path / "link"
    link.symlink_to(folder)
    with pytest.raises(LabError, match="is no folder"):
        lab.require_own(link)


@pytest.mark.parametrize("user, hint", [(0, "capability SYS_ADMIN"), (1000, "run it with sudo")])
def test_missing_rights_are_said_with_the_way_to_get_them(monkeypatch, user, hint):
    monkeypatch.setattr(lab.os, "geteuid", lambda: user)
    monkeypatch.setattr(lab, "_isolation", lambda: ["sh", "-c", "echo unshare: no >&2; false"])
    with pytest.raises(LabError, match=hint) as refused:
        lab.check_rights()
    assert "(no)" in str(refused.value)
