"""poisson.py - Poisson's equation, laplace u = f, in a periodic box, by an operation on the spectrum.

usage: mpirun -n 4 python3 poisson.py [N]
"""
import sys

import numpy as np
from mpi4py import MPI

import subarray_x as subx

comm = MPI.COMM_WORLD
n = int(sys.argv[1]) if len(sys.argv) > 1 else 48
lengths = (2 * np.pi, 1.0, 3.0)
plan = subx.FFT(comm, (n, n, n), "r2c", operation=True)

x, y, z = (length * i / n for length, i in zip(lengths, plan.physical.indices()))
exact = np.cos(x) * np.sin(2 * np.pi * y) * np.cos(4 * np.pi * z / 3)
f = plan.empty()
f[...] = -(1 + (2 * np.pi) ** 2 + (4 * np.pi / 3) ** 2) * exact

# Forward, division by -|k|^2 and backward, in one call.
u = plan.convolve(f, plan.laplacian(-1, lengths))

error = comm.allreduce(abs(u - exact).max(initial=0), MPI.MAX)
if comm.rank == 0:
    print(f"{n}^3 points on {comm.size} ranks: largest error {error:.1e}: {'right' if error < 1e-12 else 'WRONG'}")
sys.exit(0 if error < 1e-12 else 1)
