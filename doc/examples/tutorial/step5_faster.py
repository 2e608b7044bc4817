"""step5_faster.py - the library looks for the fastest plan by measurement, and tells what it found.

mpirun -n 4 python3 step5_faster.py
"""
from mpi4py import MPI
import subarray_x as subx

comm = MPI.COMM_WORLD
# Without wisdom="none", the next run finds the plan in a file.
plan = subx.FFT(comm, (64, 48, 40), "r2c", effort="measure", wisdom="none")
text = plan.explain()
if comm.rank == 0:
    print(text)
