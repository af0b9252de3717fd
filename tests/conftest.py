"""Lets ctest run the tests of one file as several parts at the same time, and chooses the cases of ./dev test."""

import os

import pytest

from sweeps import ALL, SEED

# Two runs of a program write the same date into their files.
os.environ.setdefault("SOURCE_DATE_EPOCH", "1700000000")


def pytest_addoption(parser):
    parser.addoption("--part", metavar="K/N", help="run every N-th test only, from the K-th on")


def pytest_configure(config):
    config.addinivalue_line("markers", "more: ./dev test leaves this case out, and ./dev test --all runs it")


def pytest_report_header():
    return "every position of each sweep" if ALL else f"CUBEFOLD_SEED={SEED} chooses the positions of sweeps"


def pytest_collection_modifyitems(config, items):
    if not ALL:
        items[:] = [item for item in items if item.get_closest_marker("more") is None]
    part = config.getoption("--part")
    if part:
        first, step = map(int, part.split("/"))
        items[:] = items[first - 1::step]


def pytest_sessionfinish(session, exitstatus):
    """A file that is skipped as a whole, because a package is missing, has not failed."""
    was_skipped = session.config.pluginmanager.get_plugin("terminalreporter").stats.get("skipped")
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and was_skipped:
        session.exitstatus = pytest.ExitCode.OK
