"""test_together.py - one rank gives a wrong argument in a collective call: no rank waits for ever.

In executions the wrong rank raises its own exception, and its partners raise Error of kind PEER. In all other calls all ranks
raise the same exception, whose text names the rank. CASES has each method whose description says that it is collective."""
import contextlib
import faulthandler
import importlib
import inspect
import os
import pkgutil
import re
import shutil
import tempfile

import numpy as np
from check import COMM
from mpi4py import MPI

import subarray_x as subx
from subarray_x import mpi4py_fft

LIMIT = 60  # seconds after which a call is taken to wait for ever


def find_collective():
    """Get the names of all public classes, methods and functions that say that they are collective."""
    found = set()
    for module in [importlib.import_module(f"{package.__name__}.{info.name}") for package in (subx, mpi4py_fft)
                   for info in pkgutil.iter_modules(package.__path__) if not info.name.startswith("_")]:
        for name, thing in vars(module).items():
            if name.startswith("_") or getattr(thing, "__module__", "") != module.__name__:
                continue
            owners = [(name, thing)]
            if inspect.isclass(thing):
                owners += [(f"{name}.{member}", value) for member, value in inspect.getmembers(thing, inspect.isfunction)
                           if not member.startswith("_") or member == "__call__"]
            found |= {label for label, value in owners if re.search(r"\b[Cc]ollective\b", inspect.getdoc(value) or "")}
    return {name for name in found if name.rpartition(".")[2] not in ("free", "destroy")}  # have no arguments


def rows():
    return subx.Distribution(COMM, (6 * COMM.size, 4))


def columns():
    return subx.Distribution(COMM, (6 * COMM.size, 4), (1, COMM.size))


def read_only(u):
    copy = u.copy()
    copy.setflags(write=False)
    return copy


def cut(u):
    return u[1:]


def boxes(distribution):
    result = subx.Boxes(distribution.sizes)
    result.add([s.start for s in distribution.slices], distribution.shape)
    return result


def plan(**keywords):
    return subx.FFT(COMM, (4 * COMM.size, 8, 6), **keywords)


def pfft(**keywords):
    return mpi4py_fft.PFFT(COMM, (4 * COMM.size, 8, 6), **{"dtype": complex, **keywords})


def types(n):
    """A double for each rank, one after the other."""
    return [MPI.DOUBLE.Create_hindexed([1], [8 * q]) for q in range(n)]


def path(name):
    return os.path.join(FOLDER, name)


def executes(make, call, *wrong):
    """Describe an execution: make() makes an object and right arguments, and call(object, *arguments) executes."""
    return ("execution", make, call, wrong)


def agrees(make, call, *wrong):
    """Describe another call: make() makes an object and right arguments, and call(object, *arguments) calls."""
    return ("agreement", make, call, wrong)


def started(thing, *arguments):
    (thing.start(*arguments) or thing).wait()


# How to make wrong arguments from right ones: functions of the object and the right arguments, which return the wrong ones.
def none(i):
    return lambda thing, *right: (*right[:i], None, *right[i + 1:])


def exchange():
    return subx.Exchange(COMM, types(COMM.size), types(COMM.size)), np.zeros(COMM.size), np.zeros(COMM.size)


def realignment():
    sizes = (COMM.size * 2, COMM.size * 3)
    return subx.Realignment(COMM, sizes, 0, 1), np.zeros((sizes[0], 3)), np.zeros((2, sizes[1]))


def redistribution():
    return subx.Redistribution(rows(), columns()), rows().zeros(), columns().zeros()


def halo():
    result = subx.Halo(rows(), 1, 1, periodic=True, engine="types")  # alltoallw does not tell partners
    return result, result.zeros()


def transform():
    result = plan(operation=True)
    return result, result.zeros(), result.zeros("spectral"), result.laplacian()


def drop_in():
    result = pfft()
    return result, mpi4py_fft.newDistArray(result, False), mpi4py_fft.newDistArray(result)


def dist_array():
    return mpi4py_fft.DistArray((4 * COMM.size, 8, 6), val=1), 0


