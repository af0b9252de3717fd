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


def test_complains_of_a_full_disk_behind_standard_output():
    with open("/dev/full", "w") as full:
        done = subprocess.run([BUILD / "bin" / "cubefold", "routes", "ring:4"], stdout=full, stderr=subprocess.PIPE,
                              text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr == "cubefold: cannot write to standard output: No space left on device\n"
