"""Shows what cubefold gains: a bit reversal, an all-to-all and an FFT, each beside what MPI does without cubefold, on
an emulated torus. Where no network can be emulated, the times are predicted."""

import argparse
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import summary

# A lab of 32 nodes needs two cores, so that the links and not the cores limit the speed.
LARGE = {"grid": "torus:8x4", "rate": 3e6, "lengths": "64x64x64", "block": "8 KiB", "repetitions": 1}
SMALL = {"grid": "torus:4x4", "rate": 10e6, "lengths": "64x64x64", "block": "8 KiB", "repetitions": 5}

# Networks for parallel computing lose nothing, and long queues hold everything. Short ones lose packets.
LONG_QUEUES, SHORT_QUEUES = "64mb", "64kb"


class Tools:
    def __init__(self, programs, folder):
        self.programs = programs
        self.folder = folder
        self.lab_name = f"demo-{os.getpid()}"

    def call(self, program, *arguments):
        """Runs a program and returns its standard output. Its errors are those of the demonstration."""
        done = subprocess.run([str(self.programs / program), *map(str, arguments)], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE)
        if done.returncode != 0:
            raise SystemExit(f"demo: {program} failed with status {done.returncode}")
        return done.stdout

    def lab(self, command, *arguments):
        return self.call("cubefold-lab", command, "--name", self.lab_name, *arguments)

    def json_of(self, file):
        return json.loads((self.folder / file).read_text())

    def refusal_of_lab(self, command, *arguments):
        """Runs a command of cubefold-lab. Returns the first line of its error, or nothing if it has succeeded."""
        done = subprocess.run([str(self.programs / "cubefold-lab"), command, "--name", self.lab_name, *arguments],
                              text=True, capture_output=True)
        if done.returncode == 0:
            return None
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip(" -")]
        return lines[0] if lines else f"cubefold-lab {command} ended with status {done.returncode}"

    def bring_up(self, network, queue):
        """Brings the lab up. Returns why it cannot, or nothing."""
        return self.refusal_of_lab("up", network["grid"], "--rate", f"{network['rate'] / 1e6:g}mbit", "--ports", "all",
                                   "--queue", queue)


def say(text=""):
    print(text, flush=True)


def show(comparison):
    say(summary.bars_text(comparison))
    say(f"  {summary.sentence(comparison)}\n")
    return comparison


def bit_reversal_order(tools, grid):
    tools.call("cubefold", "map", grid, "--phase", "bit-reversal", "--json", "order.json")
    return tools.json_of("order.json")["placement"]


def compare_exchanges(tools, network, conditions=""):
    block, tau = network["block"].replace(" ", ""), 8 * summary.FRAME_OVER_PAYLOAD / network["rate"]
    title = f"All-to-all, blocks of {network['block']}{conditions}"
    say(f"== {title}")
    tools.lab("run", "cubefold-exchange", "--algorithm", "alltoall", "--compare", "default,pairwise", "--ports", "all",
              "--placement", "xor", "--block", block, "--repetitions", network["repetitions"], "--json",
              "exchange.json")
    tools.call("cubefold", "plan", "exchange", network["grid"], "--ports", "all", "--block", block, "--alpha", "0",
               "--tau", tau, "--table", "bound.json")
    report = tools.json_of("exchange.json")
    return show(summary.exchange_comparison(title, report, tools.json_of("bound.json")["bound_seconds"])), report


def compare_transforms(tools, network):
    title = f"FFT of {network['lengths'].replace('x', ' x ')} points"
    say(f"== {title}")
    # Before several runs, others run that do not count, as in the other two comparisons.
    tools.lab("run", "cubefold-fft", "--lengths", network["lengths"], "--placement", "xor", "--compare", "fftw",
              "--repeat", max(2, network["repetitions"]), "--json", "fft.json")
    return show(summary.transform_comparison(title, tools.json_of("fft.json")))


