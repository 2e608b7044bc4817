"""draw_pictures.py - draw the pictures of the manual as SVG: one function per picture, and a small set of shapes."""
from xml.sax.saxutils import escape

RANKS = ["#7fb3d5", "#f5b971", "#8fcf9f", "#d9a0c6", "#c9e0ee", "#fbe3c4", "#cdebd3", "#f0d9e8"]  # a colour for each rank
INK, GREY, PALE = "#222222", "#888888", "#eeeeee"


class Canvas:
    """Shapes in the order in which they are drawn."""

    def __init__(self, width, height, title):
        self.size, self.title, self.shapes = (width, height), title, []

    def add(self, text):
        self.shapes.append("  " + text)

    def box(self, x, y, width, height, fill="white", line=INK):
        self.add(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}" stroke="{line}"/>')

    def polygon(self, points, fill):
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.add(f'<polygon points="{text}" fill="{fill}" stroke="{INK}"/>')

    def text(self, x, y, text, size=14, anchor="middle", fill=INK):
        self.add(f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{fill}">{escape(text)}</text>')

    def line(self, *points, colour=INK, arrow=True):
        text = " ".join(f"{x},{y}" for x, y in points)
        end = ' marker-end="url(#arrow)"' if arrow else ""
        self.add(f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="1.5"{end}/>')

    def labelled(self, x, y, width, height, lines, fill=PALE):
        """A box with lines of text in its middle."""
        self.box(x, y, width, height, fill)
        top = y + height / 2 - 9 * (len(lines) - 1) + 5
        for i, text in enumerate(lines):
            self.text(x + width / 2, top + 18 * i, text)

    def svg(self):
        width, height = self.size
        head = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                f'height="{height}" font-family="sans-serif" role="img">',
                f"  <title>{escape(self.title)}</title>",
                '  <defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
                'orient="auto"><path d="M0,0 L10,5 L0,10 z"/></marker></defs>',
                f'  <rect width="{width}" height="{height}" fill="white"/>']
        return "\n".join(head + self.shapes + ["</svg>"]) + "\n"


def layouts():
    """An array of 3 x 4 elements, and its memory in two orders."""
    c = Canvas(640, 230, "An array of 3 x 4 elements, and its memory in C order and in Fortran order")
    c.text(80, 24, "the array")
    for i in range(3):
        c.text(14, 62 + 36 * i, f"i={i}", 12, "middle", GREY)
        for j in range(4):
            c.box(30 + 36 * j, 40 + 36 * i, 36, 36, RANKS[i])
            c.text(48 + 36 * j, 62 + 36 * i, f"{i}{j}")
    for j in range(4):
        c.text(48 + 36 * j, 166, f"j={j}", 12, "middle", GREY)
    orders = [("C order, (1, 0): j is innermost", [(i, j) for i in range(3) for j in range(4)]),
              ("Fortran order, (0, 1): i is innermost", [(i, j) for j in range(4) for i in range(3)])]
    for row, (name, elements) in enumerate(orders):
        y = 50 + 90 * row
        c.text(230, y, name, 14, "start")
        for m, (i, j) in enumerate(elements):
            c.box(230 + 33 * m, y + 12, 33, 30, RANKS[i])
            c.text(246 + 33 * m, y + 32, f"{i}{j}", 13)
    c.line((230, 200), (626, 200), colour=GREY)
    c.text(428, 218, "addresses grow", 12, "middle", GREY)
    return c.svg()


def exchange():
    """Four ranks have rows before an exchange, and columns after it."""
    c = Canvas(640, 270, "Four ranks hold rows of an array before an exchange, and columns after it")
    c.text(130, 24, "before: a rank has rows")
    c.text(510, 24, "after: a rank has columns")
    for i in range(4):
        c.text(26, 67 + 50 * i, f"rank {i}", 12, "middle", GREY)
        c.text(435 + 50 * i, 262, f"rank {i}", 12, "middle", GREY)
        for j in range(4):
            for x in (50, 410):
                c.box(x + 50 * j, 40 + 50 * i, 50, 50, RANKS[i])
                c.text(x + 25 + 50 * j, 69 + 50 * i, f"{i} to {j}", 12)
        c.add(f'<rect x="50" y="{40 + 50 * i}" width="200" height="50" fill="none" stroke="{INK}" stroke-width="3"/>')
        c.add(f'<rect x="{410 + 50 * i}" y="40" width="50" height="200" fill="none" stroke="{INK}" stroke-width="3"/>')
    c.line((275, 140), (385, 140))
    c.text(330, 128, "exchange", 13)
    return c.svg()


def cube(c, x, y, cells):
    """An array of cells[0] x cells[1] x cells[2] blocks; axis 0 goes down, 1 to the right, 2 backwards."""
    side, slant = 110.0, 0.4
    down, right, back = (0, side / cells[0]), (side / cells[1], 0), (side * slant / cells[2], -side * slant / cells[2])

    def corner(i, j, k):
        return (x + i * down[0] + j * right[0] + k * back[0], y + i * down[1] + j * right[1] + k * back[1])

    def colour(i, j, k):
        return RANKS[((i * cells[1] + j) * cells[2] + k) % len(RANKS)]

    for i in range(cells[0]):
        for j in range(cells[1]):
            c.polygon([corner(i, j, 0), corner(i + 1, j, 0), corner(i + 1, j + 1, 0), corner(i, j + 1, 0)], colour(i, j, 0))
        for k in range(cells[2]):
            last = cells[1]
            c.polygon([corner(i, last, k), corner(i + 1, last, k), corner(i + 1, last, k + 1), corner(i, last, k + 1)],
                      colour(i, last - 1, k))
    for j in range(cells[1]):
        for k in range(cells[2]):
            c.polygon([corner(0, j, k), corner(0, j + 1, k), corner(0, j + 1, k + 1), corner(0, j, k + 1)], colour(0, j, k))


def pencils():
    """Slabs, pencils and bricks, and the three alignments of pencils."""
    c = Canvas(640, 430, "Slabs, pencils and bricks; pencils along each axis in turn")
    for n, (name, cells) in enumerate([("slabs: grid 4", (4, 1, 1)), ("pencils: grid 2x2", (2, 2, 1)),
                                       ("bricks: grid 2x2x2", (2, 2, 2))]):
        cube(c, 40 + 210 * n, 70, cells)
        c.text(110 + 210 * n, 205, name)
    steps = [("axis 2 is whole", (2, 2, 1)), ("axis 1 is whole", (2, 1, 2)), ("axis 0 is whole", (1, 2, 2))]
    for n, (name, cells) in enumerate(steps):
        cube(c, 40 + 210 * n, 280, cells)
        c.text(110 + 210 * n, 415, name)
    for n in (0, 1):
        c.line((202 + 210 * n, 330), (242 + 210 * n, 330))
        c.text(222 + 210 * n, 318, "exchange", 11)
    return c.svg()


def plan():
    """The stages of a plan on slabs."""
    c = Canvas(640, 200, "A plan is a list of stages; backward is the list reversed")
    boxes = [("physical", "array"), ("pass:", "axes 2, 1"), ("exchange", "1 and 0"), ("pass:", "axis 0"), ("spectral", "array")]
    for n, lines in enumerate(boxes):
        c.labelled(15 + 126 * n, 70, 100, 60, lines, RANKS[0] if n in (0, 4) else PALE)
        if n < 4:
            c.line((115 + 126 * n, 92), (141 + 126 * n, 92))
            c.line((141 + 126 * n, 110), (115 + 126 * n, 110), colour=GREY)
    c.text(320, 45, "forward: from left to right")
    c.text(320, 165, "backward: from right to left", 14, "middle", GREY)
    return c.svg()


def tuning():
    """What decides the values that hints leave open: wisdom, measurement, the cost model."""
    c = Canvas(640, 250, "Hints, wisdom, measurement, cost model: who decides")
    c.labelled(15, 40, 110, 60, ["your hints"], RANKS[0])
    c.labelled(175, 40, 130, 60, ["wisdom:", "known already?"])
    c.labelled(355, 40, 130, 60, ["effort above", "estimate?"])
    c.labelled(530, 40, 95, 60, ["cost model"])
    c.labelled(355, 170, 130, 50, ["candidates", "are executed"])
    c.labelled(175, 170, 130, 50, ["plan"], RANKS[2])
    c.line((125, 70), (175, 70))
    c.line((305, 70), (355, 70))
    c.text(330, 62, "no", 12)
    c.line((485, 70), (530, 70))
    c.text(507, 62, "no", 12)
    c.line((240, 100), (240, 170))
    c.text(252, 140, "yes", 12, "start")
    c.line((420, 100), (420, 170))
    c.text(432, 140, "yes", 12, "start")
    c.line((355, 195), (305, 195))
    c.line((578, 100), (578, 238), (240, 238), (240, 220))
    c.line((355, 178), (278, 178), (278, 100), colour=GREY)
    c.text(286, 148, "remember", 12, "start", GREY)
    return c.svg()


def dropins():
    """The two drop-ins between a program and its libraries."""
    c = Canvas(640, 250, "The two drop-ins stand between a program and the libraries that it calls")
    c.labelled(20, 95, 110, 60, ["program,", "unchanged"], RANKS[0])
    c.labelled(215, 30, 150, 50, ["libsubx_fftw3mpi"], RANKS[1])
    c.labelled(215, 170, 150, 50, ["libsubx_pmpi"], RANKS[1])
    c.labelled(460, 10, 165, 40, ["libsubx_fft"])
    c.labelled(460, 75, 165, 40, ["FFTW"])
    c.labelled(460, 140, 165, 40, ["pack, shared memory"])
    c.labelled(460, 205, 165, 40, ["MPI"])
    c.line((130, 110), (215, 60))
    c.text(150, 72, "fftw_mpi_*", 12)
    c.line((130, 140), (215, 190))
    c.text(150, 186, "MPI_*", 12)
    for y in (55, 195):
        c.line((365, y - 8), (460, y - (25 if y == 55 else 35)))
        c.line((365, y + 8), (460, y + (40 if y == 55 else 30)), colour=GREY)
        c.text(452, y + 2, "or", 12, "end", GREY)
    c.text(320, 128, "What is not taken over goes on to FFTW or MPI.", 12, "middle", GREY)
    return c.svg()


def files():
    """Get the texts of all pictures, by paths relative to the folder of the manual."""
    return {f"pictures/{draw.__name__}.svg": draw() for draw in (layouts, exchange, pencils, plan, tuning, dropins)}
