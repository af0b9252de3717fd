"""The published form of a report: medians in place of all times that were measured, and a line for each row."""

import json

from .tables import median

# Of these, the list of all times or its median says enough.
LEFT_OUT = {"median_seconds", "min_seconds", "max_seconds", "bytes_per_second"}


def _is_list_of_times(key, value):
    return key != "lengths" and isinstance(value, list) and value != [] and \
        all(isinstance(each, (int, float)) for each in value)


def published(report, key=""):
    """Returns a report with the median and the number of runs in place of each list of times. What is published already
    stays."""
    if _is_list_of_times(key, report):
        return {"median": median(report), "runs": len(report)}
    if isinstance(report, list):
        return [published(each, key) for each in report]
    if isinstance(report, dict):
        return {name: published(each, name) for name, each in report.items() if name not in LEFT_OUT}
    return report


def _is_row(value):
    """Returns whether a value has names with plain values, as a row of a table has."""
    return isinstance(value, dict) and any(not isinstance(each, (dict, list)) for each in value.values())


def _lines(value, indent):
    if not value or not isinstance(value, (dict, list)) or _is_row(value):
        return json.dumps(value)
    inner = " " * (indent + 1)
    if isinstance(value, list):
        begin, end = "[", "]"
        lines = [_lines(each, indent + 1) for each in value]
    else:
        begin, end = "{", "}"
        lines = [f"{json.dumps(name)}: {_lines(each, indent + 1)}" for name, each in value.items()]
    return begin + "\n" + ",\n".join(inner + line for line in lines) + "\n" + " " * indent + end


def text_of(report):
    """Returns a report as JSON, with a line for each row."""
    lines = [f" {json.dumps(name)}: {_lines(value, 1)}" for name, value in report.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"
