"""The flow optimum of networks, by linear programming, and the planner that asks for it."""

import json
import os
import sys
from itertools import product
from math import inf
from pathlib import Path

import pytest

from jobs import expect_refused, run_alone

sys.path.insert(0, str(Path(os.environ["CUBEFOLD_SOURCE"]) / "apps" / "planner"))
pytest.importorskip("scipy", reason="python3-scipy is not installed")
import flow_optimum as flow  # noqa: E402


def places(extents):
    return [at[::-1] for at in product(*map(range, reversed(extents)))]


def torus(*extents):
    """Returns the coordinates and the directed links. An axis of two nodes has one cable."""
    at = places(extents)
    steps = [(axis, way) for axis in range(len(extents)) for way in (1, -1)]
    links = {(node, at.index((*a[:axis], (a[axis] + way) % extents[axis], *a[axis + 1:])))
             for node, a in enumerate(at) for axis, way in steps if extents[axis] > 1}
    return at, dict.fromkeys(sorted(links), 1)


def mesh(*extents):
    at = places(extents)
    return at, {(a, b): 1 for a, b in torus(*extents)[1] if sum(abs(x - y) for x, y in zip(at[a], at[b])) == 1}


def without_cable(links, a, b):
    return {link: rate for link, rate in links.items() if link not in [(a, b), (b, a)]}


@pytest.mark.parametrize("network, blocks", [
    (torus(4, 4), 8), (torus(4, 8), 32), (torus(3, 3, 3), 9), (torus(2, 3, 2), 6), (mesh(4, 4), 16), (mesh(3, 7), 36),
    (torus(2), 1), (mesh(3), 2), (torus(1), 0)])
def test_finds_known_optima_with_and_without_symmetries(network, blocks):
    coordinates, links = network
    count = len(coordinates)
    assert flow.optimum_blocks(count, links, "all") == pytest.approx(blocks)
    symmetries = flow.grid_symmetries(coordinates, links)
    assert flow.optimum_blocks(count, links, "all", symmetries) == pytest.approx(blocks)
    assert flow.optimum_blocks(count, links, "one", symmetries) == pytest.approx(max(blocks, count - 1))


def test_a_cut_cable_costs_less_than_its_share_because_blocks_take_other_routes():
    coordinates, links = torus(4, 4)
    cut = without_cable(links, 0, 1)
    assert flow.optimum_blocks(16, cut, "all") == pytest.approx(64 / 7)  # 9.142857
    assert flow.optimum_blocks(16, cut, "all", flow.grid_symmetries(coordinates, cut)) == pytest.approx(64 / 7)


def test_links_of_twice_the_rate_carry_twice_as_much():
    coordinates, links = torus(5)
    fast = dict.fromkeys(links, 2)
    assert flow.optimum_blocks(5, links, "all") == pytest.approx(3)
    assert flow.optimum_blocks(5, fast, "all", flow.grid_symmetries(coordinates, fast)) == pytest.approx(1.5)


@pytest.mark.parametrize("links", [[], [(0, 1), (1, 0)], [(0, 1), (1, 2)]])
def test_nodes_that_cannot_reach_each_other_never_exchange(links):
    capacities = dict.fromkeys(links, 1)
    assert flow.optimum_blocks(3, capacities, "all") == inf
    assert flow.optimum_blocks(3, capacities, "one") == inf


def test_a_torus_has_shifts_and_a_mesh_only_reflections():
    def orbit_count(network):
        return len(flow._orbits(range(16), [nodes.__getitem__ for nodes in flow.grid_symmetries(*network)]))

    assert (orbit_count(torus(4, 4)), orbit_count(mesh(4, 4)), orbit_count(mesh(2, 8))) == (1, 3, 4)
    coordinates, links = torus(4, 4)
    assert flow.grid_symmetries(coordinates, without_cable(links, 0, 1)) == []


@pytest.mark.parametrize("grid, blocks", [
    ("torus:8x8", 64), ("grid:3wx4", 12), ("ring:2", 1), ("hypercube:4", 8), ("torus:4x4,cut=0-1", 64 / 7),
    ("torus:4x8~4", 21), ("hyperx:6x4", 6), ("hyperx:12x8", 12), ("ring:9,cut=0-1", 20), ("ring:6,without=1-3-5", 1),
    ("torus:4x4,hosts=2", 32), ("hypercube:4,hosts=4", 128)])
def test_reads_the_networks_of_the_planner(grid, blocks):
    network = json.loads(run_alone("cubefold", "routes", grid, "--json", "-").out)
    assert flow.optimum_of(network, "all") == pytest.approx(blocks)
    assert flow.optimum_of(network, "one") == pytest.approx(max(blocks, network["nodes"] - 1))


def test_refuses_a_permutation_that_does_not_keep_the_links():
    with pytest.raises(ValueError, match="does not keep the links"):
        flow.optimum_blocks(4, mesh(4)[1], "all", [[1, 2, 3, 0]])


def bound_of(*command):
    table = json.loads(run_alone("cubefold", "plan", "exchange", *command, "--block", "1", "--alpha", "0", "--bound",
                                 "lp", "--table", "-").out)
    return table["bound_seconds"]


def test_the_planner_takes_the_flow_optimum_as_its_bound():
    assert bound_of("torus:4x4,cut=0-1", "--ports", "all", "--tau", "1") == pytest.approx(64 / 7)
    assert bound_of("torus:4x4,cut=0-1", "--ports", "one", "--tau", "1") == pytest.approx(15)
    assert bound_of("mesh:4x4", "--ports", "all", "--tau", "2,1") == pytest.approx(32)


def test_the_planner_says_what_is_missing(tmp_path):
    python = tmp_path / "scipy.py"
    python.write_text("raise ImportError\n")
    failed = run_alone("cubefold", "plan", "exchange", "ring:4", "--block", "1", "--bound", "lp",
                       env={"PYTHONPATH": str(tmp_path)})
    expect_refused(failed, "--bound lp: python3-scipy is not installed")
