"""The CC-cube exchange on a ring under two placements: the total load of a link over all stages counts."""

from .setting import Lab
from .tables import median, milliseconds, ratio, size_text, table, with_spread

NAME = "rings"


def _start_up(setting):
    """Returns the seconds of a start-up, which is the time of a stage that exchanges blocks of one byte."""
    smallest = setting.on_lab("cubefold-exchange", "--algorithm", "cc-cube", "--block", 1, "--compare", "none",
                              "--repetitions", 21)
    return median(smallest["results"][0]["seconds"]) / len(smallest["stage_hops"])


def _row(setting, lab, placement, block, alpha, seconds):
    def simulated(alpha):
        return setting.planned("simulate", "exchange", lab.grid, "--algorithm", "cc-cube", "--placement", placement,
                               "--block", block, "--ports", lab.ports, "--alpha", alpha, "--tau", lab.tau)

    model = simulated(alpha)
    return {"grid": lab.grid, "placement": placement, "block_bytes": block, "seconds": seconds,
            "predicted_seconds": model["total_seconds"], "bound_seconds": simulated(0)["bound_seconds"],
            "busiest_link_seconds": max(link["bytes"] for link in model["links"]) * lab.tau}


def _measure_ring(setting, lab, block, repetitions):
    rows = []
    with setting.network(lab):
        alpha = _start_up(setting)
        for placement in setting.shuffled(["standard", "xor"]):
            measured = setting.on_lab("cubefold-exchange", "--algorithm", "cc-cube", "--compare", "none", "--placement",
                                      placement, "--block", block,
                                      "--repetitions", repetitions)["results"][0]["seconds"]
            rows.append(_row(setting, lab, placement, block, alpha, measured))
    return sorted(rows, key=lambda row: row["placement"])


def measure(setting, progress):
    rows = []
    for lab, block in [(Lab("ring:16", "10mbit"), 1024)] + ([(Lab("ring:64", "3mbit"), 256)] if setting.full else []):
        progress(f"CC-cube on {lab.grid}")
        rows += _measure_ring(setting, lab, block, 7 if setting.full else 3)
    return rows


def _ring_table(rows):
    lines = [[row["grid"], row["placement"], size_text(row["block_bytes"]), with_spread(row["seconds"]),
              milliseconds(row["predicted_seconds"]), milliseconds(row["busiest_link_seconds"]),
              milliseconds(row["bound_seconds"])] for row in rows]
    return table(["ring", "placement", "block", "measured, ms", "predicted, ms", "busiest link alone, ms",
                  "lower bound of any exchange, ms"], lines)


def _ring_gain(rows):
    by = {(row["grid"], row["placement"]): median(row["seconds"]) for row in rows}
    link = {(row["grid"], row["placement"]): row["busiest_link_seconds"] for row in rows}
    return "; ".join(f"on {grid} standard takes {ratio(by[grid, 'standard'], by[grid, 'xor'])} times as long as xor, "
                     f"and it has {ratio(link[grid, 'standard'], link[grid, 'xor'])} times as much on its busiest link"
                     for grid in dict.fromkeys(grid for grid, _ in by))


def render(rows, _folder):
    return {"ring_table": _ring_table(rows), "ring_gain": _ring_gain(rows)}
