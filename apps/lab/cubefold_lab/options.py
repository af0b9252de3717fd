"""How the command line is read: the errors of it in one line, and the kinds of values that it has."""

import argparse


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and where to look, as the other programs do."""

    def error(self, message):
        self.exit(2, f"cubefold-lab: {message} (see {self.prog} --help)\n")


def positive(text):
    """A whole number from 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1")
    return int(text)


def add_program(parser, text):
    """PROGRAM and everything behind it, whether it looks like one of our options or not."""
    parser.add_argument("program", nargs=argparse.PARSER, metavar="PROGRAM ...", help=text)
