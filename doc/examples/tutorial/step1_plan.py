"""step1_plan.py - a plan divides an array between the ranks, and tells each rank its part.

mpirun -n 4 python3 step1_plan.py
"""
from mpi4py import MPI
import subarray_x as subx

comm = MPI.COMM_WORLD
plan = subx.FFT(comm, (16, 12, 10), "r2c")
for side, what in ((plan.physical, "points"), (plan.spectral, "modes")):
    first = tuple(part.start for part in side.slices)
    print(f"rank {comm.rank}: {' x '.join(map(str, side.local_shape))} {what}, the first is {first}", flush=True)
