"""Lets ctest run the tests of one file as several parts at the same time."""


def pytest_addoption(parser):
    parser.addoption("--part", metavar="K/N", help="run every N-th test only, from the K-th on")


def pytest_collection_modifyitems(config, items):
    part = config.getoption("--part")
    if part:
        first, step = map(int, part.split("/"))
        items[:] = items[first - 1::step]
