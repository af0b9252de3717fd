"""The examples on emulated tori, each compared with the same program without what cubefold does for it."""

import random
import re
from dataclasses import dataclass, field

from . import plots
from .exchange import calibrated, network_name
from .setting import Lab
from .tables import median, milliseconds, ratio, table, with_spread

NAME = "examples"
LABS = [Lab("torus:4x4", "10mbit", "all", "64mb"), Lab("torus:4x4", "10mbit", "one", "64kb")]
HALO = ("halo", 48, 3)
GRADIENT = ("gradient", 32768, 5)
ORDERS_OF_HOSTS = ("in order", "shuffled")


@dataclass(frozen=True)
class Form:
    """A way to start an example."""

    name: str
    arguments: tuple
    environment: dict = field(default_factory=dict)


def _exchanged(*arguments):
    """Returns a transform with both exchanges. It runs once, so its first calls must not measure candidates."""
    return (Form("MPI_Alltoall", arguments, {"CUBEFOLD_ALLTOALL": "mpi"}),
            Form("planned exchange", arguments, {"CUBEFOLD_TRIALS": "0"}))


SCRAMBLED = "nodes=" + "-".join(map(str, random.Random(1).sample(range(16), 16)))

# The forms of an example; the last one is cubefold's.
FORMS = {"jacobi": (Form("whole blocks", ("singular-values", 256, 1, "xor")),
                    Form("4 packets", ("singular-values", 256, 4, "xor"))),
         "bitonic_sort": (Form("ranks on nodes in random order", (32768, SCRAMBLED)),
                          Form("ranks in order", (32768, "standard")), Form("xor", (32768, "xor"))),
         "poisson": _exchanged(64), "convolution": _exchanged(262144)}


def _seconds(output):
    """Returns the seconds that an example prints. Those of singular values are for one sweep, because rounding decides
    whether there is another one."""
    sweeps = re.search(r", (\d+) sweeps in", output)
    return float(re.search(r" in (\d+\.\d+) s", output)[1]) / (int(sweeps[1]) if sweeps else 1)


def _halo_seconds(output):
    """Returns the seconds of a step with the ranks in order and placed."""
    found = re.search(r"ranks in order ([\d.]+) ms a step, placed ([\d.]+) ms", output)
    return [float(number) * 1e-3 for number in found.groups()]


def _gradient_seconds(output):
    """Returns the seconds of a step by MPI's allreduce and by that of cubefold."""
    found = re.search(r"MPI_Allreduce ([\d.]+) ms a step, cubefold_allreduce ([\d.]+) ms", output)
    return [float(number) * 1e-3 for number in found.groups()]


def _measure_forms(setting, machine, repetitions):
    runs = [(program, form) for program, forms in FORMS.items() for form in forms] * repetitions
    times = {}
    for program, form in setting.shuffled(runs):
        output = setting.inside_lab(program, *form.arguments, environment=machine | form.environment)
        times.setdefault((program, form.name), []).append(_seconds(output))
    for program, (*others, ours) in FORMS.items():
        for other in others:
            yield {"example": program, "other": other.name, "other_seconds": times[program, other.name],
                   "ours": ours.name, "seconds": times[program, ours.name]}


def _measure_halo(setting, hosts, repetitions):
    """The program itself runs both forms in turn. If hosts are shuffled, every run has another order of them."""
    rows = []
    for seed in range(1, repetitions + 1):
        options = ["--shuffle", seed] if hosts == "shuffled" else []
        rows.append(_halo_seconds(setting.inside_lab(*HALO, options=options)))
    return {"example": "halo", "other": f"ranks in order, hosts {hosts}", "other_seconds": [row[0] for row in rows],
            "ours": "placed ranks", "seconds": [row[1] for row in rows]}


def _measure_gradient(setting, machine, repetitions):
    """The program itself runs both forms in turn."""
    rows = [_gradient_seconds(setting.inside_lab(*GRADIENT, environment=machine)) for _ in range(repetitions)]
    return {"example": "gradient", "other": "MPI_Allreduce", "other_seconds": [row[0] for row in rows],
            "ours": "cubefold_allreduce", "seconds": [row[1] for row in rows]}


def measure(setting, progress):
    repetitions = 3 if setting.full else 1
    rows = []
    for lab in LABS:
        progress(f"examples on {lab.grid}, {lab.ports}-port, queues {lab.queue}")
        with setting.network(lab):
            machine = {"CUBEFOLD_MACHINE": str(calibrated(setting))}
            found = [*_measure_forms(setting, machine, repetitions),
                     *(_measure_halo(setting, hosts, repetitions) for hosts in ORDERS_OF_HOSTS),
                     _measure_gradient(setting, machine, repetitions)]
        rows += [{"grid": lab.grid, "rate": lab.rate, "ports": lab.ports, "queue": lab.queue, **row} for row in found]
    return rows


def _gain(row):
    return median(row["other_seconds"]) / median(row["seconds"])


def _table(rows):
    lines = [[row["example"], network_name(row), row["other"], with_spread(row["other_seconds"]), row["ours"],
              with_spread(row["seconds"]), ratio(_gain(row), 1)] for row in rows]
    return table(["example", "network", "without", "ms", "with", "ms", "times as fast"], lines)


def _summary(rows):
    """Returns a line for each comparison of one example."""
    return "\n".join(f"- {network_name(row)}: {row['ours']} {milliseconds(median(row['seconds']))} ms, {row['other']} "
                     f"{milliseconds(median(row['other_seconds']))} ms: {ratio(_gain(row), 1)} times as fast"
                     for row in rows)


def _plot(rows, file):
    names = list(dict.fromkeys(network_name(row) for row in rows))
    figure, axes = plots.panels(len(names), columns=1, width=8, height=2.6)
    for axis, name in zip(axes, names):
        bars = [row for row in rows if network_name(row) == name]
        axis.barh([f"{row['example']}: {row['ours']} / {row['other']}" for row in bars], [_gain(row) for row in bars],
                  color=plots.PLAIN[1])
        axis.axvline(1, color="black", linewidth=0.7, linestyle=":")
        axis.invert_yaxis()
        axis.set(title=name, xlabel="times as fast")
    plots.save(figure, file)


def render(rows, folder):
    if folder is not None:
        _plot(rows, folder / "examples.svg")
    return {"examples_table": _table(rows),
            **{f"{name}_summary": _summary([row for row in rows if row["example"] == name])
               for name in [*FORMS, HALO[0], GRADIENT[0]]}}
