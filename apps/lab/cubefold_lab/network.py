"""The network that a lab emulates, as values: its links, and the next hop from every node and switch to every node."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass

from .errors import LabError, without_program


@dataclass(frozen=True)
class Link:
    """A directed link. `index` is its number in the list of the network."""

    index: int
    source: int
    target: int
    rate: float  # in multiples of the rate of the lab's slowest links
    axis: int | None  # None where links do not follow from the axes of the grid
    direction: str | None


@dataclass(frozen=True)
class Network:
    grid: str
    tie: str
    coordinates: tuple  # of every node, axis 0 first
    links: tuple
    # [vertex][destination]: index of the first link of the route, or -1 if there is none. The vertices are first the
    # nodes and then the switches, which only pass messages on.
    next_hop: tuple

    @property
    def node_count(self):
        return len(self.coordinates)

    @property
    def switches(self):
        return range(self.node_count, len(self.next_hop))

    def has_axes(self):
        """Returns whether links follow from the axes of the grid. Otherwise the coordinates only number the nodes."""
        return all(link.axis is not None for link in self.links)

    def link_between(self, source, target):
        """Returns the link from one node to a neighbour."""
        for link in self.links:
            if (link.source, link.target) == (source, target):
                return link
        raise LabError(f"{source}-{target} is not a link of {self.grid}")

    def reverse(self, link):
        return self.link_between(link.target, link.source)

    def cables(self):
        """Returns every pair of neighbours once, as its two links."""
        return [(link, self.reverse(link)) for link in self.links if link.source < link.target]


def network_from_json(text):
    """Reads the output of `cubefold routes GRID --json -`."""
    described = json.loads(text)
    links = tuple(Link(i, link["from"], link["to"], link.get("rate", 1), link.get("axis"), link.get("direction"))
                  for i, link in enumerate(described["links"]))
    ends = {(link.source, link.target) for link in links}
    for link in links:
        if (link.target, link.source) not in ends:
            raise LabError(f"{described['grid']} has a link from {link.source} to {link.target} and none back; a lab "
                           "has cables only")
    return Network(described["grid"], described["tie"], tuple(map(tuple, described["coordinates"])), links,
                   tuple(map(tuple, described["next_hop"])))


def describe_network(cubefold, grid, tie):
    """Asks the program cubefold for the network, so that the lab has the routes of the library."""
    asked = subprocess.run([cubefold, "routes", grid, "--tie", tie, "--json", "-"], capture_output=True, text=True)
    if asked.returncode != 0:
        raise LabError(without_program(asked.stderr) or f"cubefold routes {grid} failed")
    return network_from_json(asked.stdout)


def parse_cable(text, network):
    """Returns the two links between nodes 3 and 4 for the text `3-4`."""
    match = re.fullmatch(r"([0-9]+)-([0-9]+)", text)
    if not match:
        raise LabError(f"'{text}' is not a link written as two nodes, as in 3-4")
    a, b = int(match[1]), int(match[2])
    return network.link_between(a, b), network.link_between(b, a)
