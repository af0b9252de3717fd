"""The setting of a report: the paths of programs, the amount of measurements, and the emulated networks."""

import json
import os
import platform
import random
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

LAB_NAME = f"bench-{os.getpid()}"
FRAME_OVER_PAYLOAD = 1514 / 1448  # includes Ethernet, IP and TCP headers of a full segment


@dataclass(frozen=True)
class Lab:
    """An emulated network, by the options of the lab."""

    grid: str
    rate: str
    ports: str = "all"
    queue: str = "64mb"

    @property
    def seconds_per_byte(self):
        """Returns the seconds per byte of a frame, headers included."""
        unit = {"kbit": 1e3, "mbit": 1e6}[self.rate.lstrip("0123456789.")]
        return 8 / (float(self.rate.rstrip("kmbit")) * unit)

    @property
    def tau(self):
        """Returns the seconds per byte of a program's data."""
        return FRAME_OVER_PAYLOAD * self.seconds_per_byte


@dataclass
class Setting:
    build: Path
    full: bool
    seed: int = 1
    scratch: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="cubefold-bench-")))

    def shuffled(self, items):
        items = list(items)
        random.Random(self.seed).shuffle(items)
        return items

    def program(self, name):
        return str(self.build / "bin" / name)

    def library(self, name):
        """Returns the path of a library to preload, which the dynamic linker would leave out if it were missing."""
        path = self.build / "lib" / f"lib{name}.so"
        if not path.exists():
            raise RuntimeError(f"{path} is missing")
        return path

    def json_of(self, command, option="--json="):
        """Runs a command that writes JSON to the file of the option, and returns the JSON."""
        file = self.scratch / "result.json"
        file.unlink(missing_ok=True)
        call([*command, f"{option}{file}"])
        return json.loads(file.read_text())

    def _lab_command(self, program, arguments, count=None, per_node=1, options=()):
        processes = ["-n", str(count)] if count else ["--per-node", str(per_node)]
        return [self.program("cubefold-lab"), "run", "--name", LAB_NAME, *processes, *options, self.program(program),
                *map(str, arguments)]

    def on_lab(self, program, *arguments, **processes):
        """Returns the JSON of a program that measures, on `count` processes or on `per_node` of each node."""
        return self.json_of([*self._lab_command(program, arguments, **processes), "--seed", str(self.seed)])

    def inside_lab(self, program, *arguments, per_node=1, options=(), environment=None):
        """Returns the output of a program, which gets these options of the lab and these variables."""
        return call(self._lab_command(program, arguments, per_node=per_node, options=options), environment)

    def planned(self, *arguments, option="--json="):
        return self.json_of([self.program("cubefold"), *map(str, arguments)], option)

    @contextmanager
    def network(self, lab):
        started = [self.program("cubefold-lab"), "up", lab.grid, "--rate", lab.rate, "--ports", lab.ports,
                   "--queue", lab.queue, "--name", LAB_NAME]
        call(started)
        try:
            yield
        finally:
            call([self.program("cubefold-lab"), "down", "--name", LAB_NAME])


def call(command, environment=None):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True,
                          env={**os.environ, **(environment or {})})
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def _first_line(command):
    try:
        return call(command).splitlines()[0]
    except (OSError, RuntimeError, IndexError):
        return "unknown"


def _cpu():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def machine(source):
    """Returns facts that make two reports comparable."""
    release = platform.freedesktop_os_release()
    return {"cpu": _cpu(), "cores": os.cpu_count(), "kernel": platform.release().split("-")[0],
            "system": release.get("PRETTY_NAME", "unknown"), "compiler": _first_line(["g++", "--version"]),
            "mpi": _first_line(["mpirun", "--version"]),
            "commit": _first_line(["git", "-C", source, "rev-parse", "--short", "HEAD"])}
