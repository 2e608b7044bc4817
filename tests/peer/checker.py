"""checker.py - transform .npy files by subx-fft, and compare the results with those of another library.

The arguments of the program that imports it: LAUNCH SUBX_FFT FOLDER. Comparisons on numbers of ranks that TEST_RANKS does not
have are left out.
"""
import os
import subprocess
import sys

import numpy

from ranks import SKIP, is_wanted

launch, program, folder = sys.argv[1:]
source, result = os.path.join(folder, "in.npy"), os.path.join(folder, "out.npy")
random = numpy.random.RandomState(20190607)
TOLERANCE = {"f": 1e-5, "d": 1e-12, "F": 1e-5, "D": 1e-12}  # relative to the largest value, by type of numbers
done = failed = 0


def make(shape, dtype):
    values = random.uniform(-1, 1, shape)
    if numpy.dtype(dtype).kind == "c":
        values = values + 1j * random.uniform(-1, 1, shape)
    return values.astype(dtype)


def check(what, ranks, given, expected, options):
    """Run subx-fft on an array, and count whether the result is right."""
    global done, failed
    if not is_wanted(ranks):
        return
    numpy.save(source, given)
    # A run on one rank does not use the launcher, which takes longer than the run itself.
    command = [launch, "-n", str(ranks if ranks > 1 else 0), program, "--input", source, "--output", result, *options]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    done += 1
    complaint = None
    if run.returncode != 0:
        complaint = "exit status %d\n%s" % (run.returncode, run.stdout)
    else:
        got = numpy.load(result)
        os.remove(result)
        if got.shape != expected.shape or got.dtype != expected.dtype or not got.flags.c_contiguous:
            complaint = "%s %s instead of %s %s" % (got.dtype, got.shape, expected.dtype, expected.shape)
        else:
            error = abs(got - expected).max() / abs(expected).max()
            if not error <= TOLERANCE[expected.dtype.char]:
                complaint = "differs by %g" % error
    if complaint:
        failed += 1
        print("FAIL: %s on %d ranks, %s: %s" % (what, ranks, " ".join(options), complaint))


def finish():
    print("%d comparisons, %d failed" % (done, failed))
    sys.exit(1 if failed else 0 if done else SKIP)
