#!/bin/sh
# neighbours.sh - configure finds exactly the neighbours (other libraries for FFTs) that it is asked for, and a C compiler
# can link them. configure refuses an HDF5, an FFTW with MPI and a PFFT that were built for another MPI.
#
# The neighbours here are stubs that this script makes: libraries with the few functions that configure's test programs
# call.

. "$(dirname "$0")/../common/shell.sh"

cc=${CC:-mpicc}
command -v "${cc%% *}" >/dev/null || skip "no compiler $cc"
command -v ldd >/dev/null || skip "no ldd, which tells configure of other MPIs"
test ! -f "$top/config.status" || skip "the sources are configured, so that no other folder can be"

stubs=$scratch/stubs
mkdir -p "$stubs/include" "$stubs/lib" "$scratch/build"

# library NAME SOURCE [LIBRARY ...]: make a shared library from one line of C.
library() {
    name=$1 source=$2
    shift 2
    echo "$source" >"$scratch/stub.c"
    # shellcheck disable=SC2086 # the compiler may have options
    $cc -shared -fPIC -o "$stubs/lib/lib$name.so" "$scratch/stub.c" -L"$stubs/lib" -Wl,--no-as-needed \
        -Wl,-rpath,"$stubs/lib" "$@" 2>"$scratch/err" || skip "no shared libraries: $(cat "$scratch/err")"
}

# To save time, configure takes the results of its other tests from the build.
grep -E '^(ac|am|lt)_cv_' "${top_builddir:-.}/config.log" 2>/dev/null | grep -v '^ac_cv_env_' >"$scratch/known"

# configure OPTION ...: run configure, which writes nothing but config.log. Its output goes to out. Returns its exit status.
configure() {
    cp "$scratch/known" "$scratch/build/cache"
    (cd "$scratch/build" && "$top/configure" --no-create --cache-file=cache CC="$cc" --with-fftw3=yes --with-fftw3-mpi=no \
        --with-hwloc=no --with-check=no --with-hdf5=no --with-pfft=no FFTW3_CFLAGS=-DSTUB FFTW3_LIBS="-L$stubs/lib -lfftw3" "$@") \
        >"$scratch/out" 2>&1
}

# found NAMES OPTION ...: with these options, configure finds these neighbours and no other, and does not try to run a
# command that does not exist.
found() {
    names=$1
    shift
    if ! configure "$@"; then
        case $(tail -n 1 "$scratch/out") in
        *" compiler for the MPI of "*) echo "left out: $(tail -n 1 "$scratch/out")" ;;
        *) fail "configure $*: $(tail -n 1 "$scratch/out")" ;;
        esac
        return 1
    fi
    have=$(sed -n 's/^|   neighbours  *//p' "$scratch/out")
    if test "$have" != "$names"; then
        fail "configure $*: the neighbours are \"$have\", not \"$names\""
    elif grep 'not found$' "$scratch/out" | grep -v '^checking'; then
        fail "configure $*: it runs a command that there is not"
    else
        passed
    fi
}

# linked VARIABLE CALL: a C program with this call links with the libraries that configure has put into VARIABLE_LIBS.
linked() {
    libs=$(sed -n "s/^$1_LIBS='\(.*\)'\$/\1/p" "$scratch/build/config.log")
    echo "void $2(void); int main(void) { $2(); return 0; }" >"$scratch/main.c"
    # shellcheck disable=SC2086 # lists of words
    if $cc -o "$scratch/main" "$scratch/main.c" $libs 2>"$scratch/err"; then
        passed
    else
        fail "$1_LIBS = $libs does not link from C: $(cat "$scratch/err")"
    fi
}

for name in fftw3 fftw3f fftw3_omp fftw3_mpi heffte; do
    library $name "int stub_$name;"
done

cat >"$stubs/include/heffte.h" <<'STUB'
namespace heffte {
namespace backend { struct fftw {}; }
struct three { int n[3]; };
template <class index> struct box3d { box3d(three, three) {} };
template <class library, class box> void make_fft3d(box, box, MPI_Comm) { MPI_Finalize(); }
}
STUB

# The next two neighbours need Open MPI's C++ classes, which a C compiler does not link by itself.
both='int MPI_Finalize(void); void stub_class(void); static void both(void) { MPI_Finalize(); stub_class(); }'
library mpi_cxx 'void stub_class(void) {}'
library p3dfft.3 "$both void p3dfft_setup(void) { both(); } void p3dfft_exec_3Dtrans_double(void) {}"
library accfft "$both void accfft_init(int n) { (void)n; both(); } void accfft_cleanup(void) {}"
echo 'void p3dfft_setup(void); void p3dfft_exec_3Dtrans_double(int, double *, double *, int);' >"$stubs/include/p3dfft.h"
echo 'extern "C" { void accfft_init(int); void accfft_cleanup(void); }' >"$stubs/include/accfft.h"