def compare_orders(tools, network):
    title = "Bit reversal, messages of 64 KiB"
    say(f"== {title}")
    results, panels = [], []
    for name, placement in [("before", "identity"), ("after", bit_reversal_order(tools, network["grid"]))]:
        tools.lab("loads", "--reset")
        tools.lab("run", "cubefold-permute", "--placement", placement, "--pattern", "bit-reversal", "--block", "64KiB",
                  "--repetitions", network["repetitions"], "--json", f"{name}-times.json")
        results += tools.json_of(f"{name}-times.json")["results"]
        tools.lab("loads", "--json", f"{name}.json")
        panels += ["--loads", f"{name}.json", "--placement", placement]
    titles = ["--title", "bytes measured, ranks in order", "--title", "bytes measured, order of cubefold"]
    tools.call("cubefold", "draw", network["grid"], *panels, *titles, "--output", "loads.svg")
    comparison = show(summary.orders_comparison(title, {"results": results}))
    before, after = (max(link["bytes"] for link in tools.json_of(f"{name}.json")["links"])
                     for name in ("before", "after"))
    say(f"  The busiest link carried {before / 1e6:.2f} MB with the ranks in order, and {after / 1e6:.2f} MB after.\n")
    return comparison


def on_the_lab(tools, network):
    """Runs the shortest comparison first, so that there is something to see soon."""
    orders = compare_orders(tools, network)
    exchange, report = compare_exchanges(tools, network)
    conditions = f"measured, {report['processes']} processes on an emulated {network['grid']}"
    transform = compare_transforms(tools, network)
    tools.lab("down")
    refusal = tools.bring_up(network, SHORT_QUEUES)
    if refusal:
        raise SystemExit(f"demo: {refusal}")
    lossy, _ = compare_exchanges(tools, network, ", where short queues lose packets")
    return [orders, exchange, transform, lossy], conditions


def in_simulation(tools):
    """Predicts the all-to-all on a large torus, and draws the messages on the links of a small one."""
    say("== All-to-all, blocks of 1 KiB, predicted for torus:8x8 with links of 100 Gbit/s that lose nothing")
    tools.call("cubefold", "advise", "torus:8x8", "--rate", "100gbit", "--latency", "1.5us", "--queues", "lossless",
               "--block", "1KiB", "--json", "advice.json")
    comparison = show(summary.advice_comparison("All-to-all, blocks of 1 KiB", tools.json_of("advice.json")["rows"][0]))
    say("  An FFT of distributed data spends its time in such exchanges.\n")
    tools.call("cubefold", "draw", "torus:8x8", "--phase", "bit-reversal", "--placement", "identity", "--placement",
               bit_reversal_order(tools, "torus:8x8"), "--title", "bit reversal, ranks in order", "--title",
               "bit reversal, order of cubefold", "--output", "loads.svg")
    return [comparison], "predicted, 64 processes on torus:8x8"


def demonstrate(tools, simulate):
    network = LARGE if len(os.sched_getaffinity(0)) > 1 else SMALL
    say(f"Emulating {network['grid']} with links of {network['rate'] / 1e6:g} Mbit/s ...")
    refusal = "asked for with --simulate" if simulate else tools.bring_up(network, LONG_QUEUES)
    if not refusal:
        try:
            refusal = tools.refusal_of_lab("run", "--time-limit", "60", "true")
            if not refusal:
                return on_the_lab(tools, network)
        finally:
            tools.refusal_of_lab("down")  # it may be down already
    say(f"No network can be emulated ({refusal}).\nThe times below are predicted, not measured. Processes that share "
        "memory would show nothing: no link lies between them.\n")
    return in_simulation(tools)


def end(*_):
    """Handles a signal and takes the lab down on the way. It ends the program that runs, because subprocess.run() does
    not end one that it is just starting."""
    for child in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
        os.kill(int(child), signal.SIGKILL)
    sys.exit("demo: ended by a signal")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True, type=Path, help="folder of the programs")
    parser.add_argument("--output", required=True, type=Path, help="folder for pictures and JSON")
    parser.add_argument("--simulate", action="store_true", help="predict, and emulate nothing")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, end)
    options.output.mkdir(parents=True, exist_ok=True)
    comparisons, conditions = demonstrate(Tools(options.programs.resolve(), options.output), options.simulate)
    (options.output / "times.svg").write_text(summary.bars_svg(f"Times, {conditions}", comparisons))
    say(f"Bar chart: {options.output / 'times.svg'}\nLoads of all links before and after: "
        f"{options.output / 'loads.svg'}")


if __name__ == "__main__":
    main()
