"""write_reference.py - the reference pages of the manual, from the model of the headers that bindings/headers.py reads.

Each header has a page, and each section of a header has a page. Comments become Markdown: paragraphs stay paragraphs, indented
lines become lists or stay as they are, and names of the library become links to their descriptions.
"""
import re

import headers

NOTE = "<!-- Written by doc/manual/build.py from include/{}. Do not edit. -->\n"
NAME = re.compile(r"\b((?:subx|SUBX|MPI)_\w*\w(?:\.h\b)?|subx\.h\b)")
HINT = re.compile(r"(subx_\w+(?:, subx_\w+)*) +(\S.*)")
PAIR = re.compile(r"(\S.*?) {2,}(\S.*)")
SPECIAL = re.compile(r"([\\`*\[\]<>])")


def stem(name):
    return name[:-2]


def page_name(header, section=None):
    if section is None or not section.name:
        return stem(header.name)
    return f"{stem(header.name)}_{section.name.replace(' ', '_')}"


class Links:
    """The page and the anchor that describe each name."""

    def __init__(self, model):
        self.places = {}
        self.pages = {header.name: page_name(header) for header in model.headers}
        for header in model.headers:
            for section in header.sections:
                for item in section.items:
                    self.add(item, page_name(header, section))

    def add(self, item, page):
        names = [e.name for e in item.enumerators] if isinstance(item, headers.Enum) else [item.name]
        anchor = heading(item).lower()
        for name in names + ([item.null] if isinstance(item, headers.Handle) else []):
            self.places[name] = (page, anchor)

    def mark(self, name, page):
        """Get a name as code; if a page describes it, as a link to this description."""
        if name in self.pages:
            return f"[{name}]({self.pages[name]}.md)"
        if name not in self.places:
            return f"`{name}`"
        where, anchor = self.places[name]
        return f"[`{name}`]({'' if where == page else where + '.md'}#{anchor})"


def heading(item):
    return item.name if not isinstance(item, headers.Enum) else item.name.rstrip("_")


def format_text(text, page, links):
    """Get a paragraph in Markdown: special characters are escaped, names are marked."""
    parts = NAME.split(" ".join(text.split()))
    out = [SPECIAL.sub(r"\\\1", part) if i % 2 == 0 else links.mark(part, page)
           for i, part in enumerate(parts)]
    return "".join(out)


def indentation(line):
    return len(line) - len(line.lstrip())


def format_entry(lines, page, links, margin):
    """Get an entry of a table: its name, its text, and perhaps a table of its values."""
    name, text = (HINT.match(lines[0].strip()) or PAIR.match(lines[0].strip())).groups()
    column = min((indentation(line) for line in lines[1:]), default=0)
    parts, inner = [[text]], []
    for line in lines[1:] + [" " * column]:
        if indentation(line) > column:
            inner.append(line)
            continue
        if inner:
            parts += [inner, []]
            inner = []
        parts[-1].append(line)
    names = ", ".join(f"`{word}`" for word in name.split(", "))
    out = f"{margin}- **{names}**: {format_text(' '.join(parts[0]), page, links)}"
    for i, part in enumerate(parts[1:]):
        if i % 2 == 0:
            out += "\n" + format_table(part, page, links, margin + "  ")
        elif "".join(part).strip():
            out += f"\n\n{margin}  {format_text(' '.join(part), page, links)}"
    return out


def format_table(lines, page, links, margin=""):
    """Get a table of hints, or of the values of a hint, as a Markdown list. In comments such a table has two columns; an entry
    may have a table of its own. Lines that are no such table stay as they are."""
    least = min(indentation(line) for line in lines)
    starts = [i for i, line in enumerate(lines) if indentation(line) == least] + [len(lines)]
    if not all(PAIR.match(lines[i].strip()) or HINT.match(lines[i].strip()) for i in starts[:-1]):
        return "\n".join([f"{margin}```text"] + [margin + line[least:] for line in lines] + [f"{margin}```"])
    return "\n".join(format_entry(lines[i:j], page, links, margin) for i, j in zip(starts, starts[1:]))


def format_block(lines, page, links):
    if re.match(r" ?- ", lines[0]):
        items = re.split(r"\n ?- ", "\n" + "\n".join(lines))[1:]
        return "\n".join("- " + format_text(item, page, links) for item in items)
    if HINT.match(lines[0].strip()) and lines[0].startswith(" "):
        return format_table([line for line in lines if line.strip()], page, links)
    if lines[0].startswith(" "):
        least = min(indentation(line) for line in lines if line.strip())
        return "\n".join(["```text"] + [line[least:] for line in lines] + ["```"])
    return format_text("\n".join(lines), page, links)


def is_listed(line):
    return bool(re.match(r" ?- ", line))


def format_comment(text, page, links):
    """Get a comment in Markdown: it has paragraphs, lists and indented blocks, with or without empty lines between them."""
    blocks, lines, kind = [], [], None
    for line in text.split("\n") + [""]:
        is_indented = line.startswith("  ") or (kind == "indented" and line.startswith(" "))
        new = "list" if is_listed(line) or (kind == "list" and is_indented) else "indented" if is_indented else "text"
        if lines and (not line.strip() and kind != "indented" or line.strip() and new != kind):
            blocks.append(lines)
            lines = []
        if line.strip() or lines:
            lines.append(line)
        kind = new if line.strip() else kind if lines else None
    while lines and not lines[-1].strip():
        lines.pop()
    if lines:
        blocks.append(lines)
    return "\n\n".join(format_block([line for line in strip_end(block)], page, links) for block in blocks)


