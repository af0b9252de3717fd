"""Times of a pipelined CC-cube exchange on a mesh under the cyclic standard embedding, after [Calmant] sections 3 and
4.

A task <first, count> exchanges over consecutive dimensions, in as many steps as its bound LB. TaskSchedule has such
schedules for all tasks of 12 dimensions on up to 4 axes. The closed forms of the paper's appendix are the same sums
with links alone: on meshes they neglect that a node with one port sends its messages one after the other.
"""

from enum import Enum
from functools import lru_cache


class Bound(Enum):
    LINKS_AND_PORT = "links and port"
    LINKS = "links"


def busiest_line_link(first, count):
    """Returns the messages per direction on the busiest link of a line, by theorem 1."""
    if count == 0:
        return 0
    lowest = first + 1 if count % 2 == 0 else first
    return ((1 << (first + count + 1)) - (1 << lowest)) // 3


def busiest_mesh_link(first, count, axes):
    """Returns the messages on the busiest link of a mesh, by theorem 3."""
    return busiest_line_link((first + (count - 1) % axes) // axes, -(-count // axes))


@lru_cache(maxsize=None)
def steps_of_task(first, count, axes, bound):
    links = busiest_mesh_link(first, count, axes)
    return links if bound == Bound.LINKS else max(links, count)


def task_of_iteration(iteration, dimensions, packets):
    """Returns the task of an iteration. Packet p of stage s travels in iteration s + p."""
    first = max(0, iteration - packets + 1)
    return first, min(dimensions - 1, iteration) - first + 1


@lru_cache(maxsize=None)
def pipelined_steps(dimensions, axes, packets, bound=Bound.LINKS_AND_PORT):
    if packets > dimensions:  # the middle iterations repeat one task
        return (pipelined_steps(dimensions, axes, dimensions, bound)
                + (packets - dimensions) * steps_of_task(0, dimensions, axes, bound))
    return sum(steps_of_task(*task_of_iteration(i, dimensions, packets), axes, bound)
               for i in range(dimensions + packets - 1))


def exchange_seconds(dimensions, axes, packets, alpha, tau, block, bound=Bound.LINKS_AND_PORT):
    """Returns the time of a complete exchange whose stages are cut in packets of whole blocks, 2^(d-1) in all."""
    blocks = -(-2 ** (dimensions - 1) // packets)
    return pipelined_steps(dimensions, axes, packets, bound) * (alpha + blocks * block * tau)


def least_exchange_seconds(dimensions, axes, alpha, tau, block, bound=Bound.LINKS_AND_PORT):
    """Returns the time with the best number of packets, each of a block or more."""
    return min(exchange_seconds(dimensions, axes, packets, alpha, tau, block, bound)
               for packets in range(1, 2 ** (dimensions - 1) + 1))
