"""cubefold as its users meet it: without MPI, one subcommand a question."""

import json
import subprocess

import pytest

from jobs import BUILD, expect_refused, run_alone


def plan(*arguments, **options):
    return run_alone("cubefold", *arguments, **options)


def json_of(*arguments):
    job = plan(*arguments, "--json", "-")
    assert job.status == 0, job.err
    return json.loads(job.out)


def test_says_what_it_can_do_when_it_is_asked_nothing():
    alone, asked = plan(), plan("--help")
    assert alone.status == asked.status == 0
    assert alone.out == asked.out
    assert "Subcommands:" in alone.out
    assert "Examples:" in alone.out


def subcommands():
    lines = plan().out.split("Subcommands:\n")[1].split("\n\n")[0].splitlines()
    return [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "]


def test_every_subcommand_has_help_with_examples_that_fit_a_terminal():
    assert "routes" in subcommands()
    for name in subcommands():
        shown = plan(name, "--help")
        assert shown.status == 0
        assert "Example" in shown.out, name
        assert max(len(line) for line in shown.out.splitlines()) <= 120, name


def test_has_a_version():
    assert plan("--version").out.strip() == "cubefold 0.1.0"


@pytest.mark.parametrize("arguments, end", [(["fold"], "(see cubefold --help)"), (["routes"], "(see cubefold routes --help)"),
                                            (["routes", "ring:4", "more"], "(see cubefold routes --help)")])
def test_an_unknown_word_is_answered_with_where_to_look(arguments, end):
    job = plan(*arguments)
    assert job.status == 2
    assert len(job.complaints) == len(job.err.splitlines()) == 1
    assert job.err.strip().endswith(end)


@pytest.mark.parametrize("arguments, line", [
    (["routes", "donut:4"], "grid 'donut:4': unknown kind 'donut'; known: torus, mesh, ring, line, hypercube, grid"),
    (["routes", "ring:4097"], "routes: ring:4097 has 4097 nodes; the most is 4096"),
    (["routes", "ring:4", "--tie", "up"], "--tie: unknown value 'up'; known: positive, balanced"),
    (["simulate", "exchange", "ring:6", "--block", "8"], "ring:6 has 6 nodes; a hypercube needs a power of two"),
    (["simulate", "exchange", "ring:4096", "--block", "8"], "simulate: ring:4096 has 4096 nodes; the most is 2048"),
    (["simulate", "exchange", "ring:8", "--block", "8", "--placement", "xro"],
     "placement 'xro': unknown embedding 'xro'; known: identity, standard, xor, by-weight, gray"),
    (["simulate", "exchange", "ring:8", "--block", "8", "--ports", "two"],
     "--ports: unknown value 'two'; known: one, all"),
    (["simulate", "exchange", "ring:8", "--block", "8", "--alpha", "-1"], "simulate_steps: alpha -1 is not a time"),
    (["simulate", "exchange", "ring:8", "--block", "8", "--tau", "1,2"],
     "simulate_steps: 2 taus on ring:8; it takes one, or one per axis"),
    (["simulate", "exchange", "ring:8", "--block", "-8"],
     "--block: size -8 is negative (see cubefold simulate exchange --help)"),
    (["simulate"], "A subcommand is required (see cubefold simulate --help)"),
    (["routes", "ring:4", "--json", "/missing/routes.json"], "/missing/routes.json: cannot create: No such file or directory"),
])
def test_refuses_what_does_not_fit_in_one_line(arguments, line):
    expect_refused(plan(*arguments), line)


def axis_steps(start, end, extent, wraps, tie):
    """The signed way of a message along one axis, by the words of docs/notation.md."""
    if not wraps:
        return end - start
    up = (end - start) % extent
    if 2 * up == extent:
        return -up if tie == "balanced" and start % 2 == 1 else up
    return up if 2 * up < extent else up - extent


def route(network, axes, start, end):
    """Coordinates that a message passes: axis 0 first."""
    here, passed = list(network["coordinates"][start]), []
    for axis, (extent, wraps) in enumerate(axes):
        steps = axis_steps(here[axis], network["coordinates"][end][axis], extent, wraps, network["tie"])
        for _ in range(abs(steps)):
            here[axis] = (here[axis] + (1 if steps > 0 else -1)) % extent
            passed.append(list(here))
    return passed


@pytest.mark.parametrize("tie", ["positive", "balanced"])
@pytest.mark.parametrize("grid, axes", [("line:5", [(5, False)]), ("ring:8", [(8, True)]), ("ring:2", [(2, False)]),
                                        ("grid:4wx3", [(4, True), (3, False)]), ("torus:4x6", [(4, True), (6, True)]),
                                        ("hypercube:3", [(2, False)] * 3), ("torus:1x3", [(1, False), (3, True)])])
def test_next_hops_followed_from_node_to_node_are_the_dimension_order_routes(grid, axes, tie):
    network = json_of("routes", grid, "--tie", tie)
    assert (network["grid"], network["tie"]) == (grid, tie)
    assert network["nodes"] == len(network["coordinates"]) == len(network["next_hop"])
    for start in range(network["nodes"]):
        for end in range(network["nodes"]):
            here, passed = start, []
            while (index := network["next_hop"][here][end]) >= 0:
                link = network["links"][index]
                assert link["from"] == here
                here = link["to"]
                passed.append(network["coordinates"][here])
            assert here == end
            assert passed == route(network, axes, start, end)


def test_routes_lists_every_directed_link_once():
    links = json_of("routes", "grid:4wx3")["links"]
    assert len({(link["from"], link["to"]) for link in links}) == len(links) == 3 * 8 + 4 * 4
    assert links[0] == {"from": 0, "to": 1, "axis": 0, "direction": "positive"}
    assert links[1] == {"from": 0, "to": 3, "axis": 0, "direction": "negative"}


def test_routes_prints_a_table_and_writes_the_same_json_to_a_file(tmp_path):
    path = tmp_path / "routes.json"
    job = plan("routes", "torus:4x4", "--json", path)
    assert job.status == 0
    assert "torus:4x4, balanced ties: 16 nodes, 64 directed links" in job.out
    assert json.loads(path.read_text()) == json_of("routes", "torus:4x4")


# Stage i of the exchange on a line of 8 puts 2^i messages of 4 blocks on the busiest link: 4, 8 and 16 blocks of 10 bytes.
def test_simulate_costs_the_exchange_step_by_step():
    result = json_of("simulate", "exchange", "line:8", "--placement", "standard", "--block", 10, "--alpha", 1000, "--tau", 1)
    assert [step["seconds"] for step in result["steps"]] == [1040, 1080, 1160]
    assert [step["busiest_link_bytes"] for step in result["steps"]] == [40, 80, 160]
    assert all((step["messages"], step["startups"]) == (8, 1) for step in result["steps"])
    assert result["total_seconds"] == 3280
    assert result["bound_seconds"] == 3 * 1000 + 8 * 8 / 4 * 10
    assert (result["grid"], result["placement"], result["ports"], result["tie"]) == ("line:8", "standard", "one", "balanced")
    assert (result["alpha"], result["tau"], result["block_bytes"]) == (1000, [1], 10)


def test_simulate_lists_the_bytes_of_every_link_that_routes_lists():
    result = json_of("simulate", "exchange", "torus:4x4", "--placement", "xor", "--block", "1KiB")
    links = json_of("routes", "torus:4x4")["links"]
    assert [{key: link[key] for key in ["from", "to", "axis", "direction"]} for link in result["links"]] == links
    # Every neighbour is one hop away: each of 16 ranks sends 8 blocks over one link in each of 4 steps.
    assert [link["bytes"] for link in result["links"]] == [8 * 1024] * 64


def test_simulate_prints_a_table_with_the_ratio_to_the_bound():
    job = plan("simulate", "exchange", "hypercube:4", "--block", "1MiB", "--alpha", 0, "--tau", 1e-9)
    assert job.out.splitlines()[-1].split() == ["total", "/", "bound", "2.133"]  # 4 x 8 blocks sent, 15 the least
    assert len({len(line) for line in job.out.splitlines()[3:8]}) == 1


def test_complains_of_a_full_disk_behind_standard_output():
    with open("/dev/full", "w") as full:
        done = subprocess.run([BUILD / "bin" / "cubefold", "routes", "ring:4"], stdout=full, stderr=subprocess.PIPE,
                              text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr == "cubefold: cannot write to standard output: No space left on device\n"
