"""Allreduce on emulated networks whose queues hold everything, beside every algorithm of Open MPI."""

import re
from dataclasses import dataclass

from .exchange import calibrated
from .setting import FRAME_OVER_PAYLOAD, Lab
from .tables import median, milliseconds, ratio, size_text, table, with_spread

NAME = "allreduce"
OURS = "cubefold"  # without a machine file
WITH_FILE = "cubefold with a machine file"
DEFAULT = "default"  # takes turns with ours
MPI_ALGORITHMS = {"linear": 1, "reduce and broadcast": 2, "recursive doubling": 3, "ring": 4,
                  "segmented ring": 5, "Rabenseifner": 6}
FAST = ["recursive doubling", "ring", "segmented ring", "Rabenseifner"]  # the others take seconds


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
    return {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
            "OMPI_MCA_coll_tuned_allreduce_algorithm": str(MPI_ALGORITHMS[form])}


def _times(output):
    """Yields who performs the calls, MPI or cubefold, the KiB of the vector, and the seconds of all calls."""
    pattern = r"^(MPI|cubefold) +(\d+) KiB +[\d.]+ ms of((?: [\d.]+)+)$"
    for who, kib, times in re.findall(pattern, output, re.MULTILINE):
        yield who, int(kib), [float(each) * 1e-3 for each in times.split()]


def _bound_seconds(setting, case, kib):
    """Returns the time of the bytes that the busiest link or port carries in every allreduce, with their headers."""
    plan = setting.planned("plan", "allreduce", case.lab.grid, "--size", f"{kib}KiB", "--ports", case.lab.ports,
                           option="--table=")
    return plan["bound"]["vectors"] * kib * 1024 * FRAME_OVER_PAYLOAD * case.lab.seconds_per_byte


def _measure(setting, case, machine):
    for form in setting.shuffled([*case.algorithms, OURS, WITH_FILE]):
        output = setting.inside_lab("timed_allreduce", case.repetitions, *case.kibibytes, per_node=case.per_node,
                                    environment=_environment(form, case.lab, machine))
        for who, kib, seconds in _times(output):
            is_default = who == "MPI" and form not in MPI_ALGORITHMS
            yield {"grid": case.lab.grid, "rate": case.lab.rate, "ports": case.lab.ports, "per_node": case.per_node,
                   "kib": kib, **({"form": DEFAULT, "beside": form} if is_default else {"form": form}),
                   "bound_seconds": _bound_seconds(setting, case, kib), "seconds": seconds}


def measure(setting, progress):
    rows = []
    for case in _cases(setting.full):
        progress(f"allreduce on {case.lab.grid}, {case.lab.ports}-port, {case.per_node} ranks a node")
        with setting.network(case.lab):
            rows += _measure(setting, case, calibrated(setting))
    return rows


def _case_of(row):
    return row["grid"], row["ports"], row["per_node"], row["kib"]


@dataclass(frozen=True)
class Compared:
    """Our calls of a case and what they are compared with."""

    row: dict  # of our calls, with a machine file if there is one
    without_file: list  # seconds of our calls
    with_file: list | None
    best: str  # MPI's fastest algorithm
    best_seconds: float
    default_seconds: float  # of MPI's default, in turn with the calls of the row
    default_gains: tuple  # of our calls with and without a file over MPI's default, in turn with each

    @property
    def gain(self):
        return self.best_seconds / median(self.row["seconds"])


def _compared(rows):
    for without_file in (row for row in rows if row["form"] == OURS):
        others = [row for row in rows if _case_of(row) == _case_of(without_file)]
        ours = {row["form"]: row for row in others if row["form"] in (OURS, WITH_FILE)}
        defaults = {row["beside"]: median(row["seconds"]) for row in others if row["form"] == DEFAULT}
        medians = {row["form"]: median(row["seconds"]) for row in others if row["form"] in MPI_ALGORITHMS}
        row = ours.get(WITH_FILE, without_file)
        medians[DEFAULT] = defaults[row["form"]]
        best = min(medians, key=medians.get)
        yield Compared(row, without_file["seconds"], ours[WITH_FILE]["seconds"] if WITH_FILE in ours else None, best,
                       medians[best], medians[DEFAULT],
                       tuple(defaults[form] / median(each["seconds"]) for form, each in ours.items()))


def _summary(compared):
    long = [each.gain for each in compared
            if each.row["ports"] == "all" and each.row["per_node"] == 1 and each.row["kib"] >= 128]
    text = (f"With all ports and vectors from 128 KiB on, `cubefold_allreduce` is {min(long):.2f} to {max(long):.2f} "
            f"times as fast as the fastest algorithm of Open MPI." if long else "")
    least = min(each.gain for each in compared)
    default = min(gain for each in compared for gain in each.default_gains)
    return f"{text} The least ratio of all cases is {least:.2f}, and {default:.2f} beside MPI's default.".strip()


def render(rows, _folder):
    compared = list(_compared(rows))
    lines = []
    for each in compared:
        row, seconds = each.row, median(each.row["seconds"])
        ranks = f", {row['per_node']} ranks a node" if row["per_node"] > 1 else ""
        lines.append([f"{row['grid']}, {row['ports']}-port, {row['rate']}{ranks}", size_text(row["kib"] * 1024),
                      with_spread(each.with_file) if each.with_file else "-", with_spread(each.without_file),
                      milliseconds(each.default_seconds), milliseconds(each.best_seconds), each.best,
                      ratio(each.best_seconds, seconds), f"{100 * row['bound_seconds'] / seconds:.0f} %"])
    return {"allreduce_summary": _summary(compared),
            "allreduce_table": table(["network", "vector", "cubefold, ms", "without a file, ms", "MPI's default, ms",
                                      "MPI's best, ms", "which", "times as fast", "of the bound"], lines)}
