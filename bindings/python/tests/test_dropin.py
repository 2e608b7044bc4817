"""test_dropin.py - the names of mpi4py-fft: transforms against numpy.fft and scipy.fft, and how arrays are divided."""
import functools
import importlib.util
import os
import shutil
import tempfile
import xml.etree.ElementTree as xml

import numpy as np
import scipy.fft
from mpi4py import MPI
from check import COMM, close, field, raises

import subarray_x as subx
from subarray_x.mpi4py_fft import (DistArray, FileBase, HDF5File, NCFile, PFFT, Pencil, Subcomm, fftw, generate_xdmf, libfft, mpifft,
                                   newDistArray)
from subarray_x.mpi4py_fft.__main__ import install


def compare(fft, whole, expected):
    """Compare forward's output with `expected`, and backward's output with `whole`. Forward divides by the number of points."""
    u = newDistArray(fft, False)
    u[:] = whole[fft.local_slice(False)]
    assert (u.global_shape, u.local_slice()) == (fft.global_shape(False), fft.local_slice(False))
    u_hat = fft.forward(u, newDistArray(fft))
    assert u_hat.global_shape == expected.shape and isinstance(u_hat, DistArray)
    close(u_hat, expected[u_hat.local_slice()])
    close(fft.backward(u_hat, newDistArray(fft, False)), whole[u.local_slice()])
    # Without arrays, those of the transform are used; other types are converted.
    fft.forward.input_array[...] = u
    close(fft.forward(), expected[u_hat.local_slice()])
    close(fft.backward(), whole[u.local_slice()])
    close(fft.forward(u, normalize=False), np.asarray(u_hat) * fft._plans.factor)
    fft.destroy()


def test_pfft():
    for shape, axes, grid in (((12, 13, 14), None, None), ((12, 13, 14), (0, 2, 1), None), ((12, 13, 14), ((0,), (1, 2)), None),
                              ((12, 13, 14), None, (-1,)), ((12, 13), (-1, -2), None), ((6, 7, 8, 9), ((0,), (1,), (2, 3)), None)):
        whole = field(shape, complex)
        compare(PFFT(COMM, shape, axes=axes, dtype=complex, grid=grid), whole, np.fft.fftn(whole, norm="forward"))
        order = [a for group in (axes or range(len(shape))) for a in (group if isinstance(group, tuple) else [group])]
        expected = np.fft.rfftn(whole.real, axes=order, norm="forward")
        compare(PFFT(COMM, shape, axes=axes, grid=grid), whole.real.copy(), expected)


def test_some_axes():
    whole = field((8, 9, 10), complex)
    compare(PFFT(COMM, whole.shape, axes=(1,), dtype=complex), whole, np.fft.fft(whole, axis=1, norm="forward"))
    compare(PFFT(COMM, whole.shape, axes=(2, 0), dtype=complex), whole, np.fft.fftn(whole, axes=(2, 0), norm="forward"))


def test_cosines():
    whole = field((8, 9, 10))
    dct, idct = functools.partial(fftw.dctn, type=3), functools.partial(fftw.idctn, type=3)
    fft = PFFT(COMM, whole.shape, axes=((0,), (1, 2)), transforms={(1, 2): (dct, idct)})
    expected = np.fft.rfft(scipy.fft.dctn(whole, type=3, axes=(1, 2)), axis=0) / (8 * 18 * 20)
    compare(fft, whole, expected)
    raises(NotImplementedError, lambda: PFFT(COMM, (8, 8), transforms={(1,): (abs, abs)}), "abs")


def test_complex_of_real():
    """Complex transforms of real arrays give all modes; backward gives the real parts."""
    whole = field((8, 9, 10))
    fft = PFFT(COMM, whole.shape, axes=(0, 1, 2), transforms={(axis,): (np.fft.fftn, np.fft.ifftn) for axis in range(3)})
    compare(fft, whole, np.fft.fftn(whole, norm="forward"))


