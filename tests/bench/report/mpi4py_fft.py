"""mpi4py-fft, unchanged, on an emulated network whose queues hold everything, with and without the preloaded
library."""

import re
import shutil
import subprocess
from pathlib import Path

from .setting import Lab
from .tables import median, ratio, table, with_spread

NAME = "mpi4py_fft"
LAB = Lab("torus:4x4", "10mbit", "all")
ALONE, PRELOADED = "as it is", "preloaded"
PYTHON = "/usr/bin/python3"
PROGRAM = Path(__file__).parents[1] / "mpi4py_fft_times.py"


def _is_installed():
    return shutil.which(PYTHON) is not None and subprocess.run(
        [PYTHON, "-c", "import mpi4py_fft"], capture_output=True, check=False).returncode == 0


def _cases(full):
    """Yields the decomposition, the points of an axis and the number of transforms, of which the last half counts."""
    return [("slab", 64, 50), ("pencil", 64, 50), ("slab", 128, 12), ("pencil", 128, 12)] if full \
        else [("slab", 32, 10)]


def _seconds(output):
    [seconds] = re.findall(r"points: ([\d.]+) s", output)
    return float(seconds)


def measure(setting, progress):
    """Returns None if mpi4py-fft is not installed."""
    if not _is_installed():
        progress("no mpi4py-fft")
        return None
    environment = {ALONE: {}, PRELOADED: {"LD_PRELOAD": str(setting.library("cubefold-preload"))}}
    rows = []
    with setting.network(LAB):
        for decomposition, length, calls in _cases(setting.full):
            progress(f"mpi4py-fft by {decomposition}s on {LAB.grid}")
            for form in setting.shuffled(environment):
                output = setting.inside_lab(PYTHON, PROGRAM, decomposition, length, calls,
                                            environment=environment[form])
                rows.append({"decomposition": decomposition, "length": length, "form": form,
                             "seconds": [_seconds(output)]})
    return rows


def render(rows, _folder):
    if rows is None:
        return {"mpi4py_fft_table": "mpi4py-fft was not measured, because it is not installed."}
    lines = []
    for row in (each for each in rows if each["form"] == ALONE):
        [preloaded] = [each["seconds"] for each in rows if each["form"] == PRELOADED
                       and (each["decomposition"], each["length"]) == (row["decomposition"], row["length"])]
        lines.append([f"{row['length']}^3 points, {row['decomposition']}s", with_spread(row["seconds"]),
                      with_spread(preloaded), ratio(median(row["seconds"]), median(preloaded))])
    return {"mpi4py_fft_table": table(["mpi4py-fft, forward and back", f"{ALONE}, ms", f"{PRELOADED}, ms",
                                       "times as fast"], lines)}
