"""Describes axis patterns and checks them."""

import itertools
import string
from typing import NamedTuple

ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase + "+-"


class Axis(NamedTuple):
    extent: int
    wrapped: bool
    tie: str  # "balanced" or "positive", and "none" if no message goes half way round

    def messages(self):
        """Returns the (source, destination) of every message, by source and then by destination."""
        return list(itertools.product(range(self.extent), repeat=2))

    def links(self, message):
        """Returns the directed links of a message: the coordinate at which each begins, and its direction 1 or -1."""
        source, destination = message
        up = (destination - source) % self.extent if self.wrapped else destination - source
        goes_up = 2 * up < self.extent or 2 * up == self.extent and (self.tie == "positive" or source % 2 == 0)
        hops = up if goes_up or not self.wrapped else up - self.extent
        direction = 1 if hops > 0 else -1
        return [((source + i * direction) % self.extent, direction) for i in range(abs(hops))]


class Group(NamedTuple):
    messages: int
    class_count: int

    def __str__(self):
        return f"{self.messages}/{self.class_count}"

    def classes_of_label(self, label):
        """Returns the classes in which a coordinate with this label sends, or receives, its messages of the group."""
        around = {(label - 1) % self.class_count, (label + 1) % self.class_count}
        return around if self.messages == 2 else set(range(self.class_count)) - {label}


class Request(NamedTuple):
    """Describes the pattern that is wanted."""

    axis: Axis
    groups: list
    identity: int | None = None  # index of the group that has all messages from a coordinate to itself
    directed: bool = False       # the groups have the directions of directions()
    symmetry: str | None = None  # "reflection" or "pairs", as the help of find_pattern.py explains
    divides: bool = True         # the messages of class 0 of a group 2/Q have the same label at both ends
    closed: bool = False         # every class has the same sources as destinations

    def classes(self):
        """Returns the class numbers of each group."""
        ends = itertools.accumulate(group.class_count for group in self.groups)
        return [range(end - group.class_count, end) for group, end in zip(self.groups, ends)]

    def partners(self):
        """Returns the index of the partner of each group, or its own. Groups of one form are partners in twos."""
        partners, waiting = list(range(len(self.groups))), {}
        for index, group in enumerate(self.groups):
            if index != self.identity and group in waiting:
                partners[index] = waiting.pop(group)
                partners[partners[index]] = index
            elif index != self.identity:
                waiting[group] = index
        return partners

    def directions(self):
        """Returns, for each group, 1 if its messages must go up, -1 if they must go down, and 0 if they are free.

        Of the groups but the identity, the first half goes up and the last half goes down. One in the middle is free.
        """
        directions = [0] * len(self.groups)
        movers = [index for index in range(len(self.groups)) if index != self.identity] if self.directed else []
        for i in range(len(movers) // 2):
            directions[movers[i]], directions[movers[-1 - i]] = 1, -1
        return directions

    def reflected_classes(self):
        """Returns, for each class, the class of the reflected messages.

        For "pairs" it is in the partner. A group without partner exchanges its classes 0 and 1, 2 and 3, and so on.
        """
        classes, reflected = self.classes(), []
        for index, partner in enumerate(self.partners()):
            for i, c in enumerate(classes[index]):
                exchanged = i ^ 1 if partner == index and i ^ 1 < len(classes[index]) else i
                reflected.append(classes[partner][exchanged] if self.symmetry == "pairs" else c)
        return reflected


def first_fault(request, words):
    """Returns the first rule that the words of an entry break, or None. It does not use the code of the search."""
    extent = request.axis.extent
    if [len(word) for word in words] != [extent] * extent:
        return "a message has no class"
    members = [[] for classes in request.classes() for _ in classes]
    for source, destination in itertools.product(range(extent), repeat=2):
        members[ALPHABET.index(words[source][destination])].append((source, destination))
    for number, messages in enumerate(members):
        links = [link for message in messages for link in walk(request.axis, *message)]
        for name, used in zip(("source", "destination", "link"), (*zip(*messages), links)):
            if len(set(used)) < len(used):
                return f"class {number} uses a {name} twice"
    for index, classes in enumerate(request.classes()):
        if fault := group_fault(request, index, [members[number] for number in classes]):
            return f"group {index}: {fault}"
    return None


def group_fault(request, index, members):
    """Returns the first rule that a group with these messages in its classes breaks, or None."""
    group, labels = request.groups[index], {}
    for end, x in itertools.product((0, 1), range(request.axis.extent)):
        used = {c for c, messages in enumerate(members) if any(message[end] == x for message in messages)}
        labels[end, x] = [label for label in range(group.class_count) if used == group.classes_of_label(label)]
        if len(used) != group.messages or group.messages > 1 and not labels[end, x]:
            return f"coordinate {x} uses the classes {sorted(used)}"
    if group.messages == 2 and request.divides and any(labels[0, x] != labels[1, y] for x, y in members[0]):
        return "the labels at the ends of a message of class 0 differ"
    if request.closed and any({x for x, _ in messages} != {y for _, y in messages} for messages in members):
        return "a class does not have the same sources as destinations"
    messages = [message for messages in members for message in messages]
    if index == request.identity and any(source != destination for source, destination in messages):
        return "a message of the identity does not stay where it is"
    directions = {direction for message in messages for _, direction in walk(request.axis, *message)}
    if request.directions()[index] and directions != {request.directions()[index]}:
        return f"the messages go in the directions {directions}"
    return None


def walk(axis, source, destination):
    """Returns the same as Axis.links(), by walking both ways from coordinate to coordinate."""
    ways = {}
    for direction in (1, -1):
        here, links = source, []
        while here != destination and 0 <= here < axis.extent:
            links.append((here, direction))
            here = (here + direction) % axis.extent if axis.wrapped else here + direction
        if here == destination:
            ways[direction] = links
    if len(ways) == 2 and len(ways[1]) == len(ways[-1]):
        return ways[1 if axis.tie == "positive" or source % 2 == 0 else -1]
    return min(ways.values(), key=len)
