"""Chapters of the report about what lies beyond one machine, read from doc/measured and from the manual; pictures of simulated
exchanges. The texts tell what is measured, simulated or computed; a picture has simulated times only."""
import csv
import os
import re

import figures

ELEMENT = 16  # bytes of a double complex
TEXTS = [("measured/simulated", "Simulated: exchanges on networks up to 1,024 ranks"),
         ("manual/prediction.md", "Computed: predictions, and the published runs"),
         ("measured/scale", "Measured with pretended ranks: memory and set-up on up to 131,072 ranks"),
         ("measured/slurm.txt", "Measured: jobs on a SLURM of one machine")]


def split_blocks(lines):
    """The blocks of a text: lines between empty lines. Indented lines are one block, even with empty lines between."""
    blocks = []
    for line in lines:
        if not line.strip():
            blocks.append([])
        elif blocks and not blocks[-1] and line.startswith("    ") and len(blocks) > 1 and is_indented(blocks[-2]):
            blocks.pop()
            blocks[-1] += ["", line]
        elif blocks:
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return [block for block in blocks if block]


def is_indented(block):
    return bool(block) and all(line.startswith("    ") or not line for line in block)


def read_table(block):
    """A table in Markdown: its header and its lines."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in block]
    return rows[0], rows[2:]


def read_list(block):
    """The items of a list in Markdown; other lines continue an item."""
    items = []
    for line in block:
        if line.startswith("- "):
            items.append(line[2:])
        else:
            items[-1] += " " + line.strip()
    return items


def plain(text):
    """Text without the marks of links, code and emphasis."""
    return re.sub(r"\*(\w[^*]*)\*", r"\1", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("`", ""))


def to_parts(block, is_markdown):
    """The parts of a block. A heading is underlined, or begins with #."""
    if len(block) >= 2 and re.fullmatch(r"=+|-+", block[1]):
        parts = [] if block[1].startswith("=") else [("h2", block[0])]
        return parts + (to_parts(block[2:], is_markdown) if block[2:] else [])
    if is_markdown and block[0].startswith("#"):
        return [("h2", block[0].lstrip("# "))] if block[0].startswith("##") else []
    if is_markdown and block[0].startswith("|"):
        return [("table", *read_table(block))]
    if is_markdown and block[0].startswith("- "):
        return [("list", [plain(item) for item in read_list(block)])]
    if is_markdown and block[0].startswith("```"):
        return [("pre", "\n".join(block[1:-1]))]
    indented = next((k for k, line in enumerate(block) if line.startswith("  ")), len(block))
    text = [("p", plain(" ".join(block[:indented])))] if indented else []
    return text + ([("pre", "\n".join(block[indented:]))] if block[indented:] else [])


def read_text(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    is_markdown = path.endswith(".md")
    return [part for block in split_blocks(lines) for part in to_parts(block, is_markdown)]


def read_exchanges(path):
    """The seconds of simulated exchanges, as in Results of perf/simulate/simulate."""
    with open(path, newline="", encoding="utf-8") as file:
        return {(r["topology"], int(r["ranks"]), int(r["ranks_per_node"]), r["engine"], int(r["row"]), int(r["stride"]),
                 int(r["block_bytes"])): float(r["seconds"]) for r in csv.DictReader(file)}


def get_best(known, topology, ranks, per_node, engine, n):
    """The shortest sum of the exchanges of n^3 complex elements, over all grids that were simulated; and that grid."""
    best = None
    for p in (d for d in range(1, ranks + 1) if ranks % d == 0):
        grid = (p, ranks // p) if p < ranks else (ranks,)
        strides = (ranks // p, 1)
        times = [known.get((topology, ranks, per_node, engine, row, stride, n**3 * ELEMENT // ranks // row))
                 for row, stride in zip(grid, strides) if row > 1]
        if times and None not in times and (best is None or sum(times) < best[0]):
            best = sum(times), "x".join(map(str, grid))
    return best


def get_rows(known, per_node, sizes):
    """A row for each engine, length and number of ranks."""
    rows = []
    for n in sizes:
        for topology in ("switch", "fat_tree", "dragonfly"):
            for engine in ("node", "alltoallv", "kway:4"):
                for ranks in (64, 256, 1024):
                    best = get_best(known, topology, ranks, per_node, engine, n)
                    if best:
                        rows.append(figures.row(f"{topology}, {n}^3", engine, ranks, best[0], best[0], best[1]))
    return rows


def draw_scaling(known, out):
    """A picture of strong scaling: simulated exchanges by ranks, engine and topology, the best grid of each engine."""
    import draw
    figure = figures.Figure("simulated-strong", "beyond", "Exchanges of c2c transforms, the best grid of each engine, "
                            "16 ranks a node", label=": simulated")
    rows = get_rows(known, 16, (256, 1024))
    path = os.path.join(out, figure.name)
    draw.draw(figure, rows, "simulated by SimGrid's SMPI; the machine is described in the text", path)
    return [("picture", path + ".png", figure.title)]


def get_parts(doc, out):
    """The parts of all chapters; doc is the tree's folder doc."""
    parts = []
    for name, title in TEXTS:
        parts.append(("h1", title))
        if name == "measured/simulated":
            parts += draw_scaling(read_exchanges(os.path.join(doc, "measured", "simulated.csv")), out)
        parts += read_text(os.path.join(doc, name))
    return parts
