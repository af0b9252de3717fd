"""cubefold plan exchange: the cost of every method, the choice and its reason, and schedules that cubefold verify
accepts."""

import functools
import json
import os
import re
from collections import Counter
from pathlib import Path

import pytest

from jobs import ALGORITHMS, expect_refused, refused_with, run_alone
from sweeps import combinations, more
from traffic import coordinates, node_at

BLOCK, ALPHA, TAU = 1024, 2e-5, 3e-9


def plan(grid, *options, block=BLOCK, alpha=ALPHA, tau=TAU):
    """Plans for networks of unknown queues, where schedules run by the clock and the model is that of the formulas."""
    queues = [] if "--queues" in options or "--machine" in options else ["--queues", "unknown"]
    return run_alone("cubefold", "plan", "exchange", grid, "--block", block, "--alpha", alpha, "--tau", tau, *queues,
                     *options)


@functools.cache
def table(*arguments, **model):
    job = plan(*arguments, "--table", "-", **model)
    assert (job.status, job.err) == (0, "")
    return json.loads(job.out)


def by_method(result):
    return {candidate["method"]: candidate for candidate in result["candidates"]}


# Start-ups and block-times in the model of [Calmant] section 5 for n = 8, p = 64, c = 2, and for n = 16, c = 3 in the
# last case.
FORMULAS = [
    ("mesh:8x8", "direct", 64 * 8 / 4, 64 * 8 / 4),
    ("torus:8x8", "direct", 64 * 8 / 8, 64 * 8 / 8),
    ("mesh:8x8", "store-and-forward", 2 * 7, 2 * 7 ** 2 * 8),
    ("mesh:8x8", "axis-rotated", 2 * 16, 64 * 8 / 4),
    ("mesh:8x8", "cc-cube", 6, 2 * 7 * 32),
    ("mesh:8x8", "modified-quadrant", 8 + 4 + 3, (8 + 4 + 3) * 16),
    ("mesh:8x8", "hybrid:4", 8 * 4 ** 2 / 4 + 3, 32 * 4 + 3 * 16),
    ("line:64", "binary", 63, 63 * 32),
    ("mesh:64x64", "cyclic", 2 * 63, 2 * 63 * 2048),
    ("mesh:64x64", "modified-quadrant", 64 + 32 + 16 + 8 + 4 + 3, 127 * 1024),
    ("torus:64x64", "modified-quadrant", 32 + 32 + 16 + 8 + 4 + 3, 95 * 1024),
    ("mesh:8x8", "bruck:2", 6, None),
    ("mesh:8x8", "bruck:4", 3 * 3, None),
    ("mesh:16x16x16", "direct", 4096 * 16 / 4, 4096 * 16 / 4),
    ("mesh:16x16x16", "axis-rotated", 3 * 64, 3 * 64 * 86),
]


@pytest.mark.parametrize("grid, method, startups, block_times", FORMULAS)
def test_start_ups_and_block_times_are_those_of_the_formulas(grid, method, startups, block_times):
    candidate = by_method(table(grid, "--algorithm", method))[method]
    assert candidate["startups"] == startups
    if block_times:
        assert candidate["block_times"] == pytest.approx(block_times)


@pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="sanitizers take minutes")
@pytest.mark.parametrize("dimensions", [16, more(20)])
def test_a_million_nodes_take_no_enumeration(dimensions):
    found = by_method(table(f"hypercube:{dimensions}", "--algorithm", "bruck:2,cc-cube"))
    assert found["bruck:2"]["startups"] == found["cc-cube"]["startups"] == dimensions
    assert found["bruck:2"]["block_times"] == found["cc-cube"]["block_times"] == dimensions * 2 ** (dimensions - 1)


def test_time_is_start_ups_and_bytes_where_gap_is_alpha():
    for candidate in table("mesh:8x4")["candidates"]:
        expected = candidate["startups"] * ALPHA + candidate["block_times"] * BLOCK * TAU
        assert candidate["seconds"] == pytest.approx(expected), candidate["method"]


