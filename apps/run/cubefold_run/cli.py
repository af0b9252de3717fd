"""The command line of cubefold-run."""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from cubefold_lab.errors import LabError
from cubefold_lab.foreground import ignore_signals, interrupt_at_signals, status_of
from cubefold_lab.options import Parser, add_program, positive
from cubefold_lab.outputs import say

from . import preload as preloads
from .launchers import LAUNCHERS, Step, launcher_of_mpirun, srun_mpi

EXAMPLES = """\
examples, in a job script of Slurm:
  cubefold-run -- ./program input
  cubefold-run --phase alltoall --dry-run -- ./program input
  cubefold-run --preload -- ./unchanged-program input
  cubefold-run --profile cg.json -- ./unchanged-program input
  cubefold-run --phase profile:cg.json -- ./unchanged-program input
and elsewhere:
  cubefold-run --hostfile hosts.txt --input fabric.txt -- ./program input
"""


def output_of(command):
    """Returns the text that a command prints, on either stream, or an empty text if it is not installed."""
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    except OSError:
        return ""


def choose_launcher(asked, is_slurm):
    """Returns the name of the launcher: the one that was asked for, srun in a Slurm job, or that of mpirun."""
    if asked:
        return asked
    if is_slurm and shutil.which("srun"):
        return "srun"
    found = launcher_of_mpirun(output_of(["mpirun", "--version"]))
    if not found:
        raise LabError("no launcher: neither srun in a Slurm job nor Open MPI's or MPICH's mpirun is in the path")
    return found


def discover_command(cubefold, options, host_map):
    words = [cubefold, "discover"]
    for path in options.input or filter(None, [os.environ.get("CUBEFOLD_HOSTS")]):
        words += ["--input", path]
    for name in ("grid", "pattern"):
        if getattr(options, name):
            words += [f"--{name}", getattr(options, name)]
    words += ["--hostfile", options.hostfile] if options.hostfile else ["--job"]
    if options.n and options.phase:
        words += ["--ranks", str(options.n)]
    return [*words, "--json", "-", *(["--output", host_map] if host_map else [])]


@dataclass(frozen=True)
class Network:
    """What `cubefold discover` finds."""

    part: str  # the part of the network that the job uses
    rank_count: int  # as the job, the hostfile or -n says, or one on each host


def discover(command):
    """Returns the network of the job, or None if it is not known. `cubefold discover` says why."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        return None
    found = json.loads(done.stdout)
    return Network(found["part"], sum(host.get("slots", 1) for host in found["hosts"]))


def map_command(cubefold, options, launcher, network, host_map, ranks):
    words = [cubefold, "map", network.part, "--hosts", host_map, "--per-node", "slots"]
    for phase in options.phase:
        words += ["--phase", phase]
    if options.placement:
        words += ["--placement", options.placement]
    if options.bricks:
        words += ["--bricks", options.bricks]
    return [*words, "--emit", LAUNCHERS[launcher].ranks_format, "--emit-to", ranks]


def needs_network(options):
    """What a program sends does not depend on the network, unless it is told of one."""
    is_told = options.phase or options.input or options.grid or options.pattern
    return bool(is_told) or not options.profile


def check(options, launcher):
    for name in ("placement", "bricks"):
        if getattr(options, name) and not options.phase:
            raise LabError(f"--{name}: needs --phase, which says what the program sends")
    if options.reorder and not options.preload:
        raise LabError("--reorder: needs --preload, whose library gives the new ranks")
    if options.mpi and launcher != "srun":
        raise LabError(f"--mpi: only srun takes it, not {launcher}")


def show(command, variables=None):
    words = [f"{name}={shlex.quote(value)}" for name, value in (variables or {}).items()]
    say(" ".join([*words, shlex.join(command)]) + "\n")


@dataclass(frozen=True)
class Tools:
    cubefold: str  # the program
    libraries: str  # the path of a preloaded library, with {} in place of its name


class Runner:
    """Carries commands out, or only prints them."""

    def __init__(self, folder, is_dry):
        self.folder = folder
        self.is_dry = is_dry

    def path(self, name):
        return str(self.folder / name)

    def discover(self, cubefold, options):
        command = discover_command(cubefold, options, self.path("hosts.json"))
        if not self.is_dry:
            return discover(command)
        show(command)
        return discover(discover_command(cubefold, options, None))

    def map(self, command):
        if self.is_dry:
            show(command)
        elif subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
            raise LabError("no file for the launcher (see above)")

    def start(self, command):
        if self.is_dry:
            show(command.words, command.variables)
            return 0
        return status_of(command.words, {**os.environ, **command.variables})


def preload_for(options, libraries, program):
    """Returns the value of LD_PRELOAD for the ranks, or None, and says on standard error what stands in its way."""
    name = "preload" if options.preload else "profile" if options.profile else None
    if not name:
        return None
    library = Path(libraries.format(name))
    if not library.exists():
        raise LabError(f"--{name}: there is no {library}")
    value, remark = preloads.choose(library.resolve(), program, os.environ)
    if remark:
        print(f"cubefold-run: --{name}: {remark}", file=sys.stderr)
    return value


def ranks_file(runner, launcher):
    """Returns the path of the launcher's file, from the working directory. Open MPI 5 and later split it at hyphens."""
    path = os.path.relpath(runner.path("ranks.txt"))
    if launcher == "mpirun-5" and "-" in path:
        raise LabError(f"--keep: Open MPI 5 cuts the path {path} at '-'; a folder without '-' helps")
    return path


