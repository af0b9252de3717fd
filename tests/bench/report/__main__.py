"""Measures, and writes report.json, the pages of TEMPLATES and the pictures into one folder.

Every section is a module with NAME, measure(setting, progress) and render(result, folder). measure() returns the
value for the JSON file. render() returns the texts for the pages by the names of their places there, and draws pictures
into the folder, unless it is None.

docs/ has the pages of PUBLISHED and docs/performance/report.json, which has medians in place of all times. ./dev docs
makes the page of all tables from that file.
"""

import argparse
import json
import shutil
import sys
import time
from pathlib import Path
from string import Template

from . import (allreduce, examples, exchange, legs, micro, mpi4py_fft, neighbours, node, node_transform,
               other_networks, overview, permutations, planning, plans, rings, setting, shared_nodes, switches,
               transform, unchanged, unequal, wormholes)
from .published import published, text_of

SECTIONS = [micro, planning, plans, permutations, exchange, other_networks, switches, unequal, shared_nodes, node,
            rings, legs, allreduce, neighbours, transform, node_transform, unchanged, mpi4py_fft, wormholes, examples]
TEMPLATES = {"performance.md": "page.md", "performance-tables.md": "tables_page.md", "examples.md": "examples_page.md"}
PUBLISHED = ["performance.md", "examples.md"]


def arguments():
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__)
    parser.add_argument("--build", type=Path, required=True, help="build folder of the preset bench")
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True, help="folder for everything that is written")
    parser.add_argument("--full", action="store_true", help="all networks and sizes, in about an hour and a half")
    parser.add_argument("--publish", action="store_true", help="as --full, and the pages in docs/ and their files, too")
    parser.add_argument("--render", action="store_true",
                        help="measure nothing, and write the pages in docs/ anew from docs/performance/report.json")
    parser.add_argument("--only", choices=[section.NAME for section in SECTIONS], action="append",
                        help="measure these sections anew and take the others from the last report")
    parser.add_argument("--seed", type=int, default=1, help="of all random orders")
    options = parser.parse_args()
    options.full = options.full or options.publish  # docs/ has full reports only
    return options


def say(text):
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def form(is_full):
    return "full" if is_full else "short"


def last_report(options):
    """Returns the last report, which --only extends. Both must have the same form, since results of two forms do not
    compare."""
    file = options.output / "report.json"
    if not file.exists():
        raise RuntimeError(f"--only goes on from the last report, and there is none in {options.output}")
    last = json.loads(file.read_text())
    if last["full"] != options.full:
        raise RuntimeError(f"--only: the last report is a {form(last['full'])} one, and this would be a "
                           f"{form(options.full)} one; --full says which")
    return last


def measured(options):
    """Returns the report as a value. Sections that were not asked for come from the last report."""
    last = last_report(options) if options.only else {"sections": {}, "commits": {}, "cpus": {}}
    run = setting.Setting(options.build.resolve(), options.full, options.seed)
    report = {"machine": setting.machine(options.source), "full": options.full, "seed": options.seed,
              "date": time.strftime("%Y-%m-%d"), "commits": last["commits"], "cpus": last["cpus"],
              "sections": last["sections"]}
    for section in SECTIONS:
        if not options.only or section.NAME in options.only:
            report["sections"][section.NAME] = section.measure(run, say)
            report["commits"][section.NAME] = report["machine"]["commit"]
            report["cpus"][section.NAME] = report["machine"]["cpu"]
            save(report, options.output)  # if a later section fails, --only can continue from here
    shutil.rmtree(run.scratch)
    missing = [section.NAME for section in SECTIONS if section.NAME not in report["sections"]]
    if missing:
        raise RuntimeError(f"the last report lacks sections, which --only measures: {', '.join(missing)}")
    return report


def save(report, folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.json").write_text(json.dumps(report, indent=1) + "\n")


def earlier(report):
    """Returns a sentence about the sections that were measured for another commit than the last one, and on another
    processor if one is named, or no text."""
    others = {name: commit for name, commit in report["commits"].items() if commit != report["machine"]["commit"]}
    if not others:
        return ""
    return ("Runs with --only measured these sections at other commits: "
            + ", ".join(f"{name} ({commit}{on_other_cpu(report, name)})" for name, commit in others.items()) + ".")


def on_other_cpu(report, section):
    cpu = report["cpus"][section]
    return f", {cpu}" if cpu != report["machine"]["cpu"] else ""


class Texts(dict):
    """The texts of the pages. Those of a section that the report does not have yet say so."""

    def __missing__(self, name):
        return "The last report has not measured this section." if name.endswith("_summary") else ""


def pages_of(report, pictures):
    """Returns the texts of the pages of TEMPLATES, and draws the pictures into a folder, unless it is None."""
    texts = Texts({**report["machine"], "cpus": " or an ".join(sorted(set(report["cpus"].values()))),
                   "date": report["date"], "form": form(report["full"]), "earlier": earlier(report),
                   **overview.render(report["sections"], pictures)})
    for section in SECTIONS:
        if section.NAME in report["sections"]:
            texts |= section.render(report["sections"][section.NAME], pictures)
    return {page: Template((Path(__file__).parent / template).read_text()).substitute(texts).rstrip() + "\n"
            for page, template in TEMPLATES.items()}


def write(report, folder, pages):
    pictures = folder / "performance"
    pictures.mkdir(parents=True, exist_ok=True)
    texts = pages_of(report, pictures)
    for page in pages:
        (folder / page).write_text(texts[page])


def published_report(docs):
    return json.loads((docs / "performance/report.json").read_text())


def publish(report, docs):
    """Writes the medians of a report, and the pages and pictures that follow from them."""
    report = published(report)
    (docs / "performance/report.json").write_text(text_of(report))
    write(report, docs, PUBLISHED)


def main():
    options = arguments()
    if options.render:
        publish(published_report(options.source / "docs"), options.source / "docs")
        return
    try:
        report = measured(options)
    except RuntimeError as error:
        sys.exit(f"./dev bench: {error}")
    write(report, options.output, TEMPLATES)
    if options.publish:
        publish(report, options.source / "docs")
    say(f"written: {', '.join(TEMPLATES)} and report.json in {options.output}")


if __name__ == "__main__":
    main()
