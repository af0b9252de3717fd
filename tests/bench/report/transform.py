"""The one-dimensional transform on an emulated torus and on one shared-memory node, beside FFTW's own MPI transform."""

from .setting import Lab
from .tables import milliseconds, size_text, table, with_spread

NAME = "transform"
PROCESSES = 16
POINT_BYTES = 16


def _bound(setting, lab, points, exchanges):
    """Complete exchanges of the whole signal, each at the lower bound."""
    block = points * POINT_BYTES // PROCESSES**2
    model = setting.planned("simulate", "exchange", lab.grid, "--block", block, "--ports", lab.ports, "--alpha", 0,
                            "--tau", lab.tau)
    return exchanges * model["bound_seconds"]


def _butterflies(setting, lab, points):
    """Every stage sends a whole part, as a CC-cube exchange does whose messages are that large."""
    part = points * POINT_BYTES // PROCESSES
    return setting.planned("simulate", "exchange", lab.grid, "--placement", "xor", "--block", part * 2 // PROCESSES,
                           "--ports", lab.ports, "--alpha", 0, "--tau", lab.tau)["total_seconds"]


def _reversal(setting, lab, points):
    part = points * POINT_BYTES // PROCESSES
    loads = setting.on_lab("cubefold-permute", "--placement", "xor", "--pattern", "bit-reversal", "--block", 64,
                           "--repetitions", 1)["results"][0]
    return loads["contention"] * part * lab.tau


EXCHANGES = {"FFTW MPI natural": 3, "FFTW MPI scrambled": 2}


def _measure_lab(setting, lab, points, repetitions):
    with setting.network(lab):
        results = setting.on_lab("fft_peer", "--placement", "xor", "--points", ",".join(map(str, points)),
                                 "--repetitions", repetitions)["results"]
        for row in results:
            exchanges = EXCHANGES.get(row["algorithm"])
            row |= {"where": f"{lab.grid}, {lab.ports}-port, {lab.rate}, {lab.queue} queues",
                    "bound_seconds": _bound(setting, lab, row["points"], exchanges) if exchanges else None,
                    "predicted_seconds": None if exchanges else _butterflies(setting, lab, row["points"])
                    + _reversal(setting, lab, row["points"])}
    return results


def _measure_here(setting, points, repetitions):
    results = setting.json_of(["mpirun", "-n", "4", setting.program("fft_peer"), "--grid", "torus:2x2", "--placement",
                               "xor", "--points", str(points), "--repetitions", str(repetitions)])["results"]
    for row in results:
        row |= {"where": "4 processes on one node", "bound_seconds": None, "predicted_seconds": None}
    return results


def measure(setting, progress):
    points = [2**18, 2**20] if setting.full else [2**16]
    rows = []
    for queue in ("64mb", "64kb"):
        progress(f"transforms on torus:4x4, queues {queue}")
        rows += _measure_lab(setting, Lab("torus:4x4", "10mbit", "one", queue), points, 3)
    progress("transforms on one node")
    return rows + _measure_here(setting, 2**20, 11)


def _optional(seconds):
    return "" if seconds is None else milliseconds(seconds)


def render(rows, _folder):
    lines = [[row["where"], f"2^{row['points'].bit_length() - 1}", row["algorithm"], with_spread(row["seconds"]),
              _optional(row["predicted_seconds"]), _optional(row["bound_seconds"])] for row in rows]
    return {"fft_table": table(["where", "points", "transform", "measured, ms", "network predicted, ms",
                                "exchanges at the bound, ms"], lines)}
