"""Runs programs under valgrind's memcheck, which finds leaks and what reads memory without a value. ./dev valgrind runs
it."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np

from jobs import BUILD, WATCHDOG_SECONDS
from mpi_faults import COMMANDS, POINTS, PROCESSES
from signals import random_signal

SUPPRESSIONS = Path(__file__).parents[1] / "support" / "memcheck.supp"
# Some test programs have an operator new of their own, which stays with the option of synonyms.
VALGRIND = ["valgrind", "-q", "--keep-debuginfo=yes", "--num-callers=100", "--error-limit=no",
            "--soname-synonyms=somalloc=nouserintercepts", f"--suppressions={SUPPRESSIONS}"]

# The programs of tests leave memory to MPI on purpose where a call fails. Clang's sanitizer, which is told of it, looks
# for their leaks.
LEAKS = ["--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"]
ENDED_BY_TIMEOUT = 124  # the status of timeout(1)
MOST_RANKS = 8  # of a test, as with sanitizers
LONGEST_SECONDS = 0.05  # of a test that does not communicate, without valgrind, which makes it 50 times as long


class Run:
    """A program that has run under memcheck: its status, what it wrote, and the errors that memcheck reports, as the
    text of each process that has any."""

    def __init__(self, command, ranks, folder, options=(), env=None):
        launcher = [os.environ["CUBEFOLD_MPIEXEC"], "-n", str(ranks)] if ranks else []
        logs = Path(folder) / "memcheck"
        logs.mkdir()
        given = {**os.environ, **(env or {}), "HWLOC_COMPONENTS": "-x86"}  # valgrind has no cpuid for hwloc
        limited = ["timeout", str(WATCHDOG_SECONDS), *launcher, *VALGRIND, *options, f"--log-file={logs}/%p"]
        done = subprocess.run([*limited, *map(str, command)], cwd=folder, env=given, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", check=False)
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.errors = [log.read_text(errors="replace") for log in sorted(logs.iterdir()) if log.stat().st_size]


def run_of_program(name, ranks, folder):
    """Runs one of the programs of cubefold with a small problem."""
    np.save(Path(folder) / "in.npy", random_signal(POINTS, "complex128"))
    program, *arguments = COMMANDS[name]
    return Run([BUILD / "bin" / program, *arguments], ranks, folder, LEAKS)


def known_tests():
    """Returns the programs of tests and their arguments, with the least number of processes above 1 on which they run,
    or 0 for those that do not communicate, and the variables that they need."""
    listed = subprocess.run(["ctest", "--test-dir", str(BUILD), "--show-only=json-v1"], capture_output=True, text=True,
                            check=True).stdout
    found = {}
    for test in json.loads(listed)["tests"]:
        command = test.get("command", [])
        ranks = int(command[2]) if command and command[0] == os.environ["CUBEFOLD_MPIEXEC"] else 0
        program, *arguments = command[3 if ranks else 0:] or [""]
        if not program.startswith(str(BUILD / "bin")) or ranks == 1 or ranks > MOST_RANKS:
            continue
        key = Path(program).name, *(arguments if ranks else [])
        if key not in found or ranks < found[key][0]:
            properties = {entry["name"]: entry["value"] for entry in test["properties"]}
            found[key] = ranks, dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
    return found


def quick_tests(program, folder):
    """Returns a filter of the tests of a program that are quick enough for valgrind."""
    report = Path(folder) / "tests.json"
    subprocess.run([program, f"--gtest_output=json:{report}"], cwd=folder, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)
    suites = json.loads(report.read_text())["testsuites"]
    return ":".join(f"{suite['name']}.{test['name']}" for suite in suites for test in suite["testsuite"]
                    if float(test["time"].removesuffix("s")) < LONGEST_SECONDS)


def run_of_test(name, arguments, ranks, env, folder):
    program = BUILD / "bin" / name
    if ranks == 0:
        arguments = ["--gtest_brief=1", f"--gtest_filter={quick_tests(program, folder)}"]
    return Run([program, *arguments], ranks, folder, env=env)


def all_runs():
    """Returns the number of processes and a function that runs a program in a folder, by the name of the program."""
    runs = {f"cubefold: {name}": (PROCESSES, partial(run_of_program, name, PROCESSES)) for name in COMMANDS}
    for (name, *arguments), (ranks, env) in sorted(known_tests().items()):
        if name != "replay_corpus":
            runs[" ".join([name, *arguments])] = (ranks, partial(run_of_test, name, arguments, ranks, env))
    return runs


def main():
    options = argparse.ArgumentParser(prog="./dev valgrind", description=__doc__)
    options.add_argument("names", nargs="*", help="parts of names of programs")
    chosen = options.parse_args()
    runs = {name: run for name, run in all_runs().items()
            if not chosen.names or any(part in name for part in chosen.names)}
    if not runs:
        options.error(f"no program has '{chosen.names[0]}' in its name")
    print(f"{'program':<50} {'processes':>9} {'errors':>6} {'seconds':>7}")
    failed = False
    for name, (ranks, run) in runs.items():
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            done = run(folder)
        was_ended = done.status == ENDED_BY_TIMEOUT
        print(f"{name[:50]:<50} {ranks or 1:>9} {len(done.errors):>6} {time.monotonic() - begin:>7.0f}"
              f"{' and ended' if was_ended else ''}", flush=True)
        if done.errors or done.status and not was_ended:
            failed = True
            print(f"status {done.status}\n{done.out[-2000:]}{done.err[-2000:]}{''.join(done.errors)[:10000]}",
                  file=sys.stderr, flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
