"""Chooses what ./dev test runs of cases and sweeps that are long. ./dev test --all, which sets CUBEFOLD_SWEEP=all, runs
every case and every position. CUBEFOLD_SEED repeats the choice of an earlier run, whose header names it."""

import os
import random

import pytest

ALL = os.environ.get("CUBEFOLD_SWEEP") == "all"
SEED = int(os.environ.get("CUBEFOLD_SEED") or random.SystemRandom().randrange(1000))


def more(*case):
    """Returns the values of a case that ./dev test leaves out."""
    return pytest.param(*case, marks=pytest.mark.more)


def positions(numbers, step):
    """Returns every step-th of the numbers, from one on that the seed chooses, and the last one."""
    numbers = list(numbers)
    if ALL or step <= 1 or not numbers:
        return numbers
    return sorted({*numbers[SEED % min(step, len(numbers))::step], numbers[-1]})
