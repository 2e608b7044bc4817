"""headers.py - read the public headers into a model: their declarations, and the comments that belong to these.

A header has a first comment and then sections. A section begins with a ruler (a line /* ---- name), and its items follow in
the order of the header: functions, enumerations, constants, handles and callbacks. The comment before an item belongs to it.

Every public function has a comment of this form; the comment of a callback has the same kind of entries:

    /* What it does, in sentences that say "Local" or "Collective". Arguments that the conventions of subx.h explain (see
     * find_convention) need no entry.
     *   name         [in]      what it is
     *   name, other  [out]     several parameters may share a line,
     *                          and a line may go on, indented as far as the text above it
     * Further sentences.
     * Returns the kind. (only if it returns no error code)
     * Errors: ARG, NO_MEM. */   or "Errors: none."
    SUBX_EXPORT int subx_noun_verb(int name, ..);

As a program, it checks the headers whose paths are its arguments, prints a line per fault, and exits with 1 if there is a
fault. Text that it cannot read is a fault, too.
"""
import os
import re
import sys
from dataclasses import dataclass, field

# The headers, and the library that has their functions. A header includes only headers that are earlier in this list.
HEADERS = {"subx.h": "subx", "subx_boxes.h": "subx", "subx_fft.h": "subx_fft", "subx_io.h": "subx_io",
           "subx_tune.h": "subx_fft"}


@dataclass
class Parameter:
    name: str
    type: str  # as C spells it; arrays end with []
    direction: str = ""  # in, out, or in,out
    text: str = ""
    base: str = ""  # the type without const, * and []: int, MPI_Comm, subx_exch
    is_const: bool = False
    stars: int = 0  # number of * in the type
    is_array: bool = False  # True if the type ends with []
    extent: str = ""  # of an array: the parameter that is its length, if the array's entry begins with the name of that parameter
    is_optional: bool = False  # True if its entry allows NULL, or if the function's comment allows NULL for all outputs


@dataclass
class Function:
    name: str
    parameters: list
    line: int
    comment: list  # its lines, without the comment's marks
    text: str = ""  # the sentences of the comment that belong to no parameter
    errors: list = field(default_factory=list)  # names without SUBX_ERR_
    errors_text: str = ""  # the text after "Errors:"
    scope: str = ""  # Local or Collective: the one that comes first in the comment
    returns_code: bool = True  # True if it returns an error code of MPI; else it returns a number
    library: str = ""  # subx, subx_fft or subx_io
    faults: list = field(default_factory=list)


@dataclass
class Enumerator:
    name: str
    value: int
    text: str


@dataclass
class Enum:
    enumerators: list
    line: int
    text: str
    faults: list = field(default_factory=list)

    @property
    def name(self):
        """The common beginning of all names, such as SUBX_ERR_; in C, the enumeration has no name."""
        return os.path.commonprefix([e.name for e in self.enumerators]).rpartition("_")[0] + "_"


@dataclass
class Constant:
    name: str
    value: int
    line: int
    text: str
    faults: list = field(default_factory=list)


@dataclass
class Handle:
    name: str  # subx_exch
    null: str  # SUBX_EXCH_NULL
    line: int
    text: str
    faults: list = field(default_factory=list)


@dataclass
class Callback:
    name: str
    parameters: list
    line: int
    comment: list
    text: str = ""
    faults: list = field(default_factory=list)


@dataclass
class Section:
    name: str  # the name in the ruler; empty for the part before the first ruler
    line: int
    text: str  # the rest of the ruler's comment, and comments that belong to no item
    items: list = field(default_factory=list)


@dataclass
class Header:
    name: str  # subx_fft.h
    library: str
    title: str  # the first line without the name: "distributed transforms of .."
    text: str  # the first comment without the name
    includes: list
    sections: list = field(default_factory=list)
    faults: list = field(default_factory=list)

    def select(self, kind):
        return [item for section in self.sections for item in section.items if isinstance(item, kind)]


