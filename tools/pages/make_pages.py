#!/usr/bin/env python3
"""Copies docs/ into a folder, and adds the pages and tables that come from programs and from measurements.

The options of programs come from their --help, the tables of measurements from docs/performance/report.json, the
predicted gains of will-it-help.md from cubefold advise, and steps.html, which plays the steps of exchanges, from
cubefold draw. ./dev docs makes the site of the folder.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import predicted_gains
import program_options

SOURCE = Path(__file__).parents[2]
sys.path.append(str(SOURCE / "tests/bench"))
from report.__main__ import pages_of  # noqa: E402


def write_steps(programs, page):
    """Writes the page that plays an exchange as MPI libraries do it beside one without conflicts."""
    with tempfile.TemporaryDirectory() as folder:
        schedules = [Path(folder) / f"{method}.json" for method in ["shifted", "direct"]]
        for schedule in schedules:
            subprocess.run([programs / "cubefold", "plan", "exchange", "mesh:4x4", "--block", "1KiB", "--placement",
                            "identity", "--algorithm", schedule.stem, "--json", schedule], check=True,
                           stdout=subprocess.DEVNULL)
        titles = ["--title", "pairwise, as in MPI libraries", "--title", "direct, without conflicts"]
        subprocess.run([programs / "cubefold", "draw", *schedules, *titles, "--html", page], check=True)


def make_pages(programs, output):
    shutil.rmtree(output, ignore_errors=True)
    shutil.copytree(SOURCE / "docs", output)
    (output / "programs.md").write_text(program_options.page(programs))
    report = json.loads((SOURCE / "docs/performance/report.json").read_text())
    (output / "performance-tables.md").write_text(pages_of(report, None)["performance-tables.md"])
    page = output / "will-it-help.md"
    page.write_text(predicted_gains.with_tables(page.read_text(), programs))
    write_steps(programs, output / "steps.html")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=Path, required=True, help="folder of the programs")
    parser.add_argument("--output", type=Path, required=True, help="folder for the pages; it is emptied first")
    options = parser.parse_args()
    make_pages(options.programs.resolve(), options.output)


if __name__ == "__main__":
    main()
