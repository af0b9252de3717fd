"""The time of the joint choice of a placement, and the distance of its result from the lower bound, and the time in
which the torus of a fabric is recognised."""

from . import micro
from .tables import table

NAME = "planning"
LARGE = "16x16x16|64x64|16x256|4096|scrambled_halo/30"


def measure(setting, progress):
    progress("mapping_bench")
    few = ["--benchmark_repetitions=3"] if setting.full else [f"--benchmark_filter=-({LARGE})"]
    return micro.medians_of(setting, "mapping_bench", 0, *few)


def _what(name):
    if name.startswith("bricks"):
        return "6-point halo of 16x16x16 ranks on torus:8x8x8, 8 a node, in bricks"
    kind, case, *_ = name.split("/")
    if kind == "halo":
        network = case.replace("_", ":")
        return f"{2 * len(case.split('x'))}-point periodic halo of {network}, ranks in order"
    if kind == "scrambled_halo":
        return f"4-point halo of torus:{case}x{case}, ranks scrambled, as a matrix: hops"
    grid = case.removesuffix("_together").replace("_", ":")
    return f"cube+transpose+bit-reversal on {grid}" + (", all at once" if case.endswith("_together") else "")


def render(results, _folder):
    lines = [[_what(name), micro.time_text(r["seconds"]), f"{r['objective']:.0f}", f"{r['bound']:.0f}"]
             for name, r in results.items() if name != "discover"]
    return {"planning_table": table(["phases", "time", "found", "bound over all placements"], lines),
            "discovery_time": micro.time_text(results["discover"]["seconds"])}
