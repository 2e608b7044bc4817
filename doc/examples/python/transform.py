"""transform.py - a transform of real numbers on any number of ranks; prints the largest modes in a plane of the spectrum.

usage: mpirun -n 4 python3 transform.py
"""
import numpy as np
from mpi4py import MPI

import subarray_x as subx

comm = MPI.COMM_WORLD
sizes = (64, 48, 40)
plan = subx.FFT(comm, sizes, "r2c")

# This rank's block of the field, and the global indices of its elements.
u = plan.empty()
x, y, z = (2 * np.pi * i / n for i, n in zip(plan.physical.indices(), sizes))
u[...] = 0.5 + np.cos(3 * x + 2 * y) + 0.25 * np.sin(5 * z)

uh = plan.forward(u)
again = plan.backward(uh)
error = comm.allreduce(abs(again - u).max(initial=0), MPI.MAX)

# Rank 0 gets a plane of the spectrum.
plane = uh.get((slice(None), slice(None), 0))
if comm.rank == 0:
    print(f"{plan!r}, grid {plan.grid}")
    modes = [tuple(map(int, mode)) for mode in np.argwhere(abs(plane) > 1)]
    print("modes with k2 = 0:", ", ".join(f"{mode}: {plane[mode].real / np.prod(sizes):.3f}" for mode in modes))
    print("forward and backward give the field again:", bool(error < 1e-12))