def test_of_steps_that_need_not_wait_only_the_first_has_its_latency():
    gap, barrier = 1e-6, 1e-3
    found = by_method(table("mesh:8x8", "--gap", gap, "--barrier", barrier))["direct"]
    assert found["sync"] == "clock"
    assert found["seconds"] == pytest.approx(ALPHA - gap + 128 * (gap + BLOCK * TAU) + barrier)


@pytest.mark.parametrize("grid, options", combinations(["mesh:8x8", "torus:4x6", "hypercube:5", "line:7"],
                                                       [[], ["--ports", "all"], ["--tie", "positive"]]))
def test_candidates_come_by_their_times_and_none_beats_the_bound(grid, options):
    result = table(grid, *options)
    keys = [(candidate["oversubscribes"], candidate["seconds"]) for candidate in result["candidates"]]
    assert keys == sorted(keys)
    assert result["choice"] == result["candidates"][0]["method"]
    for candidate in result["candidates"]:
        assert candidate["ratio"] == pytest.approx(candidate["seconds"] / result["bound_seconds"])
        assert candidate["ratio"] >= 1 - 1e-9


def test_a_method_that_oversubscribes_is_never_chosen_before_one_that_does_not():
    result = table("mesh:8x8", block=8192, alpha=1e-4)
    assert [c["method"] for c in result["candidates"] if c["oversubscribes"]] == ["linear"]
    assert result["candidates"][-1]["method"] == "linear"
    assert by_method(result)["linear"]["seconds"] < result["candidates"][-2]["seconds"]
    assert not by_method(table("mesh:8x8", block=8))["linear"]["oversubscribes"]


def test_rows_of_ranks_are_planned_on_their_part_of_the_network(tmp_path):
    rows = ["torus:16x32", "--phase", "alltoall:rows=16x32"]
    result, part = table(*rows), table("grid:16wx2")
    assert result.pop("groups")["grid"] == "grid:16wx2"
    part.pop("groups")
    assert result == part
    first, *others = plan(*rows).out.splitlines()
    assert first == "alltoall:rows=16x32 on torus:16x32: 16 groups at the same time, of 32 ranks on grid:16wx2"
    assert others == plan("grid:16wx2").out.splitlines()
    plan(*rows, "--json", tmp_path / "schedule.json")
    assert run_alone("cubefold", "verify", tmp_path / "schedule.json").out.startswith("ok: ")


def test_a_single_node_has_nothing_to_do():
    result = table("line:1")
    assert result["bound_seconds"] == 0
    assert {(c["steps"], c["seconds"], c["ratio"]) for c in result["candidates"]} == {(0, 0, None)}


def row_of(candidate):
    return [candidate["method"], str(candidate["steps"]), str(candidate["startups"]), f"{candidate['sent_blocks']:.6g}",
            f"{candidate['seconds'] * 1e3:.6g}", f"{candidate['ratio']:.3f}",
            *["oversubscribes"] * candidate["oversubscribes"]]


@pytest.mark.parametrize("grid", ["mesh:8x8", "torus:4x6"])
def test_the_text_has_a_line_for_every_candidate_then_the_choice_and_why(grid):
    result, job = table(grid, block=8192), plan(grid, block=8192)
    lines = job.out.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("method ")) + 1
    rows = [line.split() for line in lines[first:first + len(result["candidates"])]]
    assert rows == [row_of(candidate) for candidate in result["candidates"]]
    assert f"complete exchange on {grid}, one port, blocks of 8192 bytes" in lines
    assert lines[-1] == result["why"]
    assert lines[-3].startswith(f"{result['choice']}: {result['candidates'][0]['steps']} steps")


def test_columns_of_the_text_are_aligned():
    lines = plan("mesh:8x8").out.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("method "))
    rows = [line.removesuffix("  oversubscribes") for line in lines[first:lines.index("", first)]
            if not line.endswith((",", "."))]
    assert len({len(row) for row in rows}) == 1


def test_the_example_in_the_documents_is_what_plan_prints():
    page = (Path(os.environ["CUBEFOLD_SOURCE"]) / "docs/exchange-steps.md").read_text()
    command, shown = re.search(r"^    \$ cubefold (plan exchange .*?)\n(.*?)\n\n\|", page, re.M | re.S).groups()
    printed = run_alone("cubefold", *command.split()).out
    assert shown == "\n".join(("    " + line).rstrip() for line in printed.rstrip().split("\n"))


