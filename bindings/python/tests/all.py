"""all.py - all tests of the package, on any number of ranks.

usage: mpiexec -n RANKS python3 all.py [WORD]      only tests whose names contain the word
"""
import sys

import check
import test_arrays
import test_docs
import test_dropin
import test_errors
import test_fft
import test_together

if __name__ == "__main__":
    check.run([test_fft, test_arrays, test_errors, test_dropin, test_docs, test_together], *sys.argv[1:2])
