"""Figures 5 to 7 of [Lcc]: latency and throughput on the wormhole-routed 8-cube, before and after reordering."""

from . import plots
from .tables import table

NAME = "wormholes"
PATTERNS = ["transpose", "bit-reversal", "reverse-flip"]
LOADS = [0.02, 0.04, 0.06, 0.08, 0.09, 0.1, 0.11, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 0.93,
         0.96]


def _cases(setting):
    """Yields the cases by their names in [Lcc]: e-cube and P-cube under the identity, M-S with the order for one
    pattern, M-G with the order for all three."""
    phases = [word for pattern in PATTERNS for word in ("--phase", pattern)]
    common = setting.planned("lcc", "hypercube:8", *phases)["placement"]
    for pattern in PATTERNS:
        own = setting.planned("lcc", "hypercube:8", "--phase", pattern)["placement"]
        yield pattern, {"e-cube": ("identity", "e-cube"), "P-cube": ("identity", "p-cube"),
                        "M-G": (common, "e-cube"), "M-S": (own, "e-cube")}


def measure(setting, progress):
    rows = []
    loads = LOADS if setting.full else LOADS[::4]
    for pattern, cases in _cases(setting):
        for case, (placement, router) in cases.items():
            progress(f"wormholes: {pattern}, {case}")
            found = setting.planned("wormhole", "hypercube:8", "--pattern", pattern, "--placement", placement,
                                    "--router", router, "--load", ",".join(map(str, loads)),
                                    "--cycles", 100000 if setting.full else 20000)
            rows.append({"pattern": pattern, "case": case, "placement": placement, "results": found["results"]})
    return rows


def sustained(row):
    return max((r["throughput"] for r in row["results"] if r["sustainable"]), default=0)


def _plot(rows, file):
    figure, axes = plots.panels(len(PATTERNS))
    for axis, pattern in zip(axes, PATTERNS):
        for colour, row in zip(plots.PLAIN, [row for row in rows if row["pattern"] == pattern]):
            good = [r for r in row["results"] if r["sustainable"]]
            axis.plot([r["throughput"] for r in good], [r["latency_cycles"] for r in good], marker="o", markersize=3,
                      color=colour, label=row["case"])
        axis.set(title=pattern, xlabel="throughput, flits per cycle and node", ylabel="latency, cycles", ylim=(0, 200))
    axes[1].legend(loc="upper center")
    plots.save(figure, file)


def render(rows, folder):
    if folder is not None:
        _plot(rows, folder / "wormholes.svg")
    lines = [[row["pattern"], row["case"], f"`{row['placement']}`", f"{row['results'][0]['latency_cycles']:.1f}",
              f"{sustained(row):.3f}"] for row in rows]
    return {"wormhole_table": table(["pattern", "", "placement", f"latency at load {LOADS[0]}, cycles",
                                     "highest throughput sustained"], lines)}
