"""Reports the state of a lab, and its measured and predicted link loads."""

import json
import subprocess
import tempfile
import time
from pathlib import Path

from .errors import LabError, without_program
from .rates import rate_text


def loads_json(lab, measured):
    """Returns the input of `cubefold draw --loads`."""
    links = [{"from": k.source, "to": k.target, "bytes": measured[k.index],
              **({} if k.axis is None else {"axis": k.axis, "direction": k.direction})} for k in lab.network.links]
    return {"grid": lab.network.grid, "tie": lab.network.tie, "ports": lab.shape.ports, "links": links}


def predicted_loads(path, lab, times):
    """Reads bytes by link index from the `links` of a JSON file, as cubefold-exchange, cubefold-permute and cubefold
    simulate write it."""
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise LabError(f"{path}: cannot read: {error.strerror}") from None
    try:
        by_ends = {(k["from"], k["to"]): k["bytes"] for k in json.loads(text)["links"]}
    except (ValueError, KeyError, TypeError) as error:
        raise LabError(f"{path}: no list 'links' of from, to and bytes in it ({error})") from None
    for source, target in by_ends:
        lab.network.link_between(source, target)
    return {k.index: times * by_ends.get((k.source, k.target), 0) for k in lab.network.links}


def loads_table(lab, measured, predicted=None):
    lines = [f"{'link':>9} {'axis':>4} {'direction':<9} {'bytes':>12}" + ("   predicted  ratio" if predicted else "")]
    for k in lab.network.links:
        axis, direction = ("-", "-") if k.axis is None else (k.axis, k.direction)
        line = f"{f'{k.source}-{k.target}':>9} {axis:>4} {direction:<9} {measured[k.index]:>12}"
        if predicted:
            expected = predicted[k.index]
            line += f" {expected:>11}  " + (f"{measured[k.index] / expected:5.2f}" if expected else "    -")
        lines.append(line)
    return "\n".join(lines)


def loads_summary(lab, measured, predicted=None):
    busiest = max(lab.network.links, key=lambda k: measured[k.index])
    text = (f"busiest {busiest.source}-{busiest.target} with {measured[busiest.index]} bytes, "
            f"all links {sum(measured.values())}")
    if predicted:
        text += f"; predicted busiest {max(predicted.values())}, all links {sum(predicted.values())}"
    return text


def drawing(cubefold, lab, measured, predicted):
    """Returns the SVG of `cubefold draw` with predicted and measured loads side by side on one scale."""
    panels = ([("predicted", predicted)] if predicted else []) + [("measured", measured)]
    with tempfile.TemporaryDirectory() as folder:
        command = [cubefold, "draw", lab.network.grid, "--output", "-"]
        for title, loads in panels:
            file = Path(folder) / f"{title}.json"
            file.write_text(json.dumps(loads_json(lab, loads)))
            command += ["--loads", str(file), "--title", title]
        drawn = subprocess.run(command, capture_output=True, text=True)
    if drawn.returncode != 0:
        raise LabError(without_program(drawn.stderr))
    return drawn.stdout


def status_line(lab):
    minutes = (time.time() - lab.started) / 60
    slurm = f"Slurm with {lab.slots} slots per node, " if lab.slots else ""
    switches = f"{len(lab.network.switches)} switches, " if lab.network.switches else ""
    line = (f"{lab.name}: {lab.network.grid}, {lab.network.node_count} nodes, {switches}{len(lab.network.links)} links "
            f"of {rate_text(lab.shape.rate)}, {lab.shape.ports}-port, queues of {lab.shape.queue} bytes, ties "
            f"{lab.network.tie}, {slurm}up for {minutes:.0f} min")
    for index, rate in sorted(lab.slow.items()):
        link = lab.network.links[index]
        line += f"\n  slow: {link.source}-{link.target} {rate_text(rate)}"
    for index in lab.cut:
        link = lab.network.links[index]
        line += f"\n  cut: {link.source}-{link.target}"
    return line


def status_json(lab):
    return {"name": lab.name, "grid": lab.network.grid, "tie": lab.network.tie, "nodes": lab.network.node_count,
            "switches": len(lab.network.switches), "rate": lab.shape.rate, "queue": lab.shape.queue,
            "ports": lab.shape.ports, "holder": lab.holder, "slots": lab.slots,
            "slow": [[lab.network.links[i].source, lab.network.links[i].target, rate] for i, rate in lab.slow.items()],
            "cut": [[lab.network.links[i].source, lab.network.links[i].target] for i in lab.cut]}
