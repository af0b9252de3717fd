"""The time of planning an exchange, and of making the part of one process."""

from . import micro
from .tables import table

NAME = "plans"
TEXT = {"plan": "comparison of all methods, 8 KiB blocks", "part": "one process's part of the direct exchange"}
ALL_PORTS = ["torus_7x7x7x7", "torus_6x6x6"]


def measure(setting, progress):
    progress("plan_bench")
    return micro.medians_of(setting, "plan_bench")


def _line(name, result):
    kind, grid = name.split("/")
    ports = ", all ports" if kind == "part" and grid in ALL_PORTS else ""
    return [TEXT[kind], grid.replace("_", ":") + ports, micro.time_text(result["seconds"])]


def render(results, _folder):
    return {"plans_table": table(["work", "grid", "time"], [_line(*item) for item in results.items()])}
