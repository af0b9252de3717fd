"""The complete exchange on emulated networks: as planned, with methods by name, and every all-to-all of MPI."""

import re
from math import exp, log

from . import plots
from .setting import FRAME_OVER_PAYLOAD, Lab
from .tables import median, milliseconds, ratio, size_text, table, with_spread

NAME = "exchange"
PLAN = "plan"
OURS = "cubefold_alltoall"
DEFAULT = "MPI_Alltoall"

# Cases that run together: blocks, exchanges of cubefold, exchanges of MPI, repetitions. At the bound, 64 KiB blocks
# take 0.4 to 0.9 s on 4x4 nodes, and 8 KiB blocks take 1.4 to 2.8 s on 8x8 nodes, where MPI's default can take half a
# minute with short queues.
OPEN_MPI = "default,linear,pairwise,bruck"
SMALL = [([16, 64, 256, 1024, 8192], "alltoall,plan", f"{OPEN_MPI},by-axis", 9),
         ([65536], "alltoall,plan", "default,linear,pairwise,by-axis", 3)]
LARGE = [([16, 64, 256], "alltoall,plan", OPEN_MPI, 5),
         ([1024], "alltoall,plan", "default,linear,pairwise", 3),
         ([8192], "alltoall,plan", "default,pairwise", 2)]
SHORT = [([16, 1024, 8192], "alltoall,plan,direct", f"{OPEN_MPI},linear-sync", 3)]
# A torus carries twice as much as a mesh through the same cores, which would be the limit of 64 nodes at 3 Mbit/s.
LARGE_NETWORKS = [("mesh", "3mbit", "one", "64mb"), ("mesh", "3mbit", "one", "64kb"),
                  ("torus", "1500kbit", "one", "64kb"), ("torus", "1500kbit", "all", "64kb")]


def _networks(full):
    if not full:
        yield Lab("torus:4x4", "10mbit", "one", "64kb"), SHORT
        return
    for ports in ("one", "all"):
        for queue in ("64mb", "64kb"):
            for kind in ("mesh", "torus"):
                yield Lab(f"{kind}:4x4", "10mbit", ports, queue), SMALL
    for kind, rate, ports, queue in LARGE_NETWORKS:
        yield Lab(f"{kind}:8x8", rate, ports, queue), LARGE


def placement(grid):
    """Returns a placement that suits a hypercube, if the grid has one."""
    extents = re.fullmatch(r"(?:mesh|torus):([0-9x]+)", grid)
    is_cube = extents and all(int(extent).bit_count() == 1 for extent in extents[1].split("x"))
    return "xor" if is_cube else "identity"


def calibrated(setting):
    machine = setting.scratch / "machine.json"
    setting.inside_lab("cubefold-calibrate", "--output", machine)
    return machine


def _rows(lab, optimum_blocks, results):
    for result in results:
        block_seconds = result["block_bytes"] * lab.seconds_per_byte
        yield {"grid": lab.grid, "rate": lab.rate, "ports": lab.ports, "queue": lab.queue,
               "bound_seconds": optimum_blocks * block_seconds, "optimum_seconds": optimum_blocks * block_seconds,
               **{key: result.get(key) for key in ("block_bytes", "algorithm", "method", "sync", "seconds",
                                                   "predicted_seconds", "choice")}}


def flow_optimum(setting, lab):
    """Returns the flow optimum in block-times."""
    table = setting.json_of([setting.program("cubefold"), "plan", "exchange", lab.grid, "--ports", lab.ports,
                             "--block", "1", "--alpha", "0", "--tau", "1", "--bound", "lp"], "--table=")
    return table["bound_seconds"]


def _measure_network(setting, lab, groups):
    rows = []
    optimum_blocks = flow_optimum(setting, lab)
    with setting.network(lab):
        machine = calibrated(setting)
        for blocks, ours, baselines, repetitions in groups:
            measured = setting.on_lab("cubefold-exchange", "--machine", machine, "--placement", placement(lab.grid),
                                      "--ports", lab.ports,
                                      "--algorithm", ours, "--compare", baselines, "--block",
                                      ",".join(map(str, blocks)),
                                      "--repetitions", repetitions)
            rows += _rows(lab, optimum_blocks, measured["results"])
    return rows


