"""Tests what ./dev test prints while ctest runs."""

import json
import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
LISTING = {"tests": [{"name": "long", "properties": [{"name": "COST", "value": 8.0}]},
                     {"name": "of two/torus:4x4, one port", "properties": [{"name": "COST", "value": 2.0}]}]}
STARTS = "      Start  1: long\n      Start  2: of two/torus:4x4, one port\n"
PASSED = "1/2 Test  #2: of two/torus:4x4, one port ....   Passed    0.04 sec\n"


def shown(tmp_path, text):
    listing = tmp_path / "tests.json"
    listing.write_text(json.dumps(LISTING))
    done = subprocess.run([sys.executable, "-B", SOURCE / "tools/test_progress.py", listing], input=text, text=True,
                          capture_output=True, check=True)
    return done.stdout


def test_starts_and_tests_that_pass_are_not_printed(tmp_path):
    assert shown(tmp_path, STARTS + PASSED) == ""


def test_failures_with_their_output_and_the_summary_are_printed(tmp_path):
    rest = "2/2 Test  #1: long ...........................***Failed    9.10 sec\nwrong sum\n\n50% tests passed\n"
    assert shown(tmp_path, STARTS + PASSED + rest) == rest


def test_the_rest_is_estimated_from_the_costs_of_tests_that_have_ended():
    sys.path.insert(0, str(SOURCE / "tools"))
    from test_progress import Progress, costs_of
    progress = Progress(costs_of(LISTING))
    progress.start("long")
    progress.start("of two/torus:4x4, one port")
    progress.end("long", "***Failed    9.10 sec")
    assert progress.line(60) == ("./dev: 1 of 2 tests; 1 failed; 60 s; about 15 s to go; "
                                 "running of two/torus:4x4, one port")
