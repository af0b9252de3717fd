"""The commands of ip, tc and the kernel that bring a network up, as values. This module runs nothing.

With all ports, a node is one namespace, and its links are its devices. With one port, the namespace of a node has a
single device, shaped as a link is, to a separate router namespace, which has the links. A switch is a namespace with
its links and without an address.
"""

from dataclasses import dataclass, field

MOST_NODES = 256  # of a lab, with its switches
SMALL_PACKET_BYTES = 255
GATEWAY = "10.127.0.1"  # the same behind every device; its hardware address is set, so nobody asks for it
CONTROL_SUBNET = "10.126.0.0/16"
LAUNCHER = "launcher"
CONTROL_OF_LAUNCHER = "10.126.255.254"
DATA_SUBNET = "10.125.0.0/16"

SETTINGS = {
    "net/ipv4/ip_forward": "1",
    "net/ipv4/conf/all/rp_filter": "0",
    "net/ipv4/conf/default/rp_filter": "0",
    "net/ipv4/tcp_congestion_control": "reno",
    "net/ipv4/tcp_slow_start_after_idle": "0",
    "net/ipv4/tcp_no_metrics_save": "1",
    "net/ipv6/conf/all/disable_ipv6": "1",
    "net/ipv6/conf/default/disable_ipv6": "1",
}


@dataclass(frozen=True)
class Shape:
    """The default behaviour of the links of a lab."""

    rate: int  # bits per second
    queue: int  # most bytes that wait in front of a link
    ports: str  # "one" or "all"


@dataclass
class Plan:
    """Commands by namespace, in the order in which they have to run: first `cables`, then the rest of each."""

    namespaces: list
    cables: list = field(default_factory=list)
    ip: dict = field(default_factory=dict)
    tc: dict = field(default_factory=dict)


def node_name(node):
    return f"node-{node}"


def router_name(node):
    return f"router-{node}"


def switch_name(vertex):
    return f"switch-{vertex}"


def place_of_links(network, vertex, ports):
    if vertex in network.switches:
        return switch_name(vertex)
    return router_name(vertex) if ports == "one" else node_name(vertex)


def places_of_links(network, ports):
    return [place_of_links(network, vertex, ports) for vertex in range(len(network.next_hop))]


def rate_of(link, shape):
    """Returns the bits per second of a link while nobody slows it down."""
    return round(link.rate * shape.rate)


def device_of(link):
    return f"link{link.index}"


def data_address(node):
    return f"10.125.{node // 256}.{node % 256}"


def control_address(node):
    return f"10.126.{node // 256}.{node % 256}"


def hardware_address(kind, number):
    return f"02:00:00:{kind:02x}:{number // 256:02x}:{number % 256:02x}"


def shaping(device, rate, queue):
    """Makes a link of the given rate. Small packets go first, so that neither acknowledgements nor MPI's own small
    messages wait behind data."""
    rest = f"ceil {rate}bit burst 1600 cburst 1600 quantum 1514"
    return [
        f"qdisc add dev {device} root handle 1: htb default 20",
        f"class add dev {device} parent 1: classid 1:1 htb rate {rate}bit burst 1600 cburst 1600",
        f"class add dev {device} parent 1:1 classid 1:10 htb rate {rate}bit {rest} prio 0",
        f"class add dev {device} parent 1:1 classid 1:20 htb rate {max(rate // 100, 8)}bit {rest} prio 1",
        f"qdisc add dev {device} parent 1:10 handle 10: bfifo limit {queue}",
        f"qdisc add dev {device} parent 1:20 handle 20: bfifo limit {queue}",
        f"filter add dev {device} parent 1: protocol ip prio 1 u32 "
        f"match u16 0 {0xffff ^ SMALL_PACKET_BYTES:#x} at 2 flowid 1:10",
    ]


def reshaping(device, rate, queue):
    """Gives a link another rate. Packets that wait in front of it are lost."""
    return [f"qdisc del dev {device} root", *shaping(device, rate, queue)]


def cutting(device):
    """Makes a link lose everything that is sent over it. Routes stay the same."""
    return [f"qdisc replace dev {device} root blackhole"]


