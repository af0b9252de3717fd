"""fft::Plan on one node, compared with FFTW's MPI transforms and the G-FFT of the HPC Challenge."""

from math import exp, log, log2

from . import gfft
from .tables import median, ratio, table, with_spread
from .transforms import FFTW_NATURAL, gain, gain_summary, grouped, is_ours, lengths_text, over_baseline, overlap_table

NAME = "node-transform"
LINE_PROCESSES, BOX_PROCESSES = 2, 4
SIZES = ["32x32x32", "64x64x64", "128x128x128", "256x256x256", "1024x1024", "65536", "1048576"]
LARGE, LARGE_REPETITIONS = "256x256x256", 5
SIZED = ["cubefold natural", "cubefold transposed", "cubefold block", "cubefold scrambled"]
MEMORY_GOALS = {"complex": 1.3, "real": 2.3}  # peak over data, in place and between two arrays
ORDERS = {"natural": "natural", "block": "natural", "transposed": "transposed", "scrambled": "transposed"}


def _peers(setting, processes, grid, array, repetitions, *options):
    rows = setting.json_of(["mpirun", "-n", str(processes), setting.program("fft_peer"), "--grid", grid, "--arrays",
                            array, "--repetitions", str(repetitions), "--seed", str(setting.seed), *options])["results"]
    for row in rows:
        row["where"] = f"{processes} processes of one node"
    return rows


def _sizes(setting, repetitions, progress):
    """Returns transforms of many sizes, complex in place and real between two arrays, both libraries with
    FFTW_MEASURE."""
    rows = []
    for processes in (1, 2, 4):
        for array in SIZES if setting.full else SIZES[:1]:
            progress(f"transforms of {array} points by {processes} processes on one node")
            for options in ([], ["--real"]) if "x" in array else ([],):
                rows += _peers(setting, processes, f"line:{processes}", array,
                               LARGE_REPETITIONS if array == LARGE else repetitions, "--measure", *options)
    return rows


def measure(setting, progress):
    points, box, repetitions = (2**22, "256x256x256", 11) if setting.full else (2**18, "64x64x64", 5)
    progress(f"transforms of {points} points and of {box} on one node")
    line = _peers(setting, LINE_PROCESSES, f"line:{LINE_PROCESSES}", str(points), repetitions)
    boxes = _peers(setting, BOX_PROCESSES, "torus:2x2", box, repetitions)
    sizes = _sizes(setting, repetitions, progress)
    return {"rows": line + boxes, "sizes": sizes, "gfft": gfft.measure(setting, points, LINE_PROCESSES, progress)}


def flops(points, seconds):
    """Returns flops per second as the HPC Challenge counts them."""
    return 5 * points * log2(points) / seconds


def _line(row, rows):
    return [row["transform"], with_spread(row["seconds"]), f"{flops(row['points'], median(row['seconds'])) / 1e9:.2f}",
            over_baseline(row, rows), ratio(row["growth_over_data"], 1),
            "" if row["transform"] == FFTW_NATURAL else f"{row['difference']:.0e}"]


def _case_table(rows):
    return table([f"{lengths_text(rows[0])}, {rows[0]['where']}", "measured, ms", "Gflop/s", "FFTW over cubefold",
                  "peak memory over data", "difference"], [_line(row, rows) for row in rows])


def _size_line(row, rows):
    baseline = next((other for other in rows if other["transform"] == row["baseline"]), None)
    return [f"{lengths_text(row)} {row['kind']}, {row['transform'].removeprefix('cubefold ')}", row["processes"],
            with_spread(row["seconds"]), with_spread(baseline["seconds"]) if baseline else "",
            over_baseline(row, rows), ratio(row["growth_over_data"], 1),
            ratio(baseline["growth_over_data"], 1) if baseline else ""]


def _size_table(rows):
    """Returns all sizes beside FFTW MPI, or nothing for a report without them."""
    if not rows:
        return []
    lines = []
    for kind in ("complex", "real"):
        for group in grouped([row for row in rows if row["kind"] == kind]):
            lines += [_size_line(row, group) for row in group if row["transform"] in SIZED]
    return [table(["transform on one node, FFTW_MEASURE", "processes", "cubefold, ms", "FFTW MPI, ms",
                   "FFTW over cubefold", "memory over data", "FFTW's"], lines)]


