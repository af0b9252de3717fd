"""The command line of cubefold-lab."""

import argparse
import json
import shutil
import sys
from pathlib import Path

from . import lab as labs
from . import hosts, launch, links, rates, report, simgrid, slurm, wiring
from .errors import LabError
from .foreground import interrupt_at_signals
from .network import describe_network
from .options import Parser, add_program, node_list, not_negative, positive
from .outputs import file_facts, say, write_output

EXAMPLES = """\
examples:
  sudo cubefold-lab up torus:4x4 --rate 10mbit
  sudo -E cubefold-lab run cubefold-exchange --placement xor --block 8KiB
  sudo -E cubefold-lab run --per-node 4 --shuffle 7 --without 3,5 cubefold-exchange --block 8KiB
  sudo cubefold-lab loads --svg loads.svg
  sudo cubefold-lab down
  cubefold-lab simulate torus:16x16 cubefold-exchange --placement xor --block 8KiB
"""

PROGRAMS = {"ip": "iproute2", "tc": "iproute2", "unshare": "util-linux", "nsenter": "util-linux",
            "setpriv": "util-linux", "mount": "mount", "mpirun": "openmpi-bin"}


class Tools:
    """The paths of programs and libraries that were built with the lab."""

    def __init__(self, program_folder, preload, version):
        self.program_folder = Path(program_folder)
        self.preload = Path(preload)
        self.version = version

    def program(self, name):
        """Returns the program at a path, next to this program, or in the path of the shell."""
        if "/" in name:
            return _program_at(name)
        beside = self.program_folder / name
        found = str(beside) if beside.exists() else shutil.which(name)
        if not found:
            raise LabError(f"'{name}' is neither a program in {self.program_folder} nor in the path")
        return found


def _program_at(path):
    if not Path(path).exists():
        raise LabError(f"{path} does not exist")
    if not shutil.which(path):
        raise LabError(f"{path} is not a program that can be run")
    return path


def up(options, tools):
    if options.slots and not options.slurm:
        raise LabError("--slots needs --slurm; 'cubefold-lab run --per-node' says how many processes it starts on a "
                       "node")
    labs.need(PROGRAMS)
    labs.check_rights()
    if options.slurm:
        slurm.check()
    shape = wiring.Shape(rates.parse_rate(options.rate), rates.parse_bytes(options.queue), options.ports)
    network = describe_network(tools.program("cubefold"), options.grid, options.tie)
    vertex_count = len(network.next_hop)
    if vertex_count > wiring.MOST_NODES:
        what = "nodes and switches" if network.switches else "nodes"
        more = ", 'cubefold-lab simulate' takes more" if network.has_axes() else ""
        raise LabError(f"{network.grid} has {vertex_count} {what}; a lab has at most {wiring.MOST_NODES}{more}")
    slow = [parse_slow(text, network) for text in options.slow]
    warn(rates.too_fast(shape.rate, wiring.shaped_link_count(network, shape.ports)))
    lab = _bring_up(options, network, shape)
    try:
        if lab.slots:
            slurm.wait_until_idle(lab)
        for cable, rate in slow:
            links.slow_down(lab, cable, rate)
        links.reset(lab)
    except BaseException:
        labs.take_down(lab)
        raise
    say(report.status_line(lab) + "\n")


def _bring_up(options, network, shape):
    if not options.slurm:
        return labs.bring_up(options.name, network, shape)
    slots = options.slots or slurm.DEFAULT_SLOTS
    return labs.bring_up(options.name, network, shape, slots, slurm.start_plan(network, slots))


def parse_slow(text, network):
    cable, colon, rate = text.partition(":")
    if not colon:
        raise LabError(f"'{text}' is not a link and its rate, as in 3-4:1mbit")
    links.parse_cable(cable, network)
    return cable, rates.parse_rate(rate)


def warn(text):
    if text:
        print(f"cubefold-lab: warning: {text}", file=sys.stderr)