def _veth(here, device, address, there, peer, peer_address):
    return (f"link add {device} address {address} gso_max_segs 1 netns {here} type veth "
            f"peer name {peer} address {peer_address} gso_max_segs 1 netns {there}")


def _towards(device, peer_address):
    return [f"link set {device} up", f"neigh add {GATEWAY} lladdr {peer_address} dev {device} nud permanent"]


def _route(target, device, source=None):
    # The window is open from the start, because the queues in front of the links should shape the traffic and not slow
    # start.
    return (f"route add {target} via {GATEWAY} dev {device} onlink {f'src {source} ' if source else ''}"
            "initcwnd 2000 initrwnd 2000")


def _add_cable(plan, network, ends, shape):
    link, reverse = ends
    places = [place_of_links(network, end.source, shape.ports) for end in ends]
    addresses = [hardware_address(1, end.index) for end in ends]
    plan.cables.append(_veth(places[0], device_of(link), addresses[0], places[1], device_of(reverse), addresses[1]))
    for place, end, peer_address in zip(places, ends, reversed(addresses)):
        plan.ip[place] += _towards(device_of(end), peer_address)
        plan.tc[place] += shaping(device_of(end), rate_of(end, shape), shape.queue)


def _add_node(plan, node):
    name, own, control = node_name(node), data_address(node), f"control{node}"
    plan.cables.append(f"link add {control} type veth peer name control netns {name}")
    plan.cables.append(f"link set {control} master control up")
    plan.ip[name] += [
        "link set lo up",
        # The address of a rank needs a device that is up, and Open MPI refuses addresses of the loopback.
        "link add rank type veth peer name spare", f"addr add {own}/32 dev rank", "link set rank up",
        "link set spare up", f"addr add {control_address(node)}/16 dev control", "link set control up",
    ]


def _add_port(plan, node, shape):
    name, router = node_name(node), router_name(node)
    up, down = hardware_address(2, node), hardware_address(3, node)
    plan.cables.append(_veth(name, "port", up, router, "port", down))
    plan.ip[name] += _towards("port", down) + [_route(DATA_SUBNET, "port", data_address(node))]
    plan.ip[router] += ["link set lo up"] + _towards("port", up) + [_route(data_address(node), "port")]
    for place in (name, router):
        plan.tc[place] += shaping("port", shape.rate, shape.queue)


def _add_routes(plan, network, vertex, shape):
    place = place_of_links(network, vertex, shape.ports)
    source = data_address(vertex) if place == node_name(vertex) else None
    for target, first in enumerate(network.next_hop[vertex]):
        if first >= 0:
            plan.ip[place].append(_route(data_address(target), device_of(network.links[first]), source))


def wiring(network, shape):
    """Returns the commands for the whole network."""
    nodes = range(network.node_count)
    names = list(dict.fromkeys([node_name(n) for n in nodes] + places_of_links(network, shape.ports)))
    plan = Plan(names, ["link add control type bridge", f"addr add {CONTROL_OF_LAUNCHER}/16 dev control",
                        "link set control up", "link set lo up"],
                {name: [] for name in names}, {name: [] for name in names})
    for node in nodes:
        _add_node(plan, node)
    for ends in network.cables():
        _add_cable(plan, network, ends, shape)
    for node in nodes:
        if shape.ports == "one":
            _add_port(plan, node, shape)
        _add_routes(plan, network, node, shape)
    for switch in network.switches:
        plan.ip[switch_name(switch)].append("link set lo up")
        _add_routes(plan, network, switch, shape)
    return plan


def shaped_link_count(network, ports):
    """Returns the number of devices that shape traffic. A node with one port has two more."""
    return len(network.links) + (2 * network.node_count if ports == "one" else 0)


def hosts_file(network):
    lines = ["127.0.0.1 localhost", f"{CONTROL_OF_LAUNCHER} {LAUNCHER}"]
    return "\n".join(lines + [f"{control_address(n)} {node_name(n)}" for n in range(network.node_count)]) + "\n"
