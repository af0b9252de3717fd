"""The shared parts of the sections on transforms: baselines and phases."""

import re

from .tables import median, milliseconds, ratio, table

FFTW_NATURAL = "FFTW MPI natural"

# The first page has these transforms. In one dimension it has only those of this length and longer ones.
COMPARED = ["cubefold block", "cubefold scrambled", "cubefold block-cyclic", "cubefold cyclic", "cubefold natural",
            "cubefold transposed"]
LONG_LINE = 2**20


def is_ours(row):
    return row["baseline"] != ""


def grouped(rows):
    """Returns the rows in groups of the same array at the same place, in the order of measuring."""
    groups = {}
    for row in rows:
        groups.setdefault((row["where"], tuple(row["lengths"])), []).append(row)
    return list(groups.values())


def lengths_text(row):
    if len(row["lengths"]) > 1:
        return "x".join(map(str, row["lengths"]))
    points = row["points"]
    return f"2^{points.bit_length() - 1}" if points & (points - 1) == 0 else str(points)


def gain(row, rows):
    """Returns the time of the baseline over that of the row, or None if FFTW has no such transform."""
    baseline = [other for other in rows if other["transform"] == row["baseline"]]
    return median(baseline[0]["seconds"]) / median(row["seconds"]) if baseline else None


def over_baseline(row, rows):
    times = gain(row, rows)
    return "" if times is None else ratio(times, 1)


def is_compared(row):
    """Returns whether the first page has a row."""
    return row["transform"] in COMPARED and (len(row["lengths"]) > 1 or row["points"] >= LONG_LINE)


def gain_summary(cases):
    """Returns how many times as fast as FFTW MPI each transform is: the least and the most that was measured."""
    found = {}
    for rows in cases:
        for row in filter(is_compared, rows):
            if times := gain(row, rows):
                found.setdefault(row["transform"].removeprefix("cubefold "), []).append(times)
    lines = [f"- {name}: {min(times):.2f}" + (f" to {max(times):.2f}" if len(times) > 1 else "")
             for name, times in found.items()]
    return "\n".join(lines) or "Only arrays smaller than those of a full run were measured."


def _seconds_of_exchange(text):
    """Returns seconds as measured, `axes, fastest of up to 3 calls of each; direct 9 ms;
    axes 7 ms`, or as predicted."""
    measured = re.search(r": (.*?), fastest of .*", text)
    if measured:
        found = re.search(rf" {re.escape(measured[1])} ([\d.e+-]+) ms", measured[0])
    else:
        found = re.search(r"predicted ([\d.e+-]+) ms", text)
    return float(found[1]) * 1e-3 if found else None


def predicted_seconds(row):
    """Returns the time of all exchanges together from the text of the plan, as measured or as predicted, or None if MPI
    moves the blocks."""
    stages, _, summary = row["plan"].partition("\nall: ")
    measured = dict(re.findall(r"^exchange (\d+) (by measured calls: .*, fastest of .*)", summary, flags=re.M))
    total = re.search(r"^all exchanges: predicted ([\d.e+-]+) ms", summary, flags=re.M)
    if total and not measured:
        return float(total[1]) * 1e-3
    texts = re.split(r"^exchange ", stages, flags=re.M)[1:]
    times = [_seconds_of_exchange(measured.get(str(i + 1), text)) for i, text in enumerate(texts)]
    return sum(times) if times and None not in times else None


def overlap_table(rows):
    """Returns a table of the times of our transforms, as means over processes. Messages hide the computation inside
    exchanges."""
    lines = []
    for row in rows:
        if not is_ours(row):
            continue
        outside, exchange, inside = (median(row["phases"][name]) for name in ("transform", "exchange", "overlap"))
        share = f"{100 * inside / (outside + inside):.0f} %" if outside + inside > 0 else ""
        lines.append([f"{row['transform']}, {lengths_text(row)}, {row['where']}", milliseconds(exchange),
                      milliseconds(outside), milliseconds(inside), share])
    return table(["transform", "exchanges, ms", "computation outside of exchanges, ms", "computation inside, ms",
                  "share inside"], lines)