def _gain_table(rows):
    """Returns the gains of all sizes, a line for each size, with those of 1, 2 and 4 processes in a cell."""
    gains = {}
    for kind in ("complex", "real"):
        for group in grouped([row for row in rows if row["kind"] == kind]):
            for row in group:
                if row["transform"] in SIZED and (times := gain(row, group)):
                    order = row["transform"].removeprefix("cubefold ")
                    cells = gains.setdefault(lengths_text(row), {})
                    cells.setdefault((kind, ORDERS[order]), []).append(ratio(times, 1))
    columns = [(kind, order) for kind in ("complex", "real") for order in ("natural", "transposed")]
    return table(["points", *(f"{kind}, {order}" for kind, order in columns)],
                 [[lengths, *(", ".join(cells.get(column, [])) for column in columns)]
                  for lengths, cells in gains.items()])


def _sizes_sentence(rows):
    """Says over how many of the sizes cubefold gains, and how much, or nothing for a report without them."""
    gains = [times for kind in ("complex", "real") for group in grouped([row for row in rows if row["kind"] == kind])
             for row in group if row["transform"] in SIZED and (times := gain(row, group))]
    if not gains:
        return ""
    mean = exp(sum(map(log, gains)) / len(gains))
    return (f"Planned with FFTW_MEASURE, by 1, 2 and 4 processes, {sum(times >= 1 for times in gains)} of {len(gains)} "
            f"transforms from 32x32x32 to 256x256x256 are faster than those of FFTW MPI: {min(gains):.2f} to "
            f"{max(gains):.2f} times as fast, {mean:.2f} in the geometric mean. FFTW MPI's time over that of cubefold "
            "by 1, 2 and 4 processes; lines are in block and in scrambled order, which FFTW MPI lacks on one process:"
            f"\n\n{_gain_table(rows)}")


def _gfft_sentence(measured):
    if measured["gfft"] is None:
        return "The G-FFT of Debian's package hpcc was not measured, because it is not installed or did not end."
    other = measured["gfft"]
    ours = [row for row in measured["rows"] if is_ours(row) and len(row["lengths"]) == 1]
    parts = []
    for row in ours:
        times = flops(row["points"], median(row["seconds"])) / other["flops"]
        parts.append(f"{row['transform']} does {times:.2f} times as many")
    return (f"The G-FFT of Debian's package hpcc does {other['flops'] / 1e9:.2f} Gflop/s with {other['points']} points "
            f"on {LINE_PROCESSES} processes, in a separate run; " + ", ".join(parts) + ".")


def _memory_sentence(rows, sizes):
    """Says how much memory the large arrays need, and how many of the sizes keep to the goals, if there are any."""
    most = max((row for row in rows if is_ours(row)), key=lambda row: row["growth_over_data"])
    sentence = (f"The peak memory of cubefold is at most {most['growth_over_data']:.2f} times the data "
                f"({most['transform']}, {lengths_text(most)}).")
    ours = [row for row in sizes if row["transform"] in SIZED]
    if not ours:
        return sentence
    within = sum(row["growth_over_data"] <= MEMORY_GOALS[row["kind"]] for row in ours)
    return (f"{sentence} Of the {len(ours)} transforms with FFTW_MEASURE, {within} need at most "
            f"{MEMORY_GOALS['complex']} times the complex points in place, or {MEMORY_GOALS['real']} times the "
            "spectrum of real numbers between two arrays. The others are small arrays, beside which the plans and "
            "windows of a process count. Memory that processes share is counted once, and code is not counted.")


def render(measured, _folder):
    rows = measured["rows"]
    cases = grouped(rows)
    return {"fft_node_tables": "\n\n".join([*map(_case_table, cases), *_size_table(measured.get("sizes"))]),
            "fft_node_summary": gain_summary(cases), "fft_node_sizes": _sizes_sentence(measured.get("sizes", [])),
            "fft_node_memory": _memory_sentence(rows, measured.get("sizes", [])),
            "fft_node_gfft": _gfft_sentence(measured), "fft_node_overlap": overlap_table(rows)}
