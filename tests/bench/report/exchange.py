"""The complete exchange on emulated networks, beside every all-to-all that MPI has, and the ring under two placements."""

from . import plots
from .setting import Lab
from .tables import median, milliseconds, ratio, size_text, table, with_spread

NAME = "exchange"
OURS = ["cc-cube", "direct"]


def _networks(full):
    small = [("torus:4x4", "10mbit", "all"), ("torus:4x4", "10mbit", "one")]
    large = [("torus:8x8", "4mbit", "all"), ("mesh:8x8", "3mbit", "one")]
    for queue in ("64mb", "64kb"):
        for grid, rate, ports in small:
            yield Lab(grid, rate, ports, queue), [16, 256, 8192, 65536] if full else [64, 8192], "all", 5 if full else 3
        for grid, rate, ports in large if full else []:
            # With short queues one exchange can take minutes there.
            yield Lab(grid, rate, ports, queue), [64, 8192], "default,pairwise", 3 if queue == "64mb" else 2


def _start_up(setting):
    """Seconds of a start-up: what each of the stages takes when blocks of one byte are exchanged."""
    smallest = setting.on_lab("cubefold-exchange", "--algorithm", "cc-cube", "--block", 1, "--compare", "none", "--repetitions", 21)
    return median(smallest["results"][0]["seconds"]) / len(smallest["stage_hops"])


def _model(setting, lab, placement, block, alpha, algorithm="cc-cube"):
    return setting.planned("simulate", "exchange", lab.grid, "--algorithm", algorithm, "--placement", placement, "--block",
                           block, "--ports", lab.ports, "--alpha", alpha, "--tau", lab.tau)


def _rows(setting, lab, placement, alpha, measured):
    for result in measured["results"]:
        ours = result["algorithm"] in OURS
        model = _model(setting, lab, placement, result["block_bytes"], alpha, result["algorithm"] if ours else OURS[0])
        free = _model(setting, lab, placement, result["block_bytes"], 0)
        yield {"grid": lab.grid, "rate": lab.rate, "ports": lab.ports, "queue": lab.queue, "placement": placement,
               "block_bytes": result["block_bytes"], "algorithm": result["algorithm"], "seconds": result["seconds"],
               "bound_seconds": free["bound_seconds"], "predicted_seconds": model["total_seconds"] if ours else None,
               "busiest_link_seconds": max(link["bytes"] for link in model["links"]) * lab.tau if ours else None}


def _measure_network(setting, lab, blocks, compare, repetitions):
    with setting.network(lab):
        alpha = _start_up(setting)
        measured = setting.on_lab("cubefold-exchange", "--placement", "xor", "--block", ",".join(map(str, blocks)),
                                  "--compare", compare, "--repetitions", repetitions)
        return list(_rows(setting, lab, "xor", alpha, measured))


def _measure_ring(setting, lab, block, repetitions):
    rows = []
    with setting.network(lab):
        alpha = _start_up(setting)
        for placement in setting.shuffled(["standard", "xor"]):
            measured = setting.on_lab("cubefold-exchange", "--algorithm", "cc-cube", "--compare", "none", "--placement",
                                      placement, "--block", block, "--repetitions", repetitions)
            rows += _rows(setting, lab, placement, alpha, measured)
    return sorted(rows, key=lambda row: row["placement"])


def measure(setting, progress):
    networks, rings = [], []
    for lab, blocks, compare, repetitions in setting.shuffled(_networks(setting.full)):
        progress(f"exchange on {lab.grid}, {lab.ports}-port, queues {lab.queue}")
        networks.append(_measure_network(setting, lab, blocks, compare, repetitions))
    networks.sort(key=lambda rows: (len(rows[0]["grid"]), rows[0]["grid"] != "torus:4x4", rows[0]["ports"],
                                    rows[0]["queue"] != "64mb", rows[0]["grid"]))
    for lab, block in [(Lab("ring:16", "10mbit"), 1024)] + ([(Lab("ring:64", "3mbit"), 256)] if setting.full else []):
        progress(f"CC-cube on {lab.grid}")
        rings += _measure_ring(setting, lab, block, 7 if setting.full else 3)
    return {"networks": networks, "rings": rings}


def _network_name(row):
    return f"{row['grid']}, {row['ports']}-port, {row['rate']}, {row['queue']} queues"


