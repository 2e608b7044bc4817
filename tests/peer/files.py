"""files.py - libsubx_io reads files of NumPy and h5py, and NumPy and h5py read files of libsubx_io.

usage: files.py LAUNCH RECODE SUBX_FFT FOLDER HDF5 (yes or no)

Files for numbers of ranks that TEST_RANKS does not have are left out.
"""
import os
import subprocess
import sys

import numpy

from ranks import SKIP, is_wanted

launch, recode, subx_fft, folder, hdf5 = sys.argv[1:]
random = numpy.random.RandomState(20190607)
done = failed = 0


def place(name):
    return os.path.join(folder, name)


def run(what, ranks, *command):
    """Run a program of ours, and report if it fails. Returns True if it has succeeded."""
    global done, failed
    if not is_wanted(ranks):
        return False
    done += 1
    result = subprocess.run([launch, "-n", str(ranks), *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        failed += 1
        print("FAIL: %s on %d ranks: exit status %d\n%s" % (what, ranks, result.returncode, result.stdout))
    return result.returncode == 0


def expect(what, ranks, got, wanted):
    """Count whether two arrays are equal, and have the same type and shape."""
    global failed
    if got.dtype != wanted.dtype or got.shape != wanted.shape or not numpy.array_equal(got, wanted):
        failed += 1
        print("FAIL: %s on %d ranks: %s %s instead of %s %s" % (what, ranks, got.dtype, got.shape, wanted.dtype, wanted.shape))


def make(shape, dtype):
    values = random.uniform(-100, 100, shape)
    if numpy.dtype(dtype).kind == "c":
        values = values + 1j * random.uniform(-1, 1, shape)
    return abs(values).astype(dtype) if numpy.dtype(dtype).kind == "u" else values.astype(dtype)


TYPES = ["f4", "f8", "c8", "c16", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">f8", ">c8", ">i4"]
SHAPES = [(13,), (7, 11), (3, 1, 5), (4, 5, 3, 6), (0, 4), (1, 2, 3, 4, 5)]

# NumPy writes, our library copies, NumPy reads. Types, shapes and orders differ from file to file.
for turn, dtype in enumerate(TYPES * 2):
    ranks = (1, 3, 4)[turn % 3]
    array = make(SHAPES[turn % len(SHAPES)], dtype)
    what = "%s %s %s" % (dtype, array.shape, "CF"[turn % 2])
    numpy.save(place("in.npy"), numpy.array(array, order="CF"[turn % 2]))
    if run(what, ranks, recode, place("in.npy"), place("out.npy")):
        got = numpy.load(place("out.npy"))
        expect(what, ranks, got, array.astype(array.dtype.newbyteorder("=")))
        if not got.flags.c_contiguous or (os.path.getsize(place("out.npy")) - got.nbytes) % 64:
            failed += 1
            print("FAIL: %s: its header" % what)

if hdf5 == "yes":
    import h5py

    # The same with HDF5 files: our library writes one that h5py reads, and reads files that h5py writes in several layouts.
    for turn, dtype in enumerate(TYPES):
        ranks = (1, 3, 4)[turn % 3]
        array = make(SHAPES[turn % 4], dtype)
        native = array.astype(array.dtype.newbyteorder("="))
        what = "%s %s through HDF5" % (dtype, array.shape)
        numpy.save(place("in.npy"), array)
        if run(what, ranks, recode, place("in.npy"), place("out.h5"), "/step/u"):
            with h5py.File(place("out.h5"), "r") as file:
                expect(what, ranks, file["step/u"][...], native)
        how = [{}, {"chunks": True, "compression": "gzip"}, {"chunks": True}][turn % 3]
        with h5py.File(place("in.h5"), "w") as file:
            file.create_group("empty")
            file.create_dataset("v", data=array, **how)
        if run(what, ranks, recode, place("in.h5"), place("out.npy")):
            expect(what + " of h5py", ranks, numpy.load(place("out.npy")), native)

    # subx-fft must read and write HDF5 files as well.
    field = make((6, 5, 4), "f4")
    with h5py.File(place("field.h5"), "w") as file:
        file["field"] = field
    if run("subx-fft", 3, subx_fft, "--input", place("field.h5"), "--output", place("spectrum.hdf5")):
        with h5py.File(place("spectrum.hdf5"), "r") as file:
            spectrum = numpy.fft.rfftn(field.astype("f8"))
            error = abs(file["data"][...] - spectrum).max() / abs(spectrum).max()
            expect("subx-fft", 3, numpy.array(error < 1e-5), numpy.array(True))

print("%d files, %d failed" % (done, failed))
sys.exit(1 if failed else 0 if done else SKIP)