def test_padding():
    """Padding with odd numbers of modes: with even numbers, two frequencies would share the highest mode."""
    modes = (7, 9, 11)
    fft = PFFT(COMM, modes, dtype=complex, padding=[1.5, 1.5, 1.5])
    assert fft.global_shape(True) == modes and fft.global_shape(False) == (10, 13, 16)
    spectrum = field(modes, complex)
    padded = np.zeros((10, 13, 16), complex)
    padded[np.ix_(*[np.fft.fftfreq(n, 1 / n).astype(int) for n in modes])] = spectrum
    whole = np.fft.ifftn(padded, norm="forward")
    u_hat = newDistArray(fft)
    u_hat[:] = spectrum[u_hat.local_slice()]
    u = fft.backward(u_hat)
    close(u, whole[fft.local_slice(False)])
    close(fft.forward(u), spectrum[u_hat.local_slice()])
    fft.destroy()
    # An array has the padded lengths already.
    a = DistArray((10, 13, 16), dtype=complex)
    a[:] = whole[a.local_slice()]
    fft = PFFT(COMM, darray=a, padding=[1.5, 1.5, 1.5])
    assert fft.global_shape(False) == (10, 13, 16) and fft.global_shape(True) == (7, 9, 11)
    close(fft.forward(a), spectrum[fft.local_slice()])
    raises(ValueError, lambda: PFFT(COMM, modes, axes=((0,), (1, 2)), padding=[1, 1, 1.5]), "(1, 2)", "together")
    raises(ValueError, lambda: PFFT(COMM, modes, padding=[1.5, 1.5]), "3 axes")


def test_darray():
    whole = field((6, 7, 8))
    a = DistArray(whole.shape, subcomm=(0, 0, 1))
    a[:] = whole[a.local_slice()]
    b = a.redistribute(0)
    assert b.alignment == 0 and np.array_equal(b, whole[b.local_slice()])
    c = b.redistribute(out=DistArray(whole.shape, subcomm=a.pencil.subcomm, alignment=2))
    assert np.array_equal(c, a)
    again = DistArray(whole.shape, subcomm=b.pencil.subcomm, alignment=0, val=0)
    assert b.redistribute(0, out=again) is again and np.array_equal(again, b) and b.redistribute(0) is b
    part = a.get((2, slice(None), 3))
    assert np.array_equal(part, whole[2, :, 3]) if COMM.rank == 0 else part is None
    v = DistArray((3, 6, 7, 8), rank=1, val=2)
    assert v.shape[0] == 3 and v[1].rank == 0 and isinstance(v[1], DistArray) and (v.redistribute(0) == 2).all()
    d = DistArray(whole.shape)
    d[:] = whole[d.local_slice()]
    fft = PFFT(COMM, darray=d)
    close(fft.forward(d), np.fft.rfftn(whole, norm="forward")[fft.local_slice()])
    t = DistArray((2,) + whole.shape, rank=1, alignment=0)
    t[:] = whole[t.local_slice()[1:]]
    t = t.redistribute(-1)
    assert t.alignment == 2 and all(np.array_equal(part, whole[t.local_slice()[1:]]) for part in t)
    p = Pencil(Subcomm(COMM, [0, 1]), (5, 4))
    assert p.subshape == (subx.block(5, COMM.size, COMM.rank)[0], 4) and p.pencil(0).axis == 0


def test_serial():
    whole = field((5, 6), complex)
    fft = libfft.FFT((5, 6), dtype=complex)
    close(fft.forward(whole), np.fft.fftn(whole, norm="forward"))
    planned = fftw.rfftn(fftw.aligned((4, 6)), axes=(0, 1))
    close(planned(whole.real[:4]), np.fft.rfftn(whole.real[:4]))
    again = fftw.irfftn(planned.output_array.copy(), axes=(0, 1))
    close(again(normalize=True), whole.real[:4])
    # Arrays of a call are read and written in place of the arrays of the plan.
    mine = fftw.aligned((5, 6), dtype=complex, fill=7)
    plan, out = fftw.fftn(mine, axes=(0, 1)), np.empty((5, 6), complex)
    assert plan(whole, out) is out and (mine == 7).all() and not plan.output_array.any()
    close(out, np.fft.fftn(whole))
    plan(whole, out, implicit=False)
    assert np.array_equal(mine, whole) and np.array_equal(plan.output_array, out)
    plan = fftw.get_planned_FFT(mine, out, (1,), fftw.FFTW_BACKWARD, normalization=0.5)
    close(plan(whole, normalize=True), np.fft.ifft(whole, norm="forward") / 2)
    spectrum = fftw.aligned((5, 4), dtype=complex)
    spectrum[...] = whole[:, :4]
    close(fftw.hfftn(spectrum)(), np.fft.irfft(spectrum, norm="forward"))  # mpi4py-fft does not conjugate
    close(fftw.ihfftn(fftw.aligned((5, 6)))(whole.real), np.fft.rfft(whole.real))
    assert fftw.inverse[fftw.dctn] is fftw.idctn and fftw.fftlib["D"].FFT is fftw.get_planned_FFT
    raises(NotImplementedError, lambda: fftw.get_planned_FFT(whole.real.copy(), whole.real.copy(), (1,), 0), "kinds [0]")
    raises(ValueError, lambda: fftw.irfftn(spectrum, s=(9,)), "9", "4 elements")
    for wrong in (lambda: fftw.fftn(whole.real), lambda: fftw.rfftn(whole), lambda: fftw.dctn(whole)):
        raises(TypeError, wrong, "elements of")


