"""headers.py - read the public headers: functions, their parameters, and what the comments say of them.

Every public function has a comment of this form:

    /* What it does, in sentences that say "Local" or "Collective".
     *   name         [in]      what it is
     *   name, other  [out]     several parameters may share a line,
     *                          and a line may go on, indented as far as the text above it
     * Further sentences.
     * Errors: ARG, NO_MEM. */   or "Errors: none."
    SUBX_EXPORT int subx_noun_verb(int name, ..);

Run as a program, it checks the headers whose paths it gets, prints a line per fault, and exits with 1 if there is one.
"""
import re
import sys
from dataclasses import dataclass, field


@dataclass
class Parameter:
    name: str
    type: str  # as C spells it; of an array with []
    direction: str = ""  # in, out, or in,out
    text: str = ""


@dataclass
class Function:
    name: str
    parameters: list
    line: int
    comment: list  # its lines, without the comment's marks
    text: str = ""  # the sentences that are not of parameters
    errors: list = field(default_factory=list)
    faults: list = field(default_factory=list)


COMMENT = re.compile(r"/\*(.*?)\*/", re.S)
FUNCTION = re.compile(r"SUBX_EXPORT\s+int\s+(\w+)\((.*?)\);", re.S)
ENTRY = re.compile(r"^  (\w+(?:, \w+)*) +\[(in|out|in,out)\] +(\S.*)$")
SCOPE = re.compile(r"\b(Local|Collective)\b")


def strip_marks(comment):
    """Get the lines of a comment without /*, * and */."""
    lines = comment.split("\n")
    return [lines[0].strip()] + [re.sub(r"^ \* ?", "", line).rstrip() for line in lines[1:]]


def parse_parameter(text):
    text = " ".join(text.split())
    match = re.match(r"(.*?)(\w+)((?:\[\])?)$", text)
    return Parameter(match.group(2), (match.group(1) + match.group(3)).strip())


def parse_entries(function):
    """Divide a comment into entries of parameters and sentences."""
    known = {p.name: p for p in function.parameters}
    sentences, open_names, column = [], [], 0
    for line in function.comment:
        entry = ENTRY.match(line)
        if entry:
            open_names, column = entry.group(1).split(", "), entry.start(3)
            for name in open_names:
                if name not in known:
                    function.faults.append(f"documents {name}, which is no parameter")
                elif known[name].direction:
                    function.faults.append(f"documents {name} twice")
                else:
                    known[name].direction, known[name].text = entry.group(2), entry.group(3)
        elif open_names and len(line) > column and not line[:column].strip():
            for name in open_names:
                if name in known:
                    known[name].text += " " + line.strip()
        else:
            if re.match(r"^  \w.*\[(in|out|in,out)\]", line):
                function.faults.append(f"has an entry that cannot be read: {line.strip()}")
            open_names = []
            sentences.append(line)
    function.text = "\n".join(sentences).strip()


def check(function):
    """Note what the grammar forbids."""
    for p in function.parameters:
        if not p.direction:
            function.faults.append(f"does not document {p.name}")
    if not SCOPE.search(function.text):
        function.faults.append("does not say whether it is local or collective")
    if not function.text[:1].isupper():
        function.faults.append("has no first sentence")
    if "Errors: " not in function.text:
        function.faults.append("does not say which errors it returns")


def parse_errors(text):
    match = re.search(r"Errors: (.*?)(?:\.\s|\.$|$)", text, re.S)
    return re.findall(r"\b[A-Z][A-Z_]+\b", match.group(1)) if match else []


def read(path):
    """Get the functions of a header, in order."""
    with open(path) as file:
        source = file.read()
    comments = [(m.start(), m.end(), m.group(1)) for m in COMMENT.finditer(source)]
    functions = []
    for m in FUNCTION.finditer(source):
        parameters = [parse_parameter(p) for p in m.group(2).split(",") if p.strip() != "void"]
        before = [c for c in comments if c[1] <= m.start() and not source[c[1]:m.start()].strip()]
        function = Function(m.group(1), parameters, source.count("\n", 0, m.start()) + 1,
                            strip_marks(before[-1][2]) if before else [])
        if not before:
            function.faults.append("has no comment")
        parse_entries(function)
        function.errors = parse_errors(function.text)
        check(function)
        functions.append(function)
    return functions


def main(paths):
    total = faults = 0
    for path in paths:
        for function in read(path):
            total += 1
            for fault in function.faults:
                faults += 1
                print(f"{path}:{function.line}: {function.name} {fault}")
    print(f"{total} functions, {faults} faults")
    return 1 if faults or not total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