def _network_table(rows):
    blocks = sorted({row["block_bytes"] for row in rows})
    names = list(dict.fromkeys(row["algorithm"] for row in rows))
    cells = {(row["algorithm"], row["block_bytes"]): with_spread(row["seconds"]) for row in rows}
    lines = [[name, *[cells[name, block] for block in blocks]] for name in names]
    at = {(row["algorithm"], row["block_bytes"]): row for row in rows}
    for name in OURS:
        lines.append([f"*{name}, predicted*", *[milliseconds(at[name, block]["predicted_seconds"]) for block in blocks]])
    lines.append(["*lower bound*", *[milliseconds(at[OURS[0], block]["bound_seconds"]) for block in blocks]])
    return table([_network_name(rows[0]), *map(size_text, blocks)], lines)


def _ring_table(rows):
    lines = [[row["grid"], row["placement"], size_text(row["block_bytes"]), with_spread(row["seconds"]),
              milliseconds(row["predicted_seconds"]), milliseconds(row["busiest_link_seconds"]),
              milliseconds(row["bound_seconds"])] for row in rows]
    return table(["ring", "placement", "block", "measured, ms", "predicted, ms", "busiest link alone, ms",
                  "lower bound of any exchange, ms"], lines)


def _plot(networks, file):
    figure, axes = plots.panels(len(networks), columns=2, width=4.6, height=3.1)
    for axis, rows in zip(axes, networks):
        for name in dict.fromkeys(row["algorithm"] for row in rows):
            points = [(row["block_bytes"], median(row["seconds"]) / row["bound_seconds"])
                      for row in rows if row["algorithm"] == name]
            axis.plot(*zip(*points), marker="o", markersize=3, color=plots.COLOURS[name], label=name,
                      linewidth=2 if name in OURS else 1)
        axis.axhline(1, color="black", linewidth=0.7, linestyle=":")
        axis.set(xscale="log", yscale="log", title=_network_name(rows[0]), xlabel="block, bytes", ylabel="time / bound")
        axis.set_xticks(sorted({row["block_bytes"] for row in rows}), minor=False)
        axis.set_xticklabels([size_text(b) for b in sorted({row["block_bytes"] for row in rows})])
        axis.minorticks_off()
        axis.set_yticks([t for t in (1, 2, 5, 10, 20, 50, 100) if axis.get_ylim()[0] <= t <= axis.get_ylim()[1]])
        axis.yaxis.set_major_formatter("{x:.0f}")
    max(axes, key=lambda axis: len(axis.lines)).legend(fontsize=7)
    plots.save(figure, file)


def _speed_up(rows, block):
    """A line: the better one of ours, over it what MPI does by default and at its best, and it over the bound."""
    at = {row["algorithm"]: median(row["seconds"]) for row in rows if row["block_bytes"] == block}
    bound = next(row["bound_seconds"] for row in rows if row["block_bytes"] == block)
    best = min(OURS, key=lambda name: at[name])
    rival = min((name for name in at if name not in OURS), key=lambda name: at[name])
    return [_network_name(rows[0]), size_text(block), best, ratio(at["MPI_Alltoall"], at[best]),
            f"{ratio(at[rival], at[best])} ({rival})", ratio(at[best], bound)]


def _speed_up_table(data):
    return table(["network", "block", "our better one", "MPI_Alltoall over it", "MPI's best over it", "it over the bound"],
                 [_speed_up(rows, block) for rows in data["networks"] for block in sorted({r["block_bytes"] for r in rows})])


def _ring_gain(rows):
    by = {(row["grid"], row["placement"]): median(row["seconds"]) for row in rows}
    link = {(row["grid"], row["placement"]): row["busiest_link_seconds"] for row in rows}
    return "; ".join(f"on {grid} standard takes {ratio(by[grid, 'standard'], by[grid, 'xor'])} times as long as xor, and "
                     f"has {ratio(link[grid, 'standard'], link[grid, 'xor'])} times as much on its busiest link"
                     for grid in dict.fromkeys(grid for grid, _ in by))


def render(data, folder):
    _plot(data["networks"], folder / "exchange.svg")
    return {"exchange_tables": "\n\n".join(map(_network_table, data["networks"])),
            "exchange_speed_ups": _speed_up_table(data),
            "ring_table": _ring_table(data["rings"]), "ring_gain": _ring_gain(data["rings"])}