def measure_networks(setting, progress, labs):
    networks = []
    for lab, groups in setting.shuffled(labs):
        progress(f"exchange on {lab.grid}, {lab.ports}-port, queues {lab.queue}")
        networks.append(_measure_network(setting, lab, groups))
    return sorted(networks, key=lambda rows: (rows[0]["grid"][-3:], rows[0]["grid"], rows[0]["ports"],
                                              rows[0]["queue"] != "64mb"))


def measure(setting, progress):
    return measure_networks(setting, progress, _networks(setting.full))


def network_name(row):
    return f"{row['grid']}, {row['ports']}-port, {row['rate']}, {row['queue']} queues"


def _blocks(rows):
    return sorted({row["block_bytes"] for row in rows})


def _chosen(text):
    """Returns the method from the text of cubefold_explain. It comes first, or in the second line if the model
    chose."""
    text = text.partition(" bytes: ")[2]
    return text.splitlines()[1].partition(":")[0] if text.startswith("complete exchange") else text.partition(",")[0]


def _has_optimum(row):
    """Returns whether a row has the flow optimum, which earlier reports lack."""
    return row.get("optimum_seconds") is not None


def _network_table(rows):
    blocks = _blocks(rows)
    at = {(row["algorithm"], row["block_bytes"]): row for row in rows}

    def line(title, text, name):
        return [title, *[text(at[name, block]) if (name, block) in at else "" for block in blocks]]

    lines = [line(name, lambda row: with_spread(row["seconds"]), name)
             for name in dict.fromkeys(row["algorithm"] for row in rows)]
    lines.append(line(f"*{OURS} chose*", lambda row: _chosen(row["choice"]), OURS))
    lines.append(line("*the plan*", lambda row: f"{row['method']}, {row['sync']}", PLAN))
    lines.append(line("*the plan, predicted*", lambda row: milliseconds(row["predicted_seconds"]), PLAN))
    lines.append(line("*lower bound*", lambda row: milliseconds(row["bound_seconds"]), PLAN))
    if all(map(_has_optimum, rows)):
        lines.append(line("*flow optimum*", lambda row: milliseconds(row["optimum_seconds"]), PLAN))
    return table([network_name(rows[0]), *map(size_text, blocks)], lines)


def _colour(name):
    return plots.COLOURS[name.removeprefix("MPI ")]


def network_tables(networks):
    return "\n\n".join(map(_network_table, networks))


def plot(networks, file):
    figure, axes = plots.panels(len(networks), columns=2, width=4.6, height=3.1)
    for axis, rows in zip(axes, networks):
        for name in dict.fromkeys(row["algorithm"] for row in rows):
            points = [(row["block_bytes"], median(row["seconds"]) / row["bound_seconds"])
                      for row in rows if row["algorithm"] == name]
            axis.plot(*zip(*points), marker="o", markersize=3, color=_colour(name), label=name,
                      linewidth=2 if name == OURS else 1)
        axis.axhline(1, color="black", linewidth=0.7, linestyle=":")
        axis.set(xscale="log", yscale="log", title=network_name(rows[0]), xlabel="block, bytes", ylabel="time / bound")
        axis.set_xticks(_blocks(rows), minor=False)
        axis.set_xticklabels(map(size_text, _blocks(rows)))
        axis.minorticks_off()
        axis.set_yticks([t for t in (1, 2, 5, 10, 20, 50, 100) if axis.get_ylim()[0] <= t <= axis.get_ylim()[1]])
        axis.yaxis.set_major_formatter("{x:.0f}")
    plots.put_legend_below(figure, axes)
    plots.save(figure, file)


def _point(rows, block):
    """Returns the numbers of cubefold_alltoall for one network and one block size."""
    at = {row["algorithm"]: row for row in rows if row["block_bytes"] == block}
    ours, plan = at[OURS], at[PLAN]
    seconds = median(ours["seconds"])
    of_mpi = {name: median(row["seconds"]) for name, row in at.items() if name.startswith("MPI")}
    best = min(of_mpi, key=of_mpi.get)
    bound = ours["bound_seconds"]
    optimum = FRAME_OVER_PAYLOAD * ours["optimum_seconds"] if _has_optimum(ours) else None
    return {"network": network_name(ours), "block_bytes": block, "method": _chosen(ours["choice"]), "best": best,
            "default_gain": of_mpi[DEFAULT] / seconds, "possible_gain": of_mpi[DEFAULT] / (FRAME_OVER_PAYLOAD * bound),
            "best_gain": of_mpi[best] / seconds, "over_bound": seconds / bound,
            "over_predicted": median(plan["seconds"]) / plan["predicted_seconds"],
            "over_optimum": optimum and seconds / optimum, "best_over_optimum": optimum and of_mpi[best] / optimum}