def test_repeated_axes():
    """Every function with axes refuses an axis that comes twice, or that the array does not have."""
    x, r = field((4, 3), complex), field((4, 3))
    for axes in ((1, 1), (-1, -1), (0, -2), (1, 0, 1), (2,), (-3,), ()):
        for a, planners in ((x, (fftw.fftn, fftw.ifftn, fftw.irfftn, fftw.hfftn)),
                            (r, (fftw.rfftn, fftw.ihfftn, fftw.dctn, fftw.idctn, fftw.dstn, fftw.idstn))):
            for planner in planners:
                raises(ValueError, functools.partial(planner, a, axes=axes), "not different axes")
        for call in (functools.partial(fftw.get_planned_FFT, x, x.copy()), functools.partial(libfft.FFT, (4, 3)),
                     functools.partial(PFFT, COMM, (4, 3))):
            raises(ValueError, functools.partial(call, axes=axes), "not different axes")
    raises(ValueError, lambda: PFFT(COMM, (4, 3), axes=((1,), (0, 1))), "not different axes")
    raises(subx.Error, lambda: subx.FFT(COMM, (4, 3), sequence=(1, 1)), "each transformed axis once")
    raises(ValueError, lambda: subx.Distribution(COMM, (4, 3), order=(1, 1)), "permutation")


def test_transform_of_parts():
    """A transform that a program puts together, as shenfun does; and where shenfun imports its parts from. No rank
    is without data, because serial transforms of mpi4py-fft refuse an axis of length 0."""
    whole = field((9, 10), complex)
    first = Pencil(Subcomm(COMM, [0, 1]), whole.shape, 1)
    last = first.pencil(0)
    serial = [libfft.FFT(first.subshape, axes=(1,), dtype=complex), libfft.FFT(last.subshape, axes=(0,), dtype=complex)]
    move = first.transfer(last, complex)
    forward = mpifft.Transform([s.forward for s in serial], [move.forward], [first, last])
    backward = mpifft.Transform([s.backward for s in serial[::-1]], [move.backward], [last, first])
    assert (forward.input_pencil, forward.output_pencil) == (first, last)
    u = whole[first.slices]
    u_hat = np.empty(last.subshape, complex)
    close(forward(u, u_hat), np.fft.fftn(whole, norm="forward")[last.slices])
    close(backward(u_hat), u)
    close(forward(u, normalize=False), np.fft.fftn(whole)[last.slices])
    raises(ValueError, lambda: mpifft.Transform([serial[0].forward], [move.forward], [first, last]), "1 serial transforms have 0")
    move.destroy()
    install()
    from mpi4py_fft.fftw.utilities import FFTW_MEASURE
    from mpi4py_fft.mpifft import Transform
    assert FFTW_MEASURE == 0 and Transform is mpifft.Transform


def test_files():
    raises(NotImplementedError, lambda: NCFile("u.nc"), "u.nc")
    raises(NotImplementedError, lambda: DistArray((4, 4)).write("u.nc"), "u.nc")
    raises(NotImplementedError, lambda: DistArray((4, 4)).read("u.nc"), "u.nc")
    if "hdf5" not in subx.formats():
        return
    folder = COMM.bcast(tempfile.mkdtemp() if COMM.rank == 0 else None)
    path = os.path.join(folder, "u.h5")
    whole = field((6, 7, 8))
    u = DistArray(whole.shape)
    u[:] = whole[u.local_slice()]
    vector = DistArray((3,) + whole.shape, rank=1, val=3)
    for step in (0, 1):
        u.write(path, "u", step)
    HDF5File(path).write(1, {"v": [vector]})
    v = DistArray(whole.shape, alignment=0)
    v.read(path, "u", 1)
    assert np.array_equal(v, whole[v.local_slice()])
    other = DistArray((3,) + whole.shape, rank=1)
    other.read(path, "v", 1)
    assert (other == 3).all()
    check_modes(folder, u)
    check_slices(folder)
    COMM.Barrier()
    if COMM.rank == 0:
        shutil.rmtree(folder)


