"""Pictures of figures, as PNG and SVG: lines, bars, and stacked bars; one panel beside the other."""
import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "subx"  # the same rows give the same file
matplotlib.rcParams["svg.fonttype"] = "none"
import matplotlib.pyplot as plt  # noqa: E402

# Okabe and Ito's colours, as in subx-perf-plot.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D31", "#7F7F7F", "#B0B0B0"]
MARKS = ["o", "s", "^", "D", "v", "P", "X", "<", ">", "*"]


def distinct(rows, key):
    return list(dict.fromkeys(r[key] for r in rows))


def draw_lines(axes, rows, series, figure):
    for i, name in enumerate(series):
        mine = sorted((r for r in rows if r["series"] == name), key=lambda r: r["x"])
        if mine:
            axes.plot([r["x"] for r in mine], [r["median"] for r in mine], marker=MARKS[i % 10], color=COLOURS[i % 10],
                      markersize=5, linewidth=1.3)
            axes.vlines([r["x"] for r in mine], [r["least"] for r in mine], [r["median"] for r in mine],
                        color=COLOURS[i % 10], linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    ticks = sorted({r["x"] for r in rows})
    if len(ticks) <= 8:
        axes.set_xticks(ticks, [str(x) for x in ticks])
        axes.set_xticks([], minor=True)


def draw_bars(axes, rows, series, figure):
    xs = distinct(rows, "x")
    present = [name for name in series if any(r["series"] == name for r in rows)]
    width = 0.84 / max(1, len(present))
    for i, name in enumerate(present):
        place = {r["x"]: r for r in rows if r["series"] == name}
        at = [k + (i - (len(present) - 1) / 2) * width for k, x in enumerate(xs) if x in place]
        axes.bar(at, [place[x]["median"] for x in xs if x in place], width * 0.95, color=COLOURS[series.index(name) % 10])
    axes.set_xticks(range(len(xs)), [str(x) for x in xs], rotation=45 if max(len(str(x)) for x in xs) > 6 else 0,
                    ha="right" if max(len(str(x)) for x in xs) > 6 else "center", fontsize=7)
    values = [r["median"] for r in rows]
    if not hasattr(figure, "reference") and max(values) > 8 * min(values):
        axes.set_yscale("log")
        axes.set_ylim(bottom=min(values) / 2)
    if hasattr(figure, "reference"):
        axes.axhline(figure.reference, color="0.4", linewidth=0.8, linestyle=":")


def draw_stacks(axes, rows, series, figure):
    xs, base = distinct(rows, "x"), {}
    for r in rows:
        bottom = base.get(r["x"], 0.0)
        axes.bar(xs.index(r["x"]), r["median"], 0.6, bottom=bottom, color=COLOURS[series.index(r["series"]) % 10])
        base[r["x"]] = bottom + r["median"]
    axes.set_xticks(range(len(xs)), xs, fontsize=8)


def draw(figure, rows, subtitle, path):
    """Draw the rows of a figure as path.png and path.svg."""
    panels = ["parts"] if figure.kind == "stacks" else distinct(rows, "panel")
    series = distinct(rows, "series")
    many = figure.kind == "bars" and len(distinct(rows, "x")) * len(series) > 40
    columns = 1 if many and len(panels) == 1 else 2 if len(panels) == 4 else min(len(panels), 3)
    lines = -(-len(panels) // columns)
    wide = 11 if many or columns > 1 else 6.5
    picture, axes = plt.subplots(lines, columns, squeeze=False, figsize=(wide, 3.3 * lines + 0.9 + 0.18 * -(-len(series) // 3)))
    for place, axis in enumerate(axes.flat):
        if place >= len(panels):
            axis.axis("off")
            continue
        mine = rows if figure.kind == "stacks" else [r for r in rows if r["panel"] == panels[place]]
        {"lines": draw_lines, "bars": draw_bars, "stacks": draw_stacks}[figure.kind](axis, mine, series, figure)
        axis.set_title(panels[place] if figure.kind != "stacks" else "", fontsize=9)
        axis.set_xlabel(figure.xlabel, fontsize=8)
        axis.tick_params(labelsize=7, which="both")
        axis.grid(axis="y", color="0.9", linewidth=0.6)
        axis.set_axisbelow(True)
        if place % columns == 0:
            axis.set_ylabel(figure.ylabel, fontsize=8)
    handles = [plt.Line2D([], [], marker=MARKS[i % 10] if figure.kind == "lines" else "s", color=COLOURS[i % 10],
                          linestyle="-" if figure.kind == "lines" else "") for i in range(len(series))]
    height = picture.get_size_inches()[1]
    picture.suptitle(figure.title + ", scaled down: measured", fontsize=10, fontweight="bold", y=1 - 0.08 / height, va="top").set_in_layout(False)
    picture.text(0.5, 1 - 0.34 / height, subtitle, ha="center", va="top", fontsize=7.5)
    legend_height = 0.2 * -(-len(series) // 3) + 0.1
    picture.legend(handles, series, loc="lower center", ncol=3, fontsize=7.5, frameon=False)
    picture.tight_layout(rect=(0, legend_height / height, 1, 1 - 0.5 / height))
    picture.savefig(path + ".png", dpi=100)
    picture.savefig(path + ".svg", metadata={"Date": None})
    plt.close(picture)
