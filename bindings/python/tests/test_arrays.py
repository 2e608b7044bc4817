"""test_arrays.py - distributed arrays, exchanges, halos, files and datatypes, at any number of ranks, against NumPy and MPI."""
import os
import pickle
import random
import shutil
import tempfile

import numpy as np
from check import COMM, close, field, raises
from mpi4py import MPI

import subarray_x as subx
from subarray_x import types


def spread(whole, distribution, **keywords):
    u = distribution.empty(whole.dtype, **keywords)
    u[...] = whole[u.slices]
    return u


def test_distribution():
    d = subx.Distribution(COMM, (7, 5, 3), (0, 0, 1))
    assert np.prod(d.dims) == COMM.size and d.dims[2] == 1
    counts = np.zeros((7, 5, 3), "i")
    counts[d.slices] = 1
    COMM.Allreduce(MPI.IN_PLACE, counts)
    assert (counts == 1).all()
    raises(ValueError, lambda: subx.Distribution(COMM, (4, 4), (COMM.size + 1, 1)), "multiply")
    raises(ValueError, lambda: subx.Distribution(COMM, (4, 4), (COMM.size,)), "dims has 1 entries, not 2")
    raises(ValueError, lambda: subx.Distribution(COMM, (4, 4), order=(0, 0)), "permutation")
    i, j, k = d.indices()
    assert (i.shape[0], j.shape[1], k.shape[2]) == d.shape and (k.ravel() == range(3)).all()


def test_array():
    d = subx.Distribution(COMM, (4 * COMM.size, 4), order=(0, 1))
    u = d.zeros()
    assert u.strides[0] == 8 and u.ctypes.data % 64 == 0
    assert (u + 1).distribution is d and np.exp(u).distribution is d and (u == 0).distribution is d
    assert u[...].distribution is d and u[1:].distribution is None and u[::-1].distribution is None
    assert u.T.distribution is None and u.reshape(-1).distribution is None and u.sum() == 0
    raises(ValueError, lambda: u[1:].get(), "no distribution")
    assert u._address and not u[...]._address and not (u + 1)._address
    assert isinstance(u.sum(), float) and isinstance(u.max(), float)
    same = u
    u *= 2
    u += 1
    assert u is same and (u == 1).all()
    copy = pickle.loads(pickle.dumps(np.asarray(u)))
    assert (copy == u).all()


def test_get():
    whole = field((5, 4, 6))
    root = COMM.size - 1
    generator = random.Random(3)
    for order in (None, (0, 1, 2), (1, 2, 0)):
        u = spread(whole, subx.Distribution(COMM, whole.shape, (0, 0, 1), order=order))
        for _ in range(12):
            index = tuple(generator.choice([slice(None), generator.randrange(-n, n),
                                            slice(generator.randrange(n), generator.randrange(n + 3), generator.randrange(1, 4))])
                          for n in whole.shape[:generator.randrange(4)])
            part = u.get(index, root)
            if COMM.rank == root:
                assert np.array_equal(part, whole[index]), index
            else:
                assert part is None
    part = u.get((Ellipsis, 2))
    assert COMM.rank or np.array_equal(part, whole[..., 2])
    raises(IndexError, lambda: u.get((0, 0, 0, 0)))
    raises(IndexError, lambda: u.get(5))


def test_redistribute():
    whole = field((6, 7, 5), complex)
    u = spread(whole, subx.Distribution(COMM, whole.shape))
    for to in (0, 1, 2, -1, (1, 1, COMM.size), (0, 1, 0), subx.Distribution(COMM, whole.shape, (0, 0, 0), order=(0, 2, 1))):
        v = u.redistribute(to)
        assert np.array_equal(v, whole[v.slices]), to
        w = u.distribution.empty(complex)
        assert v.redistribute(w) is w and np.array_equal(w, u)
    assert u.redistribute(1).shape[1] == 7 and u.redistribute(0).shape[0] == 6
    known = len(u.distribution._exchanges)
    u.redistribute(1)
    assert len(u.distribution._exchanges) == known
    raises(TypeError, lambda: u.redistribute(subx.Distribution(COMM, whole.shape).empty("f4")), "float32")
    error = raises(subx.Error, lambda: u.redistribute(subx.Distribution(COMM, (6, 7, 6))))
    assert error.kind in ("GAP", "DIFFERS", "SIZE"), error.kind
    shared = spread(whole, subx.Distribution(COMM, whole.shape), shared=True)
    v = shared.redistribute(2)
    assert np.array_equal(v, whole[v.slices])
    fields = subx.Distribution(COMM, (4, 5), fields=3)
    a = fields.empty("i4")
    a[...] = np.arange(60).reshape(3, 4, 5)[a.slices]
    b = a.redistribute(0)
    assert np.array_equal(b, np.arange(60).reshape(3, 4, 5)[b.slices])


