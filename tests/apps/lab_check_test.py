"""cubefold-calibrate --check on a lab: it agrees with the right map of hosts, and names the hosts that were swapped in
a wrong one."""

import json
import os
import random

import pytest

from labs import change, lab, lab_of, needs_labs
from sweeps import ALL

pytestmark = needs_labs

NAME = f"check-{os.getpid()}"
GRID, NODES = ("torus:3x4", 12) if ALL else ("line:4", 4)
SEEDS = range(int(os.environ.get("CUBEFOLD_CHECKS", "1")))  # of the order of hosts, and of two that are swapped


@pytest.fixture(scope="module")
def network():
    with lab_of(GRID, "--rate", "10mbit", name=NAME) as name:
        yield name


def host_map(folder, *swapped):
    """Writes the map of the lab, with two hosts swapped."""
    hosts = json.loads(change("hosts", "--name", NAME))
    at = {host["name"]: host for host in hosts["hosts"]}
    if swapped:
        one, other = (at[name] for name in swapped)
        one["at"], other["at"] = other["at"], one["at"]
    path = folder / "hosts.json"
    path.write_text(json.dumps(hosts))
    return path


def check(path, *arguments, seed):
    return lab("run", "--name", NAME, "--shuffle", seed, "cubefold-calibrate", "--check", path, *arguments)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_right_map_is_one_line_and_status_0(network, seed, tmp_path):
    path = host_map(tmp_path)
    done = check(path, seed=seed)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert len(done.stdout.splitlines()) == 1
    assert done.stdout.startswith(f"{path} agrees with the measurements: {NODES} hosts on {GRID}, ")


@pytest.mark.parametrize("seed", SEEDS)
def test_two_hosts_that_are_swapped_in_the_map_are_named_with_status_1(network, seed, tmp_path):
    swapped = {f"node-{node}" for node in random.Random(seed).sample(range(NODES), 2)}
    path = host_map(tmp_path, *swapped)
    report = tmp_path / "report.json"
    done = check(path, "--table", "--json", report, seed=100 + seed)
    assert done.returncode == 1, done.stderr
    assert "contradicts the measurements" in done.stdout
    names = [set(line.split()) & swapped for line in done.stdout.splitlines() if line.startswith("  ")]
    assert swapped in names
    found = json.loads(report.read_text())
    assert found["verdict"] == "swapped" and swapped in map(set, found["swaps"])
    streams = [stream for streams in found["rounds"] for stream in streams]
    assert {stream["expected"] for stream in streams} >= {"alone", "shares link"}
    assert all(len(stream["seconds"]) == 3 and stream["alone_seconds"] > 0 for stream in streams)
    rows = [line for line in done.stdout.splitlines() if line[:5].strip().isdigit()]
    assert len(rows) == len(streams) and len({len(row) for row in rows}) == 1


def test_a_host_that_the_map_lacks_is_one_line(network, tmp_path):
    path = host_map(tmp_path)
    hosts = json.loads(path.read_text())
    hosts["hosts"] = [host for host in hosts["hosts"] if host["name"] != "node-2"]
    path.write_text(json.dumps(hosts))
    done = check(path, seed=3)
    lines = [line for line in done.stderr.splitlines() if line.startswith("cubefold-calibrate:")]
    assert done.returncode == 2 and done.stdout == ""
    assert len(lines) == 1 and f"host 'node-2' of the job is not in the hosts file {path}" in lines[0]
