"""Compares methods as figures 9 and 10 of [Calmant] do: complete exchanges on one-port meshes in the model of the
paper.

A step with messages of L bytes takes alpha + L tau; barriers and copying take no time. `cubefold plan` gives the
steps of all methods but the pipelined CC-cube exchange, whose model is in pipelining.py. Times are in units of tau.
"""

import json
import subprocess

from .pipelining import Bound, exchange_seconds, least_exchange_seconds

RATIOS = [100, 500, 1000, 5000]  # alpha over tau, in bytes
BLOCKS = [2 ** k for k in range(15)]
MESHES = {2: [8, 16, 32, 64], 3: [8, 16]}  # extents by the number of axes

PREVIOUS = ["binary", "quadrant", "modified-quadrant", "cyclic", "hybrid", "direct", "store-and-forward"]
BEYOND = ["axis-rotated"]  # methods that the paper does not have
CALMANT = "pipelined CC-cube"
CLOSED_FORM = "pipelined CC-cube, closed form"
PIPELINED = {CALMANT: Bound.LINKS_AND_PORT, CLOSED_FORM: Bound.LINKS}


def mesh(extent, axes):
    return "mesh:" + "x".join([str(extent)] * axes)


def candidates(cubefold, grid):
    """Returns start-ups, and the blocks on the busiest link or port in all steps together, by method."""
    done = subprocess.run([cubefold, "plan", "exchange", grid, "--block", "1", "--placement", "standard",
                           "--algorithm", "all", "--table", "-"],
                          capture_output=True, text=True, check=True)
    return {c["method"]: (c["startups"], c["block_times"]) for c in json.loads(done.stdout)["candidates"]}


def members(found, name):
    """Returns the costs of a method with each of its parameters: hybrid:4, hybrid:8, ..."""
    return [cost for method, cost in found.items() if method.split(":")[0] == name]


def planned_times(found, name, ratio):
    """Returns the times for BLOCKS, each with the best parameter of the method."""
    return [min(startups * ratio + blocks * block for startups, blocks in members(found, name)) for block in BLOCKS]


def speed_ups(cubefold, extent, axes):
    """Returns speed-ups for BLOCKS by ratio and method. They are over the CC-cube exchange in one packet, where a
    stage of dilation D takes D steps."""
    found = candidates(cubefold, mesh(extent, axes))
    dimensions = axes * (extent.bit_length() - 1)
    result = {}
    for ratio in RATIOS:
        times = {name: planned_times(found, name, ratio) for name in PREVIOUS + BEYOND}
        for name, bound in PIPELINED.items():
            times[name] = [least_exchange_seconds(dimensions, axes, ratio, 1, block, bound) for block in BLOCKS]
        base = [exchange_seconds(dimensions, axes, 1, ratio, 1, block) for block in BLOCKS]
        result[ratio] = {name: [b / t for b, t in zip(base, list_)] for name, list_ in times.items()}
    return result


def gains(speed_up, method, others):
    """Returns for BLOCKS how many times as fast the method is as the best of the others."""
    return [own / max(speed_up[other][i] for other in others) for i, own in enumerate(speed_up[method])]
