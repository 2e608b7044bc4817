"""step2_transform.py - a wave becomes a peak, and the peak becomes the wave again.

mpirun -n 4 python3 step2_transform.py
"""
from mpi4py import MPI
import numpy as np
import subarray_x as subx

plan = subx.FFT(MPI.COMM_WORLD, (16, 12, 10), "r2c")
u = plan.empty()
x, y, z = plan.physical.indices()
u[...] = np.cos(2 * np.pi * (3 * x / 16 + 5 * y / 12 + 2 * z / 10))

spectrum = plan.forward(u)
for place in np.argwhere(abs(spectrum) > 1e-9):
    where = tuple(int(i) + part.start for i, part in zip(place, spectrum.slices))
    print(f"a peak of {spectrum[tuple(place)].real:.1f} at {where}")

again = plan.backward(spectrum)
assert np.allclose(again, u, atol=1e-14)
