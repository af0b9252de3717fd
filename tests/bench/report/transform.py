"""fft::Plan compared with FFTW's own MPI transforms on emulated networks, in all orders."""

from . import plots
from .exchange import flow_optimum
from .setting import Lab
from .tables import median, milliseconds, ratio, table, with_spread
from .transforms import (FFTW_NATURAL, gain_summary, grouped, is_ours, lengths_text, overlap_table, over_baseline,
                         predicted_seconds)

NAME = "transform"
POINT_BYTES = 16

# The exchanges of all points by dimensions, for the lower bound: each one takes at least the bound of the complete
# exchange. In three dimensions they are those of a slab.
EXCHANGES = {"FFTW MPI natural": {1: 3, 3: 2}, "FFTW MPI scrambled": {1: 2}, "FFTW MPI transposed": {3: 1},
             "cubefold block": {1: 3}, "cubefold scrambled": {1: 2}, "cubefold block-cyclic": {1: 2},
             "cubefold cyclic": {1: 1}, "cubefold natural": {3: 2}, "cubefold transposed": {3: 1},
             "cubefold natural, slab": {3: 2}, "cubefold natural, pencil": {3: 2}}


def _cases(full):
    """Returns networks, arrays and repetitions. A transform of 128^3 computes for a second, so other networks would
    be limited by the cores."""
    if not full:
        yield Lab("torus:4x4", "10mbit", "one", "64kb"), "65536,32x32x32", 3
        return
    for queue in ("64mb", "64kb"):
        yield Lab("torus:4x4", "10mbit", "one", queue), "262144,1048576", 3
    yield Lab("mesh:8x8", "3mbit", "one", "64mb"), "1048576", 2
    yield Lab("torus:4x4", "10mbit", "one", "64mb"), "128x128x128", 2


def bound_seconds(row, lab, bound_blocks):
    block = row["points"] * POINT_BYTES / row["processes"]**2
    exchanges = EXCHANGES[row["transform"]][len(row["lengths"])]
    return exchanges * bound_blocks * block * lab.seconds_per_byte


def _measure_network(setting, lab, arrays, repetitions):
    bound_blocks = flow_optimum(setting, lab)
    with setting.network(lab):
        machine = setting.scratch / "transform-machine.json"
        setting.inside_lab("cubefold-calibrate", "--output", machine)
        rows = setting.on_lab("fft_peer", "--machine", machine, "--placement", "xor", "--arrays", arrays,
                              "--repetitions", repetitions)["results"]
    for row in rows:
        row |= {"where": f"{lab.grid}, {lab.ports}-port, {lab.rate}, {lab.queue} queues",
                "bound_seconds": bound_seconds(row, lab, bound_blocks)}
    return rows


def measure(setting, progress):
    cases = list(_cases(setting.full))
    measured = {}
    for lab, arrays, repetitions in setting.shuffled(cases):
        progress(f"transforms of {arrays} on {lab.grid}, queues {lab.queue}")
        measured[lab, arrays] = _measure_network(setting, lab, arrays, repetitions)
    return [row for lab, arrays, _ in cases for row in measured[lab, arrays]]


def _line(row, rows):
    predicted = predicted_seconds(row)
    return [row["transform"], with_spread(row["seconds"]), "" if predicted is None else milliseconds(predicted),
            milliseconds(row["bound_seconds"]), ratio(median(row["seconds"]), row["bound_seconds"]),
            over_baseline(row, rows), "" if row["transform"] == FFTW_NATURAL else f"{row['difference']:.0e}"]


def _case_table(rows):
    return table([f"{lengths_text(rows[0])} on {rows[0]['where']}", "measured, ms", "predicted, ms", "bound, ms",
                  "measured over bound", "FFTW over cubefold", "difference"],
                 [_line(row, rows) for row in rows])


def _plot(cases, file):
    figure, axes = plots.panels(len(cases), columns=2, width=4.6, height=2.3)
    for axis, rows in zip(axes, cases):
        colours = [plots.PLAIN[1] if is_ours(row) else plots.PLAIN[0] for row in rows]
        axis.barh([row["transform"] for row in rows], [median(row["seconds"]) for row in rows], color=colours)
        axis.plot([row["bound_seconds"] for row in rows], range(len(rows)), "k|", markersize=14)
        axis.invert_yaxis()
        axis.set_title(f"{lengths_text(rows[0])} points\n{rows[0]['where']}", fontsize=8)
        axis.set_xlabel("s (stroke: exchanges at the bound)")
    plots.save(figure, file)


def render(rows, folder):
    cases = grouped(rows)
    if folder is not None:
        _plot(cases, folder / "fft.svg")
    return {"fft_tables": "\n\n".join(map(_case_table, cases)), "fft_summary": gain_summary(cases),
            "fft_overlap": overlap_table(rows)}
