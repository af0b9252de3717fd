"""The shared parts of the sections on transforms: baselines, goals and phases."""

import re

from .tables import median, milliseconds, ratio, table

FFTW_NATURAL = "FFTW MPI natural"

# The goals: how many times as fast as its baseline each transform should be.
GOALS = {"network": {"cubefold block": 2, "cubefold scrambled": 2, "cubefold block-cyclic": 3, "cubefold cyclic": 5,
                     "cubefold natural": 1.5, "cubefold transposed": 1.5},
         "node": {"cubefold block": 1, "cubefold scrambled": 1, "cubefold cyclic": 1.5, "cubefold natural": 1,
                  "cubefold transposed": 1}}
GOAL_POINTS = 2**20  # the goals of one dimension on networks are for this length


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


def _verdicts(cases, kind):
    """Yields the name, the place, the measured factor and the goal for every goal that these rows decide."""
    for rows in cases:
        for row in rows:
            goal, times = GOALS[kind].get(row["transform"]), gain(row, rows)
            if goal is None or times is None:
                continue
            if kind == "node" or len(row["lengths"]) > 1 or row["points"] >= GOAL_POINTS:
                yield row["transform"].removeprefix("cubefold "), f"{lengths_text(row)} on {row['where']}", times, goal


def goal_summary(cases, kind):
    """Returns every goal with the least and the most that was measured, and the places where it is missed."""
    found = {}
    for name, place, times, goal in _verdicts(cases, kind):
        found.setdefault((name, goal), []).append((times, place))
    sentences = []
    for (name, goal), measured in found.items():
        least, most = min(measured), max(measured)
        spread = f"{least[0]:.2f}" if len(measured) == 1 else f"{least[0]:.2f} to {most[0]:.2f}"
        missed = [f"{place} ({times:.2f})" for times, place in measured if times < goal]
        verdict = "reached" if not missed else "missed on " + "; ".join(missed)
        sentences.append(f"- {name}: goal {goal:g} times as fast as FFTW MPI, measured {spread}: {verdict}")
    return "\n".join(sentences) or "No goal is stated for arrays as small as these."


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
