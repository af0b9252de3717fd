"""Allreduce on emulated networks whose queues hold everything, beside every algorithm of Open MPI."""

import re
from dataclasses import dataclass

from .exchange import calibrated
from .setting import FRAME_OVER_PAYLOAD, Lab
from .tables import median, milliseconds, ratio, size_text, table, with_spread

NAME = "allreduce"
OURS = "cubefold"  # without a machine file
WITH_FILE = "cubefold with a machine file"
DEFAULT = "default"
MPI_ALGORITHMS = {DEFAULT: None, "linear": 1, "reduce and broadcast": 2, "recursive doubling": 3, "ring": 4,
                  "segmented ring": 5, "Rabenseifner": 6}
FAST = [DEFAULT, "recursive doubling", "ring", "segmented ring", "Rabenseifner"]  # the others take seconds


@dataclass(frozen=True)
class Case:
    lab: Lab
    kibibytes: tuple
    repetitions: int = 5
    algorithms: tuple = tuple(FAST)
    per_node: int = 1


def _cases(full):
    if not full:
        return [Case(Lab("torus:4x4", "10mbit", "all"), (128,), 3)]
    every = tuple(MPI_ALGORITHMS)
    return [Case(Lab("torus:4x4", "10mbit", "all"), (2, 32), 5, every),
            Case(Lab("torus:4x4", "10mbit", "all"), (128, 512), 3),
            Case(Lab("torus:4x4", "10mbit", "one"), (2, 32), 5, every),
            Case(Lab("torus:4x4", "10mbit", "one"), (128,), 3),
            Case(Lab("torus:4x4", "10mbit", "all"), (8, 32), 3, ("ring", "Rabenseifner"), 4),
            Case(Lab("ring:16", "10mbit", "one"), (2, 32, 128)),
            Case(Lab("torus:6x5", "5mbit", "one"), (2, 32, 128)),
            Case(Lab("torus:6x5", "5mbit", "all"), (32, 128)),
            Case(Lab("torus:5x4x3", "2mbit", "all"), (32, 128), 3),
            Case(Lab("torus:8x8", "2mbit", "all"), (32, 128), 3),
            Case(Lab("torus:8x8", "2mbit", "one"), (2, 8, 32), 3),
            Case(Lab("torus:4x4x4", "2mbit", "all"), (32, 128), 3),
            Case(Lab("hyperx:4x4", "10mbit", "all"), (32, 128), 3),
            Case(Lab("hyperx:8x4", "5mbit", "all"), (32, 128), 3)]


def _environment(form, lab, machine):
    if form == WITH_FILE:
        return {"TIMED_ALLREDUCE": "cubefold", "CUBEFOLD_MACHINE": str(machine)}
    if form == OURS:
        return {"TIMED_ALLREDUCE": "cubefold", "TIMED_PORTS": lab.ports}
    number = MPI_ALGORITHMS[form]
    return {} if number is None else {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
                                      "OMPI_MCA_coll_tuned_allreduce_algorithm": str(number)}


def _times(output):
    """Returns the seconds of all calls by the KiB of their vectors."""
    return {int(kib): [float(each) * 1e-3 for each in times.split()]
            for kib, times in re.findall(r"^ *(\d+) KiB +[\d.]+ ms of((?: [\d.]+)+)$", output, re.MULTILINE)}


def _bound_seconds(setting, case, kib):
    """Returns the time of the bytes that the busiest link or port carries in every allreduce, with their headers."""
    plan = setting.planned("plan", "allreduce", case.lab.grid, "--size", f"{kib}KiB", "--ports", case.lab.ports,
                           option="--table=")
    return plan["bound"]["vectors"] * kib * 1024 * FRAME_OVER_PAYLOAD * case.lab.seconds_per_byte


def _measure(setting, case, machine):
    for form in setting.shuffled([*case.algorithms, OURS, WITH_FILE]):
        output = setting.inside_lab("timed_allreduce", case.repetitions, *case.kibibytes, per_node=case.per_node,
                                    environment=_environment(form, case.lab, machine))
        for kib, seconds in _times(output).items():
            yield {"grid": case.lab.grid, "rate": case.lab.rate, "ports": case.lab.ports, "per_node": case.per_node,
                   "kib": kib, "form": form, "bound_seconds": _bound_seconds(setting, case, kib), "seconds": seconds}


def measure(setting, progress):
    rows = []
    for case in _cases(setting.full):
        progress(f"allreduce on {case.lab.grid}, {case.lab.ports}-port, {case.per_node} ranks a node")
        with setting.network(case.lab):
            rows += _measure(setting, case, calibrated(setting))
    return rows


def _case_of(row):
    return row["grid"], row["ports"], row["per_node"], row["kib"]


def _compared(rows):
    """Yields our row, our seconds without and with a machine file, the name and the median of MPI's fastest algorithm,
    and the median of MPI's default. What was not measured is None. Our row is the one with a file, if there is one."""
    for without_file in (row for row in rows if row["form"] == OURS):
        others = {row["form"]: row for row in rows if _case_of(row) == _case_of(without_file) and row["form"] != OURS}
        with_file = others.pop(WITH_FILE, None)
        medians = {form: median(row["seconds"]) for form, row in others.items()}
        best = min(medians, key=medians.get)
        yield (with_file or without_file, without_file["seconds"], with_file["seconds"] if with_file else None, best,
               medians[best], medians.get(DEFAULT))


def _gain(ours, other):
    return other / median(ours["seconds"])


def _summary(compared):
    gains = [_gain(ours, best) for ours, _, _, _, best, _ in compared]
    long = [_gain(ours, best) for ours, _, _, _, best, _ in compared
            if ours["ports"] == "all" and ours["per_node"] == 1 and ours["kib"] >= 128]
    text = (f"With all ports and vectors from 128 KiB on, `cubefold_allreduce` is {min(long):.2f} to {max(long):.2f} "
            f"times as fast as the fastest algorithm of Open MPI." if long else "")
    default = min(_gain(ours, seconds) for ours, _, _, _, _, seconds in compared if seconds is not None)
    return f"{text} The least ratio of all cases is {min(gains):.2f}, and {default:.2f} beside MPI's default.".strip()


def render(rows, _folder):
    compared = list(_compared(rows))
    lines = []
    for ours, without_file, with_file, best, best_seconds, default_seconds in compared:
        seconds = median(ours["seconds"])
        ranks = f", {ours['per_node']} ranks a node" if ours["per_node"] > 1 else ""
        lines.append([f"{ours['grid']}, {ours['ports']}-port, {ours['rate']}{ranks}", size_text(ours["kib"] * 1024),
                      with_spread(with_file) if with_file else "-", with_spread(without_file),
                      milliseconds(default_seconds) if default_seconds else "-", milliseconds(best_seconds), best,
                      ratio(best_seconds, seconds), f"{100 * ours['bound_seconds'] / seconds:.0f} %"])
    return {"allreduce_summary": _summary(compared),
            "allreduce_table": table(["network", "vector", "cubefold, ms", "without a file, ms", "MPI's default, ms",
                                      "MPI's best, ms", "which", "times as fast", "of the bound"], lines)}
