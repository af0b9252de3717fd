"""The planner of the Python package: networks, placements, schedules, orders of bits and the search for placements."""

import copy
import json
import os
import pickle
import subprocess
import sys
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(os.environ["CUBEFOLD_BUILD"]) / "python"))
import cubefold  # noqa: E402

NETWORKS = ["torus:4x4", "mesh:4x2", "hypercube:3", "ring:8", "torus:4x4,cut=0-1", "hyperx:3x4", "line:1"]


def hops(a, b, extents):
    """The distance of two nodes of a torus, from their coordinates, axis 0 fastest."""
    total = 0
    for extent in extents:
        steps = abs(a % extent - b % extent)
        total += min(steps, extent - steps)
        a, b = a // extent, b // extent
    return total


@pytest.mark.parametrize("name", NETWORKS)
def test_routes_follow_links_from_end_to_end(name):
    grid = cubefold.Grid(name)
    links = set(map(tuple, grid.links()))
    for a in range(grid.node_count):
        for b in range(grid.node_count):
            route = grid.route(a, b)
            assert (route[0], route[-1]) == (a, b)
            assert set(zip(route, route[1:])) <= links


def test_routes_of_a_torus_are_shortest():
    grid = cubefold.Grid("torus:4x6")
    for a in range(24):
        for b in range(24):
            assert len(grid.route(a, b)) - 1 == hops(a, b, [4, 6])


@pytest.mark.parametrize("name", NETWORKS)
def test_link_loads_count_the_messages_of_all_routes(name):
    grid = cubefold.Grid(name)
    messages = [(a, b, a + 1) for a, b in permutations(range(grid.node_count), 2)]
    expected = dict.fromkeys(map(tuple, grid.links()), 0)
    for a, b, count in messages:
        route = grid.route(a, b)
        for link in zip(route, route[1:]):
            expected[link] += count
    assert list(grid.link_loads(np.array(messages))) == [expected[tuple(link)] for link in grid.links()]


@pytest.mark.parametrize("name", ["identity", "standard", "xor", "gray", "by-weight", "xor/gray,bits=cyclic"])
def test_a_placement_is_a_bijection(name):
    placement = cubefold.Placement(cubefold.Grid("torus:4x4"), name)
    assert list(placement.rank_of_node[placement.node_of_rank]) == list(range(16))
    assert str(placement) == name


def test_cube_neighbours_are_one_hop_apart_under_xor_on_rings_of_four():
    nodes = cubefold.Placement(cubefold.Grid("torus:4x4"), "xor").node_of_rank
    for rank in range(16):
        assert all(hops(nodes[rank], nodes[rank ^ 1 << bit], [4, 4]) == 1 for bit in range(4))


@pytest.mark.parametrize("method", ["direct", "axes", "store-and-forward", "bruck:2", "cc-cube"])
def test_a_schedule_delivers_every_block(method):
    steps = cubefold.schedule(cubefold.Placement(cubefold.Grid("torus:4x4"), "xor"), method)
    place = {(a, b): a for a, b in permutations(range(16), 2)}
    for step in steps:
        moved = {tuple(block): (sender, receiver) for sender, receiver, blocks in step for block in blocks}
        for block, (sender, receiver) in moved.items():
            assert place[block] == sender
            place[block] = receiver
    assert all(where == destination for (_, destination), where in place.items())


def test_a_plan_lists_methods_from_fast_to_slow_and_explains_the_choice():
    plan = cubefold.plan_exchange(cubefold.Placement(cubefold.Grid("torus:4x4"), "xor"), 1024)
    assert plan.method == plan.methods[0][0]
    assert "torus:4x4" in plan.explanation and plan.method in plan.explanation
    assert all(seconds > 0 for _, seconds in plan.methods)


def test_an_optimal_order_leaves_a_bit_reversal_one_message_on_every_link():
    assert max(cubefold.contention("bit-reversal", 6)) == 4
    order = cubefold.optimal_order("bit-reversal", 6)
    placement = cubefold.Placement(cubefold.Grid("hypercube:6"), "identity,order=" + "-".join(map(str, order)))
    nodes = placement.node_of_rank
    messages = [(nodes[rank], nodes[int(f"{rank:06b}"[::-1], 2)]) for rank in range(64)]
    assert max(placement.grid.link_loads(np.array(messages))) == 1


def test_a_matrix_and_the_phase_that_it_describes_get_one_placement():
    grid = cubefold.Grid("torus:4x4")
    matrix = np.array([[float((a ^ b).bit_count() == 1) for b in range(16)] for a in range(16)])
    found = cubefold.choose_placement(grid, matrix, objective="hop-bytes")
    assert found.optimal and found.value == found.lower_bound == 64
    assert sorted(found.node_of_rank) == list(range(16))
    named = cubefold.choose_placement(grid, "cube", objective="hop-bytes")
    assert named.value == found.value
    nodes = cubefold.Placement(grid, named.placement).node_of_rank
    assert list(nodes) == list(named.node_of_rank)