def test_redistribution_of_plans():
    """From the spectral side of a plan to slabs of axis 2."""
    whole = field((6, 7, 9))
    with subx.FFT(COMM, (6, 7, 9), "r2c", output_order="transposed") as plan:
        u = plan.empty()
        u[...] = whole[u.slices]
        v = plan.forward(u).redistribute((1, 1, COMM.size))
        close(v, np.fft.rfftn(whole)[v.slices])


def test_exchange():
    """Each rank sends column q of its matrix to rank q. The result is compared with MPI_Alltoallw's."""
    p, r = COMM.size, COMM.rank
    a = field((4, p, 2), seed=r)
    block = [types.create_subarray(a.shape, (4, 1, 2), (0, q, 0), MPI.DOUBLE, order=(0, 1, 2)) for q in range(p)]
    plain = [MPI.DOUBLE.Create_subarray(a.shape, (4, 1, 2), (0, q, 0)) for q in range(p)]
    expected, found = np.zeros_like(a), np.zeros_like(a)
    for t in block + plain:
        t.Commit()
    COMM.Alltoallw([a, ([1] * p, [0] * p), block], [expected, ([1] * p, [0] * p), plain])
    for engine in ("auto", "alltoallv", "alltoallw"):
        with subx.Exchange(COMM, block, plain, engine=engine) as ex:
            found.fill(0)
            ex.start(a, found)
            while not ex.test():
                pass
            ex.wait()
            assert np.array_equal(found, expected), engine
            assert ex.engine in subx.engines() and ex.info()["engine"] == ex.engine
            found.fill(0)
            ex.execute(a, found)
            assert np.array_equal(found, expected), engine
    raises(ValueError, lambda: subx.Exchange(COMM, block + block, plain))
    for t in block + plain:
        t.Free()


def test_realignment():
    n, p, r = 9, COMM.size, COMM.rank
    whole = field((4, n, n))
    (na, sa), = [subx.block(n, p, r)]
    a = np.ascontiguousarray(whole[:, :, sa:sa + na])
    b = np.zeros((4, na, n))
    with subx.Realignment(COMM, whole.shape, 1, 2) as ex:
        ex.execute(a, b)
        raises(ValueError, lambda: ex.execute(a, np.zeros(1)), "8 bytes")
    assert np.array_equal(b, whole[:, sa:sa + na, :])


def test_boxes():
    boxes = subx.Boxes((6, 6))
    boxes.add((0, 0), (2, 3))
    assert boxes[0] == ((0, 0), (2, 3)) and boxes.elements == 6
    assert raises(subx.Error, lambda: boxes.add((5, 5), (2, 2))).kind == "SIZE"
    error = raises(subx.Error, lambda: boxes.check(COMM, must_cover=True))
    assert error.kind == ("GAP" if COMM.size == 1 else "OVERLAP"), error.kind
    raises(TypeError, lambda: subx.Redistribution(boxes, boxes), "comm")
    raises(ValueError, lambda: boxes.add((0, 0), (1, 1), order=(0,)), "order has 1 entries, not 2")
    raises(ValueError, lambda: boxes.add((0, 0), (1, 1), offset=7), "offset without strides")
    raises(ValueError, lambda: boxes.add((0, 0), (1, 1), (0, 1), strides=(1, 1)), "order with strides")
    # Every rank wants all data of rank 0.
    have, want = subx.Boxes((3, 2)), subx.Boxes((3, 2))
    have.add((0, 0), (3 if COMM.rank == 0 else 0, 2))
    want.add((0, 0), (3, 2))
    a, b = np.arange(6.0), np.zeros(6)
    with subx.Redistribution(have, want, comm=COMM) as ex:
        ex.execute(a, b)
        raises(ValueError, lambda: ex.execute(a, np.zeros(3)), "3 elements")
    assert np.array_equal(a, b)


def test_halo():
    whole = field((5, 6))
    d = subx.Distribution(COMM, whole.shape, (0, 0))
    padded = np.pad(whole, ((1, 2), (2, 1)), "wrap")
    with subx.Halo(d, (1, 2), (2, 1), periodic=True) as halo:
        u = halo.zeros()
        halo.inside(u)[...] = whole[d.slices]
        halo.start(u)
        halo.test()
        halo.wait()
        if min(d.shape):
            assert np.array_equal(u, padded[tuple(slice(s, s + n) for s, n in zip(d.start, u.shape))])
        raises(ValueError, lambda: halo.execute(np.zeros((2, 2))), "shape (2, 2)")


