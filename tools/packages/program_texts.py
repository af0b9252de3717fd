#!/usr/bin/env python3
"""Writes man pages and completions for bash and zsh from the --help of the programs in a folder.

The man pages need help2man. tests/apps/program_texts_test.py tests the completions.
"""

import argparse
import os
import re
import subprocess
from pathlib import Path

PROGRAMS = {
    "cubefold": "plans placements and exchanges on mesh, torus and hypercube networks",
    "cubefold-run": "starts a program whose ranks know their network",
    "cubefold-exchange": "times all-to-alls over virtual ranks and those of MPI",
    "cubefold-fft": "Fourier transform of a distributed array",
    "cubefold-permute": "times permutations of ranks",
    "cubefold-calibrate": "measures the network of a job",
    "cubefold-signal": "writes a file of tones and noise",
    "cubefold-lab": "emulates a network on this machine",
}
# Beginnings of values that are not files. A word that ends with a colon goes on with a number or a name.
VALUES = {
    "--grid": ["torus:", "mesh:", "ring:", "line:", "hypercube:", "grid:", "hyperx:", "file:"],
    "--placement": ["identity", "standard", "xor", "by-weight", "gray", "auto:"],
    "--phase": ["halo:", "alltoall", "ring", "allreduce", "cube", "transpose:", "bit-reversal", "lcc:", "matrix:"],
    "--objective": ["busiest-links", "together", "hop-bytes"],
    "--ports": ["one", "all"],
}


def help_of(*command):
    return subprocess.run([*map(str, command), "--help"], check=True, capture_output=True, text=True,
                          env={**os.environ, "COLUMNS": "110", "NO_COLOR": "1"}).stdout


def options(text):
    """Returns the long options of a help text, which begin its lines."""
    starts = re.findall(r"^ +(-\S.*?)(?:  |$)", text, re.MULTILINE)
    return sorted({name for start in starts for name in re.findall(r"--[a-z][\w-]*", start)})


def subcommands(text):
    """Returns the names in the list of subcommands of a help text."""
    names = re.search(r"^(?:Subcommands:|  COMMAND)\n((?:  .*\n)+)", text, re.MULTILINE)
    return re.findall(r"^ {2,4}(\w+) ", names[1], re.MULTILINE) if names else []


def words_after(folder, *command):
    """Returns the words that may follow a program or a subcommand, by the command."""
    text = help_of(folder / command[0], *command[1:])
    names = subcommands(text)
    found = {" ".join(command): names + options(text)}
    for name in names:
        found |= words_after(folder, *command, name)
    return found


def words(folder):
    found = {}
    for program in PROGRAMS:
        if (folder / program).exists():
            found |= words_after(folder, program)
    return found


def cases(found, line):
    """Returns the branches of a case over the words before the current one, the longest commands first."""
    longest_first = sorted(found, key=lambda name: -len(name.split()))
    return "\n".join(line.format(pattern=f'"{name} "*', words=" ".join(found[name])) for name in longest_first)


BASH = """# Completions for the programs of cubefold, made from their --help.
_cubefold() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} words=
  local before="${{COMP_WORDS[0]##*/}} ${{COMP_WORDS[*]:1:COMP_CWORD - 1}} "
  case $previous in
{values}
  esac
  if [[ -z $words ]] && [[ $current == -* || $previous != -* ]]; then
    case $before in
{cases}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  ((${{#COMPREPLY[@]}})) || COMPREPLY=($(compgen -f -- "$current"))
  [[ ${{COMPREPLY[0]-}} != *: ]] || compopt -o nospace 2>/dev/null
}}
complete -o filenames -F _cubefold {programs}
"""

ZSH = """#compdef {programs}
# Completions for the programs of cubefold, made from their --help.
local previous=${{words[CURRENT-1]}} before="${{words[1]:t}} ${{words[2,CURRENT-1]}} "
local -a candidates
case $previous in
{values}
esac
if (( ! $#candidates )) && [[ $PREFIX == -* || $previous != -* ]]; then
  case $before in
{cases}
  esac
fi
(( $#candidates )) && compadd -a candidates
[[ $PREFIX == -* ]] || _files
"""


def completions(found, shell):
    template, assignment = (BASH, 'words="{words}"') if shell == "bash" else (ZSH, "candidates=({words})")
    values = "\n".join(f"    {option}) {assignment.format(words=' '.join(names))} ;;"
                       for option, names in VALUES.items())
    programs = [name for name in found if " " not in name]
    return template.format(values=values, programs=" ".join(programs),
                           cases=cases(found, "      {pattern}) " + assignment + " ;;"))


def write_man_pages(folder, output):
    for program, summary in PROGRAMS.items():
        if (folder / program).exists():
            subprocess.run(["help2man", "--no-info", "--no-discard-stderr", "--section=1", f"--name={summary}",
                            f"--output={output / program}.1", folder / program], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=Path, required=True, help="folder with the programs")
    parser.add_argument("--output", type=Path, required=True, help="folder for PROGRAM.1, cubefold.bash and _cubefold")
    parser.add_argument("--without-man-pages", action="store_true")
    given = parser.parse_args()
    folder = given.programs.resolve()
    given.output.mkdir(parents=True, exist_ok=True)
    found = words(folder)
    (given.output / "cubefold.bash").write_text(completions(found, "bash"))
    (given.output / "_cubefold").write_text(completions(found, "zsh"))
    if not given.without_man_pages:
        write_man_pages(folder, given.output)


if __name__ == "__main__":
    main()
