"""Pages: a list of parts, written as Markdown and as HTML."""
import base64
import csv
import html
import os

STYLE = """body { font: 15px/1.5 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 1em 0; font-size: 13px } td, th { border: 1px solid #ccc; padding: 2px 8px; text-align: left }
td.n { text-align: right; font-variant-numeric: tabular-nums } img { max-width: 100%; border: 1px solid #eee }
h1, h2 { border-bottom: 1px solid #ccc } .agrees { color: #00663d } .differs { color: #a33c00 }"""


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
                text = "" if not r else shorten(r["median"]) if same else (f"{shorten(r['least'])}; "
                                                                           f"{shorten(r['median'])}")
                line.append(text + (f" ({r['detail']})" if r and "messages" in r["detail"] else ""))
            lines.append(line)
        yield panel, ["", *series], lines


def to_markdown(parts):
    out = []
    for kind, *what in parts:
        if kind in ("h1", "h2", "h3"):
            out.append("#" * int(kind[1]) + " " + what[0])
        elif kind == "p":
            out.append(what[0])
        elif kind == "list":
            out.append("\n".join(f"- {item}" for item in what[0]))
        elif kind == "picture":
            out.append(f"![{what[1]}]({os.path.basename(what[0])})")
        elif kind == "table":
            header, lines = what
            rows = [header, ["---"] * len(header), *lines]
            out.append("\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in rows))
        elif kind == "pre":
            out.append("```\n" + what[0].rstrip("\n") + "\n```")
    return "\n\n".join(out) + "\n"


def mark(text):
    """Escape text, and colour the word that begins a verdict."""
    safe = html.escape(text)
    for word in ("agrees", "differs"):
        if safe.startswith(word + ":"):
            safe = f'<b class="{word}">{word}</b>' + safe[len(word):]
    return safe


def to_html(parts):
    out = []
    for kind, *what in parts:
        if kind in ("h1", "h2", "h3"):
            out.append(f"<{kind}>{html.escape(what[0])}</{kind}>")
        elif kind == "p":
            out.append(f"<p>{html.escape(what[0])}</p>")
        elif kind == "list":
            out.append("<ul>" + "".join(f"<li>{mark(item)}</li>" for item in what[0]) + "</ul>")
        elif kind == "picture":
            with open(what[0], "rb") as file:
                data = base64.b64encode(file.read()).decode("ascii")
            out.append(f'<img src="data:image/png;base64,{data}" alt="{html.escape(what[1])}">')
        elif kind == "table":
            header, lines = what
            cells = "".join("<tr>" + "".join(f'<td class="n">{html.escape(str(c))}</td>' for c in line) + "</tr>" for line in lines)
            out.append("<table><tr>" + "".join(f"<th>{html.escape(str(c))}</th>" for c in header) + f"</tr>{cells}</table>")
        elif kind == "pre":
            out.append(f"<pre>{html.escape(what[0])}</pre>")
    return "\n".join(out)


def whole_html(title, parts):
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
            f"<style>{STYLE}</style></head><body>\n{to_html(parts)}\n</body></html>\n")