def test_files():
    folder = COMM.bcast(tempfile.mkdtemp() if COMM.rank == 0 else None)
    whole = field((6, 5, 4), complex)
    d = subx.Distribution(COMM, whole.shape, (0, 0, 1), order=(1, 0, 2))
    u = spread(whole, d)
    try:
        for name in ["u.npy", "u.raw"] + (["u.h5"] if "hdf5" in subx.formats() else []):
            path = os.path.join(folder, name)
            u.write(path)
            if name == "u.npy" and COMM.rank == 0:
                assert np.array_equal(np.load(path), whole)
            if name == "u.raw" and COMM.rank == 0:
                assert np.array_equal(np.fromfile(path, complex).reshape(whole.shape), whole)
            v = subx.Distribution(COMM, whole.shape, (1, 1, COMM.size)).zeros(complex)
            v.read(path)
            assert np.array_equal(v, whole[v.slices]), name
            if name != "u.raw":
                assert subx.info(path, COMM)[:2] == ((6, 5, 4), np.dtype(complex))
                assert np.array_equal(subx.read(path, d), u)
        check_datasets(folder, u, whole)
        check_file_errors(folder, d)
        with subx.FFT(COMM, (6, 5, 4), "r2c", padded=True) as plan:  # with gaps
            w = plan.empty()
            w[...] = whole.real[w.slices]
            w.write(os.path.join(folder, "w.npy"))
            again = plan.zeros().read(os.path.join(folder, "w.npy"))
            assert np.array_equal(again, w)
            if COMM.rank == 0:
                assert np.array_equal(np.load(os.path.join(folder, "w.npy")), whole.real)
        COMM.Barrier()
    finally:
        if COMM.rank == 0:
            shutil.rmtree(folder)


def check_datasets(folder, u, whole):
    """Several datasets of an HDF5 file, which h5py reads. Writing adds a dataset. A dataset of another shape or type is replaced
    only if the caller says so."""
    if "hdf5" not in subx.formats():
        return
    path = os.path.join(folder, "many.h5")
    u.write(path, "step0/u")
    u.write(path, "step1/u")
    v = u.distribution.zeros(complex)
    v.write(path, "step1/u")
    u.write(path, "step1/u")
    assert np.array_equal(v.read(path, "step1/u"), u)
    small = subx.Distribution(COMM, (3, 2)).zeros()
    words = "6x5x4 elements of complex128", "3x2 elements of float64"
    error = raises(subx.Error, lambda: small.write(path, "step1/u"), path, *words)
    assert error.kind == "FILE_ARRAY"
    raises(subx.Error, lambda: u.distribution.zeros().write(path, "step1/u"), "6x5x4 elements of float64")
    raises(subx.Error, lambda: u.write(path, "u", keep=True), "subx_append")
    small.write(path, "v")
    small.write(path, "once")
    small.write(os.path.join(folder, "alone.h5"), "u")
    small.write(os.path.join(folder, "alone.h5"), "v", append=False)
    u.write(path, "v", append="replace")
    COMM.Barrier()
    if COMM.rank == 0:
        try:
            import h5py
        except ImportError:
            print("left out: h5py is not here")
            return
        with h5py.File(path, "r") as file:
            for name in ("step0/u", "step1/u", "v"):
                assert np.array_equal(file[name][...], whole), name
            assert file["once"].shape == (3, 2)
        with h5py.File(os.path.join(folder, "alone.h5"), "r") as file:
            assert list(file) == ["v"]


def check_file_errors(folder, d):
    """Errors name the file, what it has and what was asked for, on all ranks. d is the distribution of an array that "u.npy" has
    with other elements."""
    u = d.zeros()

    def fails(name, kind, *words, dataset=None, to=u):
        error = raises(subx.Error, lambda: to.read(os.path.join(folder, name), dataset), os.path.join(folder, name) + ": ", *words)
        assert error.kind == kind, (name, error.kind)

    fails("u.npy", "FILE_ARRAY", "6x5x4 elements of complex128", "not 6x5x4 elements of float64")
    fails("u.npy", "FILE_ARRAY", "6x5x4 elements of complex128", "not 7x2 elements of complex64",
          to=subx.Distribution(COMM, (7, 2)).zeros("c8"))
    fails("u.raw", "FILE_END", "1920 bytes", "ends after 3840", to=subx.Distribution(COMM, (6, 5, 8)).zeros(complex))
    fails("none.npy", "MPI")
    fails("none/u.npy", "MPI")
    raises(subx.Error, lambda: u.write(os.path.join(folder, "none", "u.npy")), os.path.join(folder, "none", "u.npy") + ": ")
    raises(subx.Error, lambda: d.zeros("?").write(os.path.join(folder, "b.npy")), "b.npy: ", "C_BOOL", "float64")
    if COMM.rank == 0:
        for name, kind in (("half", "f2"), ("bool", "?"), ("object", object), ("struct", [("a", "f8"), ("b", "i4")])):
            np.save(os.path.join(folder, name + ".npy"), np.zeros((6, 5, 4), kind), allow_pickle=True)
    COMM.Barrier()
    for name, word in (("half", "<f2"), ("bool", "|b1"), ("object", "|O"), ("struct", "a NumPy structure")):
        fails(name + ".npy", "TYPE", word, "float64")
    if "hdf5" in subx.formats() and COMM.bcast(COMM.rank == 0 and make_foreign(folder)):
        fails("foreign.h5", "FILE_ARRAY", "several datasets", "subx_dataset")
        fails("foreign.h5", "FILE_ARRAY", "no dataset nothing", dataset="nothing")
        fails("foreign.h5", "FILE_ARRAY", "2x3 elements of float64", dataset="plain")
        for name, word in (("half", "float, 2 bytes"), ("bool", "bool"), ("struct", "struct, 12 bytes"), ("words", "string")):
            fails("foreign.h5", "TYPE", word, "float64", dataset=name)
        fails("foreign.h5", "NDIMS", "0 axes", dataset="number")
        small = subx.Distribution(COMM, (2, 3)).zeros()
        fails("foreign.h5", "UNAVAILABLE", "filter lzf", dataset="lzf", to=small)
        fails("foreign.h5", "UNAVAILABLE", "other files", dataset="virtual", to=small)
        fails("foreign.h5", "UNAVAILABLE", "other files", dataset="external", to=small)
        assert (small.read(os.path.join(folder, "foreign.h5"), "packed") == 1).all()


