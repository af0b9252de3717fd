"""Debian's Quantum ESPRESSO with and without the preloaded library, on one node and on an emulated torus."""

import gzip
import re
import shutil
from pathlib import Path

from .setting import Lab, call
from .tables import median, ratio, table, with_spread

NAME = "unchanged"
LAB = Lab("torus:4x4", "10mbit", "one", "64kb")
PSEUDOPOTENTIAL = Path("/usr/share/doc/quantum-espresso/examples/EPW/sic/pp/Si.pz-vbc.UPF.gz")
ALONE, PRELOADED, LEARNT = "as it is", "preloaded", "preloaded, with a tuning file"

# This is silicon in its diamond structure.
SILICON = """\
&control
  calculation = 'scf', prefix = 'si', pseudo_dir = '{folder}', outdir = '{folder}'
/
&system
  ibrav = 2, celldm(1) = 10.2, nat = 2, ntyp = 1, ecutwfc = {cutoff}
/
&electrons
  conv_thr = {threshold}
/
ATOMIC_SPECIES
Si 28.086 Si.pz-vbc.UPF
ATOMIC_POSITIONS alat
Si 0.00 0.00 0.00
Si 0.25 0.25 0.25
K_POINTS automatic
2 2 2 1 1 1
"""


def is_installed():
    return shutil.which("pw.x") is not None and PSEUDOPOTENTIAL.exists()


def silicon(folder, cutoff=30, threshold="1d-10"):
    """Writes the input of pw.x and the pseudopotential into a folder, and returns the file. The cutoff is in Ry."""
    (folder / "Si.pz-vbc.UPF").write_bytes(gzip.decompress(PSEUDOPOTENTIAL.read_bytes()))
    file = folder / "silicon.in"
    file.write_text(SILICON.format(folder=folder, cutoff=cutoff, threshold=threshold))
    return file


def energy_in(output):
    """Returns the text of the total energy in Ry."""
    [energy] = re.findall(r"^!\s+total energy\s+=\s+(\S+) Ry", output, re.M)
    return energy


def _cases(setting):
    """Yields the place, the cutoff with the threshold of convergence, and the number of runs of each form."""
    yield "2 processes of one node", 30, "1d-10", 7 if setting.full else 1
    yield LAB.grid, 30, "1d-10", 3 if setting.full else 1
    if setting.full:
        yield LAB.grid, 360, "1d-4", 1


def _environment(setting, form, tuning, reports):
    libraries = [setting.library("timed_alltoall")]
    environment = {"OMP_NUM_THREADS": "1", "TIMED_ALLTOALL": reports}
    if form != ALONE:
        libraries.append(setting.library("cubefold-preload"))
    if form == LEARNT:
        environment["CUBEFOLD_TUNING"] = tuning
    return {**environment, "LD_PRELOAD": ":".join(map(str, libraries))}


def _run(setting, where, file, environment):
    if where == LAB.grid:
        return setting.inside_lab(shutil.which("pw.x"), "-in", file, environment=environment)
    exports = [word for name, value in environment.items() for word in ("-x", f"{name}={value}")]
    return call(["mpirun", "-n", "2", *exports, "pw.x", "-in", file])


def _timed_run(setting, where, cutoff, threshold, form):
    """Returns the mean over the processes of the seconds in all-to-alls, and the energy."""
    folder = setting.scratch / "silicon"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    tuning = setting.scratch / f"tuning-{cutoff}.json"
    output = _run(setting, where, silicon(folder, cutoff, threshold), _environment(setting, form, tuning, folder))
    seconds = [float(report.read_text()) for report in folder.glob("*.seconds")]
    if not seconds:
        raise RuntimeError("pw.x calls no all-to-all, or the library that measures them was not loaded")
    return sum(seconds) / len(seconds), energy_in(output)


def _measure_case(setting, where, cutoff, threshold, repetitions):
    forms = [ALONE, PRELOADED] + ([LEARNT] if where == LAB.grid else [])
    seconds, energies = {form: [] for form in forms}, set()
    if LEARNT in forms:
        _timed_run(setting, where, cutoff, threshold, LEARNT)  # it learns
    for form in setting.shuffled(forms * repetitions):
        spent, energy = _timed_run(setting, where, cutoff, threshold, form)
        seconds[form].append(spent)
        energies.add(energy)
    if len(energies) != 1:
        raise RuntimeError(f"pw.x finds different energies: {', '.join(sorted(energies))}")
    return {"where": where, "cutoff": cutoff, "energy": energies.pop(), "seconds": seconds}


def measure(setting, progress):
    """Returns None if pw.x is not installed."""
    if not is_installed():
        progress("no pw.x: Quantum ESPRESSO is not installed")
        return None
    rows = []
    for where, *case in _cases(setting):
        progress(f"pw.x with a cutoff of {case[0]} Ry on {where}")
        if where == LAB.grid:
            with setting.network(LAB):
                rows.append(_measure_case(setting, where, *case))
        else:
            rows.append(_measure_case(setting, where, *case))
    return rows


def _line(row):
    alone, *preloaded = row["seconds"].values()
    cells = [cell for times in preloaded for cell in (with_spread(times), ratio(median(alone), median(times)))]
    return [f"{row['where']}, {row['cutoff']} Ry", with_spread(alone), *cells, *[""] * (4 - len(cells))]


def render(rows, _folder):
    text = "Quantum ESPRESSO was not measured, because it is not installed."
    if rows is not None:
        text = table(["where, cutoff", f"{ALONE}, ms", f"{PRELOADED}, ms", "times as fast", f"{LEARNT}, ms",
                      "times as fast"], map(_line, rows))
    return {"unchanged_summary": text}
