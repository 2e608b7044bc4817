"""step3_poisson.py - Poisson's equation, laplace u = f, on a periodic cube of length 2 pi, in one call.

mpirun -n 4 python3 step3_poisson.py
"""
from mpi4py import MPI
import numpy as np
import subarray_x as subx

comm = MPI.COMM_WORLD
plan = subx.FFT(comm, (16, 12, 10), "r2c", operation=True)
x, y, z = (2 * np.pi * i / n for i, n in zip(plan.physical.indices(), (16, 12, 10)))
exact, f = plan.empty(), plan.empty()
exact[...] = np.cos(3 * x + 5 * y + 2 * z)
f[...] = -(3**2 + 5**2 + 2**2) * exact

u = plan.convolve(f, plan.laplacian(-1))

error = comm.allreduce(abs(u - exact).max(initial=0), MPI.MAX)
if comm.rank == 0:
    print(f"the largest error is {error:.0e}")
assert error < 1e-13
