"""test_docs.py - the examples in docstrings run."""
import doctest
import importlib
import pkgutil

import subarray_x


def test_docstrings():
    attempted = 0
    names = [found.name for found in pkgutil.walk_packages(subarray_x.__path__, "subarray_x.")]
    for name in ["subarray_x", *names]:
        if name.endswith("__main__"):
            continue
        module = importlib.import_module(name)
        result = doctest.testmod(module)
        assert result.failed == 0, module.__name__
        attempted += result.attempted
    assert attempted > 90, attempted
