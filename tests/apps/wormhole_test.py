"""cubefold wormhole prints a table, writes the same as data, and reports a wrong option in one line."""

import json

import pytest

from jobs import expect_refused, run_alone

TRANSPOSE = ["wormhole", "hypercube:8", "--pattern", "transpose", "--cycles", "20000"]
BEST_ORDER = "identity,order=0-4-2-6-1-5-3-7"


def result_of(*arguments):
    job = run_alone("cubefold", *arguments, "--json", "-")
    assert job.status == 0, job.err
    return json.loads(job.out)


def test_shows_what_the_best_order_of_a_transpose_is_worth():
    before = result_of(*TRANSPOSE, "--load", "0.05,0.3")["results"]
    after = result_of(*TRANSPOSE, "--load", "0.05,0.3", "--placement", BEST_ORDER)["results"]
    assert [row["sustainable"] for row in before] == [True, False]
    assert [row["sustainable"] for row in after] == [True, True]
    assert before[0]["latency_cycles"] > after[0]["latency_cycles"] > 25
    assert after[1]["throughput"] == pytest.approx(0.3, rel=0.02)


def test_prints_a_row_for_every_load():
    shown = run_alone("cubefold", *TRANSPOSE, "--load", "0.02,0.3").out.splitlines()
    assert shown[0] == "hypercube:8, placement identity, transpose, e-cube, ports: 1"
    assert shown[1] == "240 of 256 nodes send, 20 flits a message; 20000 cycles after 4000, seed 1"
    assert shown[3].split() == ["load", "throughput", "latency", "+-", "queue", "sustainable"]
    assert [(line.split()[0], line.split()[-1]) for line in shown[4:]] == [("0.02", "yes"), ("0.3", "no")]


def test_the_options_reach_the_simulation(tmp_path):
    path = tmp_path / "mesh.json"
    job = run_alone("cubefold", "wormhole", "mesh:4x4", "--pattern", "bit-reversal", "--router", "p-cube",
                    "--ports", "all", "--flits", 5, "--cycles", 1000, "--seed", 9, "--load", "0.1", "--json", path)
    assert job.status == 0, job.err
    seen = json.loads(path.read_text())
    assert {key: seen[key]
            for key in ["grid", "pattern", "router", "ports", "flits", "cycles", "warm_up_cycles", "seed"]} == {
        "grid": "mesh:4x4", "pattern": "bit-reversal", "router": "p-cube", "ports": 4, "flits": 5, "cycles": 1000,
        "warm_up_cycles": 200, "seed": 9}
    assert seen["results"][0]["latency_cycles"] < 20


def test_a_latency_of_no_message_is_null():
    row = result_of("wormhole", "line:2", "--pattern", "complement", "--cycles", "10", "--load", "1e-6")["results"][0]
    assert row["throughput"] == 0
    assert row["latency_cycles"] is None


@pytest.mark.parametrize("arguments, line", [
    (["torus:4x4", "--pattern", "transpose"],
     "dimension_order: axis 0 of torus:4x4 is a ring, on which wormholes deadlock without virtual channels"),
    (["mesh:4x4", "--pattern", "zoom"], "wormhole: 'zoom' is a scatter; every node must have one destination"),
    (["mesh:4x4", "--pattern", "transpose", "--router", "chiu"],
     "--router: unknown router 'chiu'; known: e-cube, p-cube (see cubefold wormhole --help)"),
    (["mesh:6x4", "--pattern", "transpose"], "mesh:6x4 has 24 nodes; a hypercube needs a power of two"),
    (["hypercube:17", "--pattern", "transpose"], "wormhole: hypercube:17 has 131072 nodes; the most is 65536"),
])
def test_refuses_what_does_not_fit_in_one_line(arguments, line):
    expect_refused(run_alone("cubefold", "wormhole", *arguments), line)


@pytest.mark.parametrize("arguments", [["--load", "0"], ["--load", "0.1,2"], ["--flits", "0"], ["--cycles", "9"], []])
def test_refuses_numbers_out_of_range(arguments):
    pattern = ["--pattern", "transpose"] if arguments else []
    job = run_alone("cubefold", "wormhole", "mesh:4x4", *pattern, *arguments)
    assert job.status == 2
    assert len(job.complaints) == len(job.err.splitlines()) == 1
