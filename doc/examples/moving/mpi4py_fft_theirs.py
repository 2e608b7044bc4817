"""mpi4py_fft_theirs.py - a transform with mpi4py-fft, for comparison with mpi4py_fft_ours.py, which prints the same numbers.

mpirun -n 4 python3 mpi4py_fft_theirs.py | sort
"""
# [body]
from mpi4py import MPI
import numpy as np
from mpi4py_fft import PFFT, newDistArray

comm = MPI.COMM_WORLD
fft = PFFT(comm, (16, 12, 10), axes=(0, 1, 2), dtype=float, grid=(-1,))
u = newDistArray(fft, forward_output=False)
i, j, k = np.ogrid[u.local_slice()]
u[...] = np.sin(i * (j + 1) + k * k)

uh = fft.forward(u, newDistArray(fft))
again = fft.backward(uh)

first, rows, columns = (part.start for part in uh.local_slice())
if 0 <= 1 - rows < uh.shape[1] and 0 <= 2 - columns < uh.shape[2]:
    for i, value in enumerate(uh[:, 1 - rows, 2 - columns]):
        print(f"{first + i:2} {value.real:.9f} {value.imag:.9f}")
# [end]
assert np.allclose(again, u)