def check_modes(folder, u):
    """What a file keeps: everything, unless its mode is w. Shapes and domains are written once."""
    path = os.path.join(folder, "modes.h5")
    raises(FileNotFoundError, lambda: HDF5File(path, mode="r"), path)
    file = HDF5File(path, domain=((0, 1), (0, 2), (0, 3)), mode="w")
    assert isinstance(file, FileBase) and file.backend() == "hdf5"
    file.write(0, {"u": [u]})
    file.close()
    file.open()
    u.write(file, "u", 1)
    u.write(path, "u", 2)  # with the usual domain, which does not replace the file's
    u.write(path, "v")
    for step in range(3):
        v = DistArray(u.global_shape)
        v.read(path, "u", step)
        assert np.array_equal(u, v)
    alone = subx.Distribution(MPI.COMM_SELF, (2,))
    assert subx.read(path, alone, dataset="u/domain/x2").tolist() == [0, 3]
    raises(ValueError, lambda: DistArray((5, 5, 5)).write(path, "u", 9), "(6, 7, 8)", "(5, 5, 5)")
    raises(subx.Error, lambda: DistArray(u.global_shape, dtype=complex).write(path, "u", 2), path, "complex128")
    raises(FileExistsError, lambda: HDF5File(path, mode="x"), path)
    raises(ValueError, lambda: HDF5File(path, mode="rw"), "'rw'")
    COMM.Barrier()
    HDF5File(path, mode="w").write(0, {"w": [u]})
    raises(subx.Error, lambda: v.read(path, "u", 0), "u/3D/0")
    v.read(path, "w")
    raises(NotImplementedError, lambda: FileBase("u").write(0, {"u": [u]}))


def check_slices(folder):
    """Slices of a scalar and of a tensor, components, the domain; descriptions for viewers, if h5py is installed."""
    path = os.path.join(folder, "slices.h5")
    whole = field((2, 6, 7, 8))
    u = DistArray(whole.shape, rank=1)
    u[:] = whole[u.local_slice()]
    everything = slice(None)
    file = HDF5File(path, domain=((0, 1), (1, 2), (2, 4)), mode="w")
    for step in (0, 3):
        file.write(step, {"u": [(u, [everything, 4, everything])], "p": [u[0], (u[0], [5, everything, 2])]})
        file.write(step, {"u": [u]}, as_scalar=True)

    def stored(name, shape):
        return np.asarray(subx.read(path, subx.Distribution(MPI.COMM_SELF, shape), dataset=name))

    assert np.array_equal(stored("u/2D/slice_4_slice/3", (2, 6, 8)), whole[:, :, 4])
    assert np.array_equal(stored("p/1D/5_slice_2/0", (7,)), whole[0, 5, :, 2])
    assert np.array_equal(stored("u1/3D/3", (6, 7, 8)), whole[1])
    assert stored("p/domain/x2", (2,)).tolist() == [2, 4] and stored("p/shape", (3,)).tolist() == [6, 7, 8]
    raises(ValueError, lambda: file.write(0, {"u": [(u, [6, everything, everything])]}), "not within")
    raises(ValueError, lambda: file.write(0, {"u": [(u, [1, 2, 3])]}), "at least one whole axis")
    COMM.Barrier()
    if COMM.rank == 0 and importlib.util.find_spec("h5py"):
        generate_xdmf(path)
        grids = xml.parse(path[:-3] + ".xdmf").findall("./Domain/Grid/Grid")
        assert [g.find("Time").get("Value") for g in grids] == ["0", "3"]
        assert {a.get("Name") for a in grids[1].findall("Attribute")} == {"p", "u0", "u1"}
        check_foreign_xdmf(os.path.join(folder, "foreign.h5"))
        origin, steps = (item.text.split() for item in grids[0].findall("Geometry/DataItem"))
        assert np.allclose([float(x) for x in origin + steps], [0, 1, 2, 1 / 6, 2 / 7, 4 / 8])


def check_foreign_xdmf(path):
    """In files of mpi4py-fft, the shape of the arrays is an attribute."""
    import h5py

    with h5py.File(path, "w") as file:
        file["u/3D/0"] = np.zeros((2, 3, 4))
        file["u"].attrs["shape"] = (2, 3, 4)
        for axis in range(3):
            file[f"u/domain/x{axis}"] = [0.0, 1.0]
    generate_xdmf(path)
    assert "u:/u/3D/0" in open(path[:-3] + ".xdmf", encoding="utf-8").read().replace("foreign.h5", "u")
