"""Markdown tables, and numbers in units."""


def table(header, rows):
    """Returns a table with the first column aligned left and numbers aligned right."""
    lines = ["| " + " | ".join(header) + " |", "|" + "|".join(["---"] + ["---:"] * (len(header) - 1)) + "|"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def in_units(seconds, unit):
    value = seconds / unit
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def milliseconds(seconds):
    return in_units(seconds, 1e-3)


def with_spread(times, unit=1e-3):
    """Returns the median in this unit of seconds. The times of a report that was measured here also give minimum and
    maximum, in brackets; a published report has no others than the median."""
    text = in_units(median(times), unit)
    return text if is_published(times) else f"{text} ({in_units(min(times), unit)}-{in_units(max(times), unit)})"


def is_published(times):
    return isinstance(times, dict)


def median(values):
    """Returns the median of a list, or that which a published report has in place of the list."""
    if is_published(values):
        return values["median"]
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def ratio(a, b):
    return f"{a / b:.2f}"


def size_text(count):
    for unit, factor in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= factor and count % factor == 0:
            return f"{count // factor} {unit}"
    return f"{count} B"
