"""generate.py - write all files that follow from the public headers: bindings, and the reference of the manual.

usage: python3 bindings/generate.py [--check] [--top FOLDER]

Each module write_*.py beside this one is a writer. Its function files(model) takes the model of the headers (headers.py), and
returns the texts of files in a dictionary; the keys are paths relative to the top of the sources. If a writer has a list
`folders`, all files in these folders are written by it: this program removes any other file there. With --check it writes and
removes nothing, but prints the differences, and exits with 1 if there are any. FOLDER is the top of the sources (default: the
sources that this program belongs to).
"""
import argparse
import difflib
import glob
import importlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import headers  # noqa: E402 (found by the line above)


def read_text(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def write_text(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def find_files(top, folder):
    """Get the paths of all files below a folder, relative to the top."""
    return [os.path.relpath(os.path.join(where, name), top)
            for where, _, names in os.walk(os.path.join(top, folder)) for name in names if not name.endswith(".pyc")]


def collect(top, model):
    """Get the texts of all writers by path, and the files in their folders that no writer writes any more."""
    wanted, left = {}, []
    for path in sorted(glob.glob(os.path.join(HERE, "write_*.py"))):
        writer = importlib.import_module(os.path.basename(path)[:-3])
        files = writer.files(model)
        wanted.update(files)
        for folder in getattr(writer, "folders", []):
            left += [name for name in find_files(top, folder) if name not in files]
    return wanted, left


def compare(top, wanted, left):
    """Print the differences between the texts and the files, and get how many files differ or are left over."""
    count = 0
    for name, text in wanted.items():
        found = read_text(os.path.join(top, name))
        if found != text:
            count += 1
            lines = difflib.unified_diff((found or "").splitlines(), text.splitlines(), name, f"{name} (written again)", "", "",
                                         1, "")
            print("\n".join(list(lines)[:40]))
    for name in left:
        print(f"{name}: no writer writes this file")
    return count + len(left)


def main():
    parser = argparse.ArgumentParser(description="Write bindings and reference pages from the public headers.")
    parser.add_argument("--check", action="store_true", help="compare only")
    parser.add_argument("--top", default=os.path.dirname(HERE), metavar="FOLDER", help="the sources")
    arguments = parser.parse_args()
    model = headers.read_all(arguments.top)
    faults = [fault for header in model.headers for fault in headers.find_faults(header)]
    if faults:
        print(f"the headers have {len(faults)} faults, which bindings/headers.py tells")
        return 1
    wanted, left = collect(arguments.top, model)
    if arguments.check:
        count = compare(arguments.top, wanted, left)
        print(f"{len(wanted)} files, {count} differences; bindings/generate.py writes them again")
        return 1 if count else 0
    for name, text in wanted.items():
        if read_text(os.path.join(arguments.top, name)) != text:
            write_text(os.path.join(arguments.top, name), text)
            print(f"wrote {name}")
    for name in left:
        os.remove(os.path.join(arguments.top, name))
        print(f"removed {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
