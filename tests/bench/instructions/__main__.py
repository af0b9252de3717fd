"""Counts the instructions of exchanges on process 0, where messages are complete at once (instant_mpi.c), so that runs
can be compared: a process that waits for others polls, and never as often as in the run before.

Callgrind counts those of cubefold and of what it calls, without those of MPI, and the calls of MPI. With --against,
which takes the build of another commit, both are in the table, and the status is 1 if a case has more than 2 %
more instructions or another call of MPI. It is also 1 if the runs differ by more than 0.5 %.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from report.tables import median, table

PRELOADED_METHODS = ["direct", "axes", "bruck:2", "linear", "mpi"]
NETWORKS = {"torus:4x4": 16, "hypercube:6": 64}
MOST_GROWTH = 0.02
MOST_SPREAD = 0.005
STUB = "libinstant_mpi.so"
# Callgrind counts an instruction that copies a string as one for each byte, so memcpy must not use it.
NO_STRINGS = "glibc.cpu.hwcaps=-ERMS,-FSRM"


def arguments():
    parser = argparse.ArgumentParser(prog="./dev instructions", description=__doc__)
    parser.add_argument("--build", type=Path, required=True, help="build folder of the preset bench")
    parser.add_argument("--against", type=Path, help="the same folder of another commit")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", type=Path, help="file for instructions and calls of MPI in every run")
    parser.add_argument("--keep", type=Path, help="folder for callgrind's files of the last run")
    return parser.parse_args()


def object_name(text, names):
    """Returns the object of a line such as `ob=(3) /lib/libc.so.6`, which later lines call (3)."""
    number, _, name = text.partition("=")[2].partition(" ")
    return names.setdefault(number, name)


def counts_of(lines):
    """Returns the instructions outside of the stub in a file of callgrind, and the names of all objects."""
    names, total, inside = {}, 0, 0
    here = callee = None
    lines = iter(lines)
    for line in lines:
        if line.startswith("summary:"):
            total = int(line.split()[1])
        elif line.startswith("ob="):
            here = object_name(line, names)
        elif line.startswith("cob="):
            callee = object_name(line, names)
        elif line.startswith("calls="):
            cost = int(next(lines).split()[-1])
            if (callee or here).endswith(STUB) and not here.endswith(STUB):
                inside += cost
            callee = None
    return total - inside, set(names.values())


def run(program, libraries, grid, folder, method=None):
    """Runs the program with the libraries of a folder, preloaded if a method is given, which it reads in MPI_Init.
    Returns the instructions and calls of an exchange by case."""
    preload = [libraries / "libcubefold-preload.so"] if method else []
    # getenv() looks at all variables, so runs on other machines and of other shells have the same ones.
    environment = {"PATH": os.environ["PATH"], "LD_LIBRARY_PATH": str(libraries), "LD_BIND_NOW": "1",
                   "GLIBC_TUNABLES": NO_STRINGS, "CUBEFOLD_GRID": grid, "CUBEFOLD_INSTANT_MPI": str(NETWORKS[grid]),
                   "LD_PRELOAD": ":".join(map(str, [*preload, program.parent.parent / "lib" / STUB])),
                   "CUBEFOLD_ALLTOALL": method or ""}
    output = folder / f"{grid}-{method}".replace(":", "-")
    done = subprocess.run(["valgrind", "--tool=callgrind", "--toggle-collect=measure", "--dump-after=measure",
                           f"--callgrind-out-file={output}", program, *(["--preloaded", method] if method else [])],
                          env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"./dev instructions: {program} failed\n{done.stderr}")
    counts, used = {}, set()
    for number, line in enumerate(done.stdout.splitlines(), 1):
        case, repetitions, calls = line.split("\t")
        case += f", {NETWORKS[grid]} processes"
        file = Path(f"{output}.{number}").rename(folder / f"{case}.callgrind")
        instructions, objects = counts_of(file.read_text().splitlines())
        counts[case] = (instructions / int(repetitions), int(calls) / int(repetitions))
        used |= objects
    if not any(name.startswith(str(libraries)) for name in used):
        sys.exit("./dev instructions: the libraries to compare with were not used, so their version is another one")
    return counts


def counts_by_case(options, build, folder):
    """Returns a list of the counts of every run by case."""
    program = options.build.resolve() / "bin/counted_exchanges"
    counts = {}
    with tempfile.TemporaryDirectory() as scratch:
        libraries = Path(scratch).resolve()
        for file in (build / "lib").glob("libcubefold*.so*"):
            shutil.copy(file, libraries)  # the length of a path changes counts, too
        for number in range(options.runs):
            print(f"./dev instructions: run {number + 1} of {options.runs} with {build}", file=sys.stderr)
            for grid in NETWORKS:
                for method in (None, *PRELOADED_METHODS):
                    for case, count in run(program, libraries, grid, folder, method).items():
                        counts.setdefault(case, []).append(count)
    return counts


def instructions(counts):
    return median([count[0] for count in counts])


def spread(counts):
    """Returns the difference of the runs with the most and the least instructions, over the median."""
    values = [count[0] for count in counts]
    return (max(values) - min(values)) / median(values)


def number_text(number):
    return f"{number:.0f}" if number == int(number) else f"{number:.1f}"


def rows(now, before):
    for case, counts in now.items():
        row = [case, number_text(counts[0][1]), f"{instructions(counts):.0f}"]
        if case in before:
            earlier = before[case]
            row += [number_text(earlier[0][1]), f"{instructions(earlier):.0f}",
                    f"{instructions(counts) / instructions(earlier):.3f}"]
        yield row


def complaints(sides):
    """Returns a sentence for each case that breaks a rule."""
    for name, counts in sides.items():
        for case, each in counts.items():
            if spread(each) > MOST_SPREAD:
                yield f"{case}: the runs of {name} differ by {100 * spread(each):.2f} %"
    for case, before in sides.get("against", {}).items():
        now = sides["tree"][case]
        if instructions(now) > (1 + MOST_GROWTH) * instructions(before):
            yield f"{case}: {100 * (instructions(now) / instructions(before) - 1):.1f} % more instructions"
        if now[0][1] > before[0][1]:
            yield f"{case}: {number_text(now[0][1])} calls of MPI, before {number_text(before[0][1])}"


def main():
    options = arguments()
    builds = {"against": options.against, "tree": options.build}
    sides = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name, build in builds.items():
            if build:
                folder = (options.keep or Path(scratch)) / name
                folder.mkdir(parents=True, exist_ok=True)
                sides[name] = counts_by_case(options, build, folder)
    header = ["exchange of process 0", "calls of MPI", "instructions"]
    if options.against:
        header += ["calls before", "instructions before", "ratio"]
    print(table(header, rows(sides["tree"], sides.get("against", {}))))
    if options.json:
        options.json.write_text(json.dumps(sides, indent=1) + "\n")
    found = list(complaints(sides))
    print(*found, sep="\n")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
