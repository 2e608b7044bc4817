"""Tables: rows as CSV and in Markdown."""
import csv


def shorten(value):
    """A value as text: numbers with four digits."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


def read_numbers(path):
    """The comment lines and the rows of a paper's own numbers."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = [line.rstrip("\r\n") for line in file]
    comments = [line[2:] for line in lines if line.startswith("# ")]
    return comments, list(csv.reader(line for line in lines if not line.startswith("#")))


def write_csv(path, rows, comments):
    with open(path, "w", newline="", encoding="utf-8") as file:
        file.writelines(f"# {comment}\n" for comment in comments)
        writer = csv.DictWriter(file, ["panel", "series", "x", "least", "median", "detail"], lineterminator="\n")
        writer.writeheader()
        for r in rows:
            writer.writerow({key: shorten(value) for key, value in r.items()})


def pivot(rows):
    """Tables of rows: for each panel the header and lines of cells "least | median" by x and series."""
    for panel in dict.fromkeys(r["panel"] for r in rows):
        mine = [r for r in rows if r["panel"] == panel]
        series = list(dict.fromkeys(r["series"] for r in mine))
        known = {(r["x"], r["series"]): r for r in mine}
        lines = []
        for x in dict.fromkeys(r["x"] for r in mine):
            line = [shorten(x)]
            for name in series:
                r = known.get((x, name))
                same = r and (r["least"] == r["median"])
                line.append("" if not r else shorten(r["median"]) if same
                            else f"{shorten(r['least'])}; {shorten(r['median'])}")
            lines.append(line)
        yield panel, ["", *series], lines


def write_table(header, lines):
    """A table in Markdown."""
    rows = [header, ["---"] * len(header), *lines]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in rows)
