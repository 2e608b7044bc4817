"""mpi4py_fft_ours.py - the counterpart of mpi4py_fft_theirs.py, which prints the same numbers.

mpirun -n 4 python3 mpi4py_fft_ours.py | sort
"""
# [body]
from mpi4py import MPI
import numpy as np
import subarray_x as subx

comm = MPI.COMM_WORLD
plan = subx.FFT(comm, (16, 12, 10), "r2c", scaling="forward")
u = plan.empty()
i, j, k = plan.physical.indices()
u[...] = np.sin(i * (j + 1) + k * k)

uh = plan.forward(u)
again = plan.backward(uh)

first, rows, columns = (part.start for part in uh.slices)
if 0 <= 1 - rows < uh.shape[1] and 0 <= 2 - columns < uh.shape[2]:
    for i, value in enumerate(uh[:, 1 - rows, 2 - columns]):
        print(f"{first + i:2} {value.real:.9f} {value.imag:.9f}")
# [end]
assert np.allclose(again, u)
