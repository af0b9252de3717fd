"""Pictures of the report. Each algorithm has the same colour in all of them. Only drawing needs matplotlib."""

# These are colours of Okabe and Ito and of Tol, which colour-blind readers can distinguish.
COLOURS = {"cubefold_alltoall": "#000000", "plan": "#d55e00", "cc-cube": "#d55e00", "direct": "#7f3b08", "axis-rotated":
               "#f0e442", "MPI_Alltoall": "#0072b2", "linear": "#56b4e9", "pairwise": "#009e73",
           "bruck": "#cc79a7", "linear-sync": "#e69f00", "by axis": "#332288", "MPI_Ialltoall": "#999999",
           "MPICH bruck": "#882255", "MPICH scattered": "#44aa99", "MPICH pairwise": "#117733"}
PLAIN = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]

STYLE = {"svg.hashsalt": "cubefold", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False,
         "legend.frameon": False, "figure.constrained_layout.use": True,
         # A viewer may have wider letters than those that the layout was computed for.
         "figure.constrained_layout.w_pad": 0.15, "figure.constrained_layout.h_pad": 0.08,
         "svg.fonttype": "none"}


def _pyplot():
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    pyplot.rcParams.update(STYLE)
    return pyplot


def panels(count, columns=3, width=3.3, height=2.7):
    columns = min(columns, count)
    rows = -(-count // columns)
    figure, axes = _pyplot().subplots(rows, columns, figsize=(width * columns, height * rows), squeeze=False)
    flat = list(axes.flat)
    for unused in flat[count:]:
        unused.set_axis_off()
    return figure, flat[:count]


def put_legend_below(figure, panels):
    """Puts one legend for all panels below them: the names of the panel that has most."""
    inches = 0.5
    share = inches / figure.get_size_inches()[1]
    figure.get_layout_engine().set(rect=(0, share, 1, 1 - share))
    fullest = max(panels, key=lambda panel: len(panel.get_legend_handles_labels()[1]))
    figure.legend(*fullest.get_legend_handles_labels(), loc="lower center", ncols=5)


def save(figure, file):
    figure.savefig(file, metadata={"Date": None})
    _pyplot().close(figure)
