"""The cost of library functions on one core or one node: placements, orders, packing, and messages compared with
MPI's."""

import re

from .tables import size_text, table

NAME = "micro"

PROGRAMS = [("placement_bench", 0), ("metrics_bench", 0), ("lcc_bench", 0), ("packing_bench", 0), ("messages_bench", 1),
            ("messages_bench", 2)]
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}


def medians_of(setting, program, processes=0, *options):
    """Returns medians over repetitions in random order, by benchmark: seconds, and the counters of the benchmark."""
    start = ["mpirun", "-n", str(processes)] if processes else []
    found = setting.json_of([*start, setting.program(program), "--benchmark_enable_random_interleaving=true",
                             f"--benchmark_repetitions={5 if setting.full else 3}",
                             f"--benchmark_min_time={0.1 if setting.full else 0.02}",
                             "--benchmark_report_aggregates_only=true", "--benchmark_out_format=json", *options],
                            option="--benchmark_out=")
    known = {"name", "run_name", "run_type", "repetitions", "repetition_index", "threads", "iterations", "real_time",
             "cpu_time", "time_unit", "aggregate_name", "aggregate_unit", "family_index", "per_family_instance_index"}
    return {entry["run_name"]: {"seconds": entry["real_time"] * SECONDS[entry["time_unit"]],
                                **{k: v for k, v in entry.items() if k not in known}}
            for entry in found["benchmarks"] if entry["aggregate_name"] == "median"}


def measure(setting, progress):
    results = {}
    for program, processes in setting.shuffled(PROGRAMS):
        progress(program + (f" on {processes}" if processes else ""))
        results[f"{program}_{processes}" if processes else program] = medians_of(setting, program, processes)
    return results


def time_text(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def _times(results, names):
    return table(["work", "time"], [[text, time_text(results[name]["seconds"])] for name, text in names.items()])


PLACEMENT = {
    "all_ranks/standard": "nodes of all 2^20 ranks of torus:1024x1024, standard",
    "all_ranks/xor": "the same with xor", "all_ranks/xor_cyclic": "the same with xor and cyclic bits",
    "all_ranks/gray": "the same with gray", "all_ranks/by_weight": "the same with by-weight",
    "build/xor_cyclic": "construction of a `Placement`", "single_node_of/xor": "`node_of`, xor",
    "single_rank_of/xor": "`rank_of`, xor", "single_node_of/by_weight": "`node_of`, by-weight",
}

METRICS = {"spectrum": "dilation spectrum", "links": "busiest link", "nodes": "node load", "cc_cube":
               "time of a CC-cube"}

ORDERS = {
    "bit_reversal/64": "order of one permutation of 64 bits, bit reversal",
    "one_of/permutation/64": "order of one random permutation of 64 bits", "one_of/gather/64":
        "order of one random gather of 64 bits",
    "one_of/scatter/64": "order of one random scatter of 64 bits",
    "set_of_two/worst/16": "order of two patterns of 16 bits",
    "set_of_two/worst/20": "order of two patterns of 20 bits",
    "random_set_of_two/20": "order of two random matrices of 20 bits",
}


def _metrics_table(results):
    """Returns a table with rows by grid and placement, and columns by metric."""
    cells = {}
    for name, result in results.items():
        what, grid, rule = name.split("/")
        if what in METRICS:
            cells.setdefault(f"{grid}, {rule}", {})[what] = time_text(result["seconds"])
    return table(["grid, placement", *METRICS.values()],
                 [[where, *[row[what] for what in METRICS]] for where, row in sorted(cells.items())])


def _packing_table(results):
    """Returns a table with rows by place and block, and columns by direction and stage."""
    cells = {}
    for name, result in results.items():
        what, *numbers = re.match(r"(\w+)/dimensions:6/stage:(\d+)/block:(\d+)/megabytes:(\d+)", name).groups()
        stage, block, megabytes = map(int, numbers)
        cells.setdefault((megabytes, block), {})[what, stage] = f"{result['ratio']:.1f}"
    columns = [(what, stage) for what in ("gather", "scatter") for stage in (0, 2, 5)]
    rows = [[("in cache" if not megabytes else f"{megabytes} MB") + ", " + size_text(block), *[row[c] for c in columns]]
            for (megabytes, block), row in sorted(cells.items())]
    return table(["where, block", *[f"{what}, stage {stage}" for what, stage in columns]], rows)


def _message_ratios(results):
    found = {}
    for name, result in results.items():
        match = re.search(r"bytes:(\d+)", name)
        if match and "ratio" in result:
            found.setdefault(name.split("/")[0], {})[int(match[1])] = result["ratio"]
    return found


def _messages_table(one, two):
    rows = [("2 processes: round trip", _message_ratios(two)), ("1 process, to itself", _message_ratios(one))]
    lines = [[f"{text}, {name}", size_text(size), f"{value:.3f}"] for text, found in rows
             for name, sizes in found.items() for size, value in sorted(sizes.items())]
    return table(["messages", "bytes", "cubefold over MPI"], lines)


def render(results, _folder):
    return {"placement_table": _times(results["placement_bench"], PLACEMENT),
            "metrics_table": _metrics_table(results["metrics_bench"]),
            "formulas_time": time_text(results["metrics_bench"]["formulas/torus:1024x1024/xor"]["seconds"]),
            "order_table": _times(results["lcc_bench"], ORDERS),
            "packing_table": _packing_table(results["packing_bench"]),
            "messages_table": _messages_table(results["messages_bench_1"], results["messages_bench_2"])}