@dataclass
class Model:
    headers: list

    def select(self, kind):
        """All items of a kind: model.select(Function)."""
        return [item for header in self.headers for item in header.select(kind)]

    @property
    def version(self):
        values = {c.name: c.value for c in self.select(Constant)}
        return ".".join(str(values[f"SUBX_VERSION_{part}"]) for part in ("MAJOR", "MINOR", "PATCH"))


COMMENT = re.compile(r"/\*(.*?)\*/", re.S)
RULER = re.compile(r"-{4,} *([a-z][a-z ]*?)\s*(?:\n|$)")
FUNCTION = re.compile(r"SUBX_EXPORT\s+int\s+(\w+)\(([^;]*)\);")
ENUM = re.compile(r"enum \{(.*?)\};", re.S)
ENUMERATOR = re.compile(r"\s*(\w+) = (-?\d+),?\s*(?:/\*(.*?)\*/)?", re.S)
HANDLE = re.compile(r"typedef struct (\w+)_s \*(\w+);\n#define (\w+_NULL) \(\((\w+)\)0\)")
CALLBACK = re.compile(r"typedef void \(\*(\w+)\)\(([^;]*)\);")
CONSTANT = re.compile(r"#define (\w+) (\d+)$", re.M)
INCLUDE = re.compile(r"#include <(.*)>")
# Lines that bindings do not need: the include guard, the C++ brackets, and the definition of SUBX_EXPORT.
FRAME = re.compile(r"#ifndef SUBX\w*_H\n#define SUBX\w*_H|#ifdef __cplusplus\n.*?\n#endif|#if defined\(__GNUC__\)\n"
                   r"#define SUBX_EXPORT.*?\n#endif|#endif", re.S)
ENTRY = re.compile(r"^  (\w+(?:, \w+)*) +\[(in|out|in,out)\] +(\S.*)$")
SCOPE = re.compile(r"\b(Local|Collective)\b")
NULLS = re.compile(r"\b(any|either)\s+output\s+may\s+be\s+NULL", re.I)


def strip_marks(comment):
    """Get the lines of a comment without /*, * and */."""
    lines = comment.split("\n")
    return [lines[0].strip()] + [re.sub(r"^ \* ?", "", line).rstrip() for line in lines[1:]]


def parse_parameter(text):
    text = " ".join(text.split())
    match = re.match(r"(.*?)(\w+)((?:\[\])?)$", text)
    spelt = (match.group(1) + match.group(3)).strip()
    base = re.sub(r"\bconst\b|\*|\[\]", "", spelt).strip()
    return Parameter(match.group(2), spelt, base=base, is_const=spelt.startswith("const "), stars=spelt.count("*"),
                     is_array=spelt.endswith("[]"))


def parse_parameters(text):
    return [parse_parameter(p) for p in text.split(",") if p.strip() != "void"]


# Of functions that return a text, of functions that list names, and of all.
TEXT_ARGUMENTS = {"len": ("in", "the size of the buffer text, bytes"),
                  "text": ("out", "the text, cut to len-1 bytes and always terminated; may be NULL if len is 0"),
                  "needed": ("out", "bytes of the whole text without the terminator (may be NULL)")}
NAME_ARGUMENTS = {"i": ("in", "which, from 0"), "name": ("out", "its name, a constant string, or NULL if there are no more")}
ARGUMENTS = {("int", "direction"): ("in", "SUBX_FFT_FORWARD or SUBX_FFT_BACKWARD"),
             ("int", "side"): ("in", "SUBX_FFT_PHYSICAL or SUBX_FFT_SPECTRAL"),
             ("MPI_Comm", "comm"): ("in", "the ranks; an intra-communicator"),
             ("MPI_Info", "hints"): ("in", "hints, the same on all ranks; MPI_INFO_NULL for none"),
             ("MPI_Info", "info"): ("out", "a new info object; the caller frees it with MPI_Info_free")}


