"""A stencil program on emulated networks whose queues hold everything, with the preloaded library, and MPI's own calls
in turn with those that the library serves."""

import re

from .setting import Lab
from .tables import median, ratio, table, with_spread

NAME = "neighbours"
ALONE, PRELOADED = "MPI's own", "called"
# Microseconds. With 32 processes on a core the lab lets waiting processes sleep longer than a call takes.
PAUSE = {"CUBEFOLD_LAB_PAUSE": "100"}


def _cases(full):
    """Yields the network and the bytes of blocks."""
    if not full:
        return [(Lab("torus:4x4", "10mbit", "all"), (64,))]
    networks = [("torus:4x4x4", "10mbit", "all"), ("torus:8x8", "10mbit", "all"), ("torus:4x4", "10mbit", "all"),
                ("torus:4x4", "10mbit", "one")]
    return [(Lab(*network), (16, 64, 256, 1024)) for network in networks]


def _times(output):
    """Yields the form, the bytes of blocks, and the seconds of all calls."""
    pattern = rf"^({ALONE}|{PRELOADED}) +(\d+) B +[\d.]+ ms of((?: [\d.]+)+)$"
    for form, size, times in re.findall(pattern, output, re.MULTILINE):
        yield form, int(size), [float(each) * 1e-3 for each in times.split()]


def measure(setting, progress):
    repetitions = 21 if setting.full else 3
    rows = []
    for lab, sizes in _cases(setting.full):
        progress(f"a stencil on {lab.grid}, {lab.ports}-port")
        environment = {**PAUSE, "LD_PRELOAD": str(setting.library("cubefold-preload"))}
        with setting.network(lab):
            output = setting.inside_lab("timed_neighbours", repetitions, lab.grid.partition(":")[2], *sizes,
                                        environment=environment)
        for form, size, seconds in _times(output):
            rows.append({"grid": lab.grid, "rate": lab.rate, "ports": lab.ports, "block_bytes": size, "form": form,
                         "seconds": seconds})
    return rows


def _neighbours(grid):
    return 3 ** (grid.count("x") + 1) - 1


def _case_of(row):
    return row["grid"], row["rate"], row["ports"], row["block_bytes"]


def render(rows, _folder):
    alone = {_case_of(row): row for row in rows if row["form"] == ALONE}
    preloaded = {_case_of(row): row for row in rows if row["form"] == PRELOADED}
    lines, gains = [], []
    for case in alone:
        row, theirs = preloaded[case], alone[case]["seconds"]
        gains.append(median(theirs) / median(row["seconds"]))
        lines.append([f"{row['grid']}, {row['ports']}-port, {row['rate']}", _neighbours(row["grid"]),
                      f"{row['block_bytes']} B", with_spread(theirs), with_spread(row["seconds"]),
                      ratio(median(theirs), median(row["seconds"]))])
    return {"neighbours_summary": f"It is {min(gains):.2f} to {max(gains):.2f} times as fast with the library.",
            "neighbours_table": table(["network", "neighbours", "block", "MPI, ms", "preloaded, ms", "times as fast"],
                                      lines)}