def make_foreign(folder):
    """Write datasets by h5py that this package cannot read; False without h5py."""
    try:
        import h5py
    except ImportError:
        return False
    ones = np.ones((2, 3))
    with h5py.File(os.path.join(folder, "foreign.h5"), "w") as file:
        file["plain"] = ones
        file["half"], file["bool"] = ones.astype("f2"), ones.astype("?")
        file["struct"] = np.zeros((2, 3), [("a", "f8"), ("b", "i4")])
        file["words"] = np.array(["a", "b"], dtype=object)
        file["number"] = 1.0
        file.create_dataset("packed", data=ones, chunks=(1, 3), compression="gzip")
        file.create_dataset("lzf", data=ones, chunks=(1, 3), compression="lzf")
        file.create_dataset("external", (2, 3), "f8", external=[("external.raw", 0, 48)])
        layout = h5py.VirtualLayout((2, 3), "f8")
        layout[:] = h5py.VirtualSource("other.h5", "plain", (2, 3))
        file.create_virtual_dataset("virtual", layout)
    return True


def test_types():
    a = np.arange(24.0).reshape(4, 6)
    t = types.create_subarray(a.shape, (2, 3), (1, 2), MPI.DOUBLE, order=(0, 1))
    plain = MPI.DOUBLE.Create_subarray(a.shape, (2, 3), (1, 2))
    t.Commit()
    plain.Commit()
    block = a[1:3, 2:5]
    assert np.array_equal(types.pack(a, t).view(float), block.T.ravel())
    packed = np.zeros(t.Get_size(), "u1")
    t.Pack(a, packed, 0, MPI.COMM_SELF)
    assert np.array_equal(types.pack(a, t), packed)
    back = np.zeros_like(a)
    types.unpack(packed, back, t)
    assert np.array_equal(back[1:3, 2:5], block) and back.sum() == block.sum()
    # MPI itself sends with the type of one order and receives with the type of the other.
    b = np.zeros_like(a)
    COMM.Sendrecv([a, 1, t], (COMM.rank + 1) % COMM.size, 0, [b, 1, plain], (COMM.rank - 1) % COMM.size, 0)
    assert np.array_equal(b[1:3, 2:5].ravel(), block.T.ravel())
    found = types.get_subarray(t)
    assert found[:3] == ((4, 6), (2, 3), (1, 2)) and found.order == (0, 1) and found.element == MPI.DOUBLE
    assert types.get_subarray(plain).order == (1, 0)
    assert types.layout(t) == ((2, 3), (48, 8), 8, 64), types.layout(t)
    assert types.match(t, plain) and not types.match(t, MPI.INT)
    assert types.is_fileview(plain) and not types.is_fileview(t)
    assert "4" in types.describe(t)
    raises(ValueError, lambda: types.pack(a[:2].copy(), t), "leaves")
    assert raises(subx.Error, lambda: types.get_subarray(MPI.INT)).kind == "NOT_SUBARRAY"
    assert raises(subx.Error, lambda: types.create_subarray((4,), (5,), (0,), MPI.INT)).kind == "SIZE"
    raises(ValueError, lambda: types.create_subarray((4,), (5, 5), (0,), MPI.INT))
    big = types.create_subarray((1 << 33, 4), (1 << 32, 2), (0, 1), MPI.BYTE)
    assert types.get_subarray(big).sizes == (1 << 33, 4)
    for each in (t, plain, big):
        each.Free()
