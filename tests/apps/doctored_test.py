"""cubefold verify on files that somebody changed: it accepts claims that are still true, and refuses others in one
line at a bounded cost."""

import json
import os
import random

import pytest

from doctored import doctored
from jobs import expect_refused, run_alone
from sweeps import positions


def certificate(folder, *arguments):
    job = run_alone("cubefold", "map", *arguments, "--json", folder / "c.json")
    assert job.status == 0, job.err
    return json.loads((folder / "c.json").read_text())


def matrix(size):
    chance = random.Random(size)
    entries = [(i, j) for i in range(1, size + 1) for j in range(1, size + 1) if i != j and chance.random() < 0.15]
    lines = [f"{i} {j} {chance.choice([0.1, 1, 2.5])}" for i, j in entries]
    return "\n".join(["%%MatrixMarket matrix coordinate real general", f"{size} {size} {len(lines)}", *lines, ""])


@pytest.fixture(name="of_files")
def certificate_with_phases_from_files(tmp_path):
    """Makes a certificate on a mesh with a tie rule that is not the default, so that no placement reaches the bound
    and all claims count."""
    (tmp_path / "a.txt").write_text("011 1\n000\n100 1\n")
    (tmp_path / "m.mtx").write_text(matrix(8))
    (tmp_path / "theirs").write_text("0,2,1,3,7,6,5,4\n")
    return certificate(tmp_path, "grid:4wx2", "--phase", "cube:1*2", "--phase", f"lcc:{tmp_path}/a.txt", "--phase",
                       f"matrix:{tmp_path}/m.mtx*0.1", "--placement", "standard,order=0-2-1", "--tie", "positive",
                       "--import", "mpich-rank-order", tmp_path / "theirs")


@pytest.fixture(name="together")
def certificate_of_an_optimum(tmp_path):
    return certificate(tmp_path, "torus:4x2", "--phase", "cube:1-3", "--phase", "bit-reversal*1e-10",
                       "--objective", "together", "--per-node", 2)


@pytest.fixture(name="program")
def certificate_of_what_programs_do(tmp_path):
    return certificate(tmp_path, "grid:3wx2", "--phase", "halo:2x3w:full", "--phase", "alltoall:rows=2x3", "--phase",
                       "ring", "--phase", "allreduce:0", "--placement", "nodes=1-0-2-5-4-3", "--tie", "positive")


@pytest.fixture(name="exchange")
def schedule_of_an_exchange(tmp_path):
    job = run_alone("cubefold", "plan", "exchange", "ring:4", "--block", 8, "--algorithm", "cc-cube", "--placement",
                    "xor", "--json", tmp_path / "s.json")
    assert job.status == 0, job.err
    return json.loads((tmp_path / "s.json").read_text())


# These may be any text: the label of the schedule, and the version and the date of the program that wrote the file.
LABELS = {("algorithm",), ("cubefold",), ("date",)}

# The order of these lists does not matter, and `compared` may have any number of orders.
SETS = {"traffic", "compared", "blocks"}


def says_the_same(path, other, file):
    """Returns whether the changed claim is still true: another label, another order of a set, or ties or routes that
    do not matter."""
    value = file
    for step in path:
        value = value[step]
    name = path[-1] if path else None
    if "steps" in file and name in {"placement", "tie"}:  # the steps name nodes, and none is far enough for a tie
        return True
    if path in LABELS or other in [f"without {label}" for (label,) in LABELS]:
        return True
    if name == "name" and isinstance(other, str):  # the name of a file
        kinds = ("lcc:", "matrix:")
        return value.startswith(kinds) and other[:4] == value[:4] or "node_of_rank" in file[path[0]][path[1]]
    if isinstance(value, list) and isinstance(other, list):
        if name == "compared":
            return all(order in value for order in other)
        is_step = len(path) == 2 and path[0] == "steps"
        return (name in SETS or is_step or name == "phases") and sorted(map(str, other)) == sorted(map(str, value))
    return False


@pytest.mark.parametrize("kind", ["of_files", "together", "program", "exchange"])
def test_what_is_accepted_after_any_single_change_is_still_true(kind, request):
    file = request.getfixturevalue(kind)
    assert verified(file).status == 0
    every = 50 if "ASAN_OPTIONS" in os.environ else 5  # sanitizers make the start of a program ten times as long
    changes = list(doctored(file))[::every]
    for number in positions(range(len(changes)), 10):
        (path, other), text = changes[number]
        job = run_alone("cubefold", "verify", "-", stdin=text)
        assert job.status in (0, 1, 2), (path, other)
        assert job.status != 0 or says_the_same(path, other, file), (path, other, job.out)
        lines = (job.out + job.err).splitlines()
        assert lines and len(lines) <= 21 and max(map(len, lines)) <= 700, (path, other)
        assert "\x1b" not in job.out + job.err, (path, other)


def verified(file):
    return run_alone("cubefold", "verify", "-", stdin=json.dumps(file))


def test_is_not_taken_in_by_small_weights(tmp_path):
    genuine = certificate(tmp_path, "line:8", "--phase", "complement*1e-10", "--placement", "identity")
    assert (genuine["value"], genuine["lower_bound"], genuine["optimal"]) == (4e-10, 1e-10, "unknown")
    assert verified(genuine).status == 0
    assert verified({**genuine, "optimal": True}).out == (
        "standard input: optimal: true is claimed, but the value 4e-10 is not the bound 1e-10\n")
    assert verified({**genuine, "value": 0.0}).out == "standard input: value: 0 is claimed, 4e-10 is right\n"


