"""Runs an MPI program on a simulated network, with SimGrid's smpirun and our library of routes.

The program must come from a build for SimGrid (`cmake --preset simgrid`).
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from .errors import LabError
from .options import add_program, positive
from .outputs import say
from .rates import parse_rate

LIBRARY = "libcubefold_platform.so"

# The fluid model has no factors that imitate TCP. A message of B bytes over h links takes h * latency + B / rate if it
# is alone, and messages that share a link share its rate. Computation takes no time.
SETTINGS = {
    "network/model": "CM02",
    "network/TCP-gamma": "0",
    "network/crosstraffic": "no",
    "smpi/simulate-computation": "no",
    "smpi/wtime": "0",
    "smpi/alltoall": "ring",
}

_TIMES_PER_SECOND = {"ns": 10**9, "us": 10**6, "ms": 10**3, "s": 1}


def parse_latency(text):
    """Returns seconds for a text such as `20us`."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([a-z]+)", text)
    if not match or match[2] not in _TIMES_PER_SECOND:
        raise LabError(f"latency '{text}' is not a number with one of the units {', '.join(_TIMES_PER_SECOND)}, as in "
                       "20us")
    return float(match[1]) / _TIMES_PER_SECOND[match[2]]


def platform(grid, rate, latency, ports, tie):
    """Returns the description that our library reads; see apps/lab/platform."""
    return {"grid": grid, "tie": tie, "ports": ports, "bits_per_second": parse_rate(rate),
            "latency_seconds": parse_latency(latency)}


def find_build(program_folder, asked):
    """Returns the build for SimGrid: the one that the user named, the one of this program, or the one next to it."""
    candidates = [Path(asked)] if asked else [program_folder.parent, program_folder.parent.parent / "simgrid"]
    for build in candidates:
        if (build / "lib" / LIBRARY).exists():
            return build.resolve()
    raise LabError(f"no lib/{LIBRARY} in {' or '.join(map(str, candidates))}: './dev simgrid' makes a build for "
                   "SimGrid, --build says where it is")


def find_program(build, name):
    program = Path(name) if "/" in name else build / "bin" / name
    if not program.exists():
        raise LabError(f"{program} does not exist; a program for smpirun has to be built for SimGrid")
    return str(program)


def smpirun(build, process_count, settings, log, program, arguments):
    """Returns the command. smpirun starts one process on each host in the order of their names, which is that of the
    nodes."""
    for argument in arguments:
        if len(argument.split()) != 1:
            raise LabError(f"argument '{argument}': smpirun cannot pass on blanks and empty arguments")
    count = ["-np", str(process_count)] if process_count else []
    return ["smpirun", "-quiet", *count, "-platform", str(build / "lib" / LIBRARY), "--log=root.threshold:error",
            f"--log=root.app:file:{log}", *(f"--cfg={key}:{value}" for key, value in settings.items()), program,
            *arguments]


def show_output(process):
    """Copies the output of the program without the last line, in which smpirun reports the exit status."""
    held = ""
    for line in process.stdout:
        say(held)
        held = line
    status = process.wait()
    if held != f"Execution failed with code {status}.\n":
        say(held)
    return status


def complaint(log):
    """Returns the reason for which SimGrid ended the run, such as a deadlock. The exit status does not show it."""
    lines = log.read_text().splitlines() if log.exists() else []
    return next((line.partition("/CRITICAL] ")[2] for line in lines if "/CRITICAL] " in line), None)


def simulate(options, tools):
    if not shutil.which("smpirun"):
        raise LabError("needs the program 'smpirun', which is in Debian's package libsimgrid-dev")
    described = platform(options.grid, options.rate, options.latency, options.ports, options.tie)
    build = find_build(tools.program_folder, options.build)
    name, *arguments = options.program
    program = find_program(build, name)
    settings = {**SETTINGS, **dict(options.cfg)}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "platform.json"
        log = folder / "simgrid.log"
        file.write_text(json.dumps(described, indent=1) + "\n")
        command = smpirun(build, options.n, settings, log, program, arguments)
        environment = {**os.environ, "CUBEFOLD_PLATFORM": str(file)}
        if not options.n:
            environment["CUBEFOLD_GRID"] = options.grid
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
            try:
                status = show_output(process)
            except BaseException:
                process.terminate()
                raise
        if (text := complaint(log)) is not None:
            raise LabError(f"SimGrid: {text}")
        return status


def add_parser(subparsers):
    p = subparsers.add_parser("simulate", help="run an MPI program on a network that SimGrid simulates",
                              description="Runs an MPI program that was built for SimGrid on a simulated network, "
                              "process k on node k. Only messages take time; computation takes none.")
    p.set_defaults(action=simulate)
    p.add_argument("grid", metavar="GRID",
                   help="the network, as torus:8x8 (see cubefold help grid), without other links")
    p.add_argument("--rate", default="10mbit", help="rate of every link in each direction (default: %(default)s)")
    p.add_argument("--latency", default="20us", help="latency of every link (default: %(default)s)")
    p.add_argument("--ports", choices=["one", "all"], default="all",
                   help="whether a node sends and receives on all its links at once, or at one link's rate in total")
    p.add_argument("--tie", choices=["positive", "balanced"], default="balanced",
                   help="direction of routes that lead half way round an even ring")
    p.add_argument("-n", type=positive, help="number of processes (default: one for every node)")
    p.add_argument("--build", metavar="DIR",
                   help="build for SimGrid (default: this one, or build/simgrid next to it)")
    p.add_argument("--keep", metavar="DIR", help="folder for the description of the network and SimGrid's log")
    p.add_argument("--cfg", nargs=2, action="append", default=[], metavar=("NAME", "VALUE"),
                   help="option of SimGrid, as in --cfg smpi/alltoall bruck")
    add_program(p, "an MPI program and its arguments")
