"""Bit reversal and transpose on emulated hypercubes, under the identity and under the order of least contention."""

from . import plots
from .setting import Lab
from .tables import median, milliseconds, ratio, size_text, table, with_spread

NAME = "permutations"


def _cases(full):
    yield Lab("hypercube:4", "10mbit"), ["bit-reversal", "transpose:4x4"]
    if full:
        yield Lab("hypercube:6", "3mbit"), ["bit-reversal", "transpose:8x8"]


def _measure_pattern(setting, lab, pattern, block, repetitions):
    best = setting.planned("lcc", lab.grid, "--phase", pattern)["placement"]
    placements = list(dict.fromkeys(["standard", best]))
    options = [word for placement in placements for word in ("--placement", placement)]
    measured = setting.on_lab("cubefold-permute", *options, "--pattern", pattern, "--block", block, "--alone",
                              "--repetitions", repetitions)
    alone = [r for r in measured["results"] if r["alone"] and r["placement"] == "standard"]
    for result in measured["results"]:
        if not result["alone"] or result in alone:
            yield {"grid": lab.grid, "rate": lab.rate, "pattern": pattern, "placement": result["placement"],
                   "alone": result["alone"], "block_bytes": result["block_bytes"],
                   "contention": result["contention"], "seconds": result["seconds"],
                   "predicted_seconds": result["contention"] * result["block_bytes"] * lab.tau}


def measure(setting, progress):
    rows = []
    for lab, patterns in _cases(setting.full):
        with setting.network(lab):
            for pattern in setting.shuffled(patterns):
                progress(f"{pattern} on {lab.grid}")
                rows += _measure_pattern(setting, lab, pattern, 65536, 11 if setting.full else 5)
    return sorted(rows, key=lambda row: (row["grid"], row["pattern"], row["alone"], -row["contention"]))


def _what(row):
    return "one message alone" if row["alone"] else row["placement"]


def _plot(rows, file):
    groups = list(dict.fromkeys((row["grid"], row["pattern"]) for row in rows))
    figure, axes = plots.panels(len(groups), columns=2, width=4.6, height=2.2)
    for axis, group in zip(axes, groups):
        bars = [row for row in rows if (row["grid"], row["pattern"]) == group]
        times = [median(row["seconds"]) * 1e3 for row in bars]
        axis.barh([_what(row) for row in bars], times, color=[plots.PLAIN[k] for k in range(len(bars))])
        axis.plot([row["predicted_seconds"] * 1e3 for row in bars], range(len(bars)), "k|", markersize=16)
        axis.invert_yaxis()
        axis.set(title=f"{group[1]} on {group[0]}", xlabel="ms (stroke: predicted)")
    plots.save(figure, file)


def _gain(rows):
    times = {}
    for row in rows:
        if not row["alone"]:
            times.setdefault((row["grid"], row["pattern"]), {})[row["placement"]] = median(row["seconds"])
    return "; ".join(f"{pattern} on {grid}: {ratio(at['standard'], min(at.values()))} times faster"
                     for (grid, pattern), at in times.items())


def render(rows, folder):
    if folder is not None:
        _plot(rows, folder / "permutations.svg")
    lines = [[f"{row['pattern']}, {row['grid']}, {row['rate']}", _what(row), size_text(row["block_bytes"]),
              row["contention"], with_spread(row["seconds"]), milliseconds(row["predicted_seconds"])] for row in rows]
    return {"permutation_table": table(["pattern", "placement", "message", "messages on the busiest link",
                                        "measured, ms", "predicted, ms"], lines),
            "permutation_gain": _gain(rows)}
