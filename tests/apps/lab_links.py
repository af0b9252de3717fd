"""Compares the bytes that the links of a lab have carried with those that programs predict."""

import itertools
import json

from jobs import run_alone
from labs import loads

FRAME_BYTES = 1514
PAYLOAD_BYTES = 1448  # of a frame, which also has 14 bytes of Ethernet, 20 of IP and 32 of TCP


def segments_sent_again(name):
    """Returns the segments that all nodes have sent again since the lab is up."""
    from cubefold_lab import lab as labs
    read = 'for node in /run/netns/node-*; do nsenter --net="$node" cat /proc/net/snmp; done'
    text = labs.call_inside(labs.find(name), ["sh", "-c", read])
    names, *_ = lines = [line.split() for line in text.splitlines() if line.startswith("Tcp:")]
    return sum(int(values[names.index("RetransSegs")]) for values in lines[1::2])


def messages_on_links(grid, links):
    """Returns how many messages each link carries if every node sends one to each other node. `grid` is a network
    without some of its nodes, as in torus:4x4,without=3-9, and `links` are those of the whole network."""
    network = json.loads(run_alone("cubefold", "routes", grid, "--json", "-").out)
    missing = [int(node) for node in grid.partition(",without=")[2].split("-")]
    numbers = [node for node in range(len(network["next_hop"])) if node not in missing] + missing
    messages = dict.fromkeys(links, 0)
    for here, to in itertools.permutations(range(network["nodes"]), 2):
        while here != to:
            link = network["links"][network["next_hop"][here][to]]
            messages[numbers[here], numbers[link["to"]]] += 1
            here = link["to"]
    return messages


def _bytes_of_runs(file, runs):
    return {(k["from"], k["to"]): runs * k["bytes"] for k in json.loads(file.read_text())["results"][0]["links"]}


def traffic_of(name, file, runs, job):
    """Calls `job`, which makes a program write its predictions into the file and run an exchange this many times; the
    first one is not timed. Returns measured and predicted bytes of each link, and the bytes that may have been sent
    again on any of them."""
    loads(name, "--reset")
    before = segments_sent_again(name)
    job()
    return loads(name), _bytes_of_runs(file, runs), FRAME_BYTES * (segments_sent_again(name) - before)


def misfits(measured, predicted, sent_again):
    """Returns the links whose bytes do not fit the prediction. A link never carries less than its payload. It also
    carries headers, segments that TCP sends again, acknowledgements, and MPI's messages at the start. The last two
    are below 0.4 times the least payload, which is one message or several in every run; one message too many is more
    than that."""
    slack = 0.4 * min(filter(None, predicted.values())) + sent_again
    return [link for link, count in measured.items()
            if not predicted[link] <= count < predicted[link] * FRAME_BYTES / PAYLOAD_BYTES + slack]


def misfits_of_node_exchange(name, grid, bytes_between_nodes, job):
    """Calls `job`, in which every node sends this many bytes to each other node by the links of the grid, and returns
    the links whose bytes do not fit."""
    loads(name, "--reset")
    before = segments_sent_again(name)
    job()
    sent_again = FRAME_BYTES * (segments_sent_again(name) - before)
    measured = loads(name)
    predicted = {link: bytes_between_nodes * count for link, count in messages_on_links(grid, measured).items()}
    return misfits(measured, predicted, sent_again)
