"""What a user is told when something cannot be done."""


class LabError(Exception):
    """One line that names the value and the rule; the program prints it and exits with status 2."""
