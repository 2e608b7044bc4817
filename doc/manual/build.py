"""build.py - build the manual: HTML of all its pages, and man pages of functions and programs. Needs pandoc.

usage: python3 doc/manual/build.py FOLDER [PAGE]..   writes FOLDER/html, FOLDER/man/man1, man3 and man7, of all pages or some
       python3 doc/manual/build.py --pages FOLDER    writes the reference as Markdown, and the pictures; needs no pandoc
       python3 doc/manual/build.py --check           checks includes and links, and writes nothing; needs no pandoc

The pages in reference and the pictures follow from the public headers and from programs beside this one: they are made anew
each time. All other pages are files.
A page is Markdown as GitHub has it. A line of the form

    <!-- include doc/examples/03_transform.c NAME -->

stands for a part of that file: for the lines from a comment [NAME] to the next such comment, or for all of the file if no
name is given. PANDOC is the program to use (default: pandoc).
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import textwrap
import time

MANUAL = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(MANUAL))
sys.path[:0] = [MANUAL, os.path.join(TOP, "bindings")]

import draw_pictures  # noqa: E402 (found by the line above)
import headers  # noqa: E402
import write_reference  # noqa: E402

INCLUDE = re.compile(r"^<!-- include (\S+)(?: (\w+))? -->$", re.M)
MARKER = re.compile(r"^\s*(?:/\*|//|!|#) \[(\w+)\]")
LINK = re.compile(r"(!?)\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
LANGUAGES = {".c": "c", ".cpp": "cpp", ".h": "c", ".f90": "fortran", ".py": "python", ".sh": "sh", ".sbatch": "sh"}


class Fault(Exception):
    pass


WRITTEN = {**write_reference.files(headers.read_all(TOP)), **draw_pictures.files()}


def read_text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def read_page(page):
    return WRITTEN.get(page) or read_text(os.path.join(MANUAL, page))


# ------------------------------------------------------------------------------------------ includes

def select_part(path, name):
    """Get the lines of a part of a file, without the indentation that they share."""
    lines = read_text(os.path.join(TOP, path)).split("\n")
    if not name:
        return "\n".join(lines).strip("\n")
    starts = [i for i, line in enumerate(lines) if MARKER.match(line)]
    places = [i for i in starts if MARKER.match(lines[i]).group(1) == name]
    if len(places) != 1:
        raise Fault(f"{path} has {len(places)} parts {name}")
    end = min([i for i in starts if i > places[0]], default=len(lines))
    part = "\n".join(lines[places[0] + 1:end]).strip("\n").split("\n")
    least = min(len(line) - len(line.lstrip()) for line in part if line.strip())
    return "\n".join(line[least:] for line in part)


def resolve(text):
    """Put the parts of files in their places."""
    def replace(match):
        path, name = match.groups()
        if not os.path.isfile(os.path.join(TOP, path)):
            raise Fault(f"there is no {path}")
        language = LANGUAGES.get(os.path.splitext(path)[1], "text")
        return f"```{language}\n{select_part(path, name)}\n```"
    return INCLUDE.sub(replace, text)


# --------------------------------------------------------------------------------------------- pages

def find_pages():
    """Get the paths of all pages, relative to the folder of the manual."""
    found = {os.path.relpath(os.path.join(where, name), MANUAL)
             for where, folders, names in os.walk(MANUAL) if where != os.path.join(MANUAL, "reference")
             for name in names if name.endswith(".md")}
    return sorted(found.union(page for page in WRITTEN if page.endswith(".md")))


def without_code(text):
    return re.sub(r"`[^`\n]*`", lambda m: re.sub(r"[\[\]()]", " ", m.group(0)), re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))


def find_anchors(text):
    """Get the anchors that GitHub and pandoc give to the headings of a page."""
    names = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    return [re.sub(r"[^\w -]", "", name.strip().lower()).replace(" ", "-") for name in names]


def find_link_faults(page, text):
    faults = []
    for _, _, target in LINK.findall(without_code(text)):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        place = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if place not in WRITTEN and not os.path.exists(os.path.join(MANUAL, place)):
            faults.append(f"{page}: there is no {target}")
        elif anchor and anchor not in find_anchors(read_page(place)):
            faults.append(f"{page}: {target} has no such heading")
    return faults


def check():
    """Print what is wrong. A page that no other page leads to is wrong, too."""
    faults, reached, count = [], {"index.md"}, 0
    for page in find_pages():
        try:
            text = resolve(read_page(page))
        except Fault as fault:
            faults.append(f"{page}: {fault}")
            continue
        faults += find_link_faults(page, text)
        for _, _, target in LINK.findall(without_code(text)):
            count += 1
            reached.add(os.path.normpath(os.path.join(os.path.dirname(page), target.partition("#")[0])))
    faults += [f"{page}: no page has a link to it" for page in find_pages() if page not in reached]
    print("\n".join(faults + [f"{len(find_pages())} pages, {count} links, {len(faults)} faults"]))
    return 1 if faults else 0


# ---------------------------------------------------------------------------------------------- HTML

def run_pandoc(text, *arguments):
    done = subprocess.run([os.environ.get("PANDOC") or "pandoc", "-f", "gfm", *arguments], input=text, capture_output=True,
                          text=True, encoding="utf-8", check=False)
    if done.returncode:
        raise Fault(done.stderr.strip())
    return done.stdout


def find_title(text):
    return re.search(r"^# (.*)$", text, re.M).group(1)


def rewrite_links(page, text):
    """Pages become .html. What is not in the folder of the manual is named, with its path from the top of the sources."""
    def replace(match):
        mark, words, target = match.groups()
        path, hash_, anchor = target.partition("#")
        if not path or re.match(r"[a-z]+:", target):
            return match.group(0)
        place = os.path.normpath(os.path.join(MANUAL, os.path.dirname(page), path))
        if not place.startswith(MANUAL + os.sep):
            name = os.path.relpath(place, TOP)
            plain = words.strip("`")
            is_name = plain == os.path.basename(name) or (name + "/").startswith(plain + "/")
            return f"`{name}`" if is_name else f"{words} (`{name}`)"
        return f"{mark}[{words}]({re.sub(r'[.]md$', '.html', path)}{hash_}{anchor})"
    return LINK.sub(replace, text)


def build_html(page, folder):
    text = resolve(read_page(page))
    title, up = find_title(text), "../" * page.count(os.sep)
    body = run_pandoc(rewrite_links(page, text), "-t", "html5")
    write(os.path.join(folder, page[:-3] + ".html"),
          f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
          f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title} - subarray_x</title>\n'
          f'<link rel="stylesheet" href="{up}style.css">\n</head>\n<body>\n'
          f'<p><a href="{up}index.html">subarray_x: the manual</a></p>\n{body}</body>\n</html>\n')


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


# ----------------------------------------------------------------------------------------- man pages

def to_man(text):
    """What pandoc writes for a page, without links and without what mandoc -Tlint objects to."""
    text = LINK.sub(lambda match: match.group(2), re.sub(r"^<!--.*?-->\n", "", text, flags=re.M))
    man = run_pandoc(text, "-t", "man")
    man = re.sub(r"\\f\[(V|VB|VI|VBI|C|CB|CI)\]", lambda match: r"\f[B]" if match.group(1) != "C" else r"\f[R]", man)
    man = re.sub(r"^(\.S[HS] .*\n)\.PP\n", r"\1", man, flags=re.M)
    man = re.sub(r"^\.PP\n(?=\.S[HS]|\.IP|\.PP|\.RS|\Z)", "", man, flags=re.M)
    return re.sub(r"^\.PD.*\n", "", man, flags=re.M)


def head(name, section, version):
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    date = time.strftime("%Y-%m-%d", time.gmtime(seconds))
    return f'\'\\" t\n.TH "{name.upper()}" "{section}" "{date}" "subarray_x {version}" "subarray_x"\n'


def escape_man(text):
    return text.replace("\\", "\\e").replace("-", "\\-")


def first_sentence(body):
    """What a function does, for the line NAME."""
    text = re.sub(r"\\f\[?[A-Z]*\]?|\\f.", "", re.sub(r"^\.nf$.*?^\.fi$", "", body, flags=re.M | re.S))
    text = " ".join(line for line in text.split("\n") if line and not line.startswith("."))
    sentence = re.split(r"[.:;](?:\s|$)", text.strip(), maxsplit=1)[0]
    return sentence[:1].lower() + sentence[1:]


def name_line(name, what):
    """For the section NAME: source lines of at most 78 columns."""
    return ".SH NAME\n" + "\n".join(textwrap.wrap(f"{name} \\- {what}", 78, break_long_words=False, break_on_hyphens=False)) + "\n"


def build_functions(page, folder, version):
    """A man page per function of a reference page. What else the page tells is a page of section 7."""
    text = read_page(page)
    group = os.path.basename(page)[:-3]
    pieces = re.split(r"^\.SS (subx_\w+|SUBX_\w+)\n", to_man(text), flags=re.M)
    include, rest, names = re.search(r"^`#include <(.*?)>`", text, re.M).group(1), [pieces[0]], []
    for name, body in zip(pieces[1::2], pieces[2::2]):
        code = re.match(r"(?:\.IP\n)?\.nf\n(.*?)\.fi\n(.*)", body, re.S)
        if not code or f" {name}(" not in body:
            rest.append(f".SS {name}\n{body}")
            continue
        names.append(name)
        description = re.sub(r"\A\.PP\n", "", code.group(2))
        write(os.path.join(folder, "man3", f"{name}.3"),
              head(name, 3, version) + name_line(name, first_sentence(body)) + f".SH SYNOPSIS\n.nf\n"
              f"#include <{include}>\n\n{code.group(1).strip()}\n.fi\n.SH DESCRIPTION\n{description.rstrip()}\n"
              f".SH SEE ALSO\n.BR {group} (7)\n")
    see = "".join(f".BR {name} (3){',' if name != names[-1] else ''}\n" for name in names)
    body = re.sub(r"^\.SH .*\n(?:\.PP\n)?", "", "".join(rest), count=1, flags=re.M)
    write(os.path.join(folder, "man7", f"{group}.7"),
          head(group, 7, version) + name_line(group, find_title(text)) + f".SH DESCRIPTION\n{body.strip()}\n"
          + (f".SH SEE ALSO\n{see}" if see else ""))


def build_program(page, folder, version):
    text = read_page(page)
    name = os.path.basename(page)[:-3]
    body = re.sub(r"^\.SH .*\n(?:\.PP\n)?", "", to_man(text), count=1, flags=re.M)
    what = re.search(r"^\*(.*)\*$", text, re.M).group(1).rstrip(".")
    write(os.path.join(folder, "man1", f"{name}.1"),
          head(name, 1, version) + name_line(name, escape_man(what)) + f".SH DESCRIPTION\n{body.strip()}\n")


def find_version():
    return re.search(r"^AC_INIT\(\[subarray_x\], \[(.*?)\]", read_text(os.path.join(TOP, "configure.ac")), re.M).group(1)


# ------------------------------------------------------------------------------------------- program

def write_written(folder, suffix):
    for path, text in WRITTEN.items():
        if path.endswith(suffix):
            write(os.path.join(folder, path), text)


def build(folder, pages):
    version, pages = find_version(), pages or find_pages()
    for name in ("html", "man"):
        shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
    html, man = os.path.join(folder, "html"), os.path.join(folder, "man")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(build_html, page, html) for page in pages]
        for page in pages:
            where, name = os.path.split(page)
            if name != "index.md" and where in ("reference", "programs"):
                jobs.append(pool.submit(build_functions if where == "reference" else build_program, page, man, version))
        for job in jobs:
            job.result()
    write_written(html, ".svg")
    shutil.copy(os.path.join(MANUAL, "style.css"), html)


def main(arguments):
    if arguments == ["--check"]:
        return check()
    if arguments[:1] == ["--pages"] and len(arguments) == 2:
        return write_written(arguments[1], "")
    if not arguments or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        build(arguments[0], arguments[1:])
    except Fault as fault:
        print(f"build.py: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
