"""Results of the demonstration: from the JSON of the programs to bars, to sentences and to a picture."""

from dataclasses import dataclass
from xml.sax.saxutils import escape

FRAME_OVER_PAYLOAD = 1514 / 1448  # a full frame of Ethernet carries 1448 bytes of data

# Colours of Okabe and Ito, which colour-blind readers can distinguish.
COLOURS = {"mpi": "#0072b2", "cubefold": "#d55e00", "links": "#999999"}


@dataclass(frozen=True)
class Bar:
    name: str
    seconds: float
    kind: str  # "mpi", "cubefold" or "links"


@dataclass(frozen=True)
class Comparison:
    title: str
    bars: list

    def fastest(self, kind):
        return min((bar for bar in self.bars if bar.kind == kind), key=lambda bar: bar.seconds, default=None)


def median(seconds):
    ordered = sorted(seconds)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def exchange_comparison(title, report, bound_seconds):
    """Compares the results of cubefold-exchange. What no exchange beats comes last, with the headers of frames."""
    bars = [Bar("cubefold", median(row["seconds"]), "cubefold") if "choice" in row else
            Bar(row["algorithm"], median(row["seconds"]), "mpi") for row in report["results"]]
    bars.sort(key=lambda bar: bar.kind == "cubefold")
    return Comparison(title, [*bars, Bar("the links allow", bound_seconds, "links")])


def transform_comparison(title, report):
    """Compares the transform of cubefold-fft with that of FFTW MPI in the same run."""
    return Comparison(title, [Bar("FFTW MPI", report["compare"]["median_seconds"], "mpi"),
                              Bar("cubefold", report["transform"]["median_seconds"], "cubefold")])


def orders_comparison(title, report):
    """Compares the first placement of cubefold-permute, the ranks in order, with the second."""
    in_order, found = report["results"]
    return Comparison(title, [Bar("ranks in order", median(in_order["seconds"]), "mpi"),
                              Bar("order of cubefold", median(found["seconds"]), "cubefold")])


def advice_comparison(title, row):
    """Compares the predictions of `cubefold advise` for one block size, except those of MPI that are lower bounds."""
    bars = [Bar(f"MPI {each['algorithm']}", each["seconds"], "mpi") for each in row["mpi"]
            if not each["is_lower_bound"]]
    return Comparison(title, [*bars, Bar("cubefold", row["cubefold"]["seconds"], "cubefold"),
                              Bar("the links allow", row["bound_seconds"], "links")])


def milliseconds(seconds):
    return f"{1e3 * seconds:.3g} ms" if seconds < 0.9995 else f"{1e3 * seconds:.0f} ms"


def times(ratio):
    """Says how two times compare. Times that differ by less than 5 % count as equal."""
    if 1 / 1.05 < ratio < 1.05:
        return "as fast as"
    return f"{ratio:.1f} times as fast as" if ratio > 1 else f"{1 / ratio:.1f} times slower than"


def sentence(comparison):
    """Says how fast cubefold is beside the first and the fastest baseline, and how close to what the links allow."""
    ours = comparison.fastest("cubefold")
    first = next(bar for bar in comparison.bars if bar.kind == "mpi")
    baselines = dict.fromkeys([first, comparison.fastest("mpi")])
    parts = [f"{times(bar.seconds / ours.seconds)} {bar.name}" for bar in baselines]
    bound = comparison.fastest("links")
    if bound:
        parts.append(f"{100 * min(1, bound.seconds / ours.seconds):.0f} % of what the links allow")
    return f"cubefold is {', '.join(parts)}"


def bars_text(comparison, width=44):
    longest = max(bar.seconds for bar in comparison.bars)
    name_width = max(len(bar.name) for bar in comparison.bars)
    return "\n".join(f"  {bar.name:<{name_width}} {milliseconds(bar.seconds):>9}  "
                     f"{'#' * max(1, round(width * bar.seconds / longest))}" for bar in comparison.bars)


def _text(x, y, words, **attributes):
    extra = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f'<text x="{x}" y="{y}"{extra}>{escape(words)}</text>'


def _panel(comparison, top, left=170, longest_bar=420):
    """Returns the drawing of one comparison, and the height that it takes."""
    longest = max(bar.seconds for bar in comparison.bars)
    drawn = [_text(20, top + 18, comparison.title, **{"font-weight": "bold"})]
    y = top + 32
    for bar in comparison.bars:
        length = max(1.0, longest_bar * bar.seconds / longest)
        drawn += [_text(left - 10, y + 15, bar.name, **{"text-anchor": "end"}),
                  f'<rect x="{left}" y="{y}" width="{length:.1f}" height="20" fill="{COLOURS[bar.kind]}"/>',
                  _text(f"{left + length + 8:.1f}", y + 15, milliseconds(bar.seconds))]
        y += 26
    drawn.append(_text(20, y + 15, sentence(comparison), **{"font-style": "italic"}))
    return drawn, y + 34 - top


def bars_svg(caption, comparisons):
    drawn, y = [_text(20, 28, caption, **{"font-size": "15"})], 46
    for comparison in comparisons:
        panel, height = _panel(comparison, y)
        drawn += panel
        y += height
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="800" height="{y}" viewBox="0 0 800 {y}" '
            'font-family="sans-serif" font-size="13" fill="#111111">')
    return "\n".join([head, f'<rect width="800" height="{y}" fill="white"/>', *drawn, "</svg>"]) + "\n"
