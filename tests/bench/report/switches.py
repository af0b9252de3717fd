"""The complete exchange on emulated networks whose switches have several hosts each, as those of InfiniBand have."""

from . import exchange
from .setting import Lab

NAME = "switches"
GRID = "torus:4x4,hosts=2"
GROUPS = [([64, 1024, 8192], "alltoall,plan", "default,linear,pairwise", 5)]
SHORT = [([64, 1024], "alltoall,plan", "default,pairwise", 3)]


def _networks(full):
    for queue in ("64mb", "64kb") if full else ("64kb",):
        yield Lab(GRID, "5mbit", "all", queue), GROUPS if full else SHORT


def measure(setting, progress):
    return exchange.measure_networks(setting, progress, _networks(setting.full))


def render(networks, _folder):
    points = exchange.points_of(networks)
    return {"switches_tables": exchange.network_tables(networks), "switches_summary": exchange.summary(points),
            "switches_speed_ups": exchange.speed_up_table(points)}
