"""Programs that run out of memory at one allocation on one process."""

import os
import re

import pytest

from jobs import preloaded


def failing_allocation(rank, number, least_bytes=1):
    """Environment in which allocation `number` of the process of this rank, counted from 1, fails; those of fewer bytes do
    not count. Number 0: none fails, and counted() of the standard error is how many there are."""
    if "asan" in os.environ["CUBEFOLD_BUILD"]:
        pytest.skip("programs with a sanitizer bring an operator new of their own")
    return {**preloaded("libfail_allocation.so"), "CUBEFOLD_FAIL_ALLOCATION": f"{rank}:{number}:{least_bytes}"}


def counted(err):
    return int(re.search(r"allocations that count: (\d+)", err)[1])
