"""The tables and the picture of the first page, from the sections that the other modules have measured."""

from . import exchange, plots, transforms
from .tables import in_units, median, ratio, table

BLOCK_BYTES = 8192
MPI_BEST = "MPI's best"
BARS = {"cubefold_alltoall": "#000000", MPI_BEST: "#009e73", "MPI_Alltoall": "#0072b2"}


def _seconds(seconds):
    return f"{in_units(seconds, 1)} s" if seconds >= 1 else f"{in_units(seconds, 1e-3)} ms"


def _exchanges(networks):
    """Returns for each network with blocks of this size its name, its bound, and the medians by name."""
    for rows in networks:
        rows = [row for row in rows if row["block_bytes"] == BLOCK_BYTES]
        if not rows:
            continue
        medians = {row["algorithm"]: median(row["seconds"]) for row in rows}
        of_mpi = {name: seconds for name, seconds in medians.items() if name.startswith("MPI")}
        best = min(of_mpi, key=of_mpi.get)
        yield {"network": exchange.network_name(rows[0]), "bound": rows[0]["bound_seconds"], "best": best,
               "cubefold_alltoall": medians["cubefold_alltoall"], MPI_BEST: of_mpi[best],
               "MPI_Alltoall": medians["MPI_Alltoall"]}


def exchange_table(found):
    return table(["network", "cubefold_alltoall", "of the bound", MPI_BEST, "MPI_Alltoall"],
                 [[row["network"], _seconds(row["cubefold_alltoall"]),
                   f"{100 * row['bound'] / row['cubefold_alltoall']:.0f} %",
                   f"{_seconds(row[MPI_BEST])} ({row['best']})", _seconds(row["MPI_Alltoall"])] for row in found])


def plot(found, file):
    figure, (axis,) = plots.panels(1, width=8, height=4.6)
    for place, (name, colour) in enumerate(BARS.items()):
        axis.barh([k + 0.27 * (place - 1) for k in range(len(found))], [row[name] / row["bound"] for row in found],
                  height=0.25, color=colour, label=name)
    axis.axvline(1, color="black", linewidth=0.7, linestyle=":")
    axis.set_yticks(range(len(found)))
    axis.set_yticklabels([row["network"] for row in found])
    axis.invert_yaxis()
    axis.set_xlabel("time of the all-to-all with blocks of 8 KiB / lower bound")
    axis.legend(loc="upper right")
    plots.save(figure, file)


def transform_table(rows):
    lines = []
    for case in transforms.grouped(rows):
        for row in case:
            times = transforms.gain(row, case)
            if times is None or not transforms.is_compared(row):
                continue
            ours = median(row["seconds"])
            name = row["transform"].removeprefix("cubefold ")
            lines.append([f"{name}, {transforms.lengths_text(row)}, {row['where']}",
                          _seconds(ours), _seconds(ours * times), ratio(times, 1)])
    return table(["order, points, network", "cubefold", "FFTW MPI", "times as fast"], lines)


def render(sections, folder):
    found = list(_exchanges(sections["exchange"]))
    if folder is not None:
        plot(found, folder / "overview.svg")
    claims = exchange.summary(exchange.points_of(sections["exchange"]))
    worst = {name: f"{max(row[name] / row['bound'] for row in found):.1f}" for name in BARS}
    return {"overview_exchange": exchange_table(found), "overview_transform": transform_table(sections["transform"]),
            "overview_ours": worst["cubefold_alltoall"], "overview_best": worst[MPI_BEST],
            "overview_default": worst["MPI_Alltoall"],
            "exchange_claims": "\n".join(f"- {line}" for line in claims.splitlines())}