def find_convention(function, p):
    """Get the direction and the text of an argument that means the same everywhere; two empty texts for others."""
    if p.base.startswith("subx_") and p.name in (p.base.split("_")[-1], "ex"):
        what = {"ex": "exchange", "halo": "halo exchange"}.get(p.name, p.name)
        if function.name.endswith("_free"):
            return "in,out", f"the {what}"
        if p.stars == 0 and p is function.parameters[0]:
            return "in", f"the {what}"
        if p.stars == 1 and re.search("_(create|parse)", function.name):
            return "out", f"the {what}; the caller frees it with {p.base}_free"
    if any(q.name == "len" and q.base == "size_t" for q in function.parameters) and p.name in TEXT_ARGUMENTS:
        return TEXT_ARGUMENTS[p.name]
    if "_query_" in function.name and p.name in NAME_ARGUMENTS:
        return NAME_ARGUMENTS[p.name]
    return ARGUMENTS.get((p.base, p.name), ("", ""))


def parse_entries(item):
    """Divide the comment of a function or callback into entries of parameters and sentences."""
    known = {p.name: p for p in item.parameters}
    sentences, open_names, column = [], [], 0
    for line in item.comment:
        entry = ENTRY.match(line)
        if entry:
            open_names, column = entry.group(1).split(", "), entry.start(3)
            for name in open_names:
                if name not in known:
                    item.faults.append(f"documents {name}, which is no parameter")
                elif known[name].direction:
                    item.faults.append(f"documents {name} twice")
                else:
                    known[name].direction, known[name].text = entry.group(2), entry.group(3)
        elif open_names and len(line) > column and not line[:column].strip():
            for name in open_names:
                if name in known:
                    known[name].text += " " + line.strip()
        else:
            if re.match(r"^  \w.*\[(in|out|in,out)\]", line):
                item.faults.append(f"has an entry that cannot be read: {line.strip()}")
            open_names = []
            sentences.append(line)
    item.text = "\n".join(sentences).strip()
    for p in item.parameters:
        if not p.direction and isinstance(item, Function):
            p.direction, p.text = find_convention(item, p)
        if not p.direction:
            item.faults.append(f"does not document {p.name}")
        word = p.text.split(" ")[0]
        p.extent = word if p.is_array and word in known else ""
        if p.direction == "out":  # in other phrases, NULL is a value that the output may get
            p.is_optional = bool(re.search(r"may\s+be\s+NULL|NULL\s+if\s+it\s+is\s+not\s+wanted", p.text) or NULLS.search(item.text))
        else:
            p.is_optional = bool(re.search(r"\bNULL\b", p.text))


def check_sentences(function):
    """Note the faults in the sentences of a comment."""
    if not function.scope:
        function.faults.append("does not say whether it is local or collective")
    if not function.text[:1].isupper():
        function.faults.append("has no first sentence")
    if "Errors: " not in function.text:
        function.faults.append("does not say which errors it returns")


def parse_function(match, comment, line):
    function = Function(match.group(1), parse_parameters(match.group(2)), line, comment)
    if not comment:
        function.faults.append("has no comment")
    parse_entries(function)
    errors = re.search(r"Errors: (.*?)(?:\.\s|\.$|$)", function.text, re.S)
    function.errors_text = " ".join(errors.group(1).split()) if errors else ""
    function.errors = re.findall(r"\b[A-Z][A-Z_]+\b", function.errors_text)
    scope = SCOPE.search(function.text)
    function.scope = scope.group(1) if scope else ""
    function.returns_code = not re.search(r"^Returns the ", function.text, re.M)
    check_sentences(function)
    return function


def parse_callback(match, comment, line):
    callback = Callback(match.group(1), parse_parameters(match.group(2)), line, comment)
    parse_entries(callback)
    return callback


def parse_enum(match, comment, line):
    enumerators, rest = [], match.group(1)
    while rest.strip():
        one = ENUMERATOR.match(rest)
        if not one:
            break
        enumerators.append(Enumerator(one.group(1), int(one.group(2)), " ".join((one.group(3) or "").split())))
        rest = rest[one.end():]
    enum = Enum(enumerators, line, "\n".join(comment).strip())
    if rest.strip():
        enum.faults.append(f"cannot be read from here: {rest.strip().splitlines()[0]}")
    return enum