def points_of(networks):
    return [_point(rows, block) for rows in networks for block in _blocks(rows)]


def speed_up_table(points):
    lines = [[p["network"], size_text(p["block_bytes"]), p["method"], ratio(p["default_gain"], 1),
              f"{ratio(p['best_gain'], 1)} ({p['best']})", ratio(p["over_bound"], 1), ratio(p["over_predicted"], 1)]
             for p in points]
    return table(["network", "block", "cubefold_alltoall chose", "MPI_Alltoall over cubefold",
                  "MPI's best over cubefold",
                  "cubefold over the bound", "the plan over its prediction"], lines)


def _at(point):
    return f"{size_text(point['block_bytes'])} on {point['network']}"


def geometric_mean(values):
    return exp(sum(map(log, values)) / len(values))


def _over_optimum(point):
    return f"{point['over_optimum']:.2f} / {point['best_over_optimum']:.2f}"


def _optimum_tables(points):
    """Returns a table for each set of block sizes, with a line for each network."""
    networks, tables = {}, {}
    for point in points:
        networks.setdefault(point["network"], []).append(point)
    for name, row in networks.items():
        sizes = tuple(point["block_bytes"] for point in row)
        tables.setdefault(sizes, []).append([name, *map(_over_optimum, row)])
    return "\n\n".join(table(["cubefold / MPI's best", *map(size_text, sizes)], lines)
                       for sizes, lines in tables.items())


def _optimum_text(points):
    """Returns the ratios to the flow optimum, or why there are none."""
    points = [p for p in points if p["over_optimum"]]
    if not points:
        return "The last run did not compute the flow optimum."
    long = [p for p in points if p["block_bytes"] >= 8192]
    ours, best = (geometric_mean([p[key] for p in long]) for key in ("over_optimum", "best_over_optimum"))
    return (f"From 8 KiB on `cubefold_alltoall` takes {ours:.2f} times the flow optimum in the geometric mean, and "
            f"MPI's best takes {best:.2f} times.\n\n{_optimum_tables(points)}")


def _short_gain(points):
    """Yields a line about blocks of 64 and 256 B, or of one of these sizes, if there are any."""
    short = [p for p in points if p["block_bytes"] in (64, 256)]
    sizes = " and ".join(size_text(size) for size in sorted({p["block_bytes"] for p in short}))
    if short:
        yield f"With blocks of {sizes} it is {geometric_mean([p['default_gain'] for p in short]):.2f} times as fast."


def _least_gain(points):
    """Returns a line about MPI's best, over all points and over those with blocks of 64 B and more."""
    least = min(points, key=lambda p: p["best_gain"])
    text = f"MPI's best takes at least {least['best_gain']:.2f} times as long as `cubefold_alltoall` ({_at(least)})"
    if least["block_bytes"] < 64 and (longer := [p for p in points if p["block_bytes"] >= 64]):
        least = min(longer, key=lambda p: p["best_gain"])
        text += f", and at least {least['best_gain']:.2f} times from 64 B on ({_at(least)})"
    return text + "."


def summary(points):
    gain = geometric_mean([p["default_gain"] for p in points])
    bound = [p for p in points if p["block_bytes"] >= 1024]
    real, possible = (geometric_mean([p[key] for p in bound]) for key in ("default_gain", "possible_gain"))
    large = [p for p in points if p["block_bytes"] >= 8192]
    furthest = max(large, key=lambda p: p["over_bound"])
    return "\n".join([
        f"Over all {len(points)} points `cubefold_alltoall` is {gain:.2f} times as fast as `MPI_Alltoall` in the "
        "geometric mean.",
        f"From 1 KiB on it is {real:.2f} times as fast, and an exchange at the bound, with headers, would be "
        f"{possible:.2f} times as fast.",
        *_short_gain(points),
        _least_gain(points),
        f"From 8 KiB on it reaches at least {100 / furthest['over_bound']:.0f} % of the bound ({_at(furthest)})."])


def render(networks, folder):
    if folder is not None:
        plot(networks, folder / "exchange.svg")
    points = points_of(networks)
    return {"exchange_tables": network_tables(networks), "exchange_summary": summary(points),
            "exchange_speed_ups": speed_up_table(points), "exchange_optimum": _optimum_text(points)}
