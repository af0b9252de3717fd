"""cubefold-lab on this machine: an emulated 4x4 torus. Skipped, with the reason, where namespaces are not allowed."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

BUILD = Path(os.environ["CUBEFOLD_BUILD"])
LAB = str(BUILD / "bin/cubefold-lab")
NAME = f"test-{os.getpid()}"
# A frame has 14 bytes of Ethernet, 20 of IP and 32 of TCP around 1448 bytes of a program's data.
FRAME_OVER_PAYLOAD = 1514 / 1448

sys.path.insert(0, str(Path(os.environ["CUBEFOLD_SOURCE"]) / "apps/lab"))


def lab(*arguments, timeout=90, env=None):
    return subprocess.run([LAB, *map(str, arguments)], capture_output=True, text=True, timeout=timeout,
                          env={**os.environ, **(env or {})})


def reason_to_skip():
    from cubefold_lab import cli, lab as labs
    from cubefold_lab.errors import LabError
    try:
        labs.need(cli.PROGRAMS)
        labs.check_rights()
    except LabError as error:
        return str(error)
    if os.environ.get("OMPI_ALLOW_RUN_AS_ROOT") != "1":
        return "inside a lab everybody is root, and mpirun has not been allowed to run as root"
    return "" if "LD_PRELOAD" not in os.environ else "sanitizers' own preloads do not go with the lab's"


REASON = reason_to_skip()
pytestmark = pytest.mark.skipif(bool(REASON), reason=REASON)


@pytest.fixture(scope="module")
def torus():
    done = lab("up", "torus:4x4", "--rate", "10mbit", "--name", NAME)
    assert done.returncode == 0, done.stderr
    yield NAME
    lab("down", "--name", NAME)


def run(program, *arguments, **more):
    done = lab("run", "--name", NAME, *more.pop("options", ()), program, *arguments, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


def loads(*options):
    return {(k["from"], k["to"]): k["bytes"]
            for k in json.loads(lab("loads", "--name", NAME, "--json", "-", *options).stdout)["links"]}


def expect_loads(measured, predicted):
    """Predicted bytes are a program's own; within 10 % of them on every link that is to carry data, and on the others
    only acknowledgements and what MPI says at the start."""
    most = max(predicted.values())
    for link, count in measured.items():
        if predicted.get(link):
            assert count == pytest.approx(predicted[link] * FRAME_OVER_PAYLOAD, rel=0.1), link
        else:
            assert count < 0.1 * most, link


def test_programs_run_on_nodes_that_only_know_their_links(torus):
    hosts = run("sh", "-c", "echo $OMPI_COMM_WORLD_RANK $(hostname) $CUBEFOLD_GRID").split("\n")
    assert sorted(filter(None, hosts)) == sorted(f"{n} node-{n} torus:4x4" for n in range(16))


@pytest.mark.parametrize("algorithm", ["cc-cube", "direct"])
def test_links_carry_what_an_exchange_should_put_on_them(torus, tmp_path, algorithm):
    loads("--reset")
    file = tmp_path / "exchange.json"
    run("cubefold-exchange", "--algorithm", algorithm, "--compare", "none", "--block", "16KiB", "--repetitions", 2, "--json",
        file)
    predicted = {(k["from"], k["to"]): 3 * k["bytes"] for k in json.loads(file.read_text())["results"][0]["links"]}
    expect_loads(loads(), predicted)


def test_links_carry_what_a_permutation_should_put_on_them(torus, tmp_path):
    loads("--reset")
    file = tmp_path / "permute.json"
    run("cubefold-permute", "--pattern", "bit-reversal", "--placement", "standard", "--block", "256KiB", "--repetitions",
        1, "--json", file)
    predicted = {(k["from"], k["to"]): 2 * k["bytes"] for k in json.loads(file.read_text())["results"][0]["links"]}
    assert max(predicted.values()) > min(predicted.values())
    expect_loads(loads(), predicted)


def test_loads_are_shown_and_drawn_beside_the_predicted_ones(torus, tmp_path):
    loads("--reset")
    file, picture = tmp_path / "exchange.json", tmp_path / "loads.svg"
    run("cubefold-permute", "--pattern", "cube:0", "--placement", "standard", "--block", "64KiB", "--repetitions", 1,
        "--json", file)
    predicted = tmp_path / "predicted.json"
    predicted.write_text(json.dumps({"links": json.loads(file.read_text())["results"][0]["links"]}))
    shown = lab("loads", "--name", NAME, "--predicted", predicted, "--times", 2, "--svg", picture)
    assert shown.returncode == 0, shown.stderr
    assert re.search(r"^ +0-1 +0 positive +\d+ +131072 +1\.\d\d$", shown.stdout, re.MULTILINE)
    text = picture.read_text()
    assert "predicted" in text and "measured" in text


def test_every_all_to_all_is_right_byte_for_byte_across_the_network(torus):
    out = run("cubefold-exchange", "--compare", "all", "--placement", "xor", "--block", "3,512,5000", "--repetitions", 2)
    assert "every byte of every repetition was checked: all right" in out


def start(*arguments):
    return subprocess.Popen([LAB, "run", "--name", NAME, *map(str, arguments)], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)


def wait_until_bytes_flow(link, count):
    for _ in range(600):
        if loads()[link] > count:
            return
        time.sleep(0.05)
    raise AssertionError(f"nothing was sent over {link}")


def test_a_calibration_finds_ports_wrap_links_and_hosts_and_the_slow_axis(torus, tmp_path):
    path = tmp_path / "machine.json"
    slow_cables = [f"{node}-{node + 1}" for node in range(0, 16, 4)]
    for cable in slow_cables:
        assert lab("slow", f"{cable}:4mbit", "--name", NAME).returncode == 0
    try:
        run("cubefold-calibrate", "--quick", "--repetitions", 3, "--output", path)
    finally:
        for cable in slow_cables:
            lab("mend", cable, "--name", NAME)
    machine = json.loads(path.read_text())
    assert (machine["ports"], machine["wraps"], machine["hosts"]) == ("all", [True, True], 16)
    slow, fast = machine["tau_seconds_per_byte"]
    assert slow > 1.5 * fast


def test_an_exchange_over_a_link_that_is_cut_completes_with_right_data_once_it_is_mended(torus):
    loads("--reset")
    job = start("cubefold-exchange", "--compare", "none", "--placement", "xor", "--block", "64KiB", "--repetitions", 2)
    wait_until_bytes_flow((0, 1), 300000)
    assert lab("cut", "0-1", "--name", NAME).returncode == 0
    before = loads()
    assert "cut: 0-1" in lab("status").stdout
    time.sleep(1)
    assert loads()[0, 1] == before[0, 1]
    assert job.poll() is None
    assert lab("mend", "0-1", "--name", NAME).returncode == 0
    out, _ = job.communicate(timeout=120)
    assert job.returncode == 0, out
    assert "all right" in out


def test_an_exchange_over_a_link_that_stays_cut_ends_with_an_error(torus):
    loads("--reset")
    job = start("--time-limit", 10, "cubefold-exchange", "--compare", "none", "--placement", "xor", "--block", "64KiB",
                "--repetitions", 9)
    wait_until_bytes_flow((0, 1), 300000)
    lab("cut", "0-1", "--name", NAME)
    out, _ = job.communicate(timeout=120)
    assert job.returncode != 0
    assert "all right" not in out
    lab("mend", "0-1", "--name", NAME)


def test_two_labs_side_by_side_do_not_meet_and_leave_nothing_behind(torus):
    names = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True).stdout
    other = NAME + "-b"
    assert lab("up", "ring:4", "--ports", "one", "--slow", "1-2:1mbit", "--name", other).returncode == 0
    again = lab("up", "ring:4", "--name", other)
    assert again.returncode == 2 and f"lab '{other}' is up already" in again.stderr
    status = lab("status").stdout
    assert f"{NAME}: torus:4x4" in status and f"{other}: ring:4" in status and "slow: 1-2 1mbit" in status
    assert lab("run", "--name", other, "true").returncode == 0
    assert lab("down", "--name", other).returncode == 0
    assert subprocess.run(["ip", "netns", "list"], capture_output=True, text=True).stdout == names
    assert lab("exec", "--name", NAME, 0, "true").returncode == 0


def test_when_its_first_process_is_killed_nothing_of_a_lab_is_left():
    name = NAME + "-k"
    assert lab("up", "ring:4", "--name", name).returncode == 0
    running = subprocess.Popen([LAB, "exec", "--name", name, "0", "sleep", "60"])
    holder = next(k["holder"] for k in json.loads(lab("status", "--json", "-").stdout) if k["name"] == name)
    time.sleep(0.3)
    os.kill(holder, signal.SIGKILL)
    assert running.wait(timeout=10) != 0
    assert name not in lab("status").stdout
    assert "no lab" in lab("down", "--name", name).stderr


def holders():
    """Processes of labs, those of other users of the machine included."""
    return set(subprocess.run(["pgrep", "-f", "cubefold_lab.holder"], capture_output=True, text=True).stdout.split())


def test_an_interrupted_up_leaves_nothing_behind():
    name, known = NAME + "-i", holders()
    for delay in (0.1, 0.3, 0.6):
        starting = subprocess.Popen([LAB, "up", "torus:8x8", "--rate", "1mbit", "--name", name], stderr=subprocess.PIPE,
                                    stdout=subprocess.PIPE)
        time.sleep(delay)
        starting.send_signal(signal.SIGTERM)
        starting.communicate(timeout=30)
        if starting.returncode == 0:  # it was faster than we
            lab("down", "--name", name)
            continue
        assert name not in lab("status").stdout
        assert holders() <= known


@pytest.mark.parametrize("arguments, line", [
    (["up", "rung:4"], "unknown kind 'rung'"),
    (["up", "ring:4", "--rate", "10"], "rate '10' is not a number with one of the units"),
    (["up", "ring:4", "--queue", "1mbit"], "queue '1mbit' is not a number"),
    (["up", "ring:400"], "ring:400 has 400 nodes; a lab has at most 256"),
    (["up", "ring:4", "--slow", "0-2:1mbit"], "0-2 is not a link of ring:4"),
    (["up", "ring:4", "--slow", "0-1"], "'0-1' is not a link and its rate"),
    (["run", "--name", NAME, "-n", "17", "true"], "-n 17: torus:4x4 has room for 1 to 16 processes"),
    (["run", "--name", NAME, "no-such-program"], "'no-such-program' is neither a program"),
    (["run", "--name", NAME, "/no/program"], "/no/program does not exist"),
    (["exec", "--name", NAME, "0", "/no/program"], "/no/program does not exist"),
    (["exec", "--name", NAME, "16", "true"], "node 16 is not one of the 16 nodes"),
    (["cut", "--name", NAME, "0-5"], "0-5 is not a link of torus:4x4"),
    (["run", "--name", "nobody", "true"], "no lab 'nobody' is up"),
    (["down", "--name", "nobody"], "no lab 'nobody' is up"),
])
def test_bad_input_gets_one_line(torus, arguments, line):
    done = lab(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1 and done.stderr.startswith("cubefold-lab: ")
    assert line in done.stderr


def test_a_rate_beyond_the_cores_is_warned_of_with_the_number():
    name = NAME + "-w"
    done = lab("up", "ring:4", "--rate", "100gbit", "--name", name)
    assert re.search(r"warning: rate 100gbit on 8 shaped links .* above about [\d.]+mbit", done.stderr), done.stderr
    lab("down", "--name", name)


def test_missing_programs_are_named_with_their_package(tmp_path):
    done = lab("up", "ring:4", env={"PATH": str(tmp_path)})
    assert (done.returncode, done.stderr) == (
        2, "cubefold-lab: needs the program 'ip', which is in Debian's package iproute2\n")
