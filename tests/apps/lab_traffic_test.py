"""The loads of a lab's links, and programs on links that are slow or cut. The tests are skipped, with the reason,
where namespaces are not allowed. ./dev test emulates a network of 4 nodes, and ./dev test --all one of 16."""

import json
import os
import re
import subprocess

import pytest

from lab_links import misfits, traffic_of
from labs import LAB, change, lab, lab_of, loads, needs_labs
from sweeps import ALL, more

pytestmark = needs_labs

NAME = f"traffic-{os.getpid()}"


@pytest.fixture(scope="module")
def network():
    with lab_of("torus:4x4" if ALL else "ring:4", "--rate", "10mbit", name=NAME) as name:
        yield name


def run(program, *arguments, name=NAME):
    return change("run", "--name", name, program, *arguments)


def measured_and_predicted(file, repetitions, program, *arguments, name=NAME):
    """Runs a program that writes its predictions into the file, and returns what traffic_of() returns."""
    return traffic_of(name, file, repetitions + 1,
                      lambda: run(program, *arguments, "--repetitions", repetitions, "--json", file, name=name))


@pytest.mark.parametrize("algorithm", ["cc-cube", more("direct")])
def test_links_carry_what_an_exchange_should_put_on_them(network, tmp_path, algorithm):
    traffic = measured_and_predicted(tmp_path / "exchange.json", 2, "cubefold-exchange", "--algorithm", algorithm,
                                     "--compare", "none", "--block", "16KiB")
    assert misfits(*traffic) == []


def test_links_carry_what_an_exchange_of_shuffled_hosts_should_put_on_them(network, tmp_path):
    file = tmp_path / "exchange.json"
    exchange = ["cubefold-exchange", "--algorithm", "direct", "--compare", "none", "--block", "16KiB"]
    traffic = traffic_of(NAME, file, 3, lambda: change("run", "--name", NAME, "--shuffle", 7, *exchange,
                                                       "--repetitions", 2, "--json", file))
    assert misfits(*traffic) == []


@pytest.mark.parametrize("grid", ["mesh:2x2", "ring:4,cut=0-1", more("torus:4x4,cut=0-1"), more("hyperx:4x2")])
def test_links_of_other_networks_carry_what_their_routes_say(tmp_path, grid):
    name = f"{NAME}-other"
    with lab_of(grid, "--rate", "10mbit", name=name):
        traffic = measured_and_predicted(tmp_path / "exchange.json", 2, "cubefold-exchange", "--algorithm", "direct",
                                         "--compare", "none", "--block", "16KiB", name=name)
    assert misfits(*traffic) == []


@pytest.mark.parametrize("pattern", [more("bit-reversal"), "shift:1"])
def test_links_carry_what_a_permutation_should_put_on_them(network, tmp_path, pattern):
    traffic = measured_and_predicted(tmp_path / "permute.json", 3, "cubefold-permute", "--pattern", pattern,
                                     "--placement", "standard", "--block", "64KiB")
    assert len(set(traffic[1].values())) > 1
    assert misfits(*traffic) == []


# Two messages go from node 0 to 1, and one of them on to node 2.
PREDICTED = {(0, 1): 200000, (1, 2): 100000, (1, 0): 0, (2, 1): 0}
MEASURED = {(0, 1): 214000, (1, 2): 109000, (1, 0): 9000, (2, 1): 5000}


@pytest.mark.parametrize("wrong, misfit", [
    ({(0, 1): 400000, (1, 2): 200000}, [(0, 1), (1, 2)]),  # all messages twice
    ({(0, 1): 100000, (1, 2): 50000}, [(0, 1), (1, 2)]),  # half of the bytes
    ({(1, 2): 0, (2, 1): 100000}, [(1, 2), (2, 1)]),  # a link in the opposite direction
    ({(0, 1): 300000}, [(0, 1)]), ({(0, 1): 100000}, [(0, 1)]),  # one message more, and one less
    ({(1, 2): 200000}, [(1, 2)]), ({(1, 2): 0}, [(1, 2)]), ({(2, 1): 100000}, [(2, 1)])])
