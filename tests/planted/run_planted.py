"""Plants defects in a copy of the sources one by one, and expects that the tests find them: the test that is named for
each, or else any test of ./dev test. ./dev plant runs it."""

import argparse
import contextlib
import functools
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from defects import DEFECTS
from fixes import FIXES

SETS = {"defects": DEFECTS, "fixes": FIXES, "all": [*DEFECTS, *FIXES]}
LONGEST_PROGRAM_SECONDS = 120  # a test that takes longer hangs, which counts as a failure
LONGEST_FILE_SECONDS = 900
NOT_CAUGHT = "not caught"
ABOUT_TEXTS = ["architecture.planted_test", "architecture.layout_test"]  # these see the text of any defect


def found_once(text, defect):
    """Returns an error unless the defect can be planted in this text."""
    count = text.count(defect.text)
    return "" if count == 1 else f"{defect.file}: '{defect.text.strip()}' is there {count} times"


def finished(command, seconds=None, **options):
    """Returns the status of a command and what it printed. The status is None if the command took longer; then all
    processes of its group are ended, first by SIGTERM, after which mpiexec ends the processes that it has started."""
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", start_new_session=True, **options) as process:
        try:
            printed, _ = process.communicate(timeout=seconds)
            return process.returncode, printed
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            return None, ""


class Tree:
    """A copy of the sources and its build."""

    def __init__(self, source, build):
        self.source, self.build = source, build

    def made(self, *targets):
        """Builds targets and returns whether that succeeded."""
        if not targets:
            return True
        status, printed = finished(["ninja", "-C", self.build, *targets])
        if status != 0:
            sys.stderr.write(printed[-2000:])
        return status == 0

    @functools.cached_property
    def tests(self):
        """The tests of ctest by their names."""
        _, printed = finished(["ctest", "--test-dir", self.build, "--show-only=json-v1"])
        return {test["name"]: test for test in json.loads(printed)["tests"]}

    def environment_of(self, file):
        """Returns the variables that ctest sets for a file of tests in Python."""
        name = file.removesuffix(".py").replace("/", ".")
        test = self.tests.get(name) or self.tests[f"{name}.1"]
        variables = {each["name"]: each["value"] for each in test["properties"]}["ENVIRONMENT"]
        return dict(variable.split("=", 1) for variable in variables)

    def passes(self, defect):
        """Returns whether the named test of a defect passes."""
        return self.passes_in_python(defect) if defect.is_in_python else self.passes_as_program(defect)

    def passes_in_python(self, defect):
        tests = self.source / "tests"
        command = [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--rootdir", tests,
                   tests / defect.program, *(["-k", defect.tests] if defect.tests else [])]
        status, _ = finished(command, LONGEST_FILE_SECONDS, env=os.environ | self.environment_of(defect.program))
        return status == 0

    def passes_as_program(self, defect):
        program = [self.build / "bin" / defect.program, *defect.arguments]
        if defect.tests:
            program += ["--gtest_brief=1", f"--gtest_filter={defect.tests}"]
        if defect.ranks:
            program = [os.environ["CUBEFOLD_MPIEXEC"], "-n", defect.ranks, *program]
        status, printed = finished(program, LONGEST_PROGRAM_SECONDS)
        return status == 0 and "0 tests ran" not in printed

    def failures(self, *options):
        """Returns the names of the tests of ./dev test that fail. The preset has their variables and limits."""
        _, printed = finished(["ctest", "--preset", "release", *options], cwd=self.source)
        return re.findall(r"^\s*\d+ - (\S+) \(", printed.partition("The following tests FAILED:")[2], re.MULTILINE)

    @functools.cached_property
    def failures_without_defects(self):
        """The tests that fail here for reasons of their own."""
        if not self.made("all"):
            sys.exit("the sources do not build without a defect")
        return self.failures()

    def outcome(self, defect, targets, test):
        """Plants a defect, builds targets, and returns what the test says: what has caught it, NOT_CAUGHT, or what is
        wrong with the defect itself."""
        path = self.source / defect.file
        text = path.read_text()
        error = found_once(text, defect)
        if error:
            return error
        try:
            path.write_text(text.replace(defect.text, defect.replacement))
            return test(defect) if self.made(*targets) else "does not build"
        finally:
            path.write_text(text)

    def outcome_of_named(self, defect):
        return self.outcome(defect, defect.targets,
                            lambda it: NOT_CAUGHT if self.passes(it) else f"caught by {it.test}")

    def outcome_of_all(self, defect):
        left_out = "|".join(re.escape(name) for name in [*ABOUT_TEXTS, *self.failures_without_defects])

        def first_failure(_):
            failures = self.failures("--stop-on-failure", "--exclude-regex", f"^({left_out})$")
            return f"caught by `{failures[0]}`" if failures else NOT_CAUGHT
        return self.outcome(defect, ["all"], first_failure)


def planted(tree, chosen, named_only):
    """Returns the outcome of each of the chosen defects. Those that the named tests do not catch come last, since all
    tests take long."""
    if not tree.made(*sorted({target for each in chosen for target in each.targets})):
        sys.exit("the sources do not build without a defect")
    outcomes = {}
    for defect in chosen:
        begin = time.monotonic()
        outcomes[defect] = tree.outcome_of_named(defect)
        told(defect, outcomes[defect], begin)
    # A test that fails without the defect, too, has caught nothing. All builds are as the sources here.
    tree.made(*sorted({target for each in chosen for target in each.targets}))
    for defect in chosen:
        if outcomes[defect].startswith("caught") and not tree.passes(defect):
            outcomes[defect] = NOT_CAUGHT
            print(f"{defect.name}: {defect.test} fails without the defect", file=sys.stderr, flush=True)
    for defect in chosen:
        if outcomes[defect] == NOT_CAUGHT and not named_only:
            begin = time.monotonic()
            outcomes[defect] = tree.outcome_of_all(defect)
            told(defect, outcomes[defect], begin)
    return outcomes


def told(defect, outcome, begin):
    print(f"{time.monotonic() - begin:.0f} s  {defect.name}: {outcome}", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(prog="./dev plant", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of names, files or programs of defects, in place of all")
    parser.add_argument("--set", choices=SETS, default="all", help="defects that were made up, fixes of the past that "
                        "are taken back, or both (default)")
    parser.add_argument("--named-only", action="store_true", help="runs only the test that is named for each defect")
    parser.add_argument("--source", type=Path, required=True, help="the copy of the sources")
    parser.add_argument("--build", type=Path, required=True, help="its build")
    given = parser.parse_args()
    chosen = [each for each in SETS[given.set] if not given.names or
              any(name in f"{each.name} {each.file} {each.program}" for name in given.names)]
    outcomes = planted(Tree(given.source, given.build), chosen, given.named_only)
    print("| defect | file | outcome |\n|---|---|---|")
    for defect, outcome in outcomes.items():
        print(f"| {defect.name} | `{defect.file}`{defect.commit and f' ({defect.commit})'} | {outcome} |")
    return 0 if all(outcome.startswith("caught") for outcome in outcomes.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
