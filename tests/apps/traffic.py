"""Counts what programs send by Open MPI's monitoring, and computes slowly by which links it should travel."""

import re
from collections import Counter

import pytest


def monitored(folder):
    """Returns the environment in which every process writes down what it sends."""
    return {"OMPI_MCA_pml_monitoring_enable": "2", "OMPI_MCA_pml_monitoring_enable_output": "3",
            "OMPI_MCA_pml_monitoring_filename": str(folder / "sent")}


def sent_between_nodes(folder):
    """Returns (from, to) -> (messages, bytes) of the program's own sends, without those inside MPI's collectives."""
    files = list(folder.glob("sent.*.prof"))
    if not files:
        pytest.skip("this MPI does not monitor messages")
    line = re.compile(r"E\t(\d+)\t(\d+)\t(\d+) bytes\t(\d+) msgs")
    found = (match for path in files for match in map(line.match, path.read_text().splitlines()) if match)
    return {(int(m[1]), int(m[2])): (int(m[4]), int(m[3])) for m in found}


def coordinates(node, extents):
    result = []
    for extent in extents:
        result.append(node % extent)
        node //= extent
    return result


def node_at(place, extents):
    node = 0
    for coordinate, extent in reversed(list(zip(place, extents))):
        node = node * extent + coordinate
    return node


def route(start, end, extents, wrapped, tie):
    """Returns the directed links between two nodes: axis by axis, in the shorter direction, one hop after the other."""
    here, goal = coordinates(start, extents), coordinates(end, extents)
    links = []
    for axis, extent in enumerate(extents):
        up, down = (goal[axis] - here[axis]) % extent, (here[axis] - goal[axis]) % extent
        if wrapped and up == down and tie == "balanced":
            way = 1 if here[axis] % 2 == 0 else -1
        elif wrapped:
            way = 1 if up <= down else -1
        else:
            way = 1 if goal[axis] > here[axis] else -1
        while here[axis] != goal[axis]:
            before = node_at(here, extents)
            here[axis] = (here[axis] + way) % extent
            links.append((before, node_at(here, extents)))
    return links


def bytes_on_links(sent, extents, wrapped, tie="balanced"):
    """Returns (from, to) -> bytes for the links with a load, where sent is (from, to) -> bytes."""
    total = Counter()
    for (start, end), size in sent.items():
        for link in route(start, end, extents, wrapped, tie):
            total[link] += size
    return {link: size for link, size in total.items() if size}


def links_of(row):
    """Returns the `links` of a result in JSON as (from, to) -> bytes."""
    return {(link["from"], link["to"]): link["bytes"] for link in row["links"]}


def loaded(links):
    return {link: size for link, size in links.items() if size}
