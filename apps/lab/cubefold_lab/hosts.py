"""The hosts that a job gets in a lab, in which order, and the host map that says on which nodes they sit."""

import json
import random
from dataclasses import dataclass

from . import wiring
from .errors import LabError

DISTRIBUTIONS = ["block", "cyclic"]


@dataclass(frozen=True)
class Allocation:
    """The nodes of a job, in the order in which the launcher fills them."""

    nodes: tuple
    per_node: int
    distribution: str  # "block" fills a node before the next one; "cyclic" goes round the nodes, one process on each

    @property
    def slot_count(self):
        return len(self.nodes) * self.per_node

    def used_nodes(self, process_count):
        """Returns the nodes on which this number of processes run."""
        blocks = -(-process_count // self.per_node)
        return self.nodes[:process_count if self.distribution == "cyclic" else blocks]

    def node_of_each(self, process_count):
        """Returns the node of every process."""
        if self.distribution == "cyclic":
            return [self.nodes[process % len(self.nodes)] for process in range(process_count)]
        return [self.nodes[process // self.per_node] for process in range(process_count)]

    def is_by_number(self, network):
        """Returns whether process k runs on node k // per_node, so that the grid's name says where processes are."""
        return (self.nodes == tuple(range(network.node_count))
                and (self.distribution == "block" or self.per_node == 1))


def allocate(network, per_node=1, *, without=(), seed=None, distribution="block"):
    """Returns the allocation of all nodes but those in `without`, by number, or shuffled by the seed."""
    for node in without:
        if node >= network.node_count:
            raise LabError(f"--without {node}: not one of the {network.node_count} nodes of {network.grid}")
    nodes = [node for node in range(network.node_count) if node not in without]
    if not nodes:
        raise LabError(f"--without: leaves none of the {network.node_count} nodes of {network.grid}")
    if seed is not None:
        random.Random(seed).shuffle(nodes)
    return Allocation(tuple(nodes), per_node, distribution)


def hostfile(allocation):
    """Returns the lines of a hostfile of Open MPI. mpirun fills the hosts in their order."""
    return "".join(f"{wiring.node_name(node)} slots={allocation.per_node}\n" for node in allocation.nodes)


def host_map(lab, nodes, slots, facts=None):
    """Returns the text of a host map, which CUBEFOLD_HOSTS names, after the facts of a file that a user asked for.
    docs/real-machines.md has the format."""
    network = lab.network
    head = {"format_version": 1, **(facts or {}), "network": network.grid, "source": f"cubefold-lab {lab.name}"}
    members = [f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    hosts = [f"    {json.dumps(_host(network, node, slots))}" for node in sorted(nodes)]
    members.append('  "hosts": [\n' + ",\n".join(hosts) + "\n  ]")
    return "{\n" + ",\n".join(members) + "\n}\n"


def _host(network, node, slots):
    place = list(network.coordinates[node]) if network.has_axes() else node
    return {"name": wiring.node_name(node), "at": place, "slots": slots}
