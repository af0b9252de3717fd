"""The page that has the --help of every program."""

import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "packages"))
from program_texts import PROGRAMS, help_of, subcommands  # noqa: E402

INTRODUCTION = """# Options of the programs

This page is made from the `--help` of the programs. All of them end with status 0 without errors, and with status 2 if
an option, a file or a size does not fit. The text for an option says where its default comes from;
[Reference](reference.md) explains the variables.
"""


def sections(programs, *command):
    """Returns the help of a program or a subcommand, and of all subcommands below it."""
    text = help_of(programs / command[0], *command[1:])
    text = "\n".join(line.rstrip() for line in text.strip().splitlines())
    shown = f"\n{'#' * min(len(command) + 1, 3)} {' '.join(command)}\n\n```text\n{text}\n```\n"
    return shown + "".join(sections(programs, *command, name) for name in subcommands(text))


def topics(programs):
    """Returns the texts on the names of networks, placements and phases."""
    shown = "\n## Names of networks, placements and phases\n"
    for topic in ["grid", "placement", "phase"]:
        text = subprocess.run([programs / "cubefold", "help", topic], check=True, capture_output=True, text=True).stdout
        shown += f"\n```text\n{text}```\n"
    return shown


def page(programs):
    return INTRODUCTION + "".join(sections(programs, program) for program in PROGRAMS) + topics(programs)
