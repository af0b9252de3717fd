"""Prints what the planner computes for more than 200 inputs as JSON: `plans.py PROGRAM`, where PROGRAM is cubefold. It
fails if an input is refused, since refusals would be equal on any machine."""

import os
import subprocess
import sys
from itertools import product

CUBES = ["torus:4x4", "torus:8x4", "mesh:4x4", "hypercube:5", "ring:16", "torus:4x4,cut=0-1", "torus:4x8~4"]
OTHERS = ["mesh:3x5", "torus:3x4x5", "line:9"]
EXCHANGES = [["plan", "exchange", grid, "--ports", ports, "--block", block, "--table", "-"]
             for grid, ports, block in product(CUBES + OTHERS, ["one", "all"], ["64", "300", "8KiB", "64KiB", "1MiB"])]
PLACEMENTS = [["map", grid, "--phase", phase, "--objective", objective, "--json", "-"]
              for grid, phase, objective in [*product(CUBES, ["alltoall", "cube", "bit-reversal"],
                                                      ["busiest-links", "hop-bytes"]),
                                             *product(OTHERS, ["alltoall"], ["busiest-links", "hop-bytes"])]]
ADVICE = [["advise", grid, "--rate", rate, "--latency", latency, "--block", block, "--json", "-"]
          for grid, rate, latency, block in product(CUBES[:5], ["100gbit", "7gbit", "10mbit"], ["1.5us", "70us"],
                                                    ["300", "8KiB"])]


def main():
    inputs = EXCHANGES + PLACEMENTS + ADVICE
    assert len(inputs) >= 200
    for arguments in inputs:
        done = subprocess.run([sys.argv[1], *arguments], stdout=subprocess.PIPE, text=True, check=True,
                              env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
        print(f"== {' '.join(arguments)}\n{done.stdout}")


if __name__ == "__main__":
    main()
