"""Lets ctest run the tests of one file as several parts at the same time."""

import pytest


def pytest_addoption(parser):
    parser.addoption("--part", metavar="K/N", help="run every N-th test only, from the K-th on")


def pytest_collection_modifyitems(config, items):
    part = config.getoption("--part")
    if part:
        first, step = map(int, part.split("/"))
        items[:] = items[first - 1::step]


def pytest_sessionfinish(session, exitstatus):
    """A file that is skipped as a whole, because a package is missing, has not failed."""
    was_skipped = session.config.pluginmanager.get_plugin("terminalreporter").stats.get("skipped")
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and was_skipped:
        session.exitstatus = pytest.ExitCode.OK
