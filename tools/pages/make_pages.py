#!/usr/bin/env python3
"""Copies docs/ into a folder, and adds the pages and tables that come from programs and from measurements.

The options of programs come from their --help, the tables of measurements from docs/performance/report.json, and the
predicted gains of will-it-help.md from cubefold advise. ./dev docs makes the site of the folder.
"""

import argparse
import json
import shutil
import sys
from pathlib import Path

import predicted_gains
import program_options

SOURCE = Path(__file__).parents[2]
sys.path.append(str(SOURCE / "tests/bench"))
from report.__main__ import pages_of  # noqa: E402


def make_pages(programs, output):
    shutil.rmtree(output, ignore_errors=True)
    shutil.copytree(SOURCE / "docs", output)
    (output / "programs.md").write_text(program_options.page(programs))
    report = json.loads((SOURCE / "docs/performance/report.json").read_text())
    (output / "performance-tables.md").write_text(pages_of(report, None)["performance-tables.md"])
    page = output / "will-it-help.md"
    page.write_text(predicted_gains.with_tables(page.read_text(), programs))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=Path, required=True, help="folder of the programs")
    parser.add_argument("--output", type=Path, required=True, help="folder for the pages; it is emptied first")
    options = parser.parse_args()
    make_pages(options.programs.resolve(), options.output)


if __name__ == "__main__":
    main()