def run(options, tools):
    lab = labs.find(options.name)
    allocation = hosts.allocate(lab.network, options.per_node, without=options.without, seed=options.shuffle,
                                distribution=options.distribution)
    count = allocation.slot_count if options.n is None else options.n
    program, *arguments = options.program
    return launch.run(lab, count, allocation, [tools.program(program), *arguments], tools.preload,
                      mca=options.mca, time_limit=options.time_limit)


def login(options, tools):
    return slurm.login(labs.find(options.name), tools.program_folder, options.program, tools.preload)


def show_hosts(options, tools):
    lab = labs.find(options.name)
    facts = file_facts(tools.version)
    write_output(options.output, hosts.host_map(lab, range(lab.network.node_count), options.per_node, facts))


def run_on_node(options, _tools):
    lab = labs.find(options.name)
    if options.node >= lab.network.node_count:
        raise LabError(f"node {options.node} is not one of the {lab.network.node_count} nodes of {lab.network.grid}")
    if "/" in options.program[0]:
        _program_at(options.program[0])
    return labs.status_inside(lab, ["ip", "netns", "exec", wiring.node_name(options.node), *options.program])


def show_loads(options, tools):
    if options.json == options.svg == "-":
        raise LabError("loads: --json and --svg cannot both write to standard output")
    lab = labs.find(options.name)
    measured = links.loads(lab)
    predicted = report.predicted_loads(options.predicted, lab, options.times) if options.predicted else None
    if options.svg:
        write_output(options.svg, report.drawing(tools.program("cubefold"), lab, measured, predicted))
    if options.json:
        write_output(options.json, json_text(tools, report.loads_json(lab, measured)))
    if "-" not in (options.json, options.svg):
        say(f"{report.loads_table(lab, measured, predicted)}\n{report.loads_summary(lab, measured, predicted)}\n")
    if options.reset:
        links.reset(lab)


def json_text(tools, value):
    return json.dumps({**file_facts(tools.version), **value}, indent=1) + "\n"


def slow(options, _tools):
    lab = labs.find(options.name)
    links.slow_down(lab, *parse_slow(options.link, lab.network))


def cut(options, _tools):
    links.cut(labs.find(options.name), options.link)


def mend(options, _tools):
    links.mend(labs.find(options.name), options.link)


def status(options, tools):
    found = labs.labs()
    if options.json:
        write_output(options.json, json_text(tools, {"labs": [report.status_json(lab) for lab in found]}))
    else:
        say(("\n".join(map(report.status_line, found)) or "no lab is up") + "\n")


def down(options, _tools):
    for lab in labs.labs() if options.all else [labs.find(options.name)]:
        labs.take_down(lab)


def command(subparsers, name, action, text, named=True, **more):
    parser = subparsers.add_parser(name, help=text, description=text, **more)
    parser.set_defaults(action=action)
    if named:
        parser.add_argument("--name", default="lab", help="name of the lab, if several are up (default: lab)")
    return parser


