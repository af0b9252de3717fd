"""Errors that the user is told."""

import re


class LabError(Exception):
    """An error of one line, with the value and the rule. The program prints it and exits with status 2."""


def without_program(text):
    """Returns an error that a program wrote, without the name of the program."""
    return re.sub(r"^[\w-]+: ", "", text.strip())
