"""programs.py - the pages of the manual that tell what programs say of themselves.

usage: PROGRAM --help | python3 doc/manual/programs.py PROGRAM       the page of a program
       subx-fft --help | python3 doc/manual/programs.py hints        the page of all hints of plans

tests/api/manual.sh compares these pages with the programs that were built, and writes them again if asked to.
"""
import re
import sys

NOTE = "<!-- Written by tests/api/manual.sh --record from {} --help. Do not edit. -->\n"
HINT = re.compile(r"^  --([a-z-]+) +(\S.*(?:\n {21}\S.*)*)", re.M)
TUNE = ("The value of the hint `subx_tune` is a text of words and their values, such as `strategy stride1, slices 8`. The words are for "
        "experts; releases may change them. Explanations of plans and wisdom have the same words. Words in the program count more "
        "than those of the variable `SUBX_TUNE`. If the variable has a word that an object does not read, the object ignores it.")
SPECIAL = re.compile(r"([\\`*\[\]<>|])")


def write_program(name, text):
    """The help of a program, and what it is for in one sentence: the first one after the usage."""
    usage, what = text.split("\n\n")[:2]
    sentence = re.match(r"(.*?)(?:\.\s|\.$|: ours)", " ".join(what.split()) + " ").group(1)
    return f"{NOTE.format(name)}# {name}\n\n*{sentence}.*\n\n```text\n{text.strip()}\n```\n"


def write_row(key, *cells):
    return "| " + " | ".join([f"`{key}`"] + [SPECIAL.sub(r"\\\1", cell) for cell in cells]) + " |"


def write_hints(text):
    """A table of the hints: those options of subx-fft whose text says which values there are."""
    rows, words_of_tune = [], []
    for name, words in HINT.findall(text):
        what, found, values = " ".join(words.split()).partition(" Values: ")
        if not found or name == "tuning":
            continue
        values, _, default = values.partition("; default ")
        rows.append(write_row("subx_" + name.replace("-", "_"), what, values, default))
    tune = re.search(r"^  --tuning +(\S.*(?:\n {21}\S.*)*)", text, re.M).group(1)
    for line in re.split(r"\n {21}(?=[a-z_]+: )", tune)[1:]:
        name, _, words = " ".join(line.split()).partition(": ")
        what, _, values = words.partition(" Values: ")
        values, _, default = values.partition("; default ")
        words_of_tune.append(write_row(name, what, values, default))
    head = ("A hint is a key of an `MPI_Info` that [`subx_fft_plan_create`](reference/subx_fft_plans.md#subx_fft_plan_create) "
            "gets. Each hint but `subx_memory_kind` has an environment variable of the same name in capitals (`SUBX_GRID` for `subx_grid`), and an option "
            "of [subx-fft](programs/subx-fft.md) (`--grid`; `--tuning` for `subx_tune`). The hint in the program counts more than the variable. The reference explains "
            "[the common hints](reference/subx_fft_plans.md#subx_fft_plan_create), "
            "[those for experts](reference/subx_tune_hints_for_experts.md), and "
            "[those of exchanges](reference/subx_exchanges.md#subx_exch_create).")
    return "\n".join([NOTE.format("subx-fft") + "# Hints of plans", "", head, "", "| hint | what it decides | values | default |",
                      "| --- | --- | --- | --- |"] + rows + ["", TUNE, "", "| word | what it decides | values | default |",
                      "| --- | --- | --- | --- |"] + words_of_tune) + "\n"


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    text = sys.stdin.read()
    sys.stdout.write(write_hints(text) if arguments[0] == "hints" else write_program(arguments[0], text))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