def find_network(runner, options, cubefold):
    """Returns the network of the job, or None if the program starts without it: a preloaded library passes calls on."""
    network = runner.discover(cubefold, options)
    if network is None and (options.phase or not options.preload):
        raise LabError("the network is not known (see above)")
    if network is None:
        print("cubefold-run: --preload: the network is not known (see above); the program starts without it",
              file=sys.stderr)
    return network


def carry_out(runner, options, launcher, tools):
    program = options.program[1:] if options.program[0] == "--" else options.program
    preload = preload_for(options, tools.libraries, program[0])
    count, ranks, host_map = options.n, None, None
    if needs_network(options):
        network = find_network(runner, options, tools.cubefold)
        host_map = network and runner.path("hosts.json")
    if options.phase:
        count = network.rank_count
        ranks = ranks_file(runner, launcher)
        runner.map(map_command(tools.cubefold, options, launcher, network, host_map, ranks))
    mpi = options.mpi or (srun_mpi(output_of(["srun", "--mpi=list"])) if launcher == "srun" else None)
    return runner.start(LAUNCHERS[launcher].command(
        Step(program, host_map, count, ranks, options.hostfile, mpi, preload,
             options.profile and str(Path(options.profile).absolute()), options.reorder)))


def run(options, program_folder, libraries):
    is_slurm = not options.hostfile and bool(os.environ.get("SLURM_JOB_NODELIST"))
    launcher = choose_launcher(options.launcher, is_slurm)
    check(options, launcher)
    beside = Path(program_folder) / "cubefold"
    tools = Tools(str(beside) if beside.exists() else "cubefold", str(libraries))
    folder = Path(options.keep or f"cubefold_run_{os.environ.get('SLURM_JOB_ID', 'job')}_{os.getpid()}").absolute()
    runner = Runner(folder, options.dry_run)
    if options.dry_run:
        return carry_out(runner, options, launcher, tools)
    folder.mkdir(exist_ok=bool(options.keep))
    try:
        return carry_out(runner, options, launcher, tools)
    finally:
        ignore_signals()
        if not options.keep:
            shutil.rmtree(folder)


def argument_parser(version):
    p = Parser(prog="cubefold-run", epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
               description="Finds the network of a job, and starts a program whose processes know it. With --phase, "
                           "ranks start on the hosts that suit what the program sends.")
    p.add_argument("--version", action="version", version=f"%(prog)s {version}")
    p.add_argument("-n", type=positive, metavar="N",
                   help="number of processes (default: what the launcher takes; with --phase, what the job or the "
                        "hostfile says)")
    p.add_argument("--phase", action="append", default=[],
                   help="what the program sends (see cubefold help phase); may be given again")
    p.add_argument("--placement", metavar="RULE", help="the placement of ranks (default: the best for the phases)")
    p.add_argument("--bricks", metavar="RANKS[/BRICK]",
                   help="the ranks that share a node, as for 'cubefold map' (default: consecutive ranks)")
    p.add_argument("--input", action="append", default=[], metavar="FILE",
                   help="file for 'cubefold discover'; may be given again (default: $CUBEFOLD_HOSTS, or Slurm)")
    p.add_argument("--grid", help="the network, for 'cubefold discover'")
    p.add_argument("--pattern", help="where host names have coordinates, for 'cubefold discover'")
    p.add_argument("--hostfile", metavar="FILE",
                   help="hosts of the job in place of those that Slurm, PBS, LSF or Fujitsu name: lines HOST, "
                        "HOST slots=N or HOST:N; repeated lines are slots")
    p.add_argument("--launcher", choices=list(LAUNCHERS), help="default: srun in a Slurm job, else that of mpirun")
    p.add_argument("--mpi", metavar="TYPE", help="how srun starts MPI programs (default: pmix or pmi2)")
    library = p.add_mutually_exclusive_group()
    library.add_argument("--preload", action="store_true",
                         help="replace MPI_Alltoall and other functions of an unchanged program by those of cubefold")
    library.add_argument("--profile", metavar="FILE",
                         help="write who sends whom how much in an unchanged program, for --phase profile:FILE")
    p.add_argument("--reorder", action="store_true",
                   help="with --preload: give the ranks of Cartesian grids and graphs new places, where the program "
                        "lets MPI reorder them")
    p.add_argument("--keep", metavar="DIR",
                   help="folder for hosts.json and the launcher's file, which all hosts see (default: one in the "
                        "working directory, removed at the end)")
    p.add_argument("--dry-run", action="store_true", help="print the commands only")
    add_program(p, "the program and its arguments, after --")
    return p


def words_of(arguments):
    """Returns the words of the command line. `help` and `version` may be words as well as options. A program of such a
    name comes after --, or has arguments."""
    return [f"--{arguments[0]}"] if arguments in (["help"], ["version"]) else arguments


def main(arguments, program_folder, libraries, version):
    interrupt_at_signals()
    try:
        return run(argument_parser(version).parse_args(words_of(arguments)), program_folder, libraries)
    except (LabError, OSError) as error:
        print(f"cubefold-run: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("cubefold-run: interrupted", file=sys.stderr)
        return 130