def test_only_the_methods_asked_for_are_compared():
    result = table("mesh:8x8", "--algorithm", "direct,mixed-radix:4-2", "--algorithm", "shifted")
    assert set(by_method(result)) == {"direct", "mixed-radix:4-2", "shifted"}
    assert "cyclic" not in by_method(table("mesh:8x8"))
    assert {"cyclic", "direct", "shifted"} < set(by_method(table("mesh:8x8", "--algorithm", "all,shifted")))
    alone = table("mesh:8x8", "--algorithm", "bruck:3")
    assert (alone["choice"], alone["why"]) == ("bruck:3", "it is the only one asked for")


def test_block_sizes_have_units():
    assert table("ring:4", block="1KiB") == table("ring:4", block=1024)


def test_the_best_placement_is_named_and_the_others_are_no_better():
    options = ["--algorithm", "cc-cube", "--tie", "positive"]
    result = table("torus:8x8", *options)
    assert result["placement"] == "xor"
    seconds = {rule: table("torus:8x8", *options, "--placement", rule)["candidates"][0]["seconds"]
               for rule in ["identity", "standard", "standard,bits=cyclic", "xor", "xor,bits=cyclic"]}
    assert result["candidates"][0]["seconds"] == min(seconds.values()) < seconds["standard"] == seconds["identity"]
    first = plan("torus:8x8", *options).out.splitlines()[0]
    assert first == "placement xor, of standard; standard,bits=cyclic; xor; xor,bits=cyclic"


def test_a_placement_that_is_given_is_kept():
    assert plan("torus:8x8", "--placement", "by-weight").out.startswith("placement by-weight\n")
    assert plan("torus:6x5").out.startswith("placement identity\n")


GRIDS = ["line:1", "line:5", "ring:6", "ring:8", "mesh:8x4", "mesh:3x4", "torus:4x8", "torus:3x5", "grid:8wx4",
         "hypercube:4", "mesh:4x2x4", "torus:4x4x4"]


def verified(grid, method, file, *options):
    job = plan(grid, "--algorithm", method, "--json", file, *options)
    assert (job.status, job.err) == (0, ""), job.err
    return run_alone("cubefold", "verify", file)


def has_conflicts(method):
    return method.split(":")[0] in {"bruck", "linear", "shifted", "cc-cube"}


@pytest.mark.parametrize("grid, ports", combinations(GRIDS, ["one", "all"]))
def test_schedules_of_methods_without_conflicts_are_verified(grid, ports, tmp_path):
    methods = [method for method in by_method(table(grid, "--algorithm", "all")) if not has_conflicts(method)]
    assert len(methods) >= 4
    for method in methods:
        job = verified(grid, method, tmp_path / "s.json", "--ports", ports)
        assert job.status == 0, (method, job.out)
        assert job.out.startswith(f"ok: {method} on {grid}, ports {ports}: ")


@pytest.mark.parametrize("grid", ["mesh:8x4", "ring:8", "torus:8x8"])
def test_schedules_with_conflicts_say_so_and_the_rest_is_verified(grid, tmp_path):
    file = tmp_path / "s.json"
    for method in ["bruck:2", "bruck:4", "shifted", "cc-cube"]:
        job = verified(grid, method, file, "--placement", "standard")
        assert json.loads(file.read_text())["has_conflicts"] is True
        assert job.status == 0 and job.out.startswith(f"ok: {method} on {grid}, "), job.out
        assert re.search(r"^conflicts, as the file says: \d+ messages share a port or a link with an earlier one of "
                         r"the step; the first: steps\[.*the link from node", job.out, re.MULTILINE), job.out
    job = verified(grid, "linear", file)
    assert job.out.endswith("the first: steps[0][1]: node 0 sends message [0] in the same step\n")


def test_a_method_with_conflicts_is_said_to_have_them_beside_the_table(tmp_path):
    line = f"the schedule in {tmp_path / 's.json'} has conflicts: messages of a step share ports or links\n"
    assert plan("mesh:4x4", "--algorithm", "linear", "--json", tmp_path / "s.json").out.endswith("\n" + line)
    assert line not in plan("mesh:4x4", "--algorithm", "direct", "--json", tmp_path / "s.json").out
    assert "conflicts" not in plan("mesh:4x4", "--algorithm", "linear").out


