"""step4_file.py - all ranks write one .npy file; then rank 0 reads it with NumPy.

mpirun -n 4 python3 step4_file.py
"""
from mpi4py import MPI
import numpy as np
import subarray_x as subx

comm = MPI.COMM_WORLD
plan = subx.FFT(comm, (16, 12, 10), "r2c")
u = plan.empty()
i, j, k = plan.physical.indices()
u[...] = 10000 * i + 100 * j + k

u.write("step4.npy")

if comm.rank == 0:
    whole = np.load("step4.npy")
    i, j, k = np.indices(whole.shape)
    wrong = int((whole != 10000 * i + 100 * j + k).sum())
    print(f"{wrong} of {whole.size} numbers in the file are wrong")
    assert wrong == 0
