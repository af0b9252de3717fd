"""Errors that the user is told."""


class LabError(Exception):
    """An error of one line, with the value and the rule. The program prints it and exits with status 2."""
