"""build_backend.py - build the Python package: pip calls this module, and wheel.sh calls it for wheels with several builds.

pip install . configures and makes the C libraries in a temporary folder. They are for the MPI that mpi4py loads in this
environment; if there is no mpi4py yet, for the MPI of mpicc. Settings are environment variables, or pip's -C name=value:

    MPICC      cc              the MPI compiler
    SUBX_CONFIGURE  configure  further options for configure, such as --with-fftw3=no
    SUBX_LIBDIR     libdir     a folder with installed libraries: nothing is built, and the package loads them from there;
                               "system" asks pkg-config for the folder
"""
import base64
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
LIBRARIES = ("subx", "subx_fft", "subx_io")
# A program that prints the path of mpi4py's MPI library. It is run by a Python that sees the user's packages.
FIND_MPI = """
import mpi4py, runpy, sys
mpi4py.rc.initialize = False
print(runpy.run_path(sys.argv[1])["mpi_file"]() or "")
"""


def say(text):
    print(f"subarray_x: {text}", file=sys.stderr, flush=True)


def setting(settings, name, variable):
    return (settings or {}).get(name) or os.environ.get(variable) or ""


def find_version():
    with open(os.path.join(TOP, "include", "subx.h"), encoding="utf-8") as file:
        numbers = dict(re.findall(r"#define SUBX_VERSION_(\w+) (\d+)", file.read()))
    return ".".join(numbers[part] for part in ("MAJOR", "MINOR", "PATCH"))


# ---------------------------------------------------------------------------------------- which MPI


def find_mpi4py():
    """Get the MPI library of the user's mpi4py, or an empty text. pip hides the user's packages by PYTHONPATH."""
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONNOUSERSITE")}
    found = subprocess.run([sys.executable, "-c", FIND_MPI, os.path.join(HERE, "subarray_x", "_library.py")], env=env,
                           capture_output=True, text=True, check=False)
    return found.stdout.strip()


