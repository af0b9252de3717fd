#!/usr/bin/env python3
"""Types what a page of docs/ shows: writes its files, runs its commands, and compares what they print.

Usage: page_commands.py PAGE. It works in the present folder, with the programs and libraries that are found there.
"""

import re
import subprocess
import sys
from pathlib import Path


def files_of(page):
    """Returns the text of each block of a page whose first line is a comment with the name of a file, by that name."""
    blocks = re.findall(r"^```(?:c|python|make|cmake)\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    named = [(re.match(r"(?:/\*|#) ([\w.]+)(?::.*)?(?: \*/)?$", block.split("\n")[0]), block) for block in blocks]
    return {name[1]: block for name, block in named if name}


def commands_of(page):
    """Returns pairs of the commands in the console blocks of a page and what they print, in order."""
    blocks = re.findall(r"^```console\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    return [(command, shown) for block in blocks
            for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)]


def without_numbers(text):
    """Returns the text with a mark for each number, since times differ from run to run and so does their width."""
    return re.sub(r" +", " ", re.sub(r"\d[\d.]*(?:e[+-]?\d+)?", "#", text))


def prints(shown, printed, has_times):
    """Returns whether a page shows what was printed; a first line `...` stands for any lines."""
    if has_times:
        shown, printed = without_numbers(shown), without_numbers(printed)
    if shown.startswith("...\n"):
        return printed.endswith(shown[len("...\n"):])
    return printed == shown


def first_difference(page, folder, environment=None):
    """Types a page in a folder. Returns nothing if all commands succeed and print what the page shows, or else the
    command with what it printed."""
    for name, text in files_of(page).items():
        (Path(folder) / name).write_text(text)
    for command, shown in commands_of(page):
        done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True,
                              check=False)
        if done.returncode != 0 or not prints(shown, done.stdout, "mpirun " in command):
            return f"$ {command}\n{done.stdout}{done.stderr}ended with {done.returncode}; the page shows\n{shown}"
    return None


if __name__ == "__main__":
    sys.exit(first_difference(Path(sys.argv[1]).read_text(), "."))
