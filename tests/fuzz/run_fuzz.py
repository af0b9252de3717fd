"""Feeds inputs of libFuzzer to every parser of cubefold-fuzz, and prints a table: parser, inputs, defects."""

import argparse
import math
import os
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
INPUTS_OF_A_RUN = 200_000  # so that there is progress to report
MOST_DEFECTS = 10  # of one parser, after which it is left
LIMITS = ["-timeout=60", "-rss_limit_mb=4096", "-malloc_limit_mb=1024", "-max_len=4096", "-verbosity=0",
          "-print_final_stats=1", "-close_fd_mask=1", "-entropic=0"]


def known_parsers(program):
    listed = subprocess.run([program], capture_output=True, text=True, check=False).stderr
    return listed.split("known:")[1].split()


def environment():
    """The sanitizers of clang print where a defect is. Leaks are looked for.

    Freed memory is kept back up to 16 MiB in place of 256, and blocks know the last 3 calls of where they come from in
    place of 30, which lets twice as many inputs through in a second."""
    return {**os.environ,
            "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=0:quarantine_size_mb=16:malloc_context_size=3",
            "UBSAN_OPTIONS": "print_stacktrace=1"}


def run_once(program, parser, corpus, output, limits):
    """Returns how many inputs a run of libFuzzer tried, and its report if it found a defect."""
    artifacts = output / f"{parser}-"
    command = [program, parser, *LIMITS, *limits, f"-artifact_prefix={artifacts}",
               f"-dict={HERE / 'cubefold.dict'}", str(corpus), str(HERE / "corpus" / parser)]
    run = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, env=environment())
    tried = re.search(r"stat::number_of_executed_units:\s*(\d+)", run.stderr)
    return int(tried[1]) if tried else 1, None if run.returncode == 0 else run.stderr


def fuzz(program, parser, wanted, seconds, output):
    """Returns the number of inputs and of defects, and the seconds that they took."""
    corpus = output / "corpus" / parser
    corpus.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    tried = defects = 0
    while tried < wanted and defects < MOST_DEFECTS and time.monotonic() - begin < seconds:
        limits = [f"-runs={min(INPUTS_OF_A_RUN, wanted - tried)}", f"-seed={1 + tried}"]
        if seconds < math.inf:
            limits.append(f"-max_total_time={max(1, int(begin + seconds - time.monotonic()))}")
        number, report = run_once(program, parser, corpus, output, limits)
        tried += number
        if report is not None:
            defects += 1
            (output / f"{parser}-{defects}.txt").write_text(report)
        print(f"{parser}: {tried} of {wanted} inputs, {defects} defects, {time.monotonic() - begin:.0f} s",
              file=sys.stderr, flush=True)
    return tried, defects, time.monotonic() - begin


def table(rows):
    lines = [f"{'parser':<20} {'inputs':>10} {'defects':>8} {'seconds':>8}"]
    lines += [f"{parser:<20} {tried:>10} {defects:>8} {seconds:>8.0f}" for parser, tried, defects, seconds in rows]
    return "\n".join(lines)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--program", required=True)
    options.add_argument("--output", type=Path, required=True, help="folder for inputs that were found")
    options.add_argument("--seconds", type=float, default=math.inf, help="the longest time for a parser")
    options.add_argument("inputs", type=int, nargs="?", default=10_000_000, help="inputs for each parser")
    options.add_argument("parsers", nargs="*")
    chosen = options.parse_args()
    known = known_parsers(chosen.program)
    for name in chosen.parsers:
        if name not in known:
            options.error(f"there is no parser '{name}'; known: {', '.join(known)}")
    rows = [(parser, *fuzz(chosen.program, parser, chosen.inputs, chosen.seconds, chosen.output))
            for parser in chosen.parsers or known]
    print(table(rows))
    if any(defects for _, _, defects, _ in rows):
        sys.exit(f"reports and inputs: {chosen.output}")


if __name__ == "__main__":
    main()
