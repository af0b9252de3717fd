"""Ends processes of running programs at random moments, and looks at what is left. ./dev kill runs it."""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from jobs import BUILD
from launched import end_all_with, names_with, processes_with

SIGNALS = {"KILL": signal.SIGKILL, "TERM": signal.SIGTERM, "INT": signal.SIGINT, "STOP": signal.SIGSTOP}
SMALL = ["--block", "8,4KiB", "--repetitions", "20", "--json", "report.json"]
LAB = str(BUILD / "bin" / "cubefold-lab")
LONGEST_STOP_SECONDS = 0.3

# The number of processes and the arguments of each program. They write files of these names.
COMMANDS = {"cubefold-exchange": (4, [*SMALL, "--algorithm", "all"]),
            "cubefold-fft": (3, ["--lengths", "2^18", "--output", "result.npy", "--json", "report.json"]),
            "cubefold-permute": (4, SMALL),
            "cubefold-calibrate": (4, ["--grid", "ring:4", "--quick", "--without-exchanges", "--output",
                                       "report.json"])}


@dataclass(frozen=True)
class Program:
    """A program that can be started, and the files that it writes. `set_up` and `take_down` are commands around it,
    which are not disturbed."""
    command: list
    set_up: list = None
    take_down: list = None
    results: tuple = ("report.json",)


def programs(mark):
    """Returns the programs by name. The lab has a name that holds the mark, so that labs do not meet."""
    found = {}
    for name, (process_count, arguments) in COMMANDS.items():
        found[name] = Program([os.environ["CUBEFOLD_MPIEXEC"], "-n", str(process_count), str(BUILD / "bin" / name),
                               *arguments],
                              results=tuple(a for a in arguments if a.endswith((".json", ".npy"))))
    lab = ["--name", mark]
    found["cubefold-lab run"] = Program([LAB, "run", *lab, str(BUILD / "bin/cubefold-exchange"), *SMALL],
                                        [LAB, "up", "ring:4", "--rate", "1gbit", *lab], [LAB, "down", *lab])
    found["cubefold-lab up"] = Program([LAB, "up", "ring:4", *lab], None, [LAB, "down", *lab], ())
    return found


def is_whole(path):
    try:
        if path.suffix == ".npy":
            return len(np.load(path)) > 0
        if path.suffix == ".svg":
            return path.read_text().rstrip().endswith("</svg>")
        return bool(json.loads(path.read_text()))
    except ValueError:
        return False


def left_over(folder, program):
    """Returns what is wrong with the files of a job that has ended."""
    names = {path.name for path in folder.iterdir()} - {"out", "err"}
    wrong = [f"{name} is not whole" for name in names & set(program.results) if not is_whole(folder / name)]
    return wrong + [f"{name} is left" for name in sorted(names - set(program.results))]


def send(process, number, generator):
    """Returns whether the process was there."""
    try:
        os.kill(process, number)
        if number == signal.SIGSTOP:
            time.sleep(generator.uniform(0, LONGEST_STOP_SECONDS))
            os.kill(process, signal.SIGCONT)
    except ProcessLookupError:
        return False
    return True