def test_blocks_of_a_schedule_with_conflicts_have_to_arrive(tmp_path):
    file = tmp_path / "s.json"
    plan("ring:4", "--algorithm", "linear", "--json", file)
    schedule = json.loads(file.read_text())
    lost = schedule["steps"][0].pop(5)
    file.write_text(json.dumps(schedule))
    job = run_alone("cubefold", "verify", file)
    assert (job.status, job.out) == (1, f"{file}: steps: block [{lost['from']},{lost['to']}] is on node {lost['from']} "
                                        "at the end; not at their destinations are 1\n")


@pytest.mark.parametrize("grid", ["hypercube:4", "torus:4x4", "ring:4", "torus:4x4x4"])
def test_cc_cube_is_verified_where_all_neighbours_are_a_hop_apart(grid, tmp_path):
    job = verified(grid, "cc-cube", tmp_path / "s.json", "--placement", "xor")
    assert job.status == 0 and "conflicts" not in job.out, job.out
    assert json.loads((tmp_path / "s.json").read_text())["has_conflicts"] is False


AXES = {"line:7": ["7"], "ring:8": ["8w"], "ring:5": ["5w"], "mesh:2x3": ["2", "3"], "mesh:4x6": ["4", "6"],
        "mesh:2x16": ["2", "16"],
        "torus:6x4": ["6w", "4w"], "torus:3x5": ["3w", "5w"], "grid:4x8w": ["4", "8w"], "mesh:4x4": ["4", "4"],
        "hypercube:4": ["2"] * 4, "mesh:4x2x4": ["4", "2", "4"], "torus:3x3x4": ["3w", "3w", "4w"]}


def links_between(start, end, axes, tie):
    """Returns the directed links of the dimension-order route, as (node, axis, way)."""
    extents = [int(axis.rstrip("w")) for axis in axes]
    here, goal = coordinates(start, extents), coordinates(end, extents)
    links = []
    for axis, extent in enumerate(extents):
        up, down = (goal[axis] - here[axis]) % extent, (here[axis] - goal[axis]) % extent
        is_wrapped = axes[axis].endswith("w") and extent > 2
        tie_goes_down = up == down and tie == "balanced" and here[axis] % 2 == 1
        goes_up = goal[axis] > here[axis] if not is_wrapped else up <= down and not tie_goes_down
        while here[axis] != goal[axis]:
            links.append((node_at(here, extents), axis, goes_up))
            here[axis] = (here[axis] + (1 if goes_up else -1)) % extent
    return links


def counted(file, axes):
    """Returns start-ups and blocks of the busiest link or port over all steps of a schedule file, counted message by
    message."""
    startups = block_times = 0
    for step in file["steps"]:
        blocks, messages = Counter(), Counter()
        for message in step:
            links = links_between(message["from"], message["to"], axes, file["tie"])
            one_port = file["ports"] == "one"
            ports = [("out", message["from"] if one_port else links[0]),
                     ("in", message["to"] if one_port else links[-1])]
            messages.update(ports)
            for used in links + (ports if one_port else []):
                blocks[used] += len(message["blocks"])
        startups += max(messages.values(), default=0)
        block_times += max(blocks.values(), default=0)
    return len(file["steps"]), startups, block_times


@pytest.mark.parametrize("grid, options", combinations(
    list(AXES), [["--ports", "one"], ["--ports", "all", "--tie", "positive"]]))
def test_every_method_is_predicted_as_its_schedule_file_counts(grid, options, tmp_path):
    options = [*options, "--placement", table(grid, *options)["placement"]]
    result = table(grid, *options, "--algorithm", "all")
    more = ["shifted", "bruck:3"] + [f"cc-cube:{packets}" for packets in (2, 3) if "cc-cube" in by_method(result)]
    for candidate in result["candidates"] + table(grid, *options, "--algorithm", ",".join(more))["candidates"]:
        plan(grid, *options, "--algorithm", candidate["method"], "--json", tmp_path / "s.json")
        file = json.loads((tmp_path / "s.json").read_text())
        predicted = tuple(candidate[key] for key in ["steps", "startups", "block_times"])
        assert predicted == pytest.approx(counted(file, AXES[grid]), abs=1e-9), candidate["method"]


