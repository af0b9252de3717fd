#!@CUBEFOLD_INTERPRETER@
"""The flow optimum of the complete exchange: no exchange moves blocks over the links of a network in less time.

A linear programme finds the maximum concurrent flow. Every node sends one block to each other node, and a block may be
split over any routes. The result is in block-times: the load of the busiest link when it is as small as possible.

The program flow_optimum.py PORTS NETWORK prints it for the network of a JSON file, which has the number of nodes, their
coordinates, and links (from, to, and optionally rate); PORTS is one or all.
"""

import json
import sys
from itertools import combinations
from math import inf
from pathlib import Path

try:
    import numpy
    from scipy.optimize import linprog
    from scipy.sparse import csr_array
except ImportError:
    sys.exit("python3-scipy is not installed")


def _is_symmetry(nodes, capacities):
    return {(nodes[a], nodes[b]): rate for (a, b), rate in capacities.items()} == capacities


def _orbits(items, moves):
    """Returns the orbits of the items under these permutations, as lists."""
    orbits, seen = [], set()
    for first in items:
        if first in seen:
            continue
        seen.add(first)
        orbit = [first]
        for item in orbit:
            new = {move(item) for move in moves} - seen
            seen |= new
            orbit += sorted(new)
        orbits.append(orbit)
    return orbits


def _matrix(entries, shape):
    rows, columns, values = zip(*entries)
    return csr_array((values, (rows, columns)), shape=shape)


def _conservation(vertex_count, sources, ends):
    """Returns the matrix of inflow minus outflow, by source and vertex, over the flows by source and link."""
    entries = []
    for i in range(len(sources)):
        for column, (start, end) in enumerate(ends, i * len(ends)):
            entries += [(i * vertex_count + end, column, 1), (i * vertex_count + start, column, -1)]
    return _matrix(entries, (len(sources) * vertex_count, len(sources) * len(ends) + 1))


def _loads(weights, link_orbits, capacities, number):
    """Returns the matrix of the load of each orbit of links minus its capacity in the time of the last variable."""
    time = len(weights) * len(number)
    entries = []
    for row, orbit in enumerate(link_orbits):
        entries += [(row, i * len(number) + number[link], weight) for i, weight in enumerate(weights) for link in orbit]
        entries.append((row, time, -sum(capacities[link] for link in orbit)))
    return _matrix(entries, (len(link_orbits), time + 1))


def _received(node_count, vertex_count, source):
    """Returns the blocks of the source that each vertex keeps: a node one, a switch none, the source minus all."""
    blocks = numpy.zeros(vertex_count)
    blocks[:node_count] = 1
    blocks[source] = 1 - node_count
    return blocks


def _least_load(node_count, capacities, symmetries):
    """Returns the load of the busiest link under the best flows. Symmetries need only one source and one load for each
    orbit, because the average of best flows over all symmetries is a best flow too."""
    source_orbits = _orbits(range(node_count), [nodes.__getitem__ for nodes in symmetries])
    link_orbits = _orbits(capacities, [lambda link, nodes=nodes: (nodes[link[0]], nodes[link[1]])
                                       for nodes in symmetries])
    sources = [orbit[0] for orbit in source_orbits]
    number = {link: i for i, link in enumerate(capacities)}
    vertex_count = max(node_count, 1 + max(max(link) for link in capacities))
    balance = _conservation(vertex_count, sources, list(capacities))
    loads = _loads([len(orbit) for orbit in source_orbits], link_orbits, capacities, number)
    cost = numpy.zeros(balance.shape[1])
    cost[-1] = 1
    found = linprog(cost, A_ub=loads, b_ub=numpy.zeros(len(link_orbits)), A_eq=balance,
                    b_eq=numpy.concatenate([_received(node_count, vertex_count, source) for source in sources]),
                    method="highs")
    if found.status == 2:
        return inf
    if found.status != 0:
        raise RuntimeError(f"flow optimum: {found.message}")
    return found.fun


def optimum_blocks(node_count, capacities, ports, symmetries=()):
    """Returns the least block-times of a complete exchange. `capacities` has the rate of every directed link, by its
    ends (from, to). Vertices from node_count on are switches, which only pass blocks on. A port carries only the blocks
    of its own node, as in the lab, so one port needs one block-time for each other node. Nodes that cannot reach each
    other give infinity.

    `symmetries` are permutations of the nodes, as lists, that keep the links. They do not change the result. The
    torus:8x8 takes 15 s without them, and 0.01 s with those of grid_symmetries()."""
    if node_count < 2:
        return 0
    if not all(_is_symmetry(nodes, capacities) for nodes in symmetries):
        raise ValueError("flow optimum: a permutation of the nodes does not keep the links")
    load = _least_load(node_count, capacities, symmetries) if capacities else inf
    return max(load, node_count - 1) if ports == "one" else load


def _moves(extents):
    """Yields functions over coordinates that are symmetries of a torus or of a mesh."""
    for axis, extent in enumerate(extents):
        yield lambda at, axis=axis, extent=extent: (*at[:axis], (at[axis] + 1) % extent, *at[axis + 1:])
        yield lambda at, axis=axis, extent=extent: (*at[:axis], extent - 1 - at[axis], *at[axis + 1:])
    for a, b in combinations(range(len(extents)), 2):
        if extents[a] == extents[b]:
            yield lambda at, a=a, b=b: tuple(at[{a: b, b: a}.get(axis, axis)] for axis in range(len(at)))


def grid_symmetries(coordinates, capacities):
    """Returns the shifts, reflections and exchanges of axes that keep the links, as permutations of the nodes, or none
    if there are switches."""
    if any(max(link) >= len(coordinates) for link in capacities):
        return []
    node_at = {tuple(at): node for node, at in enumerate(coordinates)}
    moves = _moves([1 + max(values) for values in zip(*coordinates)])
    permutations = [[node_at[move(tuple(at))] for at in coordinates] for move in moves]
    return [nodes for nodes in permutations if _is_symmetry(nodes, capacities)]


def optimum_of(network, ports):
    """Returns optimum_blocks() of a network as the program reads it, which `cubefold routes` writes, too."""
    capacities = {(link["from"], link["to"]): link.get("rate", 1) for link in network["links"]}
    return optimum_blocks(network["nodes"], capacities, ports, grid_symmetries(network["coordinates"], capacities))


if __name__ == "__main__":
    print(optimum_of(json.loads(Path(sys.argv[2]).read_text()), sys.argv[1]))