def find_mpi_of(cc):
    """Get the MPI library that programs of a compiler load, or an empty text."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "mpi.c"), os.path.join(folder, "mpi")
        with open(source, "w", encoding="utf-8") as file:
            file.write("#include <mpi.h>\nint main(void) { return MPI_Init(0, 0); }\n")
        made = subprocess.run([*shlex.split(cc), source, "-o", program], capture_output=True, check=False) if \
            shutil.which(shlex.split(cc)[0]) else None
        if made is None or made.returncode:
            return ""
        # If the compiler belongs to a virtual environment, its programs may not find their MPI library: it is in lib, beside bin.
        beside = os.path.join(os.path.dirname(os.path.dirname(shutil.which(shlex.split(cc)[0]))), "lib")
        env = dict(os.environ, LD_LIBRARY_PATH=os.pathsep.join([os.environ.get("LD_LIBRARY_PATH", ""), beside]).strip(":"))
        output = subprocess.run(["ldd", program], env=env, capture_output=True, text=True, check=False).stdout
    match = re.search(r"^\s*(lib(?:mpi|mpich|mpi_abi)\.so\S*) => (\S+)", output, re.M)
    return os.path.realpath(match.group(2)) if match else ""


def find_compiler(settings):
    """Get the MPI compiler to use."""
    named = setting(settings, "cc", "MPICC")
    theirs = find_mpi4py()
    if named:
        return named
    if not theirs:
        say("there is no mpi4py yet; the libraries are built for the MPI of mpicc")
        return "mpicc"
    prefix = os.path.dirname(os.path.dirname(theirs))
    candidates = [os.path.join(prefix, "bin", "mpicc"), "mpicc", "mpicc.openmpi", "mpicc.mpich",
                  "/usr/lib64/openmpi/bin/mpicc", "/usr/lib64/mpich/bin/mpicc"]
    for cc in candidates:
        if find_mpi_of(cc) == os.path.realpath(theirs):
            say(f"mpi4py uses {theirs}, whose compiler is {cc}")
            return cc
    raise SystemExit(f"subarray_x: mpi4py uses {theirs}, and no MPI compiler for it was found among {', '.join(candidates)}. "
                     "The variable MPICC names one.")


# ------------------------------------------------------------------------------------------ building


def copy_source(target):
    """Copy the tree without the files that builds leave in it."""
    def leave_out(folder, names):
        return [n for n in names if n in (".git", "build", "__pycache__", ".libs", ".deps", "autom4te.cache", "config.status",
                                          "config.log", "config.h", "Makefile", "libtool") or n.endswith((".o", ".lo", ".la"))]

    shutil.copytree(TOP, target, ignore=leave_out, dirs_exist_ok=True)
    if not os.path.exists(os.path.join(target, "configure")):
        run(["autoreconf", "-fi"], target, "autoreconf (autoconf, automake, libtool) makes configure")


def run(command, folder, what):
    """Run a step of the build; if it fails, show its output."""
    say(what)
    try:
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              errors="replace")
    except FileNotFoundError as error:
        raise SystemExit(f"subarray_x: {error.filename} is needed and was not found") from None
    if done.returncode:
        raise SystemExit(f"{done.stdout[-6000:]}\nsubarray_x: {shlex.join(command)} failed")


def build_libraries(cc, options, work):
    """Configure and make the libraries; get a dictionary from the names that the loader knows to the paths."""
    source, obj = os.path.join(work, "source"), os.path.join(work, "obj")
    if not os.path.isdir(source):
        os.makedirs(source)
        copy_source(source)
    shutil.rmtree(obj, ignore_errors=True)
    os.makedirs(obj)
    run([os.path.join(source, "configure"), f"CC={cc}", f"PYTHON3={sys.executable}", "--disable-static", "--with-check=no",
         "--with-fftw3-mpi=no", *options], obj, f"configure CC={cc} {shlex.join(options)}")
    run(["make", f"-j{os.cpu_count() or 1}", *(f"lib{name}.la" for name in LIBRARIES)], obj, "make")
    found = {}
    for name in LIBRARIES:
        with open(os.path.join(obj, f"lib{name}.la"), encoding="utf-8") as file:
            names = re.search(r"library_names='(\S+) (\S+)", file.read())
        found[names.group(2)] = os.path.join(obj, ".libs", names.group(1))
    return found


def find_installed(settings):
    """Get the folder of installed libraries that the user has named, or an empty text."""
    libdir = setting(settings, "libdir", "SUBX_LIBDIR")
    if libdir == "system":
        libdir = subprocess.run(["pkg-config", "--variable=libdir", "subx_fft"], capture_output=True, text=True,
                                check=False).stdout.strip()
        if not libdir:
            raise SystemExit("subarray_x: libdir=system, and pkg-config does not know subx_fft")
    if libdir and not os.path.exists(os.path.join(libdir, "libsubx_fft.so")):
        raise SystemExit(f"subarray_x: {libdir} has no libsubx_fft.so")
    return libdir and os.path.abspath(libdir)


# -------------------------------------------------------------------------------------------- wheels


def describe():
    with open(os.path.join(TOP, "README"), encoding="utf-8") as file:
        readme = file.read()
    return f"""Metadata-Version: 2.1
Name: subarray_x
Version: {find_version()}
Summary: Fast Fourier transforms of arrays that are distributed over MPI ranks
License: BSD-3-Clause
Requires-Python: >=3.9
Requires-Dist: numpy>=1.20
Requires-Dist: mpi4py>=3.1
Description-Content-Type: text/plain

