"""Reads the command line, with errors of one line, and has the kinds of option values."""

import argparse
import difflib
import re
import sys

from .outputs import say


def nearest_name(name, known):
    """Returns the nearest known name, or else the only one that begins with the name, or None."""
    close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.65)
    beginning = [each for each in known if len(name) > 1 and each.startswith(name.lower())]
    return close[0] if close else beginning[0] if len(beginning) == 1 else None


def unknown_name(kind, name, known):
    """Returns the error for an unknown name, in the words of the library."""
    guess = nearest_name(name, known)
    return f"unknown {kind} '{name}'; " + (f"did you mean '{guess}'? " if guess else "") + f"known: {', '.join(known)}"


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line with a reference to the help, as in the other programs."""

    def __init__(self, *arguments, **more):
        super().__init__(*arguments, allow_abbrev=False, **more)
        self.words = []
        self.set_defaults(parser=self)

    def parse_args(self, args=None, namespace=None):
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            options.parser.refuse_word(unknown[0])
        return options

    def parse_known_args(self, args=None, namespace=None):
        self.words = list(args)
        return super().parse_known_args(args, namespace)

    def refuse_word(self, word):
        name = word.partition("=")[0]
        if not word.startswith("-"):
            self.error(f"unexpected argument '{word}'")
        guess = nearest_name(name, list(self._option_string_actions))
        self.error(f"unknown option '{name}'" + (f"; did you mean '{guess}'?" if guess else ""))

    def error(self, message):
        missing = message.partition("the following arguments are required: ")[2]
        if missing:
            self.error_of_missing(missing.split(", "))
        message = re.sub("^argument ", "", message).replace("expected one argument", "a value is missing")
        self.exit(2, f"{self.prog.partition(' ')[0]}: {message} (see {self.prog} --help)\n")

    def error_of_missing(self, names):
        """Returns the error for missing options. A misspelt option is reported first."""
        for word in self.words:
            if word.startswith("--") and word.partition("=")[0] not in self._option_string_actions:
                self.refuse_word(word)
        self.error(f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} required")

    def _check_value(self, action, value):
        if action.choices is None or value in action.choices:
            return
        if isinstance(action.choices, dict):  # the choices of subcommands are a dict
            self.error(unknown_name("command", value, list(action.choices)))
        raise argparse.ArgumentError(action, unknown_name("value", value, list(action.choices)))

    def _print_message(self, message, file=None):
        if message and file is sys.stdout:
            say(message)
        else:
            super()._print_message(message, file)


def positive(text):
    """Reads a whole number from 1."""
    return _whole_number(text, 1)


def not_negative(text):
    """Reads a whole number from 0."""
    return _whole_number(text, 0)


def node_list(text):
    """Reads node numbers that are separated by commas."""
    return [not_negative(word) for word in text.split(",")]


def _whole_number(text, lowest):
    if not text.isascii() or not text.isdigit() or int(text) < lowest:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from {lowest} up")
    return int(text)


def add_program(parser, text):
    """Adds PROGRAM and all words after it, even if they look like options of cubefold-lab."""
    parser.add_argument("program", nargs=argparse.PARSER, metavar="PROGRAM ...", help=text)
