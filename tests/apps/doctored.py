"""Replaces, removes or doubles every number, word, list and key of a JSON file, one at a time."""

import copy
import json


def places(value, path=()):
    """Yields the paths of all values in a file, with those of the containers."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    if isinstance(value, list):
        for index, element in enumerate(value):
            yield from places(element, (*path, index))


def at(file, path):
    for step in path:
        file = file[step]
    return file


def others(value):
    """Returns values that differ from this one, to put in its place."""
    strange = [None, False, [], "", "unknown", "xor", "\x1b[2J", 0, -1, 0.5, 1e308, 2**64 - 1]
    if isinstance(value, bool):
        strange.append(not value)
    elif isinstance(value, (int, float)):
        strange += [value + 1, value - 1, 2 * value + 3, -value, value * (1 + 1e-9), value + 1e-12]
    elif isinstance(value, str):
        strange += [value + " ", value[:-1], value.upper(), value + ":0", "cube:1", "positive", "torus:2x8"]
    elif isinstance(value, list):
        strange += [value[:-1], value[1:], value + value[-1:], value[:1] + value, value[::-1]]
    return [other for other in strange if type(other) is not type(value) and not both_numbers(other, value)
            or other != value]


def both_numbers(a, b):
    return all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in (a, b))


def with_value(file, path, value):
    if not path:
        return json.dumps(value)
    file = copy.deepcopy(file)
    at(file, path[:-1])[path[-1]] = value
    return json.dumps(file)


def with_keys(file, path, change):
    """Returns the file with other keys in the object at the path; change maps (key, value) to pairs."""
    class Pairs(dict):
        def items(self):
            return [pair for key, value in dict.items(self) for pair in change(key, value)]

    def rebuilt(value, here):
        if isinstance(value, list):
            return [rebuilt(element, (*here, i)) for i, element in enumerate(value)]
        if not isinstance(value, dict):
            return value
        members = {key: rebuilt(member, (*here, key)) for key, member in value.items()}
        return Pairs(members) if here == path else members

    # Only the encoder in pure Python asks items() of a subclass.
    return "".join(json.JSONEncoder(indent=0).iterencode(rebuilt(file, ())))


def doctored(file):
    """Yields (the change, the text of the file after it)."""
    for path in places(file):
        value = at(file, path)
        for other in others(value):
            yield (path, other), with_value(file, path, other)
        for key in value if isinstance(value, dict) else []:
            yield (path, f"without {key}"), with_keys(file, path, lambda k, v: [] if k == key else [(k, v)])
            yield (path, f"{key} renamed"), with_keys(file, path, lambda k, v: [(k + "s" if k == key else k, v)])
            yield (path, f"{key} twice"), with_keys(file, path, lambda k, v: [(k, v)] * (2 if k == key else 1))