def argument_parser(version):
    parser = Parser(
        prog="cubefold-lab", epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Brings up a mesh, torus or hypercube of network namespaces with links of a given rate on this "
                    "machine, and runs MPI programs on it.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {version}")
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")

    p = command(subparsers, "up", up, "bring a network up")
    p.add_argument("grid", metavar="GRID", help="the network, as torus:4x4 or mesh:8x8 (see cubefold help grid)")
    p.add_argument("--rate", default="10mbit", help="rate of every link in each direction (default: %(default)s)")
    p.add_argument("--ports", choices=["one", "all"], default="all",
                   help="whether a node sends and receives on all its links at once, or at one link's rate in total")
    p.add_argument("--queue", default="64mb", help="most bytes that wait in front of a link (default: %(default)s)")
    p.add_argument("--tie", choices=["positive", "balanced"], default="balanced",
                   help="direction of routes that lead half way round an even ring")
    p.add_argument("--slow", metavar="A-B:RATE", action="append", default=[],
                   help="link that is slower, in both directions; may be given again")

    p.add_argument("--slurm", action="store_true", help="start Slurm on the nodes, for 'cubefold-lab login sbatch JOB'")
    p.add_argument("--slots", type=positive, metavar="K",
                   help=f"processes that Slurm starts on a node at most (default: {slurm.DEFAULT_SLOTS})")

    p = command(subparsers, "run", run, "run an MPI program, process k on node k")
    p.add_argument("-n", type=positive, help="number of processes (default: K for every node)")
    p.add_argument("--per-node", type=positive, default=1, metavar="K", help="processes on a node (default: 1)")
    p.add_argument("--distribution", choices=hosts.DISTRIBUTIONS, default="block",
                   help="whether consecutive processes share a node, or go round the nodes (default: %(default)s)")
    p.add_argument("--shuffle", type=not_negative, metavar="SEED", help="take the nodes in a random order")
    p.add_argument("--without", type=node_list, default=[], metavar="NODES",
                   help="nodes that run no process, as 3,17; their links carry messages all the same")
    p.add_argument("--mca", nargs=2, action="append", default=[], metavar=("NAME", "VALUE"),
                   help="option of mpirun")
    p.add_argument("--time-limit", type=positive, metavar="SECONDS",
                   help="end a job that runs longer; Open MPI does not end a job whose link stays cut")
    add_program(p, "an MPI program and its arguments")

    p = command(subparsers, "login", login, "run a command of Slurm's users, in a lab with Slurm")
    add_program(p, "sbatch, srun, salloc, sinfo or another command, and its arguments")

    p = command(subparsers, "hosts", show_hosts, "print the host map of the lab: which host sits on which node")
    p.add_argument("--per-node", type=positive, default=1, metavar="K", help="slots of a host (default: 1)")
    p.add_argument("--output", default="-", metavar="FILE", help="file for the map; - is standard output (default)")

    p = command(subparsers, "exec", run_on_node, "run a command on one node")
    p.add_argument("node", type=not_negative, metavar="NODE")
    add_program(p, "the command and its arguments")

    p = command(subparsers, "loads", show_loads, "print the bytes that each link has carried since up or since --reset")
    p.add_argument("--predicted", metavar="FILE", help="JSON file with predicted bytes per link, printed next to them")
    p.add_argument("--times", type=positive, default=1, metavar="N",
                   help="number of rounds, if the prediction is for one (default: 1)")
    p.add_argument("--svg", metavar="FILE",
                   help="draw the network, links coloured by load; - writes to standard output")
    p.add_argument("--json", metavar="FILE", help="write JSON; - writes to standard output")
    p.add_argument("--reset", action="store_true", help="count from zero afterwards")

    p = command(subparsers, "slow", slow, "give a link another rate in both directions")
    p.add_argument("link", metavar="A-B:RATE")
    p = command(subparsers, "cut", cut, "lose everything that is sent over a link, in both directions")
    p.add_argument("link", metavar="A-B")
    p = command(subparsers, "mend", mend, "give a link back the rate that it was brought up with")
    p.add_argument("link", metavar="A-B")

    p = command(subparsers, "status", status, "list the labs that are up", named=False)
    p.add_argument("--json", metavar="FILE", help="write JSON; - writes to standard output")
    p = command(subparsers, "down", down, "take a lab down")
    p.add_argument("--all", action="store_true", help="take down all labs of this user")

    simgrid.add_parser(subparsers)
    return parser


def words_of(arguments):
    """Returns the words of the command line. `help` and `version` may be words as well as options."""
    if not arguments or arguments[0] == "help":
        return [*arguments[1:], "--help"]
    return ["--version", *arguments[1:]] if arguments[0] == "version" else arguments


def main(arguments, program_folder, preload, version):
    interrupt_at_signals()  # a lab that is being brought up has to be taken down
    try:
        options = argument_parser(version).parse_args(words_of(arguments))
        return options.action(options, Tools(program_folder, preload, version)) or 0
    except (LabError, OSError) as error:
        print(f"cubefold-lab: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("cubefold-lab: interrupted", file=sys.stderr)
        return 130
