"""test_fft.py - transforms against numpy.fft and scipy.fft, at any number of ranks, and what a plan refuses."""
import gc

import numpy as np
import scipy.fft
from check import COMM, close, field, raises
from mpi4py import MPI

import subarray_x as subx


def compare(plan, whole, expected):
    """Forward gives what is expected and leaves its input unchanged; backward gives the field again."""
    u = plan.empty()
    u[...] = whole[u.slices]
    before = u.copy()
    uh = plan.forward(u)
    assert (u == before).all()
    assert uh.global_shape == expected.shape, (uh.global_shape, expected.shape)
    close(uh, expected[uh.slices])
    again = plan.backward(uh)
    close(again, whole[u.slices])
    return u, uh


def test_complex():
    for sizes in ((7, 11, 13), (5, 3), (2, 3, 4), (4, 6, 5, 3), (1, 9, 1), (60,)):
        whole = field(sizes, complex)
        with subx.FFT(COMM, sizes) as plan:
            compare(plan, whole, np.fft.fftn(whole))


def test_real():
    for sizes in ((7, 11, 13), (5, 4), (3, 2, 8), (3, 4, 5, 6)):
        whole = field(sizes)
        with subx.FFT(COMM, sizes, "r2c") as plan:
            assert (plan.dtype(), plan.dtype("spectral")) == (np.dtype("f8"), np.dtype("c16"))
            compare(plan, whole, np.fft.rfftn(whole))


def test_precisions():
    for name, spectrum in (("f4", "c8"), ("f8", "c16"), ("g", "G")):
        whole = field((6, 7, 8), name)
        with subx.FFT(COMM, (6, 7, 8), "r2c", dtype=name) as plan:
            u, uh = compare(plan, whole, scipy.fft.rfftn(whole.astype("g" if name == "g" else name)))
            assert (u.dtype, uh.dtype) == (np.dtype(name), np.dtype(spectrum))


def test_cosines():
    for kind, transform in (("dct1", scipy.fft.dctn), ("dct2", scipy.fft.dctn), ("dst3", scipy.fft.dstn)):
        whole = field((6, 9))
        with subx.FFT(COMM, (6, 9), kind) as plan:
            compare(plan, whole, transform(whole, type=int(kind[-1])))
    whole = field((5, 6, 8))
    with subx.FFT(COMM, (5, 6, 8), ["dct2", "-", "r2c"]) as plan:
        compare(plan, whole, scipy.fft.rfft(scipy.fft.dct(whole, axis=0), axis=2))


def test_storage():
    whole = field((6, 7, 10))
    expected = np.fft.rfftn(whole)
    for keywords in ({"output_order": "transposed"}, {"spectral_order": (0, 1, 2)}, {"physical_order": (2, 0, 1)},
                     {"padded": True}, {"tune": "strategy stride1", "output_order": "transposed"}, {"grid": (COMM.size, 1)},
                     {"sequence": (2, 1, 0)}):
        with subx.FFT(COMM, (6, 7, 10), "r2c", **keywords) as plan:
            u, _ = compare(plan, whole, expected)
            if keywords.get("padded") and u.size:
                assert u.strides[1] == 12 * 8


def test_fields():
    whole = field((3, 5, 6, 4))
    expected = np.fft.rfftn(whole, axes=(1, 2, 3))
    with subx.FFT(COMM, (5, 6, 4), "r2c", fields=3) as plan:
        compare(plan, whole, expected)
    with subx.FFT(COMM, (5, 6, 4), "r2c", fields=3, interleaved=True) as plan:
        compare(plan, np.moveaxis(whole, 0, 3), np.moveaxis(expected, 0, 3))


def test_modes():
    """Axis 0 keeps 7 of 12 modes, axis 1 keeps 5 of 9. The numbers are odd, so that no mode stands for two frequencies."""
    whole = field((12, 9), complex)
    keep = [[0, 1, 2, 3, -3, -2, -1], [0, 1, 2, -2, -1]]
    expected = np.fft.fftn(whole)[np.ix_(*keep)]
    with subx.FFT(COMM, (12, 9), modes=(7, 5)) as plan:
        u = plan.empty()
        u[...] = whole[u.slices]
        uh = plan.forward(u)
        close(uh, expected[uh.slices])
        for axis in range(2):
            assert (plan.frequencies(axis) == np.array(keep[axis])[uh.slices[axis]]).all()


