#!/usr/bin/env python3
"""Reads the output of ctest and shows how far it is and how long the rest will take.

The time of each test is its property COST, in seconds on two idle cores. The measured time of the tests that have ended
corrects the sum of those that have not. What ctest prints of failures and at the end is passed on.

Usage: ctest --show-only=json-v1 >FILE; ctest ... | test_progress.py FILE
"""

import json
import re
import sys
import time

SECONDS_BETWEEN_LINES = 30  # where the output is no terminal
SECONDS_OF_A_SHORT_TEST = 0.15  # the mean of the tests of values

START = re.compile(r"\s+Start +\d+: (.+)")
END = re.compile(r"\s*\d+/\d+ Test +#\d+: (.+?) \.{3,} *(\S.*)")


def costs_of(listing):
    """Returns the expected seconds of each test, by its name."""
    costs = {}
    for test in listing["tests"]:
        properties = {each["name"]: each["value"] for each in test.get("properties", [])}
        costs[test["name"]] = float(properties.get("COST", SECONDS_OF_A_SHORT_TEST))
    return costs


def shown_time(seconds):
    seconds = round(seconds)
    return f"{seconds} s" if seconds < 100 else f"{seconds // 60} min {seconds % 60} s"


class Progress:
    def __init__(self, costs):
        self.costs = costs
        self.total = sum(costs.values())
        self.done = 0.0
        self.ended = self.failed = 0
        self.running = {}

    def start(self, name):
        self.running[name] = None

    def end(self, name, outcome):
        self.running.pop(name, None)
        self.done += self.costs.get(name, SECONDS_OF_A_SHORT_TEST)
        self.ended += 1
        self.failed += not outcome.startswith(("Passed", "***Skipped", "***Not Run (Disabled)"))

    def line(self, seconds):
        """Returns one line for the time since the first test began."""
        parts = [f"{self.ended} of {len(self.costs)} tests"]
        if self.failed:
            parts.append(f"{self.failed} failed")
        parts.append(shown_time(seconds))
        if self.done > 0.02 * self.total and seconds > 5:
            parts.append(f"about {shown_time(seconds * (self.total - self.done) / self.done)} to go")
        if self.running:
            parts.append(f"running {', '.join(self.running)}")
        return "./dev: " + "; ".join(parts)


def main():
    with open(sys.argv[1], encoding="utf-8") as listing:
        progress = Progress(costs_of(json.load(listing)))
    on_terminal = sys.stderr.isatty()
    begin = shown = time.monotonic()
    for text in sys.stdin:
        started, ended = START.match(text), END.match(text)
        if started:
            progress.start(started[1])
        elif ended:
            progress.end(ended[1], ended[2])
        if not (started or ended) or (ended and not ended[2].startswith("Passed")):
            sys.stdout.write(text)
            sys.stdout.flush()
        now = time.monotonic()
        if on_terminal:
            sys.stderr.write("\r\x1b[K" + progress.line(now - begin)[:110])
        elif now - shown >= SECONDS_BETWEEN_LINES:
            sys.stderr.write(progress.line(now - begin) + "\n")
            shown = now
        sys.stderr.flush()
    if on_terminal:
        sys.stderr.write("\n")


if __name__ == "__main__":
    main()