def test_the_schedule_of_the_choice_says_what_it_is_for(tmp_path):
    result = table("grid:8wx4", "--tie", "positive")
    plan("grid:8wx4", "--tie", "positive", "--json", tmp_path / "s.json")
    file = json.loads((tmp_path / "s.json").read_text())
    assert list(file) == ["format_version", "cubefold", "date", "has_conflicts", "grid", "ports", "tie", "placement",
                          "algorithm", "bound", "steps"]
    assert {key: file[key] for key in ["grid", "ports", "tie", "placement", "algorithm"]} == {
        "grid": "grid:8wx4", "ports": "one", "tie": "positive", "placement": result["placement"],
        "algorithm": result["choice"]}
    assert file["bound"] == {"blocks": 32, "startups": 5}
    assert len(file["steps"]) == result["candidates"][0]["steps"]


def test_standard_output_has_the_schedule_instead_of_the_text():
    job = plan("ring:4", "--json", "-")
    assert run_alone("cubefold", "verify", "-", stdin=job.out).status == 0


TIMES = ["rate_bits_per_second", "latency_seconds", "gap_seconds", "barrier_seconds", "alpha", "tau"]
COMMANDS = {"plan": ["plan", "exchange", "ring:4", "--block", "8", "--table", "-"],
            "simulate": ["simulate", "exchange", "ring:4", "--block", "8", "--json", "-"],
            "advise": ["advise", "ring:4", "--block", "8", "--json", "-"]}


def times_of(command, *options):
    job = run_alone("cubefold", *COMMANDS[command], *options)
    assert job.status == 0, job.err
    found = json.loads(job.out)
    return {key: found[key] for key in TIMES}


@pytest.mark.parametrize("command", COMMANDS)
def test_all_commands_have_one_network_by_default_and_one_set_of_units(command):
    """The step simulator has no queues; the others have a lossless network, whose gap is a quarter of the latency."""
    gap_of_latency = 1 if command == "simulate" else 0.25
    assert times_of(command) == {"rate_bits_per_second": [100e9], "latency_seconds": 1.5e-6,
                                 "gap_seconds": 1.5e-6 * gap_of_latency, "barrier_seconds": 0, "alpha": 1.5e-6,
                                 "tau": [8e-11]}
    expected = {"rate_bits_per_second": [8e9], "latency_seconds": 2e-6, "gap_seconds": 2e-6 * gap_of_latency,
                "barrier_seconds": 0, "alpha": 2e-6, "tau": [1e-9]}
    assert times_of(command, "--rate", "8gbit", "--latency", "2us") == expected
    assert times_of(command, "--tau", "1e-9", "--alpha", "2e-6") == expected


def test_rates_may_differ_between_axes():
    assert times_of("plan", "--rate", "800mbit") == {**times_of("plan"), "rate_bits_per_second": [8e8], "tau": [1e-8]}
    job = run_alone("cubefold", *COMMANDS["simulate"][:2], "torus:2x4", "--block", "8", "--rate", "8gbit,2gbit")
    assert "\nlinks of 8 Gbit/s, 2 Gbit/s (tau 1e-09,4e-09 s/B), latency 1.5 us (alpha), gap " in job.out
    expect_refused(run_alone("cubefold", *COMMANDS["advise"], "--rate", "8gbit,2gbit"),
                   "advise: 2 rates; it takes one for all links")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("one, other", [("--rate", "--tau"), ("--latency", "--alpha")])
def test_a_time_is_given_once(command, one, other):
    job = run_alone("cubefold", *COMMANDS[command], one, {"--rate": "1gbit", "--latency": "1us"}[one], other, "1")
    refused_with(job, "excludes")


MACHINE = {"format_version": 1, "grid": "torus:4x4", "processes": 16, "alpha_seconds": 5e-5, "gap_seconds": 1e-5,
           "tau_seconds_per_byte": [1e-9, 2e-9], "barrier_seconds": 1e-4, "ports": "all", "wraps": [True, True],
           "hosts": 4, "mpi": "Open MPI v4.1.4", "date": "2024-01-01T00:00:00Z"}


