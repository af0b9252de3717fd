"""Makes InfiniBand fabrics as texts in the form of ibnetdiscover, which ibsim reads too, and their grids."""

import itertools
import random


class Torus:
    """A product of lines and rings: extents, and for each axis whether it is a ring."""

    def __init__(self, extents, wraps):
        self.extents = extents
        self.wraps = wraps
        self.nodes = list(itertools.product(*(range(extent) for extent in extents)))

    def neighbours(self, node):
        for axis, (extent, wraps) in enumerate(zip(self.extents, self.wraps)):
            for step in (1, -1):
                at = node[axis] + step
                if 0 <= at < extent or (wraps and extent > 2):
                    yield (*node[:axis], at % extent, *node[axis + 1:])

    def distance(self, one, other):
        hops = 0
        for extent, wraps, a, b in zip(self.extents, self.wraps, one, other):
            hops += min(abs(a - b), extent - abs(a - b)) if wraps else abs(a - b)
        return hops


def host_name(grid, node, k):
    return f"node{grid.nodes.index(node):03}-{k}"


def fabric(grid, hosts_per_switch=1, seed=1, cables_of=lambda shuffled: 1, hosts_of=None):
    """Returns the text. Identifiers and ports are in a random order. The first entry is a host, where tools attach.
    cables_of(random numbers) is asked for the cables of each pair of neighbours, and hosts_of(node) for the hosts of
    each switch, where their numbers are not all equal."""
    shuffled = random.Random(seed)
    numbers = shuffled.sample(range(0x200000, 0x200000 + 4 * len(grid.nodes)), len(grid.nodes))
    switch = dict(zip(grid.nodes, numbers))
    hosts_at = {node: hosts_of(node) if hosts_of else hosts_per_switch for node in grid.nodes}
    pairs = [(node, other) for node in grid.nodes for other in set(grid.neighbours(node)) if node < other]
    joined = [pair for pair in pairs for _ in range(cables_of(shuffled))]
    ends = [node for pair in joined for node in pair]
    radix = max(max(ends.count(node) + hosts_at[node] for node in grid.nodes),
                2 * len(grid.extents) + hosts_per_switch)
    free = {node: shuffled.sample(range(1, radix + 1), radix) for node in grid.nodes}
    cables = {node: {} for node in grid.nodes}  # port: (identifier, port, description)
    for node, other in joined:
        here, there = free[node].pop(), free[other].pop()
        cables[node][here] = (f"S-{switch[other]:016x}", there, f"sw{other}")
        cables[other][there] = (f"S-{switch[node]:016x}", here, f"sw{node}")
    entries = []
    hosts = itertools.count(0x100000)
    for node in grid.nodes:
        for k in range(hosts_at[node]):
            guid, port, name = next(hosts), free[node].pop(), host_name(grid, node, k)
            cables[node][port] = (f"H-{guid:016x}", 1, f"{name} HCA-1")
            entries.append(f'caguid=0x{guid:x}\nCa\t1 "H-{guid:016x}"\t\t# "{name} HCA-1"\n'
                           f'[1](0x{guid + 0x900000:x}) \t"S-{switch[node]:016x}"[{port}]\n')
    for node in shuffled.sample(grid.nodes, len(grid.nodes)):
        ports = "".join(f'[{port}]\t"{peer}"[{there}]\t\t# "{name}"\n'
                        for port, (peer, there, name) in sorted(cables[node].items()))
        guid = switch[node]
        entries.append(f'switchguid=0x{guid:x}(0x{guid:x})\nSwitch\t{radix} "S-{guid:016x}"\t\t# "sw{node}"\n{ports}')
    return "\n".join(entries)
