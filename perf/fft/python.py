"""Time pairs of transforms by the Python package, as subx-fft --repeat does: least seconds for a pair on the slowest rank.

usage: mpirun -n RANKS python3 python.py PROBLEM PASSES PAIRS      PROBLEM as of subx-fft: r2c:128x128x128
"""
import sys

import numpy as np
from mpi4py import MPI
import subarray_x as subx

problem, passes, pairs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
comm = MPI.COMM_WORLD
plan = subx.FFT(comm, problem)
u, uh = plan.empty(), plan.empty("spectral")
u[...] = np.random.default_rng(comm.rank).random(u.shape)
least = float("inf")
for turn in range(passes + 1):
    comm.Barrier()
    begin = MPI.Wtime()
    for _ in range(pairs if turn else 1):
        plan.forward(u, uh)
        plan.backward(uh, u)
    taken = comm.allreduce(MPI.Wtime() - begin, MPI.MAX) / pairs
    if turn:  # the first pair is not timed
        least = min(least, taken)
if comm.rank == 0:
    print(f"{least:.9f}")
