"""The same exchange on the emulated network, in the step simulator and under SimGrid."""

from .setting import FRAME_OVER_PAYLOAD, Lab
from .tables import median, milliseconds, table, with_spread

NAME = "legs"
BLOCK = 8192


def _in_simgrid(setting, lab, placement):
    """Returns seconds, or None without a build for SimGrid. Links are slower by the headers of frames on the
    emulated ones."""
    build = setting.build.parent / "simgrid"
    if not (build / "bin/cubefold-exchange").exists():
        return None
    rate = f"{10e3 / FRAME_OVER_PAYLOAD:.0f}kbit"
    found = setting.json_of([setting.program("cubefold-lab"), "simulate", lab.grid, "--rate", rate, "--latency", "1us",
                             "--ports", lab.ports, "--tie", "balanced", "--build", str(build), "cubefold-exchange",
                             "--algorithm", "cc-cube", "--placement", placement, "--block", str(BLOCK),
                             "--compare", "none", "--repetitions", "1"])
    return median(found["results"][0]["seconds"])


def measure(setting, progress):
    rows = []
    for lab in [Lab("torus:4x4", "10mbit", "all"), Lab("mesh:4x4", "10mbit", "one")]:
        progress(f"the three legs on {lab.grid}")
        with setting.network(lab):
            for placement in setting.shuffled(["standard", "xor"]):
                measured = setting.on_lab("cubefold-exchange", "--algorithm", "cc-cube", "--compare", "none",
                                          "--placement",
                                          placement, "--block", BLOCK, "--repetitions", 5)["results"][0]["seconds"]
                model = setting.planned("simulate", "exchange", lab.grid, "--placement", placement, "--block", BLOCK,
                                        "--ports", lab.ports, "--alpha", 0, "--tau", lab.tau)
                rows.append({"grid": lab.grid, "ports": lab.ports, "placement": placement, "seconds": measured,
                             "step_seconds": model["total_seconds"], "bound_seconds": model["bound_seconds"],
                             "simgrid_seconds": _in_simgrid(setting, lab, placement)})
    return sorted(rows, key=lambda row: (row["grid"], row["placement"]))


def render(rows, _folder):
    lines = [[f"{row['grid']}, {row['ports']}-port", row["placement"], with_spread(row["seconds"]),
              milliseconds(row["step_seconds"]), "" if row["simgrid_seconds"] is None else
              milliseconds(row["simgrid_seconds"]), milliseconds(row["bound_seconds"])] for row in rows]
    return {"legs_table": table(["network", "placement", "emulated, ms", "step simulator, ms", "SimGrid, ms",
                                 "lower bound, ms"], lines)}