@pytest.mark.parametrize("protocol", [2, pickle.HIGHEST_PROTOCOL])
@pytest.mark.parametrize("name", NETWORKS)
def test_grids_and_placements_are_pickled_and_copied(name, protocol):
    grid = cubefold.Grid(name)
    placement = cubefold.Placement(grid, "identity")
    for value in [grid, placement]:
        for same in [pickle.loads(pickle.dumps(value, protocol)), copy.copy(value), copy.deepcopy(value)]:
            assert same is not value and same == value and hash(same) == hash(value) and repr(same) == repr(value)
    assert placement != cubefold.Placement(cubefold.Grid("ring:5")) and grid != cubefold.Grid("ring:5")
    assert (grid == name, placement == name) == (False, False)


def test_a_copied_placement_puts_ranks_on_the_same_nodes():
    for text in ["xor,order=3-1-2-0", "auto:cube", "nodes=" + "-".join(map(str, reversed(range(16))))]:
        placement = cubefold.Placement(GRID, text)
        assert list(pickle.loads(pickle.dumps(placement)).node_of_rank) == list(placement.node_of_rank)


def test_plans_and_mappings_are_pickled_and_copied():
    plan = cubefold.plan_exchange(PLACEMENT, 1024)
    for same in [pickle.loads(pickle.dumps(plan)), copy.copy(plan), copy.deepcopy(plan)]:
        assert (same.method, same.methods, same.explanation) == (plan.method, plan.methods, plan.explanation)
    for found in [cubefold.choose_placement(GRID, "cube"),
                  cubefold.choose_placement(GRID, "halo:8x8", per_node=4, bricks="8x8/2x2")]:
        for same in [pickle.loads(pickle.dumps(found)), copy.copy(found), copy.deepcopy(found)]:
            assert (same.placement, same.bricks, same.value, same.lower_bound, same.optimal) == (
                found.placement, found.bricks, found.value, found.lower_bound, found.optimal)
            assert list(same.node_of_rank) == list(found.node_of_rank)


def test_a_grid_whose_file_has_changed_is_refused_when_it_is_read_from_a_pickle(tmp_path):
    file = tmp_path / "network.json"
    network = {"nodes": list("abcd"), "cables": [["a", "b"], ["b", "c"], ["c", "d"], ["d", "a"]]}
    file.write_text(json.dumps(network))
    pickled = pickle.dumps(cubefold.Grid(f"file:{file}"))
    assert pickle.loads(pickled) == cubefold.Grid(f"file:{file}")
    file.write_text(json.dumps({**network, "cables": network["cables"][:3]}))
    with pytest.raises(ValueError, match="has other links than the one that was pickled"):
        pickle.loads(pickled)


GRID = cubefold.Grid("torus:4x4")
PLACEMENT = cubefold.Placement(GRID, "xor")


@pytest.mark.parametrize("call, text", [
    (lambda: cubefold.Grid("torus:4x0"), "torus:4x0"),
    (lambda: cubefold.Placement(GRID, "xorr"), "xorr"),
    (lambda: GRID.route(0, 16), "node 16 is none of 0 .. 15"),
    (lambda: GRID.route(-1, 0), "node -1 is none of 0 .. 15"),
    (lambda: GRID.route(0, 1, "none"), "none"),
    (lambda: GRID.link_loads([(0, 99)]), "node 99 is none of 0 .. 15"),
    (lambda: GRID.link_loads([(0, 1, -2)]), "a count of -2 messages is negative"),
    (lambda: GRID.link_loads([(0.5, 1)]), "messages are not rows of two or three integers"),
    (lambda: GRID.link_loads([0, 1]), "messages are not rows of two or three integers"),
    (lambda: GRID.link_loads([(0, 1), (1,)]), "messages are no array"),
    (lambda: cubefold.schedule(PLACEMENT, "bruk"), "bruk"),
    (lambda: cubefold.schedule(PLACEMENT, "direct", ports="two"), "two"),
    (lambda: cubefold.plan_exchange(PLACEMENT, 8, machine_file="missing.json"), "missing.json"),
    (lambda: cubefold.optimal_order("bit-reversall", 4), "bit-reversall"),
    (lambda: cubefold.optimal_order("bit-reversal", -1), "-1"),
    (lambda: cubefold.optimal_order("bit-reversal", 65), "65"),
    (lambda: cubefold.choose_placement(GRID, "cuube"), "cuube"),
    (lambda: cubefold.choose_placement(GRID, "cube", objective="none"), "objective 'none' is none of"),
    (lambda: cubefold.choose_placement(GRID, np.ones((4, 4))), "not a matrix of 16 x 16 ranks"),
    (lambda: cubefold.choose_placement(GRID, -np.ones((16, 16))), "neither 0 nor between"),
    (lambda: cubefold.choose_placement(GRID, "cube", per_node=0), "per_node"),
    (lambda: cubefold.choose_placement(GRID, "cube", per_node=2**60), "per_node"),
    (lambda: cubefold.choose_placement(GRID, "cube", per_node=2, bricks="8x4/3x1"), "3 does not divide 8"),
    (lambda: cubefold.choose_placement(GRID, "cube", per_node=2, bricks="8x8"), "8x8 has not 32 ranks"),
])
def test_a_mistake_is_a_value_error_that_names_the_value(call, text):
    with pytest.raises(ValueError) as error:
        call()
    assert text in str(error.value) and "\n" not in str(error.value)


def test_the_planner_imports_no_mpi():
    program = "import sys, cubefold; assert not any(name.startswith('mpi4py') for name in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True,
                   env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