def test_scaling():
    whole = field((6, 5), complex)
    for scaling, norm in (("forward", "forward"), ("backward", "backward"), ("symmetric", "ortho")):
        with subx.FFT(COMM, (6, 5), scaling=scaling) as plan:
            compare(plan, whole, np.fft.fftn(whole, norm=norm))


def test_in_place():
    for kind in ("c2c", "r2c"):
        whole = field((6, 5, 8), complex if kind == "c2c" else float)
        expected = (np.fft.fftn if kind == "c2c" else np.fft.rfftn)(whole)
        with subx.FFT(COMM, (6, 5, 8), kind, padded=kind == "r2c") as plan:
            u, uh = plan.in_place()
            u[...] = whole[u.slices]
            assert plan.forward(u, uh) is uh
            close(uh, expected[uh.slices])
            close(plan.backward(uh, u), whole[u.slices])


def test_plain_arrays():
    """Arrays that the plan did not make are used without a copy, if they fit."""
    whole = field((7, 4, 6))
    with subx.FFT(COMM, (7, 4, 6), "r2c") as plan:
        part = np.ascontiguousarray(whole[plan.physical.slices])
        out = np.empty(plan.spectral.local_shape, complex)
        assert plan.forward(part, out) is out
        close(out, np.fft.rfftn(whole)[plan.spectral.slices])
        u = plan.empty()
        raises(TypeError, lambda: plan.forward(part.astype("f4")), "float32")
        raises(TypeError, lambda: plan.forward([1.0]), "list")
        raises(ValueError, lambda: plan.forward(np.zeros((1, 1, 77))), "shape")
        raises(TypeError, lambda: plan.forward(u, u), "float64")
        out.flags.writeable = False
        raises(ValueError, lambda: plan.forward(part, out), "read-only")
        # A view of the same shape that is stored in another way does not fit.
        wide = np.zeros([2 * n for n in u.shape])[::2, ::2, ::2] if u.size and min(u.shape) > 1 else np.zeros((1, 1, 77))
        raises(ValueError, lambda: plan.forward(wide), "strides" if wide.size != 77 else "shape")


def test_boxes():
    """Each rank has rows r, r + size, r + 2 size .. of the field."""
    n = 2 * COMM.size + 1
    whole = field((n, 6), complex)
    mine = range(COMM.rank, n, COMM.size)
    boxes = subx.Boxes((n, 6))
    for row in mine:
        boxes.add((row, 0), (1, 6))
    with subx.FFT(COMM, (n, 6), physical_boxes=boxes) as plan:
        u = plan.empty()
        u[...] = whole[list(mine)].reshape(-1) if len(mine) != 1 else whole[list(mine)].reshape(u.shape)
        uh = plan.forward(u)
        close(uh, np.fft.fftn(whole)[uh.slices])


def test_start():
    n = (8, 6, 5)
    wholes = [field(n, complex, seed) for seed in (1, 2, 3)]
    plans = [subx.FFT(COMM, n, operation=True) for _ in wholes]
    requests = []
    for plan, whole in zip(plans, wholes):
        u = plan.empty()
        u[...] = whole[u.slices]
        requests.append(plan.start(u))
    first = COMM.rank % 3  # the order of the waits differs between ranks
    while not requests[first].test():
        pass
    for i in (first, (first + 1) % 3, (first + 2) % 3):
        uh = requests[i].wait()
        assert requests[i].test()
        close(uh, np.fft.fftn(wholes[i])[uh.slices])
        raises(ValueError, requests[i].wait, "waited for already")
    u = plans[0].empty()
    u[...] = wholes[0][u.slices]
    request = plans[0].start(u, operation=plans[0].laplacian(), direction="convolve")
    raises(subx.Error, lambda: plans[0].forward(u), "in flight")
    close(request.wait(), plans[0].convolve(u, plans[0].laplacian()))
    uh = plans[0].forward(u)
    close(plans[0].start(uh, direction="backward").wait(), u)
    close(plans[0].start(u, operation=plans[0].laplacian()).wait(), plans[0].forward(u, operation=plans[0].laplacian()))
    raises(ValueError, lambda: plans[0].start(u, direction="up"), "up")
    raises(TypeError, plans[0].start(u, direction="convolve").wait, "operation")
    for plan in plans:
        plan.free()


