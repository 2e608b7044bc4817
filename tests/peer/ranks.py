"""ranks.py - the numbers of ranks on which the comparisons of this folder run."""
import os

# The exit status if nothing was compared.
SKIP = 77


def is_wanted(ranks):
    """Tell whether TEST_RANKS has this number. If it is not set, all numbers are wanted."""
    return str(ranks) in os.environ.get("TEST_RANKS", str(ranks)).split()
