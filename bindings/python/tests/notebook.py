"""notebook.py - run the cells of a notebook in this process, which has Matplotlib.

usage: python3 notebook.py NOTEBOOK [PICTURE]      writes the figures to PICTURE-1.png and so on
"""
import json
import os
import sys

import matplotlib
import matplotlib.pyplot as plt


def run(path, picture):
    """Run all cells; returns the number of figures."""
    names = {"__name__": "__main__"}
    with open(path, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    for number, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{os.path.basename(path)}, cell {number}", "exec"), names)
    for number in plt.get_fignums():
        if picture and names["comm"].rank == 0:
            plt.figure(number).savefig(f"{picture}-{number}.png")
    return len(plt.get_fignums())


if __name__ == "__main__":
    matplotlib.use("Agg")
    figures = run(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
    print(f"{figures} figures")
    sys.exit(0 if figures == 2 else 1)
