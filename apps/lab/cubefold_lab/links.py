"""Changes single links of a lab that is up (slower, cut, mended), and counts the bytes that links carried."""

import json

from . import wiring
from .lab import call_inside, save
from .network import parse_cable


def _apply(lab, link, lines):
    place = wiring.place_of_links(lab.network, link.source, lab.shape.ports)
    call_inside(lab, ["tc", "-n", place, "-batch", "-"], "\n".join(lines) + "\n")


def slow_down(lab, cable, rate):
    for link in parse_cable(cable, lab.network):
        _apply(lab, link, wiring.reshaping(wiring.device_of(link), rate, lab.shape.queue))
        lab.slow[link.index] = rate
    save(lab)


def cut(lab, cable):
    for link in parse_cable(cable, lab.network):
        _apply(lab, link, wiring.cutting(wiring.device_of(link)))
        lab.cut = sorted({*lab.cut, link.index})
    save(lab)


def mend(lab, cable):
    """Restores the rate with which the lab was brought up."""
    for link in parse_cable(cable, lab.network):
        _apply(lab, link, wiring.reshaping(wiring.device_of(link), wiring.rate_of(link, lab.shape), lab.shape.queue))
        lab.cut = [index for index in lab.cut if index != link.index]
        lab.slow.pop(link.index, None)
    save(lab)


def _sent_bytes(lab, place):
    listed = json.loads(call_inside(lab, ["ip", "-n", place, "-s", "-j", "link", "show"]))
    return {entry["ifname"]: entry["stats64"]["tx"]["bytes"] for entry in listed}


def counters(lab):
    """Returns the bytes that each link has carried since it was made, with the headers of frames, by link index."""
    result = {}
    for vertex, place in enumerate(wiring.places_of_links(lab.network, lab.shape.ports)):
        sent = _sent_bytes(lab, place)
        result.update({link.index: sent[wiring.device_of(link)] for link in lab.network.links if link.source == vertex})
    return result


def loads(lab):
    """Returns the bytes since the last reset, or since `up`, by link index."""
    return {index: count - lab.counted_from.get(index, 0) for index, count in counters(lab).items()}


def reset(lab):
    lab.counted_from = counters(lab)
    save(lab)
