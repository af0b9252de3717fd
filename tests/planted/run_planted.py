"""Plants defects in a copy of the sources one by one, and expects that the named test of each fails. ./dev plant runs
it."""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from defects import DEFECTS

LONGEST_TEST_SECONDS = 120  # a test that takes longer hangs, which counts as a failure


def found_once(text, defect):
    """Returns an error unless the defect can be planted in this text."""
    count = text.count(defect.text)
    return "" if count == 1 else f"{defect.file}: '{defect.text.strip()}' is there {count} times"


class Tree:
    """A copy of the sources and its build."""

    def __init__(self, source, build):
        self.source, self.build = source, build

    def made(self, *targets):
        """Builds targets and returns whether that succeeded."""
        done = subprocess.run(["ninja", "-C", str(self.build), *targets], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.stderr.write(done.stdout[-2000:])
        return done.returncode == 0

    def passes(self, defect):
        program = [str(self.build / "bin" / defect.program)]
        if defect.tests:
            program += ["--gtest_brief=1", f"--gtest_filter={defect.tests}"]
        if defect.ranks:
            program = [os.environ["CUBEFOLD_MPIEXEC"], "-n", str(defect.ranks), *program]
        try:
            done = subprocess.run(program, capture_output=True, check=False, timeout=LONGEST_TEST_SECONDS)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0 and b"0 tests ran" not in done.stdout

    def outcome(self, defect):
        """Returns what the test says of a defect: caught, not caught, or what is wrong with the defect itself."""
        path = self.source / defect.file
        text = path.read_text()
        error = found_once(text, defect)
        if error:
            return error
        try:
            path.write_text(text.replace(defect.text, defect.replacement))
            if not self.made(defect.program):
                return "does not build"
            return "not caught" if self.passes(defect) else "caught"
        finally:
            path.write_text(text)


def row(defect, outcome):
    test = f"`{defect.program}`" + (f" `{defect.tests}`" if defect.tests else "")
    ranks = f", {defect.ranks} processes" if defect.ranks > 1 else ""
    return f"| {defect.name} | `{defect.file}` | {test}{ranks} | {outcome} |"


def main():
    parser = argparse.ArgumentParser(prog="./dev plant", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of names, files or programs of defects, in place of all")
    parser.add_argument("--source", type=Path, required=True, help="the copy of the sources")
    parser.add_argument("--build", type=Path, required=True, help="its build")
    given = parser.parse_args()
    tree = Tree(given.source, given.build)
    chosen = [each for each in DEFECTS if not given.names or
              any(name in f"{each.name} {each.file} {each.program}" for name in given.names)]
    if not tree.made(*sorted({each.program for each in chosen})):
        sys.exit("the sources do not build without a defect")
    for defect in chosen:
        if not tree.passes(defect):
            sys.exit(f"{defect.name}: the test fails without the defect")
    missed = 0
    print("| defect | file | test | outcome |\n|---|---|---|---|", flush=True)
    for defect in chosen:
        begin = time.monotonic()
        outcome = tree.outcome(defect)
        missed += outcome != "caught"
        print(row(defect, outcome), flush=True)
        print(f"{time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
    return min(missed, 1)


if __name__ == "__main__":
    sys.exit(main())
