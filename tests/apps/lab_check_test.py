"""cubefold-calibrate --check on a lab: it agrees with the right map of hosts, and names the hosts that were swapped in
a wrong one."""

import json
import os

import pytest

from labs import change, lab, lab_of, needs_labs

pytestmark = needs_labs

NAME = f"check-{os.getpid()}"


@pytest.fixture(scope="module")
def torus():
    with lab_of("torus:3x4", "--rate", "10mbit", name=NAME) as name:
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


def test_the_right_map_is_one_line_and_status_0(torus, tmp_path):
    path = host_map(tmp_path)
    done = check(path, seed=1)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert len(done.stdout.splitlines()) == 1
    assert done.stdout.startswith(f"{path} agrees with the measurements: 12 hosts on torus:3x4, ")


def test_two_hosts_that_are_swapped_in_the_map_are_named_with_status_1(torus, tmp_path):
    path = host_map(tmp_path, "node-2", "node-7")
    report = tmp_path / "report.json"
    done = check(path, "--table", "--json", report, seed=2)
    assert done.returncode == 1, done.stderr
    assert "contradicts the measurements" in done.stdout
    names = [set(line.split()) & {"node-2", "node-7"} for line in done.stdout.splitlines() if line.startswith("  ")]
    assert {"node-2", "node-7"} in names
    found = json.loads(report.read_text())
    assert found["verdict"] == "swapped" and {"node-2", "node-7"} in map(set, found["swaps"])
    streams = [stream for streams in found["rounds"] for stream in streams]
    assert {stream["expected"] for stream in streams} >= {"alone", "shares link"}
    assert all(len(stream["seconds"]) == 3 and stream["alone_seconds"] > 0 for stream in streams)
    rows = [line for line in done.stdout.splitlines() if line[:5].strip().isdigit()]
    assert len(rows) == len(streams) and len({len(row) for row in rows}) == 1


def test_a_host_that_the_map_lacks_is_one_line(torus, tmp_path):
    path = host_map(tmp_path)
    hosts = json.loads(path.read_text())
    hosts["hosts"] = [host for host in hosts["hosts"] if host["name"] != "node-5"]
    path.write_text(json.dumps(hosts))
    done = check(path, seed=3)
    lines = [line for line in done.stderr.splitlines() if line.startswith("cubefold-calibrate:")]
    assert done.returncode == 2 and done.stdout == ""
    assert len(lines) == 1 and f"host 'node-5' of the job is not in the hosts file {path}" in lines[0]