def transfer():
    a = mpi4py_fft.DistArray((4 * COMM.size, 8, 6), val=1)
    other, move = a.get_pencil_and_transfer(0)
    return move, a.v, np.zeros(other.subshape)


WRITE = [none(1), lambda u, *right: (u, 1), lambda u, *right: (cut(u), right[0]), lambda u, *right: (u.astype(">f8"), right[0])]
FORWARD = [none(0), none(1), lambda p, u, out: (u.astype("c8"), out), lambda p, u, out: (u, read_only(out)),
           lambda p, u, out: (u, out[:0])]
NOTHING = "has no arguments"
CASES = {
    "Array.get": agrees(lambda: (rows().zeros(), (1, 2)), lambda u, index: u.get(index),
                        lambda u, index: (99,), lambda u, index: ("x",), lambda u, index: ((0, 0, 0),)),
    "Array.read": agrees(lambda: (rows().zeros(), "u.npy"), lambda u, name: subx.read(path(name) if name else name, u),
                         none(0)),
    "Array.redistribute": agrees(lambda: (kept(), 1), lambda u, to: u.redistribute(to), lambda u, to: (9,),
                                 lambda u, to: ("x",), none(0), lambda u, to: (0,), lambda u, to: (columns().empty("f4"),),
                                 lambda u, to: (read_only(columns().empty()),)),
    "Array.write": agrees(lambda: (rows().zeros(), "v.npy"), lambda u, name: u.write(path(name) if name else name), none(0)),
    "Boxes.check": agrees(lambda: (boxes(rows()), True), lambda b, flag: b.check(COMM, flag), lambda b, flag: ("x",)),
    "Distribution.empty": agrees(lambda: (rows(), float), lambda d, dtype: d.empty(dtype, shared=True),
                                 lambda d, dtype: ("f3",)),
    "Exchange": agrees(lambda: (COMM, types(COMM.size)), lambda comm, send: subx.Exchange(comm, send, types(COMM.size)),
                       none(0), lambda comm, send: (types(COMM.size + 1),), lambda comm, send: (["x"] * COMM.size,)),
    "Exchange.execute": executes(exchange, subx.Exchange.execute, none(0), none(1), lambda ex, a, b: ([1.0], b),
                                 lambda ex, a, b: (a, a)),
    "Exchange.start": executes(exchange, started, none(0), none(1), lambda ex, a, b: ([1.0], b), lambda ex, a, b: (a, a)),
    "Exchange.wait": NOTHING,
    "FFT": agrees(lambda: (COMM, (8, 6), {}), lambda comm, problem, keywords: subx.FFT(comm, problem, **keywords),
                  lambda comm, *right: ("c2c:8xq", {}), lambda comm, *right: ((8, -6), {}), lambda comm, *right: (16, {}),
                  lambda comm, *right: ((8, 6), {"treads": 1}), lambda comm, *right: ((8, 6), {"dtype": "f3"}),
                  lambda comm, *right: ((8, 6), {"kind": float}), lambda comm, *right: ((8, 6), {"wisdom": "a\0b"})),
    "FFT.backward": executes(lambda: transform()[:1] + transform()[2:0:-1], subx.FFT.backward, *FORWARD[:1]),
    "FFT.convolve": executes(lambda: (lambda p, u, out, op: (p, u, op))(*transform()), subx.FFT.convolve, none(0), none(1),
                             lambda p, u, op: (u.astype("c8"), op)),
    "FFT.forward": executes(lambda: transform()[:3], subx.FFT.forward, *FORWARD[:1], *FORWARD[2:],
                            lambda p, u, out: (u, out, "x")),
    "FFT.start": executes(lambda: transform()[:3], lambda p, *a: p.start(*a).wait(), *FORWARD[:1], *FORWARD[2:],
                          lambda p, u, out: (u, out, "x")),
    "FFT.start, convolve": executes(transform, lambda p, u, out, op: p.start(u, None, op, "convolve").wait(), none(0), none(2)),
    "Halo": agrees(lambda: (rows(), 1), lambda d, width: subx.Halo(d, width, 1), none(0), lambda d, width: ((1, 2, 3),),
                   lambda d, width: (-1,)),
    "Halo.execute": executes(halo, subx.Halo.execute, none(0), lambda h, u: (u.astype("f4"),), lambda h, u: (read_only(u),)),
    "Halo.start": executes(halo, started, none(0), lambda h, u: (u.astype("f4"),)),
    "Halo.wait": NOTHING,
    "Realignment": agrees(lambda: (COMM, (4, 6)), lambda comm, sizes: subx.Realignment(comm, sizes, 0, 1), none(0),
                          lambda comm, sizes: ((4, "x"),), lambda comm, sizes: ((4, -6),), lambda comm, sizes: ((4,),)),
    "Realignment.execute": executes(realignment, subx.Realignment.execute, none(0), lambda ex, a, b: (a.astype("f4"), b),
                                    lambda ex, a, b: (a, read_only(b))),
    "Realignment.start": executes(realignment, started, none(1), lambda ex, a, b: (a, b[:0])),
    "Realignment.wait": NOTHING,
    "Redistribution": agrees(lambda: (rows(), columns(), float), subx.Redistribution, lambda *right: (right[1], "f3"),
                             lambda *right: (cut(columns().zeros()), float), lambda *right: (right[1], ">f8"), none(0)),
    "Redistribution.execute": executes(redistribution, subx.Redistribution.execute, none(0), lambda ex, a, b: (cut(a), b),
                                       lambda ex, a, b: (a, read_only(b))),
    "Redistribution.start": executes(redistribution, started, none(1), lambda ex, a, b: (a.astype("f4"), b)),
    "Redistribution.wait": NOTHING,
    "Request.wait": NOTHING,
    "calibrate": agrees(lambda: (COMM, 0.01), lambda comm, seconds: subx.calibrate(comm, seconds, wisdom="none"),
                        lambda comm, seconds: ("x",), lambda comm, seconds: (-1,), none(0)),
    "info": agrees(lambda: (COMM, "u.npy"), lambda comm, name: subx.info(path(name) if name else name, comm), none(0)),
    "read": agrees(lambda: (rows(), "u.npy", {}), lambda d, name, keywords: subx.read(path(name) if name else name, d, **keywords),
                   none(0), lambda d, name, keywords: (name, {"dtype": "f3"}), lambda d, name, keywords: (name, {"dtype": ">f8"}),
                   lambda d, name, keywords: (name, {"offset": "x"})),
    "write": agrees(lambda: (rows().zeros(), "v.npy", None), lambda u, name, other: subx.write(path(name) if name else name,
                                                                                             u if other is None else other),
                    none(0), lambda u, name, other: (name, cut(u)), lambda u, name, other: (name, u.astype(">f8"))),
    "DistArray.read": agrees(lambda: (dist_array()[0], "d.h5"), lambda a, name: a.read(path(name) if name else name, "a"), none(0)),
    "DistArray.write": agrees(lambda: (dist_array()[0], "e.h5", None), lambda a, name, slices: a.write(
        path(name) if name else name, "a", global_slice=slices), none(0), lambda a, name, slices: (name, [99, 0, 0])),
    "HDF5File.read": agrees(lambda: (mpi4py_fft.HDF5File(path("d.h5"), mode="r"), dist_array()[0]),
                            lambda file, a: file.read(a, "a"), lambda file, a: (a.T,)),
    "FileBase.write": "HDF5File writes",
    "NCFile.write": "there is no NetCDF",
    "HDF5File": "it calls open",
    "HDF5File.open": agrees(lambda: (mpi4py_fft.HDF5File(path("o.h5")), "w"), lambda file, mode: file.open(mode),
                            lambda file, mode: ("q",)),
    "HDF5File.write": agrees(lambda: (mpi4py_fft.HDF5File(path("e.h5")), dist_array()[0], None), lambda file, a, slices: file.write(
        0, {"a": [a if slices is None else (a, slices)]}), lambda file, a, slices: (a, [99, 0, 0]),
        lambda file, a, slices: (a, ["x"])),
    "DistArray.get": agrees(dist_array, lambda a, i: a.get((i, 0, 0)), lambda a, i: (99,), lambda a, i: ("x",)),
    "DistArray.redistribute": agrees(dist_array, lambda a, axis: a.redistribute(axis), lambda a, axis: (9,), none(0),
                                     lambda a, axis: ("x",)),
    "make_plan": "PFFT calls it",
    "PFFT": agrees(lambda: (COMM, {}), lambda comm, keywords: pfft(**keywords), lambda comm, keywords: ({"dtype": "f3"},),
                   lambda comm, keywords: ({"dtype": int},), lambda comm, keywords: ({"axes": (0, 9)},),
                   lambda comm, keywords: ({"axes": ("x",)},), lambda comm, keywords: ({"grid": 5},)),
    "Transfer.backward": executes(transfer, lambda t, a, b: t.backward(b, a), none(0), lambda t, a, b: (a.astype("f4"), b)),
    "Transfer.forward": executes(transfer, mpi4py_fft.pencil.Transfer.forward, none(1), lambda t, a, b: (a.astype("f4"), b)),
    "Transform.__call__": executes(drop_in, lambda p, a, b: p.forward(a, b), lambda p, a, b: (a[:0, :0], b),
                                   lambda p, a, b: ("x", b)),
}
FOLDER = ""


