"""test_errors.py - what wrong arguments raise: the text names the argument, its value, and what was expected."""
import numpy as np
from check import COMM, raises
from mpi4py import MPI

import subarray_x as subx

SIZES = (8, 6, 4)


def changed(array, name, value):
    setattr(array, name, value)
    return array


def fixed(array):
    array.setflags(write=False)
    return array


def test_arrays_of_plans():
    """Arrays that a plan has made are checked as others are, also after a program has changed them."""
    with subx.FFT(MPI.COMM_SELF, SIZES) as plan:
        u = plan.zeros()
        raises(ValueError, lambda: plan.forward(u, fixed(plan.empty("spectral"))), "written", "read-only")
        assert plan.forward(fixed(plan.zeros())).shape == SIZES
        raises(TypeError, lambda: plan.forward(changed(plan.zeros(), "dtype", "i8")), "read", "int64", "complex128")
        raises(ValueError, lambda: plan.forward(changed(plan.zeros(), "shape", (6, 8, 4))), "(6, 8, 4)", "(8, 6, 4)")
        raises(ValueError, lambda: plan.forward(changed(plan.zeros(), "strides", (64, 512, 16))), "strides (64, 512, 16)")
        raises(AttributeError, lambda: changed(u, "data", plan.zeros().data))
        raises(TypeError, lambda: plan.forward(np.ma.masked_array(u, u == 0)), "read", "mask")
        raises(TypeError, lambda: plan.forward(u, np.ma.masked_array(plan.empty("spectral"), False)), "written", "mask")
        assert plan.forward(changed(changed(plan.zeros(), "shape", (6, 8, 4)), "shape", SIZES)).shape == SIZES
        raises(ValueError, lambda: plan.forward(np.zeros(SIZES, complex, order="F")), "strides", "np.ascontiguousarray")
        for data, words in (([1.0], "[1.0] (list)"), (None, "None"), (np.zeros(SIZES, "f2"), "float16")):
            raises(TypeError, lambda: plan.forward(data), "read", words)  # pylint: disable=cell-var-from-loop


def test_arguments_of_plans():
    for call, kind, words in (
            (lambda: subx.FFT(COMM, 16), TypeError, ("sizes", "list of integers", "16", "(16,)")),
            (lambda: subx.FFT(COMM, (16.0, 12)), TypeError, ("sizes", "integers", "(16.0, 12)")),
            (lambda: subx.FFT(COMM, None), TypeError, ("sizes", "None")),
            (lambda: subx.FFT(None, (4, 4)), TypeError, ("comm", "communicator", "None")),
            (lambda: subx.FFT(MPI.COMM_NULL, (4, 4)), ValueError, ("comm", "COMM_NULL")),
            (lambda: subx.FFT(COMM, (4, 4), float), TypeError, ("kind", "float", "r2c", "dtype")),
            (lambda: subx.FFT(COMM, (4, 4), ["c2c", 1]), TypeError, ("kind", "1")),
            (lambda: subx.FFT(COMM, (4, 4), modes=(3,)), ValueError, ("modes", "(3,)", "2")),
            (lambda: subx.FFT(COMM, (4, 4), physical_order=1), TypeError, ("physical_order", "1")),
            (lambda: subx.FFT(COMM, (4, 4), physical_boxes=3), TypeError, ("physical_boxes", "3")),
            (lambda: subx.FFT(COMM, (4, 4), fields=0), ValueError, ("fields", "0", "1")),
            (lambda: subx.FFT(COMM, (4, 4), fields=-1), ValueError, ("fields", "-1")),
            (lambda: subx.FFT(COMM, (4, 4), fields=1.5), TypeError, ("fields", "1.5")),
            (lambda: subx.FFT(COMM, "c2c:8x8\0x"), ValueError, ("problem", "zero byte")),
            (lambda: subx.FFT(COMM, (4, 4), wisdom="a\0b"), ValueError, ("wisdom", "zero byte")),
            (lambda: subx.predict("c2c:8x8", (1,), "a\0b"), ValueError, ("machine", "zero byte")),
            (lambda: subx.Distribution(COMM, (4, 4)).zeros().write("/nonexistent/a\0b.npy"), ValueError, ("path", "zero byte"))):
        raises(kind, call, *words)
    with subx.FFT(COMM, SIZES, "r2c") as plan:
        u = plan.zeros()
        raises(IndexError, lambda: plan.frequencies(3), "axis is 3", "3 axes")
        raises(TypeError, lambda: plan.frequencies(1.5), "axis", "1.5")
        raises(ValueError, lambda: plan.wavenumbers((1, 2)), "lengths", "(1.0, 2.0)", "3")
        raises(ValueError, lambda: plan.stages("up"), "forward", "up")
        raises(TypeError, lambda: plan.convolve(u, None), "operation", "None")
        for create in (plan.laplacian, lambda: plan.derivative((1, 0, 0))):
            assert raises(subx.Error, create, "/operation").kind == "ARG"
        double = plan.function(lambda data, start: None)
        assert raises(subx.Error, lambda: plan.convolve(u, double), "/operation").kind == "ARG"
        double.free()
        raises(ValueError, lambda: plan.forward(u, operation=double), "operation", "freed")


