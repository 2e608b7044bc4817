"""notebook.py - run the cells of a notebook: by nbclient if it is installed, else in this process.

usage: python3 notebook.py NOTEBOOK [PICTURE]      without nbclient, writes the figures to PICTURE-1.png and so on
"""
import json
import os
import sys


def run_by_jupyter(path):
    import nbclient
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300).execute()
    return sum("image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))


def run_plainly(path, picture):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

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
    try:
        import ipykernel  # noqa: F401
        import nbclient  # noqa: F401

        figures = run_by_jupyter(sys.argv[1])
    except ImportError:
        figures = run_plainly(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
    print(f"{figures} figures")
    sys.exit(0 if figures == 2 else 1)
