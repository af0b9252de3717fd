"""The report of ./dev bench about exchanges: the flow optimum of networks, and the texts of results."""

import json
import os
import sys
from itertools import product
from math import inf, prod
from pathlib import Path

import pytest

from jobs import run_alone

sys.path.insert(0, str(Path(os.environ["CUBEFOLD_SOURCE"]) / "tests" / "bench"))
pytest.importorskip("scipy", reason="./dev bench installs python3-scipy")
from report import flow  # noqa: E402


def places(extents):
    return [at[::-1] for at in product(*map(range, reversed(extents)))]


def torus(*extents):
    """Returns the coordinates and the directed links. An axis of two nodes has one cable."""
    at = places(extents)
    steps = [(axis, way) for axis in range(len(extents)) for way in (1, -1)]
    links = {(node, at.index((*a[:axis], (a[axis] + way) % extents[axis], *a[axis + 1:])))
             for node, a in enumerate(at) for axis, way in steps if extents[axis] > 1}
    return at, sorted(links)


def mesh(*extents):
    at = places(extents)
    return at, [(a, b) for a, b in torus(*extents)[1] if sum(abs(x - y) for x, y in zip(at[a], at[b])) == 1]


def without_cable(links, a, b):
    return [link for link in links if link not in [(a, b), (b, a)]]


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


def test_two_links_between_the_same_nodes_carry_twice_as_much():
    coordinates, links = torus(5)
    assert flow.optimum_blocks(5, links, "all") == pytest.approx(3)
    assert flow.optimum_blocks(5, links * 2, "all", flow.grid_symmetries(coordinates, links * 2)) == pytest.approx(1.5)


@pytest.mark.parametrize("links", [[], [(0, 1), (1, 0)], [(0, 1), (1, 2)]])
def test_nodes_that_cannot_reach_each_other_never_exchange(links):
    assert flow.optimum_blocks(3, links, "all") == inf
    assert flow.optimum_blocks(3, links, "one") == inf


def test_a_torus_has_shifts_and_a_mesh_only_reflections():
    def orbit_count(network):
        return len(flow._orbits(range(16), [nodes.__getitem__ for nodes in flow.grid_symmetries(*network)]))

    assert (orbit_count(torus(4, 4)), orbit_count(mesh(4, 4)), orbit_count(mesh(2, 8))) == (1, 3, 4)
    coordinates, links = torus(4, 4)
    assert flow.grid_symmetries(coordinates, without_cable(links, 0, 1)) == []


@pytest.mark.parametrize("grid, blocks", [("torus:8x8", 64), ("grid:3wx4", 12), ("ring:2", 1), ("hypercube:4", 8)])
def test_reads_the_networks_of_the_planner(grid, blocks):
    network = json.loads(run_alone("cubefold", "routes", grid, "--json", "-").out)
    assert flow.optimum_of(network, "all") == pytest.approx(blocks)
    assert flow.optimum_of(network, "one") == pytest.approx(max(blocks, network["nodes"] - 1))


def test_refuses_a_permutation_that_does_not_keep_the_links():
    with pytest.raises(ValueError, match="does not keep the links"):
        flow.optimum_blocks(4, mesh(4)[1], "all", [[1, 2, 3, 0]])


def row(algorithm, block_bytes, seconds, **more):
    return {"grid": "torus:4x4", "rate": "10mbit", "ports": "one", "queue": "64kb", "bound_seconds": 1e-3,
            "block_bytes": block_bytes, "algorithm": algorithm, "method": "direct", "sync": "data", "seconds": seconds,
            "predicted_seconds": 2e-3, "choice": "blocks of 8 bytes: direct, fastest of up to 5 calls of each; ...",
            **more}


def network_rows(**more):
    return [row(name, size, [seconds], **more) for size in (1024, 8192)
            for name, seconds in [("cubefold_alltoall", 2e-3), ("plan", 2e-3), ("MPI_Alltoall", 4e-3),
                                  ("MPICH bruck", 5e-3), ("MPICH scattered", 3.5e-3), ("MPICH pairwise", 3e-3)]]


@pytest.fixture(scope="module")
def exchange():
    pytest.importorskip("matplotlib", reason="./dev bench installs python3-matplotlib")
    from report import exchange as section
    return section


def test_names_the_best_of_mpi_and_the_ratios_to_the_flow_optimum(exchange, tmp_path):
    texts = exchange.render([network_rows(optimum_seconds=1e-3)], tmp_path)
    assert "| *flow optimum* | 1.00 | 1.00 |" in texts["exchange_tables"]
    assert "1.50 (MPICH pairwise)" in texts["exchange_speed_ups"]
    headers = 1514 / 1448
    assert f"| {2 / headers:.2f} / {3 / headers:.2f} |" in texts["exchange_optimum"]
    assert f"takes {2 / headers:.2f} times the flow optimum" in texts["exchange_optimum"]


def test_publishes_results_of_before_the_flow_optimum_was_computed(exchange, tmp_path):
    texts = exchange.render([network_rows()], tmp_path)
    assert "flow optimum" not in texts["exchange_tables"]
    assert texts["exchange_optimum"] == "The last run did not compute the flow optimum."
    report = Path(os.environ["CUBEFOLD_SOURCE"]) / "docs" / "performance" / "report.json"
    published = json.loads(report.read_text())["sections"]["exchange"]
    assert exchange.render(published, tmp_path).keys() == texts.keys()


def test_the_bound_of_the_report_is_the_flow_optimum_of_its_networks(exchange):
    for lab, _ in exchange._networks(full=True):
        extents = exchange._extents(lab.grid)
        coordinates, links = mesh(*extents) if lab.grid.startswith("mesh") else torus(*extents)
        optimum = flow.optimum_blocks(prod(extents), links, lab.ports, flow.grid_symmetries(coordinates, links))
        assert optimum == pytest.approx(exchange.bound_blocks(lab.grid, lab.ports)), lab
