"""An unchanged stencil program on emulated networks whose queues hold everything, with and without the preloaded
library."""

import re

from .setting import Lab
from .tables import median, ratio, table, with_spread

NAME = "neighbours"
ALONE, PRELOADED = "as it is", "preloaded"
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
    """Returns the seconds of all calls by the bytes of their blocks."""
    return {int(size): [float(each) * 1e-3 for each in times.split()]
            for size, times in re.findall(r"^ *(\d+) B +[\d.]+ ms of((?: [\d.]+)+)$", output, re.MULTILINE)}


def _run(setting, lab, sizes, repetitions, environment):
    extents = lab.grid.partition(":")[2]
    return _times(setting.inside_lab("timed_neighbours", repetitions, extents, *sizes, environment=environment))


def measure(setting, progress):
    repetitions = 9 if setting.full else 3
    rows = []
    for lab, sizes in _cases(setting.full):
        progress(f"a stencil on {lab.grid}, {lab.ports}-port")
        with setting.network(lab):
            environment = {ALONE: PAUSE,
                           PRELOADED: {**PAUSE, "LD_PRELOAD": str(setting.library("cubefold-preload"))}}
            for form in setting.shuffled(environment):
                for size, seconds in _run(setting, lab, sizes, repetitions, environment[form]).items():
                    rows.append({"grid": lab.grid, "rate": lab.rate, "ports": lab.ports, "block_bytes": size,
                                 "form": form, "seconds": seconds})
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
