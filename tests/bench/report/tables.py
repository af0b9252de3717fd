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
    """Returns the median, with minimum and maximum in brackets, in this unit of seconds."""
    times = sorted(times)
    return f"{in_units(median(times), unit)} ({in_units(times[0], unit)}-{in_units(times[-1], unit)})"


def median(values):
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
