"""Reads link rates and queue lengths, and estimates what the cores of the machine can forward."""

import os
import re

from .errors import LabError

FRAME_BYTES = 1514  # a full Ethernet frame, as the counters of a link see it
FORWARDED_PACKETS_PER_SECOND_AND_CORE = 150_000  # measured with 16 and 64 nodes; acknowledgements count too

_RATE_UNITS = {"bit": 1, "kbit": 10**3, "mbit": 10**6, "gbit": 10**9}
_BYTE_UNITS = {"b": 1, "kb": 10**3, "mb": 10**6, "kib": 2**10, "mib": 2**20}


def _parse(text, units, kind, example):
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([a-z]+)", text.lower())
    if not match or match[2] not in units:
        raise LabError(f"{kind} '{text}' is not a number with one of the units {', '.join(units)}, as in {example}")
    value = round(float(match[1]) * units[match[2]])
    if value <= 0:
        raise LabError(f"{kind} '{text}' is not positive")
    return value


def parse_rate(text):
    """Returns bits per second for a text such as `10mbit`."""
    return _parse(text, _RATE_UNITS, "rate", "10mbit")


def parse_bytes(text):
    """Returns bytes for a text such as `64kb`."""
    return _parse(text, _BYTE_UNITS, "queue", "64kb")


def rate_text(bits_per_second):
    """Returns the shortest text that parse_rate() reads as this rate."""
    for unit, factor in reversed(_RATE_UNITS.items()):
        if bits_per_second % factor == 0:
            return f"{bits_per_second // factor}{unit}"
    raise AssertionError("a whole number of bits is a multiple of 1 bit")


def highest_rate(shaped_links, cores=None):
    """Returns the bits per second at which the cores still forward the full load of all shaped links, with one
    acknowledgement for each data packet."""
    packets = FORWARDED_PACKETS_PER_SECOND_AND_CORE * (cores or os.cpu_count() or 1)
    return packets / (2 * shaped_links) * FRAME_BYTES * 8


def too_fast(rate, shaped_links, cores=None):
    """Returns a warning if at this rate the cores will be the limit and not the links; otherwise returns nothing."""
    most = highest_rate(shaped_links, cores)
    if rate <= most:
        return None
    return (f"rate {rate_text(rate)} on {shaped_links} shaped links is more than this machine's cores forward; "
            f"above about {most / 1e6:.1f}mbit they are the limit, not the links")
