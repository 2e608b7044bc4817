"""step5_faster.py - the library searches the fastest plan by measurement, and explains its choice.

mpirun -n 4 python3 step5_faster.py
"""
from mpi4py import MPI
import subarray_x as subx

comm = MPI.COMM_WORLD
# Without wisdom="none", the next run would take the plan from a file.
plan = subx.FFT(comm, (64, 48, 40), "r2c", effort="measure", wisdom="none")
text = plan.explain()
if comm.rank == 0:
    print(text)
