"""check.py - functions that all tests share: a field that all ranks know, comparisons on all ranks, and a runner.

A test is a function test_* of a module. run(modules) calls the tests in the order of their definition, on all ranks. A test fails
if it fails on any rank. Then the lowest such rank prints why, and the exit status is 1."""
import sys
import traceback

import numpy as np
from mpi4py import MPI

COMM = MPI.COMM_WORLD


def field(shape, dtype=float, seed=1):
    """Get a random array, the same on all ranks."""
    random = np.random.default_rng(seed)
    values = random.uniform(-1, 1, shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * random.uniform(-1, 1, shape)
    return np.asarray(values).astype(dtype)


def close(found, expected, factor=100):
    """Assert that two arrays of this rank differ by rounding errors only, relative to the largest expected element or to 1,
    whichever is larger."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape, (found.shape, expected.shape)
    if found.size == 0:
        return
    size = max(1, float(abs(expected).max()))
    error = float(abs(found - expected).max()) / size
    limit = factor * max(float(np.finfo(found.dtype).eps), float(np.finfo(expected.dtype).eps)
                         if expected.dtype.kind in "fc" else 0)
    assert error < limit, f"error {error:.3g}, allowed {limit:.3g}"


def raises(kind, call, *words):
    """Assert that a call raises an exception whose text has all of `words`, and return the exception."""
    try:
        call()
    except kind as error:
        for word in words:
            assert word in str(error), f"{word!r} is not in {str(error)!r}"
        return error
    raise AssertionError(f"no {kind.__name__}")


def run(modules, wanted=""):
    """Run all tests whose names contain a word."""
    tests = [(f"{module.__name__}.{name}", test) for module in modules for name, test in list(vars(module).items())
             if name.startswith("test_")]
    failed, count = 0, 0
    for name, test in tests:
        if wanted not in name:
            continue
        text = ""
        try:
            test()
        except Exception:  # pylint: disable=broad-except
            text = traceback.format_exc()
        count += 1
        bad = COMM.allgather(bool(text))
        if any(bad):
            failed += 1
            if COMM.rank == bad.index(True):
                print(f"FAIL: {name} on rank {COMM.rank} of {COMM.size}\n{text}", flush=True)
    if COMM.rank == 0:
        print(f"{count} tests on {COMM.size} ranks, {failed} failed", flush=True)
    sys.exit(1 if failed or not count else 0)