@pytest.mark.parametrize("small", ["1e-12", "1e-16", "1e-25"])
def test_a_phase_that_no_double_shows_beside_another_counts(small, tmp_path):
    genuine = certificate(tmp_path, "line:8", "--phase", "cube:0", "--phase", f"complement*{small}",
                          "--placement", "identity")
    assert genuine["value"] == pytest.approx(genuine["lower_bound"])
    assert genuine["optimal"] == "unknown"
    assert "optimal: true is claimed, but the value " in verified({**genuine, "optimal": True}).out


def expect_refused_text(text, line):
    expect_refused(run_alone("cubefold", "verify", "-", stdin=text), f"standard input: {line}")


def test_refuses_what_is_nested_too_deep_before_it_is_read():
    expect_refused_text("[" * 10_000_000, "nested deeper than 16")
    expect_refused_text('{"a":' * 10_000_000, "nested deeper than 16")


def test_refuses_more_values_than_fit_into_memory_with_good_grace():
    expect_refused_text('{"compared":[' + "0," * 20_000_001 + "0]}", "more than 20000000 values")


def test_refuses_a_key_that_stands_twice():
    expect_refused_text('{"tie": "positive", "grid": "ring:4", "tie": "balanced"}', "'tie' stands twice in an object")
    expect_refused_text('{"steps": [[{"from": 0, "to": 1, "from": 0}]]}', "'from' stands twice in an object")
    expect_refused_text('{"%s": 1, "%s": 1}' % (("k" * 50_000,) * 2),
                        f"'{'k' * 45}...{'k' * 15}' stands twice in an object")


def test_refuses_more_keys_than_any_file_has():
    expect_refused_text(json.dumps({f"a{i}": 0 for i in range(120_000)}), "more than 100 keys in an object")


def placed(grid, nodes, phases, objective="busiest-links"):
    """Returns a certificate that needs much work before an error is found."""
    return {"grid": grid, "per_node": 1, "routing": "dimension-order", "tie": "balanced", "objective": objective,
            "phases": [{"name": name, "weight": 1, "messages": 0} for name in phases], "placement": "identity",
            "node_of_rank": list(range(nodes)), "busiest_link": [0] * len(phases), "busiest_link_together": 0,
            "average_hops": 0, "hop_bytes": 0, "value": 0, "lower_bound": 0, "bound_source": "hops", "optimal": True,
            "compared": []}


@pytest.mark.parametrize("phases",
                         [["block-cyclic-to-block:15"], ["block-cyclic-to-block:9"] * 3, ["complement"] * 1025,
                          ["alltoall"], ["halo:32768:faces"] * 513])
def test_refuses_a_small_file_that_claims_very_many_messages(phases):
    job = verified(placed("ring:32768", 32768, phases))
    assert job.out == "standard input: phases: they have more than 33554432 messages\n"


def test_refuses_a_small_file_with_a_grid_of_very_many_axes():
    job = verified(placed("grid:16384" + "x1" * 45_000, 16384, ["complement"]))
    assert job.out == "standard input: grid: 45001 axes are more than 64\n"


def test_refuses_a_small_file_that_claims_very_many_hops():
    text = json.dumps(placed("line:32768", 32768, ["complement"] * 20))
    expect_refused_text(text, "its messages take more than 10000000000 hops")


def test_counts_a_zoom_of_many_pixels_at_the_cost_of_its_messages():
    claimed = placed("torus:128x128", 16384, ["zoom:128x128"])
    out = verified(claimed).out
    assert "standard input: phases[0]: messages: 0 is claimed, 16383 is right" in out


def test_a_schedule_of_a_large_grid_costs_no_more_than_its_blocks():
    file = {"grid": "line:2147483648", "ports": "one", "tie": "balanced", "placement": "by-weight", "algorithm": "none",
            "bound": {"blocks": 0, "startups": 0}, "steps": []}
    job = verified(file)
    assert job.out.startswith("standard input: steps: 0 blocks are sent, less than half of the 4611686016279904256 of "
                              "a")


def test_names_the_first_faults_of_very_many(exchange):
    exchange["steps"] = [[{"from": 9, "to": 9, "blocks": []}] * 1000] + exchange["steps"]
    lines = verified(exchange).out.splitlines()
    assert len(lines) == 21
    assert lines[-1] == "standard input: and 980 more"


def test_long_words_are_shortened_and_control_characters_escaped(of_files, exchange):
    exchange["algorithm"] = "\x1b]0;a\x07\u009bm\u00e9" + 50_000 * "b"
    job = verified(exchange)
    assert job.out.startswith("ok: \\x1b]0;a\\x07\\xc2\\x9bm\u00e9bbbb")
    assert "bbbb...bbbb" in job.out and len(job.out) < 250
    for key in ["grid", "tie", "objective", "routing", "bound_source", "placement"]:
        changed = {**of_files, key: "\x1b[2J" + 50_000 * "x"}
        out = verified(changed).out
        assert "\\x1b[2J" in out, key
        assert "\x1b" not in out and max(map(len, out.splitlines())) < 500, key