def with_machine(tmp_path, grid, *options):
    file = tmp_path / "machine.json"
    file.write_text(json.dumps(MACHINE))
    return file, run_alone("cubefold", "plan", "exchange", grid, "--block", 64, "--machine", file, *options)


def test_a_machine_file_has_the_constants(tmp_path):
    _, job = with_machine(tmp_path, "torus:4x4", "--table", "-")
    result = json.loads(job.out)
    assert {key: result[key] for key in ["alpha", "tau", "rate_bits_per_second", "latency_seconds", "gap_seconds",
                                         "barrier_seconds", "ports"]} == {
        "alpha": 5e-5, "tau": [1e-9, 2e-9], "rate_bits_per_second": [8e9, 4e9], "latency_seconds": 5e-5,
        "gap_seconds": 1e-5, "barrier_seconds": 1e-4, "ports": "all"}


def test_a_machine_file_for_another_grid_is_refused(tmp_path):
    file, job = with_machine(tmp_path, "mesh:4x4")
    expect_refused(job, f"machine file {file}: made for torus:4x4, not mesh:4x4")


def test_constants_beside_a_machine_file_are_refused(tmp_path):
    _, job = with_machine(tmp_path, "torus:4x4", "--alpha", 1)
    assert job.status == 2 and job.out == ""
    assert job.complaints == ["cubefold: --alpha excludes --machine (see cubefold plan exchange --help)"]


@pytest.mark.parametrize("arguments, line", [
    (["plan"], "A subcommand is required (see cubefold plan --help)"),
    (["plan", "exchange"], "GRID is required (see cubefold plan exchange --help)"),
    (["plan", "exchange", "ring:8"], "--block is required (see cubefold plan exchange --help)"),
    (["plan", "exchange", "donut:4", "--block", "8"],
     "grid 'donut:4': unknown kind 'donut'; known: torus, mesh, ring, line, hypercube, grid, hyperx, tofu, file"),
    (["plan", "exchange", "ring:8", "--block", "-8"],
     "--block: '-8' is not a number of bytes, as 4096, 8KiB or 1MiB (see cubefold plan exchange --help)"),
    (["plan", "exchange", "ring:8", "--block", "8", "--alpha", "-1"],
     "--alpha: '-1' is not a number from 0 up (see cubefold plan exchange --help)"),
    (["plan", "exchange", "ring:8", "--block", "8", "--gap", "nan"],
     "--gap: 'nan' is not a time from 0 up such as 1.5us or 800ns (see cubefold plan exchange --help)"),
    (["plan", "exchange", "ring:8", "--block", "8", "--tau", "inf"],
     "--tau: 'inf' is not a number from 0 up (see cubefold plan exchange --help)"),
    (["plan", "exchange", "ring:8", "--block", "8", "--barrier", "-1e-3"],
     "--barrier: '-1e-3' is not a time from 0 up such as 1.5us or 800ns (see cubefold plan exchange --help)"),
    (["plan", "exchange", "ring:8", "--block", "8", "--tau", "1,2"],
     "plan_exchange: 2 taus on ring:8; it takes one, or one per axis"),
    (["plan", "exchange", "ring:8", "--block", "8", "--algorithm", "fast"],
     f"--algorithm: unknown exchange method 'fast'; known: {ALGORITHMS} (see cubefold plan exchange --help)"),
    (["plan", "exchange", "ring:6", "--block", "8", "--algorithm", "cc-cube"],
     "exchange method 'cc-cube': ring:6 has 6 nodes; a hypercube needs a power of two"),
    (["plan", "exchange", "ring:6", "--block", "8", "--algorithm", "bruck:1"],
     "exchange method 'bruck:1': bruck_exchange: radix 1 is not in 2 .. 6"),
    (["plan", "exchange", "ring:6", "--block", "8", "--algorithm", "bruck:7"],
     "exchange method 'bruck:7': bruck_exchange: radix 7 is not in 2 .. 6"),
    (["plan", "exchange", "ring:8", "--block", "8", "--algorithm", "hybrid:3"],
     "exchange method 'hybrid:3': coarse_to_fine: radix 3 does not divide 8, what is left of an axis"),
    (["plan", "exchange", "ring:8", "--block", "8", "--placement", "xro"],
     "placement 'xro': unknown embedding 'xro'; did you mean 'xor'? known: identity, standard, xor, by-weight, gray"),
    (["plan", "exchange", "ring:8", "--block", "8", "--ports", "two"],
     "--ports: unknown ports 'two'; known: one, all (see cubefold plan exchange --help)"),
    (["plan", "exchange", "ring:8", "--block", "8", "--json", "-", "--table", "-"],
     "plan: --json and --table cannot both write to standard output"),
    (["plan", "exchange", "ring:8", "--block", "8", "--json", "/missing/s.json"],
     "/missing/s.json: cannot create: No such file or directory"),
    (["plan", "exchange", "ring:8", "--block", "8", "--machine", "/missing/m.json"],
     "machine file /missing/m.json: cannot read: No such file or directory"),
    (["plan", "exchange", "torus:64x64", "--block", "8", "--algorithm", "direct", "--json", "/dev/null"],
     "plan: the schedule of direct on torus:64x64 has 16773120 blocks in its messages; the most that is written is "
     "10000000"),
])
def test_refuses_what_does_not_fit_in_one_line(arguments, line):
    expect_refused(run_alone("cubefold", *arguments), line)


