"""The complete exchange on emulated networks whose extents are no powers of two, as real machines have them, and on
a torus without one of its cables and on full meshes of two dimensions."""

from . import exchange
from .setting import Lab

NAME = "other-networks"
# Bruck's algorithm sends each block several times, and takes seconds for 24 KiB.
LONG = ([24576], "alltoall,plan", "default,linear,pairwise", 3)
GROUPS = [([64, 2048], "alltoall,plan", f"{exchange.OPEN_MPI},by-axis", 5), LONG]
WITHOUT_AXES = [([64, 2048], "alltoall,plan", exchange.OPEN_MPI, 5), LONG]
SHORT = [([64, 2048, 24576], "alltoall,plan", "default,linear", 3)]


# At 10 Mbit/s the cores of this machine, and not the links, limit exchanges of 2 KiB on 25 and 30 nodes.
RATES = {"torus:6x5": "5mbit", "torus:5x5": "5mbit", "mesh:3x7": "10mbit", "ring:12": "10mbit"}


def _networks(full):
    if not full:
        yield Lab("torus:4x4,cut=0-1", "10mbit", "all", "64kb"), SHORT
        return
    for queue in ("64mb", "64kb"):
        for grid, rate in RATES.items():
            yield Lab(grid, rate, "one", queue), GROUPS
        yield Lab("torus:4x4,cut=0-1", "10mbit", "all", queue), WITHOUT_AXES
        yield Lab("hyperx:4x4", "10mbit", "all", queue), WITHOUT_AXES
        yield Lab("hyperx:8x4", "5mbit", "all", queue), WITHOUT_AXES


def measure(setting, progress):
    return exchange.measure_networks(setting, progress, _networks(setting.full))


def render(networks, folder):
    if folder is not None:
        exchange.plot(networks, folder / "other-networks.svg")
    points = exchange.points_of(networks)
    return {"other_networks_tables": exchange.network_tables(networks),
            "other_networks_summary": exchange.summary(points),
            "other_networks_speed_ups": exchange.speed_up_table(points)}