# A neighbour written in Fortran, if there is a Fortran compiler.
cat >"$scratch/stub.f90" <<'STUB'
module decomp_2d
end module decomp_2d
module decomp_2d_fft
   type :: decomp_2d_fft_engine
   contains
      procedure :: fin
   end type decomp_2d_fft_engine
contains
   subroutine fin(engine)
      class(decomp_2d_fft_engine) :: engine
      integer :: code
      call MPI_Finalize(code)
   end subroutine fin
end module decomp_2d_fft
STUB
fortran=$(echo "$cc" | sed 's/mpicc/mpif90/')
if (cd "$stubs/include" && $fortran -shared -fPIC -o ../lib/libdecomp2d.so "$scratch/stub.f90") 2>"$scratch/err"; then
    decomp=2decomp
else
    echo "left out: 2decomp, without a Fortran compiler"
    decomp=
fi

# Each call of configure takes seconds, so one call looks for these four.
if found "heffte${decomp:+ $decomp} p3dfft accfft" --with-heffte="$stubs" ${decomp:+--with-2decomp="$stubs"} --with-p3dfft="$stubs" \
    --with-accfft="$stubs"; then
    linked ACCFFT accfft_cleanup
    linked P3DFFT3 p3dfft_setup
fi

# Stubs of HDF5, FFTW's MPI library and PFFT. At first they use the MPI of the build.
{
    echo '#define H5_HAVE_PARALLEL 1'
    echo '#include <mpi.h>'
    echo 'int H5Pcreate(int), H5Pset_fapl_mpio(int, MPI_Comm, MPI_Info);'
    echo 'enum { H5P_FILE_ACCESS };'
} >"$stubs/include/hdf5.h"
printf '#include <mpi.h>\nvoid fftw_mpi_init(void);\n' >"$stubs/include/fftw3-mpi.h"
echo 'void pfft_init(void);' >"$stubs/include/pfft.h"

# dependents LIBRARY ...: make the three stubs, which call MPI, and link them with these libraries.
dependents() {
    call='int MPI_Finalize(void); void stub_call(void) { MPI_Finalize(); }'
    library pfft "$call void pfft_init(void) {}" "$@"
    library hdf5 "$call int H5Pcreate(int n) { return n; } int H5Pset_fapl_mpio(void) { return 0; }" "$@"
    library fftw3_mpi "$call void fftw_mpi_init(void) {}" "$@"
}

# answers WORDS: configure's answer about each of the three begins with these words.
answers() {
    for name in PFFT "FFTW's MPI transforms" "whether this HDF5 is parallel"; do
        answer=$(sed -n "s/^checking [a-z ]*$name.*\.\.\. //p" "$scratch/out" | head -n 1)
        case $answer in
        $1*) passed ;;
        *) fail "$name: configure's answer is \"$answer\", not \"$1\"" ;;
        esac
    done
}

set -- --with-pfft="$stubs" --with-fftw3-mpi=auto FFTW3_MPI_LIBS="-L$stubs/lib -Wl,-rpath,$stubs/lib -lfftw3_mpi" \
    --with-hdf5=auto HDF5_CFLAGS="-I$stubs/include" HDF5_LIBS="-L$stubs/lib -Wl,-rpath,$stubs/lib -lhdf5" \
    FFTW3_CFLAGS="-I$stubs/include"

# The Fortran library of the same MPI must not be taken for another MPI.
library mpistubfort 'int stub_fortran;'
dependents -lmpistubfort
found pfft "$@"
answers yes

# Another version of this MPI: a library with the same name and another version number.
echo 'int MPI_Init(int *, char ***); int main(void) { return MPI_Init(0, 0); }' >"$scratch/main.c"
$cc -o "$scratch/main" "$scratch/main.c"
mpi=$(ldd "$scratch/main" | sed -n 's/^[[:space:]]*\(lib[a-z]*mpi[a-z]*\.so\)[. ].*/\1/p' | grep -v fort | head -n 1)
test -n "$mpi" || { echo "left out: another MPI, without a shared library of this one"; finish; }
library mpistub 'int stub_other;' -Wl,-soname,"$mpi.999"
ln -s libmpistub.so "$stubs/lib/$mpi.999"
dependents -lmpistub
if configure "$@"; then fail "configure takes a neighbour that it was told of, and that brings another MPI along"; fi
answers "no, for another MPI"
finish
