"""The all-to-all of blocks of unequal sizes on emulated networks, compared with the algorithms of MPI_Alltoallv."""

from .exchange import calibrated
from .setting import FRAME_OVER_PAYLOAD, Lab
from .tables import median, milliseconds, ratio, size_text, table, with_spread

NAME = "unequal"
OURS = "cubefold_alltoallv"
SIZES = {"exponential": "exponential", "one-hot": "one long block in each row"}


# Blocks of 8 KiB on 64 nodes take MPI's linear algorithm up to a minute, so they are left out.
def _networks(full):
    yield Lab("torus:4x4", "10mbit", "one", "64kb"), [1024, 8192]
    if full:
        yield Lab("mesh:8x8", "3mbit", "one", "64kb"), [2048]


def _rows(setting, lab, blocks, machine, kind):
    options = [] if machine is None else ["--machine", machine]
    measured = setting.on_lab("unequal_peer", *options, "--sizes", kind, "--block", ",".join(map(str, blocks)),
                              "--repetitions", 3 if setting.full else 2)
    for row in measured["results"]:
        yield {"grid": lab.grid, "rate": lab.rate, "queue": lab.queue, "machine": machine is not None,
               "bound_seconds": row["bound_bytes"][lab.ports] * lab.seconds_per_byte,
               **{key: row.get(key) for key in ("sizes", "block_bytes", "algorithm", "seconds", "choice")}}


def measure(setting, progress):
    rows = []
    for lab, blocks in setting.shuffled(_networks(setting.full)):
        progress(f"unequal blocks on {lab.grid}, {lab.ports}-port, queues {lab.queue}")
        with setting.network(lab):
            for machine in setting.shuffled([None, calibrated(setting)]):
                for kind in setting.shuffled(SIZES):
                    rows += _rows(setting, lab, blocks, machine, kind)
    return sorted(rows, key=lambda row: (row["grid"], row["queue"], row["sizes"], row["machine"], row["block_bytes"]))


def _cases(rows):
    """Yields our row and those of MPI for each case."""
    for ours in rows:
        if ours["algorithm"] == OURS:
            same = ("grid", "queue", "sizes", "machine", "block_bytes")
            yield ours, [row for row in rows if row["algorithm"] != OURS and all(row[k] == ours[k] for k in same)]


def _backend(choice):
    return choice.partition(" the last time")[0]


def render(rows, _folder):
    lines = []
    for ours, others in _cases(rows):
        best = min(others, key=lambda row: median(row["seconds"]))
        lines.append([f"{ours['grid']}, {ours['rate']}, {ours['queue']}", SIZES[ours["sizes"]],
                      "yes" if ours["machine"] else "no", size_text(ours["block_bytes"]), with_spread(ours["seconds"]),
                      _backend(ours["choice"]), with_spread(best["seconds"]), best["algorithm"],
                      ratio(median(best["seconds"]), median(ours["seconds"])),
                      ratio(median(best["seconds"]), FRAME_OVER_PAYLOAD * ours["bound_seconds"]),
                      milliseconds(ours["bound_seconds"])])
    return {"unequal_table": table(["network", "sizes", "machine file", "mean", f"{OURS}, ms", "backend",
                                    "MPI's best, ms", "which", "times as fast", "at the bound", "lower bound, ms"],
                                   lines)}
