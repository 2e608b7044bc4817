"""test_docs.py - the examples in docstrings run."""
import doctest
import importlib
import pkgutil

import subarray_x


def test_docstrings():
    attempted = 0
    for found in [None, *pkgutil.iter_modules(subarray_x.__path__)]:
        if found is not None and found.name == "__main__":
            continue
        module = importlib.import_module("subarray_x" + (f".{found.name}" if found else ""))
        result = doctest.testmod(module)
        assert result.failed == 0, module.__name__
        attempted += result.attempted
    assert attempted > 90, attempted
