"""Pages: a list of parts, written as Markdown and as HTML."""
import base64
import csv
import html
import os

STYLE = """body { font: 15px/1.5 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222 }
.wide, pre { overflow-x: auto } pre { font-size: 12px; line-height: 1.35; background: #f7f7f7; padding: 6px 10px } a { color: #0057a0 }
table { border-collapse: collapse; margin: 1em 0; font-size: 13px } td, th { border: 1px solid #ccc; padding: 2px 8px; text-align: left }
td.n { text-align: right; font-variant-numeric: tabular-nums } img { max-width: 100%; border: 1px solid #eee }
h1 { font-size: 1.5em } h2 { font-size: 1.25em } h1, h2 { border-bottom: 1px solid #ccc }
.agrees, .holds { color: #00663d } .differs, .not { color: #a33c00 }"""


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


def to_value(text):
    """A number, if the text is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def read_rows(path, numeric):
    """The comments and the rows of a file of write_csv. numeric tells whether x is a number."""
    comments, lines = read_numbers(path)
    rows = [dict(zip(lines[0], line)) for line in lines[1:]]
    for r in rows:
        r.update(least=to_value(r["least"]), median=to_value(r["median"]), x=to_value(r["x"]) if numeric else r["x"])
    return comments, rows


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
    for word, style in (("agrees", "agrees"), ("differs", "differs"), ("holds", "holds"), ("does not hold", "not")):
        if safe.startswith(word + ":"):
            safe = f'<b class="{style}">{word}</b>' + safe[len(word):]
    return safe


def list_contents(parts):
    """Links to all headings of the first two levels."""
    out = []
    for k, (kind, *what) in enumerate(parts):
        if kind in ("h1", "h2") and k > 0:
            link = f'<a href="#p{k}">{html.escape(what[0])}</a>'
            out.append(f"<li><b>{link}</b></li>" if kind == "h1" else f"<li>{link}</li>")
    return "<ul>" + "".join(out) + "</ul>"


def to_cell(text):
    """A cell of a table; what begins with a digit or a sign is set to the right. Short text stays on one line."""
    safe = html.escape(text).replace(" ", "&nbsp;") if len(text) <= 8 else html.escape(text)
    is_number = text[:1].isdigit() or text[:1] in ("+", "-")
    return f'<td class="n">{safe}</td>' if is_number else f"<td>{safe}</td>"


def to_html(parts):
    out = []
    for k, (kind, *what) in enumerate(parts):
        if kind in ("h1", "h2", "h3"):
            out.append(f'<{kind} id="p{k}">{html.escape(what[0])}</{kind}>')
        elif kind == "contents":
            out.append(list_contents(parts))
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
            cells = "".join("<tr>" + "".join(to_cell(str(c)) for c in line) + "</tr>" for line in lines)
            heads = "".join(f"<th>{html.escape(str(c))}</th>" for c in header)
            out.append(f'<div class="wide"><table><tr>{heads}</tr>{cells}</table></div>')
        elif kind == "pre":
            out.append(f"<pre>{html.escape(what[0])}</pre>")
    return "\n".join(out)


def whole_html(title, parts):
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
            f"<style>{STYLE}</style></head><body>\n{to_html(parts)}\n</body></html>\n")
