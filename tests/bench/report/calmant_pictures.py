"""Draws figures 9 and 10 of [Calmant] again:

PYTHONPATH=tests/bench python3 -m report.calmant_pictures --build build/release --output docs/pictures
"""

import argparse
from pathlib import Path

from . import calmant, plots

SOLID, DASHED, DOTTED = "-", "--", ":"
STYLES = {
    calmant.CALMANT: ("#d55e00", SOLID), calmant.CLOSED_FORM: ("#d55e00", DOTTED),
    "binary": ("#56b4e9", SOLID), "quadrant": ("#0072b2", SOLID), "modified-quadrant": ("#009e73", SOLID),
    "cyclic": ("#999999", (0, (1, 3))),  # lies on the curve of binary
    "hybrid": ("#e69f00", SOLID), "store-and-forward": ("#cc79a7", SOLID), "direct": ("#000000", DASHED),
    "axis-rotated": ("#0072b2", DASHED)}
LEAST_SPEED_UP = 0.3


def style(method, axes):
    """Returns colour and line style. In three dimensions, the schedules of these two methods are ours."""
    colour, line = STYLES[method]
    return colour, DASHED if axes == 3 and method in {"modified-quadrant", "hybrid"} else line


def draw_panel(panel, speed_up, axes):
    for method in STYLES:
        colour, line = style(method, axes)
        panel.plot(calmant.BLOCKS, speed_up[method], color=colour, linestyle=line, linewidth=1.2, label=method)
    panel.set_xscale("log", base=2)
    panel.set_xticks([1, 16, 256, 4096])
    panel.set_ylim(bottom=LEAST_SPEED_UP)


def draw(cubefold, axes, file):
    extents = calmant.MESHES[axes]
    figure, panels = plots.panels(len(extents) * len(calmant.RATIOS), columns=len(calmant.RATIOS), width=2.7,
                                  height=2.3)
    for row, extent in enumerate(extents):
        by_ratio = calmant.speed_ups(cubefold, extent, axes)
        for column, ratio in enumerate(calmant.RATIOS):
            panel = panels[row * len(calmant.RATIOS) + column]
            draw_panel(panel, by_ratio[ratio], axes)
            panel.set_title(f"{calmant.mesh(extent, axes)}, alpha/tau {ratio}", fontsize=9)
            panel.set_xlabel("block in bytes" if row == len(extents) - 1 else "")
            panel.set_ylabel("" if column else "speed-up over CC-cube")
    plots.put_legend_below(figure, panels)
    plots.save(figure, file)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True, help="build folder with the program cubefold")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    for axes in calmant.MESHES:
        draw(options.build / "bin" / "cubefold", axes, options.output / f"calmant-{axes}d.svg")


if __name__ == "__main__":
    main()