{readme}"""


def add_package(wheel):
    """Add the Python files. _raw.py is written anew: only a release has it."""
    sys.path.insert(0, os.path.dirname(HERE))
    import headers
    import write_python

    for folder, _, names in sorted(os.walk(os.path.join(HERE, "subarray_x"))):
        inside = os.path.relpath(folder, HERE)
        if inside.split(os.sep)[1:2] == ["lib"]:
            continue
        for name in sorted(names):
            if name.endswith((".py", "py.typed")) and name not in ("_installed.py", "_raw.py"):
                wheel.add_file(os.path.join(inside, name), os.path.join(folder, name))
    for text in write_python.files(headers.read_all(TOP)).values():
        wheel.add("subarray_x/_raw.py", text.encode())


class Wheel:
    """A wheel that is being written: a zip file, with a record of what it has."""

    def __init__(self, folder, platform):
        self.info = f"subarray_x-{find_version()}.dist-info"
        self.tag = f"py3-none-{platform}"
        self.name = f"subarray_x-{find_version()}-{self.tag}.whl"
        self.zip = zipfile.ZipFile(os.path.join(folder, self.name), "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, data, executable=False):
        entry = zipfile.ZipInfo(name.replace(os.sep, "/"))
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{entry.filename},sha256={digest},{len(data)}")

    def add_file(self, name, path):
        with open(path, "rb") as file:
            self.add(name, file.read(), name.startswith("subarray_x/lib/"))

    def finish(self):
        self.add(f"{self.info}/METADATA", describe().encode())
        self.add_file(f"{self.info}/licenses/LICENSE", os.path.join(TOP, "LICENSE"))
        self.add(f"{self.info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: subarray_x\nRoot-Is-Purelib: false\nTag: {self.tag}\n".encode())
        self.record.append(f"{self.info}/RECORD,,")
        self.zip.writestr(f"{self.info}/RECORD", "\n".join(self.record) + "\n")
        self.zip.close()
        return self.name


def find_platform():
    return re.sub(r"[-.]", "_", sysconfig.get_platform())


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Build a wheel; pip calls this function."""
    libdir = find_installed(config_settings)
    wheel = Wheel(wheel_directory, "any" if libdir else find_platform())
    add_package(wheel)
    if libdir:
        say(f"the libraries in {libdir} are taken")
        wheel.add("subarray_x/_installed.py",
                  f'"""Where the C libraries were when the package was installed."""\nLIBDIR = {libdir!r}\n'.encode())
    else:
        with tempfile.TemporaryDirectory(prefix="subarray_x.") as work:
            options = shlex.split(setting(config_settings, "configure", "SUBX_CONFIGURE"))
            for name, path in build_libraries(find_compiler(config_settings), options, work).items():
                wheel.add_file(f"subarray_x/lib/{name}", path)
    return wheel.finish()


def build_sdist(sdist_directory, config_settings=None):
    """Make a source package: the tree with configure. pip and build call this function."""
    name = f"subarray_x-{find_version()}"
    with tempfile.TemporaryDirectory(prefix="subarray_x.") as work:
        target = os.path.join(work, name)
        os.makedirs(target)
        copy_source(target)
        shutil.rmtree(os.path.join(target, "autom4te.cache"), ignore_errors=True)
        with open(os.path.join(target, "PKG-INFO"), "w", encoding="utf-8") as file:
            file.write(describe())
        with tarfile.open(os.path.join(sdist_directory, name + ".tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
            archive.add(target, name)
    return name + ".tar.gz"


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Write the metadata. It tells pip, before anything is built, which packages this package needs."""
    name = f"subarray_x-{find_version()}.dist-info"
    os.makedirs(os.path.join(metadata_directory, name))
    with open(os.path.join(metadata_directory, name, "METADATA"), "w", encoding="utf-8") as file:
        file.write(describe())
    return name


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def find_abi(library):
    """Get the name of an MPI's binary interface from the path of its library."""
    return re.sub(r"^(lib\w+\.so\.\d+).*", r"\1", os.path.basename(library))


# For wheels that run on other machines: FFTW, HDF5 and hwloc are not everywhere, and Open MPI 4 and 5 have different names for
# persistent collectives.
PORTABLE = ["--with-fftw3=no", "--with-hdf5=no", "--with-hwloc=no", "subx_cv_alltoallv_init=no"]


def build_all(folder, compilers):
    """Build a wheel with the libraries of several MPIs."""
    os.makedirs(folder, exist_ok=True)
    wheel = Wheel(folder, find_platform())
    add_package(wheel)
    with tempfile.TemporaryDirectory(prefix="subarray_x.") as work:
        for cc in compilers:
            abi = find_abi(find_mpi_of(cc))
            if abi not in ("libmpi.so.40", "libmpi.so.12", "libmpi_abi.so.0", "libmpi_abi.so.1"):
                raise SystemExit(f"subarray_x: programs of {cc} load {abi or 'no MPI library'}, which is not that of any MPI's wheels")
            for name, path in build_libraries(cc, PORTABLE, work).items():
                stripped = path + ".stripped"
                run(["strip", "--strip-unneeded", "-o", stripped, path], work, f"{abi}/{name}")
                wheel.add_file(f"subarray_x/lib/{abi}/{name}", stripped)
    return os.path.join(folder, wheel.finish())


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: python3 build_backend.py FOLDER CC ...    writes a wheel with builds for the MPI of each compiler")
    print(build_all(os.path.abspath(sys.argv[1]), sys.argv[2:]))
