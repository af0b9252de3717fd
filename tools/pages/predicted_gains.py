#!/usr/bin/env python3
"""The tables of will-it-help.md, which cubefold advise predicts. They stand between two comments of the page.

predicted_gains.py PROGRAMS PAGE writes them into a page; it takes some minutes. PROGRAMS is the folder of the programs.
"""

import json
import subprocess
import sys
from pathlib import Path

BEGIN, END = "<!-- predicted gains: begin -->\n", "\n<!-- predicted gains: end -->"
NETWORKS = ["torus:4x4x4", "torus:8x8x8", "torus:16x16x16", "torus:8x8", "torus:32x16", "torus:64x64", "hypercube:6",
            "hypercube:9", "hypercube:12"]
SETTINGS = [("100gbit", "2us"), ("400gbit", "1us")]
SIZES = {"64": "64 B", "1KiB": "1 KiB", "4KiB": "4 KiB", "16KiB": "16 KiB", "64KiB": "64 KiB", "256KiB": "256 KiB"}


def advice(programs, grid, *options):
    answer = subprocess.run([programs / "cubefold", "advise", grid, *options, "--json", "-"], check=True,
                            capture_output=True, text=True)
    return json.loads(answer.stdout)


def error_table(programs):
    errors = advice(programs, "ring:2", "--block", "8")["measured_over_predicted"]
    return "\n".join(["| measured over predicted | least | most |", "|---|---:|---:|",
                      *(f"| {each['algorithm']} | {each['least']:.2f} | {each['most']:.2f} |" for each in errors)])


def gain_text(row):
    """Returns the gain, or a range from the least to the most of the kinds of routers."""
    if row["winner"] != "cubefold":
        return "–"
    return "–".join(dict.fromkeys([f"{row['least_gain']:.1f}", f"{row['most_gain']:.1f}"]))


def gains_line(programs, grid, ports, rate, latency):
    answer = advice(programs, grid, "--ports", ports, "--rate", rate, "--latency", latency, "--queues", "lossless",
                    "--block", ",".join(SIZES))
    setting = f"{rate.removesuffix('gbit')} Gbit/s, {latency.removesuffix('us')} us"
    return f"| {grid} | {answer['nodes']} | {setting} | " + " | ".join(map(gain_text, answer["rows"])) + " |"


def gains_table(programs, ports):
    return "\n".join([f"| {ports}-port | nodes | rate, latency | " + " | ".join(SIZES.values()) + " |",
                      "|---|---:|---|" + "---:|" * len(SIZES),
                      *(gains_line(programs, grid, ports, *setting) for grid in NETWORKS for setting in SETTINGS)])


def with_tables(page, programs):
    """Returns the text of a page with new tables between the two comments, or the same text without comments."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        return page
    tables = [error_table(programs), gains_table(programs, "one"), gains_table(programs, "all")]
    return before + begin + "\n\n".join(tables) + end + after


if __name__ == "__main__":
    folder, file = map(Path, sys.argv[1:])
    file.write_text(with_tables(file.read_text(), folder.resolve()))