def strip_end(lines):
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def declare(function):
    """Get the prototype of a function, in lines of at most 96 columns."""
    result = "int" if isinstance(function, headers.Function) else "void"
    name = function.name if isinstance(function, headers.Function) else f"(*{function.name})"
    head = f"{result} {name}("
    parts = [spell(p) for p in function.parameters] or ["void"]
    lines, line = [], head + parts[0]
    for part in parts[1:]:
        if len(line) + len(part) + 4 > 96:
            lines.append(line + ",")
            line = " " * len(head) + part
        else:
            line += ", " + part
    return "\n".join(["```c"] + lines + [line + ");", "```"])


def spell(parameter):
    base = parameter.type[:-2].strip() if parameter.is_array else parameter.type
    return f"{base}{'' if base.endswith('*') else ' '}{parameter.name}{'[]' if parameter.is_array else ''}"


def format_entries(item, page, links):
    """Get the list of parameters: parameters that share their text have one item."""
    groups = []
    for p in item.parameters:
        if groups and (groups[-1][0].direction, groups[-1][0].text) == (p.direction, p.text):
            groups[-1].append(p)
        else:
            groups.append([p])
    words = {"in": "in", "out": "out", "in,out": "in and out"}
    return "\n".join(f"- {', '.join(f'**`{p.name}`**' for p in group)} ({words[group[0].direction]}): "
                     f"{format_text(group[0].text, page, links)}" for group in groups)


def split_text(item):
    """Get the sentences before the entries, and the sentences after them."""
    first = next((i for i, line in enumerate(item.comment) if headers.ENTRY.match(line) or line.startswith("Errors: ")),
                 len(item.comment))
    lines = item.text.split("\n")
    return "\n".join(lines[:first]), "\n".join(lines[first:])


def format_function(function, page, links):
    before, after = split_text(function)
    after = re.sub(r"(^|\s)Errors: ", r"\n\nErrors: ", after)
    parts = [f"## {function.name}", declare(function), format_comment(before, page, links),
             format_entries(function, page, links), format_comment(after, page, links)]
    return "\n\n".join(part for part in parts if part)


def format_enum(enum, page, links):
    has_text = any(e.text for e in enum.enumerators)
    lines = ["| name | value |" + (" meaning |" if has_text else ""), "| --- | --- |" + (" --- |" if has_text else "")]
    for e in enum.enumerators:
        text = f" {format_text(e.text, page, links)} |" if has_text else ""
        lines.append(f"| `{e.name}` | {e.value} |{text}")
    return "\n\n".join([f"## {heading(enum)}", format_comment(enum.text, page, links), "\n".join(lines)])


def format_handle(handle, page, links):
    return "\n\n".join([f"## {handle.name}", format_comment(handle.text, page, links),
                        f"A handle. Its null value is `{handle.null}`."])


def format_constant(constant, page, links):
    return "\n\n".join(part for part in [f"## {constant.name}", format_comment(constant.text, page, links),
                                         f"Its value is {constant.value}."] if part)


FORMATS = {headers.Function: format_function, headers.Callback: format_function, headers.Enum: format_enum,
           headers.Handle: format_handle, headers.Constant: format_constant}


def format_include(header):
    return f"`#include <{header.name}>`, library `{header.library}` of pkg-config."


def format_section(header, section, links):
    page = page_name(header, section)
    parts = [NOTE.format(header.name) + f"# {stem(header.name)}: {section.name}", format_include(header),
             format_comment(section.text, page, links)]
    parts += [FORMATS[type(item)](item, page, links) for item in section.items]
    return "\n\n".join(part for part in parts if part) + "\n"


def format_header(header, links):
    """Get the page of a header: its first comment, a list of its sections, and the items before the first section."""
    page = page_name(header)
    parts = [NOTE.format(header.name) + f"# {header.name}", format_include(header),
             format_comment(header.text[:1].upper() + header.text[1:], page, links)]
    named = [section for section in header.sections if section.name]
    if named:
        parts.append("Its sections:")
        parts.append("\n".join(f"- [{section.name}]({page_name(header, section)}.md): {list_names(section)}" for section in named))
    for section in header.sections:
        if not section.name:
            parts.append(format_comment(section.text, page, links))
            parts += [FORMATS[type(item)](item, page, links) for item in section.items]
    return "\n\n".join(part for part in parts if part) + "\n"


def list_names(section):
    names = [item.name for item in section.items if isinstance(item, headers.Function)]
    return ", ".join(f"`{name}`" for name in names) or "no functions"


def format_index(model):
    """Get the page with a list of all pages and a list of all functions, sorted by name."""
    lines = [NOTE.format("*.h") + "# Functions", "", "The headers:", ""]
    lines += [f"- [{header.name}]({page_name(header)}.md): {header.title.rstrip('.')}" for header in model.headers]
    lines += ["", "Programs: [their pages](../programs/index.md).", "", "All functions:", ""]
    places = Links(model).places
    for function in sorted(model.select(headers.Function), key=lambda f: f.name):
        page, anchor = places[function.name]
        first = re.split(r"(?<=\w)\.(?:\s|$)", " ".join(function.text.split()))[0]
        lines.append(f"- [`{function.name}`]({page}.md#{anchor}): {escape(first)}")
    return "\n".join(lines) + "\n"


def escape(text):
    return SPECIAL.sub(r"\\\1", text)


def files(model):
    """Get the texts of all pages, by paths relative to the folder of the manual."""
    links = Links(model)
    out = {"reference/index.md": format_index(model)}
    for header in model.headers:
        out[f"reference/{page_name(header)}.md"] = format_header(header, links)
        for section in header.sections:
            if section.name:
                out[f"reference/{page_name(header, section)}.md"] = format_section(header, section, links)
    return out
