"""navier_stokes.py - a pseudo-spectral Navier-Stokes solver, run on the Taylor-Green vortex.

usage: mpirun -n 4 python3 navier_stokes.py

The equations, the box and the parameters are the same as in doc/examples/05_navier_stokes.c. The program compares the kinetic
energy at the end with the published number of the spectral solver that comes with mpi4py-fft.
"""
import sys

import numpy as np
from mpi4py import MPI

import subarray_x as subx

PUBLISHED = 0.124953117517
SIZES, LENGTHS = (64, 64, 64), (2 * np.pi, 4 * np.pi, 4 * np.pi)
VISCOSITY, STEP, END = 0.000625, 0.01, 0.1

comm = MPI.COMM_WORLD
# A transposed spectrum saves time. With this scaling the spectrum has Fourier coefficients.
plan = subx.FFT(comm, SIZES, "r2c", output_order="transposed", scaling="forward")


def wavenumbers():
    """Get k for each axis. On axes 0 and 1, the frequency n / 2 counts as -n / 2, as in 05_navier_stokes.c."""
    k = []
    for axis, (n, length) in enumerate(zip(SIZES, LENGTHS)):
        f = plan.frequencies(axis)
        if axis < 2:
            f[f == n // 2] = -n // 2
        k.append((2 * np.pi / length * f).reshape([-1 if a == axis else 1 for a in range(3)]))
    return k


def vector(side):
    return [plan.zeros(side) for _ in range(3)]


k = wavenumbers()
k2 = k[0] ** 2 + k[1] ** 2 + k[2] ** 2
inverse = 1 / np.where(k2 == 0, 1, k2)
u, curl = vector("physical"), vector("physical")
work = plan.empty("spectral")


def compute_rhs(v, rhs):
    """Get the time derivative of the velocity whose spectrum is v."""
    for c in range(3):
        a, b = (c + 1) % 3, (c + 2) % 3
        plan.backward(v[c], u[c])
        np.multiply(1j, k[a] * v[b] - k[b] * v[a], out=work)
        plan.backward(work, curl[c])
    for c in range(3):
        a, b = (c + 1) % 3, (c + 2) % 3
        plan.forward(u[a] * curl[b] - u[b] * curl[a], rhs[c])
    # The pressure removes the part along k.
    along = (k[0] * rhs[0] + k[1] * rhs[1] + k[2] * rhs[2]) * inverse
    for c in range(3):
        rhs[c] -= k[c] * along + VISCOSITY * k2 * v[c]


def advance(state, rhs, stage, total):
    """A step of the classical fourth-order Runge-Kutta method (Kutta 1901)."""
    for c in range(3):
        stage[c][...] = total[c][...] = state[c]
    for weight, ahead in ((1 / 6, 1 / 2), (1 / 3, 1 / 2), (1 / 3, 1), (1 / 6, 0)):
        compute_rhs(stage, rhs)
        for c in range(3):
            total[c] += weight * STEP * rhs[c]
            np.add(state[c], ahead * STEP * rhs[c], out=stage[c])
    for c in range(3):
        state[c][...] = total[c]


x, y, z = (length * i / n for length, i, n in zip(LENGTHS, plan.physical.indices(), SIZES))
u[0][...] = np.sin(x) * np.cos(y) * np.cos(z)
u[1][...] = -np.cos(x) * np.sin(y) * np.cos(z)
state = [plan.forward(component) for component in u]
rhs, stage, total = vector("spectral"), vector("spectral"), vector("spectral")
start = MPI.Wtime()
for _ in range(round(END / STEP)):
    advance(state, rhs, stage, total)
for c in range(3):
    plan.backward(state[c], u[c])
energy = comm.allreduce(0.5 * sum(float((a * a).sum()) for a in u)) / np.prod(SIZES)
agrees = abs(energy - PUBLISHED) < 5e-8
if comm.rank == 0:
    print(f"Taylor-Green vortex, {SIZES} points on {comm.size} ranks, grid {plan.grid}")
    print(f"t = {END}: kinetic energy = {energy:.12f} ({MPI.Wtime() - start:.2f} s)")
    print(f"published:      energy = {PUBLISHED:.12f}: {'the same' if agrees else 'NOT the same'} to 7 places")
sys.exit(0 if agrees else 1)