def test_bytes_that_do_not_fit_a_prediction_are_noticed(wrong, misfit):
    assert misfits(MEASURED, PREDICTED, 0) == []
    assert misfits(MEASURED, {**PREDICTED, **wrong}, 0) == misfit


def test_loads_are_shown_and_drawn_beside_the_predicted_ones(network, tmp_path):
    loads(NAME, "--reset")
    file, picture = tmp_path / "exchange.json", tmp_path / "loads.svg"
    run("cubefold-permute", "--pattern", "cube:0", "--placement", "standard", "--block", "64KiB", "--repetitions", 1,
        "--json", file)
    predicted = tmp_path / "predicted.json"
    predicted.write_text(json.dumps({"links": json.loads(file.read_text())["results"][0]["links"]}))
    shown = change("loads", "--name", NAME, "--predicted", predicted, "--times", 2, "--svg", picture)
    count, ratio = re.search(r"^ +0-1 +0 positive +(\d+) +131072 +(\d+\.\d\d)$", shown, re.MULTILINE).groups()
    assert float(ratio) == pytest.approx(int(count) / 131072, abs=0.005) and float(ratio) >= 1
    text = picture.read_text()
    assert "predicted" in text and "measured" in text


def test_every_all_to_all_is_right_byte_for_byte_across_the_network(network):
    out = run("cubefold-exchange", "--compare", "all", "--placement", "xor", "--block",
              "3,512,5000" if ALL else "3,5000", "--repetitions", 2)
    assert "every byte of every repetition was checked: all right" in out


@pytest.mark.parametrize("grid, host_count, wraps", [("torus:4x2", 8, [True, False]),
                                                     more("torus:4x4", 16, [True, True])])
def test_a_calibration_finds_ports_wrap_links_and_hosts_and_the_slow_axis(grid, host_count, wraps, tmp_path):
    path, name = tmp_path / "machine.json", f"{NAME}-c"
    slow_cables = [word for node in range(0, host_count, 4) for word in ("--slow", f"{node}-{node + 1}:1mbit")]
    with lab_of(grid, "--rate", "4mbit", *slow_cables, name=name):
        change("run", "--name", name, "cubefold-calibrate", "--quick", "--repetitions", 3, "--without-exchanges",
               "--output", path)
    machine = json.loads(path.read_text())
    assert (machine["ports"], machine["wraps"], machine["hosts"]) == ("all", wraps, host_count)
    slow, fast = machine["tau_seconds_per_byte"]
    assert slow > 1.5 * fast


def wait_until_data_flow(job, link):
    while loads(NAME)[link] < 20000:
        assert job.poll() is None, job.communicate()


def test_an_exchange_over_a_link_that_is_cut_completes_with_right_data_once_it_is_mended(network):
    loads(NAME, "--reset")
    # The slow link would need minutes, so it is cut long before the exchange is over.
    change("slow", "0-1:50kbit", "--name", NAME)
    job = subprocess.Popen([LAB, "run", "--name", NAME, "cubefold-exchange", "--compare", "none", "--placement", "xor",
                            "--block", "64KiB", "--repetitions", "2"],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wait_until_data_flow(job, (0, 1))
    change("cut", "0-1", "--name", NAME)
    before = loads(NAME)
    assert "cut: 0-1" in change("status")
    assert loads(NAME)[0, 1] == before[0, 1]
    assert job.poll() is None
    change("mend", "0-1", "--name", NAME)
    change("slow", "0-1:10mbit", "--name", NAME)
    out, _ = job.communicate()
    assert job.returncode == 0, out
    assert "all right" in out


def test_an_exchange_over_a_link_that_stays_cut_ends_with_an_error(network):
    change("cut", "0-1", "--name", NAME)
    done = lab("run", "--name", NAME, "--time-limit", 5, "cubefold-exchange", "--compare", "none", "--placement", "xor",
               "--block", "64KiB", "--repetitions", 1)
    change("mend", "0-1", "--name", NAME)
    assert done.returncode != 0
    assert "all right" not in done.stdout