def test_operations():
    whole = field((8, 6), complex)
    with subx.FFT(COMM, (8, 6), operation=True) as plan:
        u = plan.empty()
        u[...] = whole[u.slices]
        k = plan.wavenumbers()
        squares = sum(a ** 2 for a in k)
        uh = plan.forward(u)
        close(plan.forward(u, operation=plan.laplacian()), -squares * uh)
        table = plan.empty("spectral")
        table[...] = np.fft.fftn(field((8, 6), complex, 2))[table.slices]
        expected = np.fft.ifftn(np.fft.fftn(whole) * np.fft.fftn(field((8, 6), complex, 2)))
        close(plan.convolve(u, plan.table(table)), expected[u.slices])
        factors = np.arange(48.0).reshape(8, 6)

        def multiply(data, start):
            data *= factors[tuple(slice(s, s + n) for s, n in zip(start, data.shape))]

        close(plan.forward(u, operation=plan.function(multiply)), (np.fft.fftn(whole) * factors)[uh.slices])

        def fail(data, start):
            raise KeyError("own")

        broken = plan.function(fail)
        raises(ValueError, lambda: plan.derivative((1,)), "orders has 1 entries")
        if uh.size:
            raises(KeyError, lambda: plan.convolve(u, broken), "own")
        else:
            plan.convolve(u, broken)


def test_refusals():
    raises(TypeError, lambda: subx.FFT(COMM, (4, 4), effrt="measure"), "did you mean 'effort'")
    error = raises(subx.Error, lambda: subx.FFT(COMM, (4, 4), tune="strategy best"), "strategy")
    raises(TypeError, lambda: subx.FFT(COMM, (4, 4), slices=2), "tune=\"slices ..\"")
    assert error.kind == "HINT" and isinstance(error, MPI.Exception) and error.Get_error_code() != 0
    assert raises(subx.Error, lambda: subx.FFT(COMM, "c2x:4x4"), "c2x").kind == "PROBLEM"
    assert raises(subx.Error, lambda: subx.Problem((0, 4))).kind
    if COMM.size > 1:
        assert raises(subx.Error, lambda: subx.FFT(COMM, (101,))).kind == "FACTOR"
        # One rank gives other hints: every rank gets the error.
        error = raises(subx.Error, lambda: subx.FFT(COMM, (4, 4), effort="estimate" if COMM.rank else "measure"))
        assert error.kind == "DIFFERS", error.kind
    raises(TypeError, lambda: subx.FFT(COMM, (4, 4), dtype=int), "int64")
    raises(ValueError, lambda: subx.FFT(COMM, (4, 4)).empty("left"), "left")
    raises(TypeError, lambda: subx.FFT(COMM, subx.Problem((4, 4)), modes=(2, 2)), "modes")


def test_text():
    plan = subx.FFT(COMM, (8, 6, 4), "r2c", grid=(COMM.size,), threads=1)
    assert "r2c:8x6x4" in str(plan) and "r2c" in repr(plan) and plan.info()["grid"] == str(COMM.size)
    assert plan.grid == (COMM.size,)
    assert "r2c:8x6x4" in plan.explain() and plan.explanation()["ranks"] == COMM.size
    plan.forward(plan.zeros())
    stages = plan.stages()
    assert {s.kind for s in stages} <= {"serial", "exchange", "scale"} and sum(s.total for s in stages) > 0
    plan.reset_times()
    assert sum(s.total for s in plan.stages()) == 0 and plan.work_bytes >= 0
    assert "grid" in subx.hints() and plan.physical.sizes == (8, 6, 4)


def test_lifetime():
    """Plans that are dropped are freed when the next one is made, once all ranks have dropped them."""
    registry = subx._lifetime._registry(COMM)
    gc.collect()
    subx.FFT(COMM, (4, 4)).free()
    before = len(registry.entries)
    kept = []
    for i in range(12):
        plan = subx.FFT(COMM, (4, 4))
        u = plan.zeros()
        uh = plan.forward(u)
        if COMM.rank == 0 and i < 3:
            kept.append(plan)  # on one rank alone
    assert len(registry.entries) <= before + 5, (before, len(registry.entries))
    assert (uh == 0).all()
    plan.free()
    plan.free()
    assert (uh == 0).all() and raises(subx.Error, lambda: plan.forward(u)).kind == "ARG"
    kept.clear()
    del plan
    gc.collect()
    subx.FFT(COMM, (4, 4)).free()
    assert len(registry.entries) == before, (before, len(registry.entries))
    # Arrays of a plan outlive the plan and its communicator.
    own = COMM.Dup()
    plan = subx.FFT(own, (4, 6))
    u = plan.zeros()
    plan.free()
    own.Free()
    u += 1
    assert u.sum() == u.size
