"""Chooses what ./dev test runs of cases and sweeps that are long. ./dev test --all, which sets CUBEFOLD_SWEEP=all, runs
every case and every position. CUBEFOLD_SEED repeats the choice of an earlier run, whose header names it."""

import itertools
import os

import pytest

ALL = os.environ.get("CUBEFOLD_SWEEP") == "all"
SEED = int(os.environ.get("CUBEFOLD_SEED") or os.getppid() % 1000)  # ctest is the parent of all parts of a file


def more(*case):
    """Returns the values of a case that ./dev test leaves out."""
    return pytest.param(*case, marks=pytest.mark.more)


def positions(numbers, step):
    """Returns every step-th of the numbers, from one on that the seed chooses, and the last one."""
    numbers = list(numbers)
    if ALL or step <= 1 or not numbers:
        return numbers
    return sorted({*numbers[SEED % min(step, len(numbers))::step], numbers[-1]})


def combinations(*lists):
    """Returns all combinations of one value of each list. ./dev test runs as many as the longest list has values, so
    that every value occurs once at least; the seed chooses which."""
    chosen = {tuple((number + place * SEED) % len(values) for place, values in enumerate(lists))
              for number in range(max(map(len, lists)))}
    numbers = itertools.product(*(range(len(values)) for values in lists))
    return [case if number in chosen else more(*case) for number, case in zip(numbers, itertools.product(*lists))]