def test_arguments_of_arrays():
    u = subx.Distribution(COMM, SIZES).zeros()
    for call, kind, words in (
            (lambda: u.redistribute(9), IndexError, ("axis is 9", "3 axes")),
            (lambda: u.redistribute(1.5), TypeError, ("1.5", "axis")),
            (lambda: u.redistribute(None), TypeError, ("None", "axis")),
            (lambda: u.redistribute((1,)), ValueError, ("(1,)", "3")),
            (lambda: u.get(1.5), TypeError, ("axis 0", "1.5")),
            (lambda: u.get((0, None)), TypeError, ("axis 1", "None")),
            (lambda: u.get(99), IndexError, ("99", "8", "axis 0")),
            (lambda: u.get(0, COMM.size), ValueError, ("root", str(COMM.size))),
            (lambda: subx.Distribution(COMM, (9.5, 3)), TypeError, ("sizes", "9.5")),
            (lambda: subx.Distribution(COMM, (-1, 3)), ValueError, ("sizes", "-1")),
            (lambda: subx.Distribution(COMM, SIZES, (1, 1, COMM.size + 1)), ValueError, ("dims", str(COMM.size + 1))),
            (lambda: subx.Distribution(COMM, SIZES, fields=0), ValueError, ("fields", "0")),
            (lambda: subx.Distribution(COMM, SIZES).zeros(object), TypeError, ("object",)),
            (lambda: subx.Distribution(COMM, SIZES).zeros("f2").redistribute(1), TypeError, ("float16", "astype")),
            (lambda: u.distribution.empty("S5").redistribute(1), TypeError, ("S5",)),
            (lambda: u.distribution.empty("U3").redistribute(1), TypeError, ("U3",)),
            (lambda: subx.Boxes(4), TypeError, ("sizes", "4", "(4,)")),
            (lambda: subx.Redistribution(1, u), TypeError, ("have", "1")),
            (lambda: subx.Exchange(COMM, MPI.INT, [None] * COMM.size), ValueError, ("send", "list")),
            (lambda: subx.Realignment(COMM, (4, 4), 0, 3), IndexError, ("axis is 3",)),
            (lambda: subx.Halo(u.distribution, (1,), 1), ValueError, ("below", "(1,)", "3")),
            (lambda: subx.Halo(u.distribution, -1, 1), ValueError, ("below", "-1"))):
        raises(kind, call, *words)
    with subx.Redistribution(u.distribution, u.distribution) as exchange:
        for data in ([1.0], None, np.ma.masked_array(u, u == 0)):
            raises(TypeError, lambda: exchange.execute(data, u), "sent")  # pylint: disable=cell-var-from-loop
        raises(ValueError, lambda: exchange.execute(u, fixed(u.distribution.zeros())), "received", "read-only")
    with subx.Exchange(MPI.COMM_SELF, [MPI.INT], [MPI.INT]) as exchange:
        raises(TypeError, lambda: exchange.execute([1], np.zeros(1, "i")), "sent", "list")
        raises(ValueError, lambda: exchange.execute(np.zeros(1, "i"), fixed(np.zeros(1, "i"))), "received", "read-only")
    with subx.Realignment(MPI.COMM_SELF, (4, 4), 0, 1) as exchange:
        raises(ValueError, lambda: exchange.execute(np.zeros((4, 8))[:, ::2], np.zeros((4, 4))), "sent", "gaps")


def test_freed():
    """An object that has been freed says so; its text can still be printed."""
    plan, problem, boxes = subx.FFT(COMM, SIZES, operation=True), subx.Problem((4, 4)), subx.Boxes((4, 4))
    distribution = subx.Distribution(COMM, SIZES)
    exchange, halo = subx.Redistribution(distribution, distribution), subx.Halo(distribution, 0, 0)
    u, uh, v, ghosts, laplacian = plan.zeros(), plan.zeros("spectral"), distribution.zeros(), halo.zeros(), plan.laplacian()
    for each in (plan, problem, boxes, exchange, halo):
        each.free()
        assert "freed" in str(each) or isinstance(each, (subx.Boxes, subx.Exchange, subx.Halo))
        assert repr(each)
    for call, name in ((lambda: plan.forward(u), "FFT"), (lambda: plan.backward(uh), "FFT"), (lambda: plan.start(u), "FFT"),
                       (lambda: plan.convolve(u, laplacian), "FFT"), (plan.info, "FFT"), (plan.laplacian, "FFT"),
                       (lambda: subx.FFT(COMM, problem), "Problem"), (lambda: len(boxes), "Boxes"),
                       (lambda: exchange.execute(v, v), "Redistribution"), (lambda: halo.execute(ghosts), "Halo")):
        assert raises(subx.Error, call, f"this {name} has been freed").kind == "ARG"


def test_free_that_failed():
    """A plan in flight cannot be freed; after the wait it can."""
    plan = subx.FFT(COMM, SIZES)
    registry = plan._registry
    request = plan.start(plan.zeros())
    assert raises(subx.Error, plan.free).kind == "ACTIVE"
    request.wait()
    before = len(registry.entries)
    plan.free()
    assert len(registry.entries) == before - 1 and plan._pointer.value is None


def test_difference():
    """If ranks give different arguments, the text tells which, and the values of two ranks."""
    last = COMM.rank == COMM.size - 1
    d = subx.Distribution(COMM, (8, 6))
    error = raises(subx.Error, lambda: subx.Redistribution(d, subx.Distribution(COMM, (8, 7))), "8x6", "8x7")
    assert error.kind == "DIFFERS"
    if COMM.size == 1:
        return
    for call, first, other in (
            (lambda: subx.FFT(COMM, (8, 7 if last else 6)), "8x6", "8x7"),
            (lambda: subx.FFT(COMM, (8, 6), threads=2 if last else 1), "threads 1", "threads 2"),
            (lambda: subx.FFT(COMM, (8, 6), effort="measure" if last else "estimate"), "effort estimate", "effort measure"),
            (lambda: subx.Redistribution(d, d, engine="types" if last else "alltoallw"), "engine alltoallw", "engine types")):
        assert raises(subx.Error, call, "rank 0", first, f"rank {COMM.size - 1}", other).kind == "DIFFERS"