def kept():
    """Make an array with an exchange that is kept."""
    u = rows().zeros()
    u.redistribute(1)
    return u


def test_all_methods_have_a_case():
    found = find_collective()
    tested = {name.partition(",")[0] for name in CASES}
    missing, others = sorted(found - tested), sorted(tested - found)
    assert not missing, f"collective, and without a case: {missing}"
    assert not others, f"cases of methods that do not exist, or do not say that they are collective: {others}"


def try_call(name, kind, call, thing, arguments, wrong):
    """Make a call in which rank `wrong` has wrong arguments, and check what it raises on all ranks."""
    raised = None
    faulthandler.dump_traceback_later(LIMIT, exit=True)
    try:
        call(thing, *arguments)
    except Exception as error:  # pylint: disable=broad-except
        raised = error
    finally:
        faulthandler.cancel_dump_traceback_later()
    told = COMM.allgather((type(raised).__name__, getattr(raised, "kind", ""), str(raised), getattr(raised, "__notes__", [])))
    texts = f"{name}, rank {wrong} is wrong: {told}"
    assert told[wrong][0] != "NoneType", texts
    if kind == "execution":
        assert all(others[1] == "PEER" for rank, others in enumerate(told) if rank != wrong), texts
        assert told[wrong][1] != "PEER", texts
    elif COMM.size > 1:
        assert all(each[:2] == told[0][:2] for each in told), texts
        assert told[0][1] or all(f"on rank {wrong} " in each[2] + "".join(each[3]) for each in told), texts


def try_case(name, case):
    """Make a call with all its wrong arguments, one after the other. Afterwards a right call must succeed."""
    kind, make, call, changes = case
    thing, *right = make()
    for i, change in enumerate(changes):
        wrong = i % COMM.size
        try_call(f"{name}, argument {i}", kind, call, thing, change(thing, *right) if COMM.rank == wrong else right, wrong)
    call(thing, *right)


def test_one_wrong_rank():
    global FOLDER
    if COMM.size not in (2, 3):  # one rank has no others; more ranks are as three
        return
    FOLDER = COMM.bcast(tempfile.mkdtemp() if COMM.rank == 0 else None)
    has_hdf5 = "hdf5" in subx.formats()
    rows().zeros().write(path("u.npy"))
    if has_hdf5:
        dist_array()[0].write(path("d.h5"), "a")
    with contextlib.ExitStack() as stack:
        if COMM.rank == 0:
            stack.callback(shutil.rmtree, FOLDER, True)
        for name, case in CASES.items():
            if not isinstance(case, str) and (has_hdf5 or not name.startswith(("DistArray.read", "DistArray.write", "HDF5"))):
                try_case(name, case)
        COMM.Barrier()
