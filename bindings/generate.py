"""generate.py - write the bindings that follow from the public headers.

usage: python3 bindings/generate.py [FILE]..     writes files such as bindings/fortran/subx.f90, or all, below this folder

Each module write_*.py beside this one is a writer. Its function files(model) takes the model of the headers (headers.py), and
returns the texts of files in a dictionary; the keys are paths relative to the top of the sources.
"""
import glob
import importlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import headers  # noqa: E402 (found by the line above)


def write_text(path, text):
    """Write a file. A link is replaced: it may lead to the sources."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)


def main(names):
    model = headers.read_all(os.path.dirname(HERE))
    faults = [fault for header in model.headers for fault in headers.find_faults(header)]
    if faults:
        print(f"the headers have {len(faults)} faults, which bindings/headers.py tells", file=sys.stderr)
        return 1
    texts = {}
    for path in sorted(glob.glob(os.path.join(HERE, "write_*.py"))):
        texts.update(importlib.import_module(os.path.basename(path)[:-3]).files(model))
    for name in names or sorted(texts):
        write_text(name, texts[name])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
