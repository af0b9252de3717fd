"""The all-to-all of several ranks on each node of an emulated torus, beside every all-to-all of MPI."""

from .exchange import DEFAULT, OPEN_MPI, OURS, geometric_mean
from .setting import FRAME_OVER_PAYLOAD, Lab
from .tables import median, milliseconds, ratio, size_text, table, with_spread

NAME = "shared-nodes"
PER_NODE = 4
NODES = 16


def _networks(full):
    """Yields networks, and groups of blocks with the algorithms of MPI and repetitions. Bruck's algorithm takes seconds
    for long blocks."""
    if not full:
        yield Lab("torus:4x4", "10mbit", "one", "64kb"), [([64, 1024], "default,pairwise", 3)]
        return
    for queue in ("64mb", "64kb"):
        yield Lab("torus:4x4", "10mbit", "one", queue), [([64, 256, 1024], OPEN_MPI, 7),
                                                         ([2048, 8192], "default,linear,pairwise", 3)]


def _rows(lab, results):
    """Yields the results with the least time of a node's port: each rank of a node has a block for each other rank."""
    for result in results:
        port_bytes = (NODES - 1) * PER_NODE ** 2 * result["block_bytes"]
        yield {"queue": lab.queue, "bound_seconds": port_bytes * lab.seconds_per_byte,
               **{key: result.get(key) for key in ("block_bytes", "algorithm", "seconds", "choice")}}


def measure(setting, progress):
    rows = []
    for lab, groups in setting.shuffled(_networks(setting.full)):
        progress(f"{PER_NODE} ranks on each node of {lab.grid}, {lab.ports}-port, queues {lab.queue}")
        with setting.network(lab):
            for blocks, baselines, repetitions in groups:
                measured = setting.on_lab("cubefold-exchange", "--compare", baselines, "--block",
                                          ",".join(map(str, blocks)), "--repetitions", repetitions, per_node=PER_NODE)
                rows += _rows(lab, measured["results"])
    return sorted(rows, key=lambda row: (row["queue"] != "64mb", row["block_bytes"]))


def _cases(rows):
    """Yields our row and the medians of MPI's algorithms for each case."""
    for ours in (row for row in rows if row["algorithm"] == OURS):
        yield ours, {row["algorithm"]: median(row["seconds"]) for row in rows if row["algorithm"] != OURS
                     and (row["queue"], row["block_bytes"]) == (ours["queue"], ours["block_bytes"])}


def _summary(cases):
    gains = [others[DEFAULT] / median(ours["seconds"]) for ours, others in cases]
    possible = [others[DEFAULT] / (FRAME_OVER_PAYLOAD * ours["bound_seconds"]) for ours, others in cases]
    least = min(min(others.values()) / median(ours["seconds"]) for ours, others in cases)
    over = max(median(ours["seconds"]) / (FRAME_OVER_PAYLOAD * ours["bound_seconds"])
               for ours, _ in cases if ours["block_bytes"] >= 1024)
    return (f"In the geometric mean `cubefold_alltoall` is {geometric_mean(gains):.2f} times as fast as "
            f"`MPI_Alltoall`; an exchange at the bound would be {geometric_mean(possible):.2f} times as fast. MPI's "
            f"best algorithm takes at least {least:.2f} times as long. From 1 KiB on `cubefold_alltoall` takes at most "
            f"{over:.2f} times the lower bound with headers.")


def render(rows, _folder):
    cases = list(_cases(rows))
    lines = []
    for ours, others in cases:
        seconds, best = median(ours["seconds"]), min(others, key=others.get)
        lines.append([ours["queue"], size_text(ours["block_bytes"]), with_spread(ours["seconds"]),
                      ours["choice"].partition(" bytes: ")[2].partition(",")[0], milliseconds(others[DEFAULT]),
                      ratio(others[DEFAULT], seconds), milliseconds(others[best]), best, ratio(others[best], seconds),
                      milliseconds(FRAME_OVER_PAYLOAD * ours["bound_seconds"])])
    return {"shared_nodes_summary": _summary(cases),
            "shared_nodes_table": table(["queues", "block", f"{OURS}, ms", "chose", f"{DEFAULT}, ms", "times as fast",
                                         "MPI's best, ms", "which", "times as fast", "bound with headers, ms"], lines)}
