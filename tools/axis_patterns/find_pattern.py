#!/usr/bin/env python3
"""Finds an axis pattern of the direct exchange with the SAT solver cadical.

A pattern puts every message of a line or ring, from each coordinate to each coordinate, into one class. The messages of
a class share no directed link, no source and no destination. The classes form groups G/Q: in the Q classes of a group,
every coordinate sends G messages and receives G messages. A group has one of three forms:

  1/Q    one permutation in Q classes
  2/Q    Q is an odd prime; every source has a label u and sends in the classes u - 1 and u + 1 (mod Q), every
         destination has a label v likewise, and the messages of class 0 have the same label at both ends
  P/Q    P = Q - 1, and Q is a prime, 4 or 9; every source and every destination misses one class, its label
"""

import argparse
import itertools
import re
import signal
import sys
from collections import Counter

sys.dont_write_bytecode = True  # The script leaves no files in the source tree.

from pattern_rules import ALPHABET, Axis, Group, Request, first_fault  # noqa: E402
from pattern_search import NoPattern, compute_classes, find_classes  # noqa: E402

EPILOG = """\
The output is the entry of the table. Its first line has the extent, the ends, the tie rule and the groups. Then comes a
word for each source, with a character for each destination: the number of the class, counted through all groups, in the
alphabet 0-9 A-Z a-z + -. The entry is checked before it is written. The exit status is 1 if there is no entry to write.

examples:
  find_pattern.py line:9 2/5*2 1/2*5
  find_pattern.py ring:10 2/3*3 1/1*4 --tie balanced
  find_pattern.py ring:5 2/3*2 1/1 --identity --directed
  find_pattern.py line:8 1/1 1/3*2 1/2*5 --identity --closed
  find_pattern.py line:15 2/7*4 1/4*7 --symmetry pairs
  find_pattern.py line:14 1/4*14 --symmetry reflection
  find_pattern.py line:14 --formula
"""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"{self.prog}: {message.removeprefix('argument ')} (see --help)\n")


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends cadical, too
    parser = make_parser()
    options = parser.parse_intermixed_args()
    try:
        request = read_request(options)
    except ValueError as error:
        parser.error(str(error))
    try:
        if options.formula:
            class_of = compute_classes(request.axis.extent // 2)
        else:
            class_of, seconds = find_classes(request, options.timeout, options.seed)
            print(f"{parser.prog}: cadical took {seconds:.1f} s", file=sys.stderr)
    except NoPattern as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    except KeyboardInterrupt:
        parser.exit(1, f"{parser.prog}: interrupted\n")
    extent = request.axis.extent
    words = ["".join(ALPHABET[class_of[x, y]] for y in range(extent)) for x in range(extent)]
    if fault := first_fault(request, words):
        raise AssertionError(f"the pattern is wrong: {fault}")
    ends = "wrapped" if request.axis.wrapped else "open"
    print("\n".join([" ".join([str(extent), ends, request.axis.tie, *group_words(request.groups)]), *words]))


def make_parser():
    parser = Parser(prog="find_pattern.py", description=__doc__, epilog=EPILOG, allow_abbrev=False,
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("axis", metavar="AXIS", type=read_axis, help="line:K or ring:K")
    parser.add_argument("groups", metavar="GROUP", type=read_groups, nargs="*",
                        help="G/Q, or G/Q*N for N of them; quote it in a shell that refuses *")
    parser.add_argument("--tie", choices=["balanced", "positive"],
                        help="direction of the messages that go half way round a ring: up from even coordinates and "
                             "down from odd ones, or always up; default balanced")
    parser.add_argument("--identity", action="store_true",
                        help="the first group 1/1 has all messages from a coordinate to itself")
    parser.add_argument("--directed", action="store_true",
                        help="of the groups but the identity, the first half has upward messages only and the last "
                             "half downward ones; one in the middle is free, and so are the labels in class 0")
    parser.add_argument("--closed", action="store_true",
                        help="every class has the same sources as destinations; all groups are permutations")
    parser.add_argument("--symmetry", choices=["reflection", "pairs"],
                        help="the reflection of the axis takes every class to itself, or each two groups of one form "
                             "to each other; one left over exchanges its classes 0 and 1, 2 and 3, and so on")
    parser.add_argument("--formula", action="store_true",
                        help="compute the groups 2/H*H of line:2H, H an odd prime, whose labels in class 0 are free")
    parser.add_argument("--timeout", metavar="SECONDS", type=read_number, default=600,
                        help="time limit of cadical, default 600, 0 for none")
    parser.add_argument("--seed", metavar="N", type=read_number, default=0, help="seed of cadical, default 0")
    return parser


def read_axis(text):
    """Reads an axis as if it had no ties."""
    match = re.fullmatch(r"(line|ring):([1-9][0-9]?)", text)
    if not match or int(match[2]) < (2 if match[1] == "line" else 3) or int(match[2]) > len(ALPHABET):
        raise argparse.ArgumentTypeError(f"{text!r} is not line:K, K from 2 to 64, or ring:K, K from 3 to 64")
    return Axis(int(match[2]), match[1] == "ring", "none")


def read_groups(text):
    match = re.fullmatch(r"([1-9][0-9]?)/([1-9][0-9]?)(?:\*([1-9][0-9]?))?", text)
    messages, classes, count = (int(number or 1) for number in match.groups()) if match else (0, 0, 0)
    if not (messages == 1 or messages == 2 and classes > 2 and is_prime(classes)
            or messages == classes - 1 and (is_prime(classes) or classes in (4, 9))):
        raise argparse.ArgumentTypeError(f"{text!r} is not 1/Q, 2/Q with an odd prime Q, or P/Q with P = Q - 1 and Q a "
                                         "prime, 4 or 9, or one of these with *N; numbers end at 99")
    return [Group(messages, classes)] * count


def is_prime(number):
    return number > 1 and all(number % divisor for divisor in range(2, number))


def read_number(text):
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 999999999")
    return int(text)


def read_request(options):
    """Returns the request of the command line. Raises ValueError if no pattern can be like this."""
    axis, name = options.axis, f"{'ring' if options.axis.wrapped else 'line'}:{options.axis.extent}"
    if axis.wrapped and axis.extent % 2 == 0:
        axis = axis._replace(tie=options.tie or "balanced")
    elif options.tie:
        raise ValueError(f"--tie {options.tie}: on {name} no message goes half way round")
    groups = list(itertools.chain(*options.groups))
    if options.formula:
        if groups or options.identity or options.directed or options.symmetry or options.closed:
            raise ValueError("--formula takes neither groups nor other options")
        if axis.wrapped or axis.extent not in (6, 10, 14):
            raise ValueError(f"--formula: {name} is not line:6, line:10 or line:14; longer ones have over 64 classes")
        h = axis.extent // 2
        return Request(axis, [Group(2, h)] * h, divides=False)
    check_counts(axis, name, groups)
    identity = groups.index(Group(1, 1)) if options.identity and Group(1, 1) in groups else None
    if options.identity and identity is None:
        raise ValueError("--identity: there is no group 1/1")
    if options.closed and any(group.messages > 1 for group in groups):
        raise ValueError("--closed: a group of several messages has no closed classes")
    request = Request(axis, groups, identity, options.directed, options.symmetry, divides=not options.directed,
                      closed=options.closed)
    for index, partner in enumerate(request.partners()):
        if options.symmetry == "pairs" and index == partner and groups[index].messages > 1:
            raise ValueError(f"--symmetry pairs: one group {groups[index]} has no partner of the same form")
    if options.symmetry and options.directed:
        raise ValueError(f"--symmetry {options.symmetry}: the reflection changes the directions of --directed")
    if options.symmetry and axis.tie == "positive":
        raise ValueError(f"--symmetry {options.symmetry}: the reflection changes the tie rule positive")
    if options.symmetry == "reflection" and axis.extent % 2 == 1:
        raise ValueError(f"--symmetry reflection: the coordinate in the middle of {name} would send twice in a class")
    return request


def check_counts(axis, name, groups):
    message_count, class_count = sum(group.messages for group in groups), sum(group.class_count for group in groups)
    load = max(Counter(link for message in axis.messages() for link in axis.links(message)).values())
    if message_count != axis.extent:
        raise ValueError(f"the groups have {message_count} messages for each coordinate; {name} needs {axis.extent}")
    if class_count > len(ALPHABET):
        raise ValueError(f"the groups have {class_count} classes; an entry has at most {len(ALPHABET)}")
    if class_count < load:
        raise ValueError(f"the groups have {class_count} classes; the busiest link of {name} has {load} messages")


def group_words(groups):
    """Returns the groups as the command line has them."""
    same = [(group, len(list(members))) for group, members in itertools.groupby(groups)]
    return [f"{group}*{count}" if count > 1 else str(group) for group, count in same]


if __name__ == "__main__":
    main()