class Try:
    """One start of a program that is disturbed once."""

    def __init__(self, program, number, generator, limit, mark):
        self.program, self.number, self.generator, self.limit = program, number, generator, limit
        self.variable = f"CUBEFOLD_KILL_RUN={mark}"
        self.around = {**os.environ, "CUBEFOLD_KILL_LAB": mark}
        self.inside = {**self.around, "CUBEFOLD_KILL_RUN": mark}
        self.lab_variable = f"CUBEFOLD_KILL_LAB={mark}"

    def _call(self, command):
        if command:
            subprocess.run(command, env=self.around, capture_output=True, check=False)

    def _start(self, folder):
        with open(folder / "out", "wb") as out, open(folder / "err", "wb") as err:
            return subprocess.Popen(self.program.command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                    env=self.inside, start_new_session=True)

    def duration(self):
        """Returns the seconds of a run that nobody disturbs."""
        with tempfile.TemporaryDirectory() as folder:
            self._call(self.program.set_up)
            begin = time.monotonic()
            status = self._start(Path(folder)).wait()
            seconds = time.monotonic() - begin
            self._call(self.program.take_down)
            if status != 0:
                raise SystemExit(f"{' '.join(self.program.command)}: {(Path(folder) / 'err').read_text()}")
        return seconds

    def _all_end(self, variable):
        end = time.monotonic() + self.limit
        while processes_with(variable):
            if time.monotonic() > end:
                return False
            time.sleep(0.01)
        return True

    def _disturb(self, job):
        """Sends the signal to the launcher or another process, and returns which was hit, or nothing."""
        processes = processes_with(self.variable)
        target = job.pid if not processes or self.generator.random() < 0.3 else self.generator.choice(processes)
        if job.poll() is not None or not send(target, self.number, self.generator):
            return None
        return "the launcher" if target == job.pid else "a process"

    def run(self, seconds):
        """Disturbs the program within that time. Returns which process was hit, and the defects."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            self._call(self.program.set_up)
            job = self._start(folder)
            try:
                time.sleep(self.generator.uniform(0, seconds))
                hit = self._disturb(job)
                defects = self._defects(job, hit, folder)
            finally:
                if self.program.results:
                    end_all_with(self.variable)
                self._call(self.program.take_down)
            if not self._all_end(self.lab_variable):
                defects.append("a process of the lab is left")
                end_all_with(self.lab_variable)
            job.wait()
        return hit, defects

    def _defects(self, job, hit, folder):
        ends = self.number == signal.SIGSTOP or hit is None
        try:
            status = job.wait(self.limit if not ends else 600)
        except subprocess.TimeoutExpired:
            return [f"does not end: {', '.join(names_with(self.variable))}"]
        # A program without results leaves a lab that is up, which has processes until it is taken down.
        if self.program.results and not self._all_end(self.variable):
            return [f"left: {', '.join(names_with(self.variable))}"]
        defects = left_over(folder, self.program)
        if self.number == signal.SIGKILL:
            defects = [each for each in defects if not each.endswith(".part is left")]
        if ends and status != 0:
            defects.append(f"status {status}: {(folder / 'err').read_text()[-300:]}")
        return defects


def table(counts):
    lines = ["| program | " + " | ".join(f"SIG{name}" for name in SIGNALS) + " | defects |",
             "|---|" + "---:|" * (len(SIGNALS) + 1)]
    for name, row in counts.items():
        tries = [str(row[signal_name][0]) for signal_name in SIGNALS]
        defects = sum(row[signal_name][1] for signal_name in SIGNALS)
        lines.append(f"| `{name}` | {' | '.join(tries)} | {defects} |")
    return "\n".join(lines)


def parsed(arguments):
    parser = argparse.ArgumentParser(prog="./dev kill", description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=100, help="number of tries (default: 100)")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--limit", type=float, default=5, help="seconds in which all processes end (default: 5)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many seconds")
    parser.add_argument("--within", type=float, help="seconds of a run that count (default: a run without a signal)")
    parser.add_argument("--only", action="append", help="a program, in place of all; may be given again")
    return parser.parse_args(arguments)


def main(arguments=None):
    """Prints a table of tries and defects, and returns the number of defects."""
    given = parsed(arguments)
    generator = random.Random(given.seed)
    mark = f"kill-{os.getpid()}"
    chosen = {name: program for name, program in programs(mark).items() if name in (given.only or programs(mark))}
    counts = {name: {signal_name: [0, 0] for signal_name in SIGNALS} for name in chosen}
    seconds = {name: given.within or Try(program, 0, generator, given.limit, mark).duration()
               for name, program in chosen.items()}
    print(f"seed {given.seed}", flush=True)
    end = time.monotonic() + given.seconds
    for number in range(given.count):
        if time.monotonic() > end:
            break
        name = list(chosen)[number % len(chosen)]
        signal_name = generator.choice(list(SIGNALS))
        hit, defects = Try(chosen[name], SIGNALS[signal_name], generator, given.limit, mark).run(seconds[name])
        if hit is None and not defects:
            continue  # it came too late
        counts[name][signal_name][0] += 1
        counts[name][signal_name][1] += bool(defects)
        if defects:
            print(f"try {number}: {name}, SIG{signal_name} to {hit}: {'; '.join(defects)}", flush=True)
    print(table(counts))
    return sum(row[signal_name][1] for row in counts.values() for signal_name in SIGNALS)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