def parse_handle(match, comment, line):
    handle = Handle(match.group(2), match.group(3), line, "\n".join(comment).strip())
    if not match.group(1) == match.group(2) == match.group(4) or handle.null != handle.name.upper() + "_NULL":
        handle.faults.append("has a struct, or a null value, of another name")
    return handle


def parse_constant(match, comment, line):
    return Constant(match.group(1), int(match.group(2)), line, "\n".join(comment).strip())


ITEMS = [(FUNCTION, parse_function), (ENUM, parse_enum), (HANDLE, parse_handle), (CALLBACK, parse_callback),
         (CONSTANT, parse_constant)]


class Reader:
    """Reads a header from beginning to end. `pending` is a comment that no empty line follows: it belongs to the next item."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.source = file.read()
        name = os.path.basename(path)
        self.header = Header(name, HEADERS.get(name, ""), "", "", [], [Section("", 1, "")])
        self.pending, self.at = [], 0

    def line(self):
        return self.source.count("\n", 0, self.at) + 1

    def keep_loose(self):
        """Add the pending comment, which belongs to no item, to the text of its section."""
        section = self.header.sections[-1]
        section.text = (section.text + "\n\n" + "\n".join(self.pending)).strip()
        self.pending = []

    def take_comment(self, match):
        lines = strip_marks(match.group(1))
        ruler = RULER.match(match.group(1).lstrip())
        if not self.header.text:
            name, _, self.header.title = lines[0].partition(" - ")
            self.header.text = "\n".join([self.header.title] + lines[1:]).strip()
            if name != self.header.name or not self.header.title:
                self.header.faults.append("does not begin with its name and what it is")
        elif ruler:
            self.header.sections.append(Section(ruler.group(1), self.line(), "\n".join(lines[1:]).strip()))
        else:
            self.pending = lines
            if self.source[match.end():match.end() + 2] == "\n\n":
                self.keep_loose()

    def take_item(self):
        for pattern, parse in ITEMS:
            match = pattern.match(self.source, self.at)
            if match:
                item = parse(match, self.pending, self.line())
                if isinstance(item, Function):
                    item.library = self.header.library
                # Constants that follow each other share a comment.
                if not isinstance(item, Constant) or self.source[match.end():match.end() + 2] == "\n\n":
                    self.pending = []
                self.header.sections[-1].items.append(item)
                return match
        return None

    def take_frame(self):
        match = INCLUDE.match(self.source, self.at)
        if match:
            self.header.includes.append(match.group(1))
        return match or FRAME.match(self.source, self.at)

    def read(self):
        while self.source[self.at:].strip():
            self.at += len(self.source[self.at:]) - len(self.source[self.at:].lstrip())
            match = COMMENT.match(self.source, self.at)
            if match:
                self.take_comment(match)
            else:
                match = self.take_item() or self.take_frame()
            if not match:
                self.header.faults.append(f"cannot be read from line {self.line()} on")
                break
            self.at = match.end()
        return self.header


def read(path):
    """Get the model of a header."""
    return Reader(path).read()


def read_all(top):
    """Get the model of all public headers."""
    return Model([read(os.path.join(top, "include", name)) for name in HEADERS])


def find_faults(header):
    """Get the line and the text of each fault in a header."""
    faults = [(1, fault) for fault in header.faults]
    for item in header.select(object):
        faults += [(item.line, f"{item.name} {fault}") for fault in item.faults]
    return faults


def main(paths):
    total = faults = 0
    for path in paths:
        header = read(path)
        total += len(header.select(Function))
        for line, fault in find_faults(header):
            faults += 1
            print(f"{path}:{line}: {fault}")
    print(f"{total} functions, {faults} faults")
    return 1 if faults or not total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
