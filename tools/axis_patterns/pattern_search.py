"""Finds axis patterns with the SAT solver cadical, and computes those of some lines."""

import itertools
import shutil
import subprocess
import time
from collections import Counter


class NoPattern(Exception):
    """Says why there is no pattern."""


class Formula:
    """Holds a formula in conjunctive normal form.

    A message and its reflection are one variable. If both are listed where only one may be true, the variable is false.
    """

    def __init__(self):
        self.variable_count = 0
        self.clauses = []

    def new_variables(self, count):
        self.variable_count += count
        return list(range(self.variable_count - count + 1, self.variable_count + 1))

    def require(self, *literals):
        self.clauses.append(literals)

    def require_at_most_one(self, variables):
        self._forbid_repeated(variables)
        self._exclude_each_other(sorted(set(variables)))

    def require_exactly_one(self, variables):
        self._forbid_repeated(variables)
        once = [variable for variable, count in Counter(variables).items() if count == 1]
        self.require(*once)
        self._exclude_each_other(once)

    def _forbid_repeated(self, variables):
        for variable, count in Counter(variables).items():
            if count > 1:
                self.require(-variable)

    def _exclude_each_other(self, variables):
        """Adds clauses for every two of a few variables. Many are taken in fours, with a new variable for each four."""
        many = len(variables) > 6
        parts = [variables[i:i + 4] for i in range(0, len(variables), 4)] if many else [variables]
        of_parts = self.new_variables(len(parts)) if many else []
        for index, part in enumerate(parts):
            for i, variable in enumerate(part):
                if many:
                    self.require(-variable, of_parts[index])
                for other in part[:i]:
                    self.require(-variable, -other)
        if many:
            self._exclude_each_other(of_parts)

    def text(self):
        """Returns the formula in the DIMACS format."""
        lines = (" ".join(map(str, clause)) + " 0\n" for clause in self.clauses)
        return f"p cnf {self.variable_count} {len(self.clauses)}\n" + "".join(lines)


def build_formula(request):
    """Returns the formula, and for each message the variables that say whether it is in class 0, 1, and so on."""
    axis, formula, images, in_class = request.axis, Formula(), request.reflected_classes(), {}
    for message in axis.messages():
        if message not in in_class:
            variables = in_class[message] = formula.new_variables(len(images))
            reflection = tuple(axis.extent - 1 - coordinate for coordinate in message)
            if request.symmetry and reflection != message:
                in_class[reflection] = [variables[image] for image in images]
    link_users = {}
    for message in axis.messages():
        formula.require_exactly_one(in_class[message])
        for link in axis.links(message):
            link_users.setdefault(link, []).append(message)
    port_users = [[message for message in axis.messages() if message[end] == x]
                  for x in range(axis.extent) for end in (0, 1)]
    for c in range(len(images)):
        for users in [*port_users, *link_users.values()]:
            formula.require_at_most_one([in_class[message][c] for message in users])
    for group, classes, direction in zip(request.groups, request.classes(), request.directions()):
        in_group = {message: [in_class[message][c] for c in classes] for message in axis.messages()}
        if group.messages == 1:
            for users in port_users:
                formula.require_exactly_one([variable for message in users for variable in in_group[message]])
            if request.closed:
                require_closed_classes(formula, request, group, in_group)
        else:
            require_labels(formula, request, group, in_group)
        for message, variables in in_group.items():
            if direction and direction not in {way for _, way in axis.links(message)}:
                for variable in variables:
                    formula.require(-variable)
    if request.identity is not None:
        for x in range(axis.extent):
            formula.require(in_class[x, x][request.classes()[request.identity].start])
    return formula, in_class


def require_labels(formula, request, group, in_group):
    """Gives every source and every destination one label, which allows the classes of its messages."""
    labels = []
    for _ in range(2 * request.axis.extent):  # sources come first, then destinations
        labels.append(formula.new_variables(group.class_count))
        formula.require_exactly_one(labels[-1])
    for (source, destination), variables in in_group.items():
        at_source, at_destination = labels[source], labels[request.axis.extent + destination]
        for c, variable in enumerate(variables):
            for label in (at_source, at_destination):
                if group.messages == 2:
                    formula.require(-variable, label[c - 1], label[(c + 1) % group.class_count])
                else:
                    formula.require(-variable, -label[c])
            if c == 0 and group.messages == 2 and request.divides:
                formula.require(-variable, -at_source[1], at_destination[1])
                formula.require(-variable, at_source[1], -at_destination[1])


def require_closed_classes(formula, request, group, in_group):
    """Gives every coordinate the class in which it sends and receives its messages of a permutation."""
    own = [formula.new_variables(group.class_count) for _ in range(request.axis.extent)]
    for message, variables in in_group.items():
        for c, variable in enumerate(variables):
            for coordinate in message:
                formula.require(-variable, own[coordinate][c])
    for variables in own:
        formula.require_exactly_one(variables)


def find_classes(request, timeout_seconds, seed):
    """Returns the class of each message and the seconds that cadical took. Raises NoPattern."""
    if not shutil.which("cadical"):
        raise NoPattern("cadical is not in the path; the Debian package 'cadical' has it")
    formula, in_class = build_formula(request)
    start = time.monotonic()
    run = subprocess.run(["cadical", "-q", "--sat", f"--seed={seed}", "-t", str(timeout_seconds)],
                         input=formula.text(), capture_output=True, text=True)
    seconds = time.monotonic() - start
    if "s UNSATISFIABLE" in run.stdout:
        raise NoPattern(f"there is no such pattern; cadical took {seconds:.1f} s")
    if run.returncode == 0:  # 10 and 20 are results
        raise NoPattern(f"cadical has no result after {seconds:.1f} s")
    if "s SATISFIABLE" not in run.stdout:
        raise NoPattern(run.stderr.strip().partition("\n")[0] or f"cadical ended with status {run.returncode}")
    true = {word for line in run.stdout.splitlines() if line.startswith("v") for word in line.split()[1:]}
    return {message: next(c for c, variable in enumerate(variables) if str(variable) in true)
            for message, variables in in_class.items()}, seconds


def compute_classes(h):
    """Returns the class of each message on a line of 2 h coordinates, h an odd prime, in h groups 2/h.

    Class c of group l has the messages of the cycle x, h + y, h + y', x', where x = l c, x' = l (c + 2), y = l (c + 1)
    and y' = l (c + 3), all mod h. Class c of group 0 has the two messages between c and h + c, and those of x and h + x
    to themselves, x = c - 2 (mod h).
    """
    class_of = {}
    for l, c in itertools.product(range(h), repeat=2):
        x, h_y, x_next, h_y_next = l * c % h, h + l * (c + 1) % h, l * (c + 2) % h, h + l * (c + 3) % h
        cycle = [(x, h_y), (h_y, h_y_next), (h_y_next, x_next), (x_next, x)]
        own = (c - 2) % h
        for message in cycle if l else [(c, h + c), (h + c, c), (own, own), (h + own, h + own)]:
            class_of[message] = l * h + c
    return class_of