@pytest.mark.parametrize("words", [["plan"], ["plan", "exchange"]])
def test_help_has_examples_and_fits_a_terminal(words):
    shown = run_alone("cubefold", *words, "--help")
    assert shown.status == 0
    assert "Examples:" in shown.out
    assert max(len(line) for line in shown.out.splitlines()) <= 120


OTHER_NETWORKS = ["torus:4x4,cut=0-1", "torus:3x4~1", "hyperx:4x3", "torus:4x4,without=3-7"]


@pytest.mark.parametrize("network, ports", combinations(OTHER_NETWORKS, ["one", "all"]))
def test_schedules_on_other_networks_hold(network, ports, tmp_path):
    file = tmp_path / "schedule.json"
    assert plan(network, "--algorithm", "direct", "--ports", ports, "--json", file).status == 0
    job = run_alone("cubefold", "verify", file)
    assert (job.status, job.err) == (0, "")
    assert job.out.startswith(f"ok: direct on {network}, ports {ports}: ")


def test_a_message_that_moves_to_another_step_of_another_network_is_noticed(tmp_path):
    file = tmp_path / "schedule.json"
    plan("torus:4x4,cut=0-1", "--algorithm", "direct", "--ports", "all", "--json", file)
    schedule = json.loads(file.read_text())
    schedule["steps"][1].append(schedule["steps"][0].pop(0))
    file.write_text(json.dumps(schedule))
    job = run_alone("cubefold", "verify", file)
    assert job.status != 0
    assert re.search(r"steps\[1\]\[[0-9]+\]: the link from node [0-9]+ to node [0-9]+ carries message \[[0-9]+\] in "
                     "the same step", job.out)


def test_a_network_file_is_planned_with_its_rates_and_routes(tmp_path):
    network = tmp_path / "network.json"
    network.write_text(json.dumps({"nodes": ["a", "b", "c", "d"], "cables": [
        ["a", "b", 200], ["b", "c", 100], ["c", "d", 100], ["d", "a", 200]]}))
    routes = json.loads(run_alone("cubefold", "routes", f"file:{network}", "--json", "-").out)
    assert {(k["from"], k["to"]): k["rate"] for k in routes["links"]} == {
        (0, 1): 2, (1, 0): 2, (0, 3): 2, (3, 0): 2, (1, 2): 1, (2, 1): 1, (2, 3): 1, (3, 2): 1}
    planned = by_method(table(f"file:{network}", "--algorithm", "direct", "--ports", "all"))["direct"]
    assert planned["steps"] == 2


def test_methods_that_need_axes_refuse_other_networks():
    expect_refused(plan("hyperx:4x3", "--algorithm", "axes"),
                   "exchange method 'axes': axes needs the links of a mesh or torus; hyperx:4x3 has other links")
