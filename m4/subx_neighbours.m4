# subx_neighbours.m4 - other libraries of parallel transforms (neighbours), which subx-perf-fft compares with ours. An option of
# configure names each. Only that program uses them. After SUBX_FFTW3_MPI.

# SUBX_NEIGHBOUR_COMPILER(LANGUAGE, VARIABLE, NAMES, WHAT): find a compiler of a language for the MPI of $CC. If the compiler
# in VARIABLE is not for this MPI, others are tried: the name in $CC, with one of NAMES in place of mpicc.
AC_DEFUN([SUBX_NEIGHBOUR_COMPILER], [
  AC_MSG_CHECKING([for a $4 compiler for this MPI])
  AC_LANG_PUSH([$1])
  subx_compiler=
  for subx_try in "$[$2]" `for name in $3; do echo "$CC" | sed "s/mpicc/$name/"; done`; do
    test -n "$subx_try" && test "$subx_try" != "$CC" || continue
    $2=$subx_try
    m4_case([$1], [C++], [AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]], [[MPI_Finalize();]])],
        [subx_compiler=$subx_try; break])],
      [AC_COMPILE_IFELSE([AC_LANG_SOURCE([[      program p
      use mpi
      end]])], [subx_compiler=$subx_try; break])])
  done
  AC_LANG_POP([$1])
  AS_IF([test -z "$subx_compiler"], [AC_MSG_RESULT([no])
    AC_MSG_ERROR([$subx_neighbour needs a $4 compiler for the MPI of $CC: configure with $2=...])])
  AC_MSG_RESULT([$subx_compiler])
])

# Done once, when the first neighbour needs it.
AC_DEFUN([SUBX_NEIGHBOUR_CXX], [
  AS_IF([test -z "$subx_neighbour_cxx"],
    [SUBX_NEIGHBOUR_COMPILER([C++], [CXX], [mpicxx mpic++], [C++])
     subx_neighbour_cxx=-lstdc++])
])

# Finds the flags for linking, because the C compiler links the program.
AC_DEFUN([SUBX_NEIGHBOUR_FC], [
  AS_IF([test -z "$subx_neighbour_fc"], [
    SUBX_NEIGHBOUR_COMPILER([Fortran], [FC], [mpif90 mpifort], [Fortran])
    AC_FC_LIBRARY_LDFLAGS
    subx_neighbour_fc=yes])
])

# SUBX_NEIGHBOUR_COMPILE(LANGUAGE, HEAD, BODY): compile the C function subx_probe, with BODY in it, into
# subx_probe.$ac_objext.
AC_DEFUN([SUBX_NEIGHBOUR_COMPILE], [
  m4_ifval([$1], [AC_LANG_PUSH([$1])])
  rm -f subx_probe.$ac_objext
  AC_COMPILE_IFELSE([AC_LANG_SOURCE([m4_case([$1], [Fortran], [[      subroutine subx_probe() bind(C)
$3
      end]],
    [[#include <mpi.h>
$2
]m4_case([$1], [C++], [extern "C"])[ void subx_probe(void);
void subx_probe(void)
{
$3
}]])])], [cp conftest.$ac_objext subx_probe.$ac_objext])
  m4_ifval([$1], [AC_LANG_POP([$1])])
])

# SUBX_NEIGHBOUR_LINK(VARIABLE): link subx_probe by the C compiler, which links subx-perf-fft, too. A library in C++ that was
# compiled without OMPI_SKIP_MPICXX needs Open MPI's classes as well: VARIABLE_LIBS then gets their library.
AC_DEFUN([SUBX_NEIGHBOUR_LINK], [
  for subx_classes in '' ' -lmpi_cxx'; do
    LIBS="subx_probe.$ac_objext $[$1]_LIBS$subx_classes $FFTW3_LIBS -lm $subx_save_LIBS"
    SUBX_MPI_LINK([[#include <mpi.h>
void subx_probe(void);]], [[MPI_Init(0, 0); subx_probe();]])
    AS_IF([test "$subx_found" != no], [$1_LIBS=$[$1]_LIBS$subx_classes; break])
  done
])

# SUBX_NEIGHBOUR(OPTION, VARIABLE, NAME, HEAD, BODY, LIBRARIES, [PKG-CONFIG MODULE], [LANGUAGE], [MORE CPPFLAGS]):
# --with-OPTION. A program of HEAD and BODY must link, and load no MPI but ours; then VARIABLE_CPPFLAGS and VARIABLE_LIBS
# are set, and HAVE_VARIABLE is true. LIBRARIES are in the order of linking: a library stands before those that it needs.
AC_DEFUN([SUBX_NEIGHBOUR], [
  AC_ARG_WITH([$1], [AS_HELP_STRING([--with-$1=DIR|yes|no],
    [measure $3 too, installed in DIR @<:@]m4_ifval([$7], [[if pkg-config knows it]], [[no]])[@:>@])],
    [], [with_$1=default])
  subx_neighbour="$3" subx_found=no $2_CPPFLAGS= $2_LIBS=
  AS_CASE([$with_$1],
    [no], [],
    [default], [m4_ifval([$7], [AS_IF([test "$subx_fftw3" = yes && $PKG_CONFIG --exists $7 2>/dev/null],
      [subx_found=try $2_CPPFLAGS=`$PKG_CONFIG --cflags $7` $2_LIBS=`$PKG_CONFIG --libs $7`])], [:])],
    [yes], [subx_found=try],
    [/*], [subx_found=try $2_CPPFLAGS="m4_case([$8], [Fortran], [-I], [-isystem ])$with_$1/include" $2_LIBS=
      for subx_try in lib lib64; do
        AS_IF([test -d "$with_$1/$subx_try"],
          [$2_LIBS="$[$2]_LIBS -L$with_$1/$subx_try -Wl,-rpath,$with_$1/$subx_try"])
      done],
    [AC_MSG_ERROR([--with-$1=$with_$1 is none of yes, no and an absolute path])])
  AS_IF([test $subx_found = try], [
    AS_IF([test "$subx_fftw3" != yes],
      [AC_MSG_ERROR([--with-$1 is for subx-perf-fft, which is not built without FFTW])])
    m4_case([$8], [C++], [SUBX_NEIGHBOUR_CXX
      # The C compiler, which links the program, knows nothing of MPI's C++ classes.
      $2_CPPFLAGS="$[$2]_CPPFLAGS -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX"], [Fortran], [SUBX_NEIGHBOUR_FC])
    subx_save_CPPFLAGS=$CPPFLAGS subx_save_FCFLAGS=$FCFLAGS subx_save_LIBS=$LIBS
    $2_CPPFLAGS="$[$2]_CPPFLAGS $9"
    $2_LIBS="$[$2]_LIBS $6"
    AC_MSG_CHECKING([for $3])
    CPPFLAGS="$CPPFLAGS $FFTW3_CFLAGS $[$2]_CPPFLAGS" FCFLAGS="$FCFLAGS $[$2]_CPPFLAGS"
    SUBX_NEIGHBOUR_COMPILE([$8], [$4], [$5])
    SUBX_NEIGHBOUR_LINK([$2])
    rm -f subx_probe.$ac_objext
    CPPFLAGS=$subx_save_CPPFLAGS FCFLAGS=$subx_save_FCFLAGS LIBS=$subx_save_LIBS
    AC_MSG_RESULT([$subx_found])
    AS_IF([test "$subx_found" != yes && test "$with_$1" != default], [AC_MSG_ERROR(
      [--with-$1=$with_$1: no program with $3 links there for the MPI of $CC (config.log tells why)])])])
  AS_IF([test "$subx_found" = yes],
    [subx_neighbours="$subx_neighbours $1"
     $2_CPPFLAGS="$FFTW3_CFLAGS $[$2]_CPPFLAGS"
     NEIGHBOURS_CPPFLAGS="$NEIGHBOURS_CPPFLAGS -DSX_PERF_FFT_$2"])
  AC_SUBST([$2_CPPFLAGS])
  AC_SUBST([$2_LIBS])
  AM_CONDITIONAL([HAVE_$2], [test "$subx_found" = yes])
])

AC_DEFUN([SUBX_NEIGHBOURS], [
  subx_neighbours= NEIGHBOURS_CPPFLAGS=
  SUBX_NEIGHBOUR([heffte], [HEFFTE], [heFFTe], [#include <heffte.h>],
    [heffte::box3d<int> box({{0, 0, 0}}, {{1, 1, 1}});
heffte::make_fft3d<heffte::backend::fftw>(box, box, MPI_COMM_WORLD);],
    [-lheffte -lfftw3f $FFTW3_LIBS $subx_neighbour_cxx], [], [C++])
  SUBX_NEIGHBOUR([2decomp], [DECOMP2D], [2DECOMP&FFT], [], [      use decomp_2d
      use decomp_2d_fft
      type(decomp_2d_fft_engine) :: engine
      call engine%fin()], [-ldecomp2d $FFTW3_LIBS $FCLIBS -lm], [], [Fortran])
  SUBX_NEIGHBOUR([pfft], [PFFT], [PFFT], [#include <pfft.h>], [pfft_init();],
    [-lpfft -lfftw3_mpi $FFTW3_LIBS -lm], [pfft])
  SUBX_NEIGHBOUR([p3dfft], [P3DFFT3], [P3DFFT++], [#include <p3dfft.h>], [p3dfft_setup();
 p3dfft_exec_3Dtrans_double(0, 0, 0, 0);],
    [-lp3dfft.3 $FFTW3_LIBS -lfftw3f -lstdc++ -lm])
  SUBX_NEIGHBOUR([accfft], [ACCFFT], [AccFFT], [#include <accfft.h>], [accfft_init(1); accfft_cleanup();],
    [-laccfft -lfftw3_omp -lfftw3f $FFTW3_LIBS $subx_neighbour_cxx], [], [C++])
  AC_SUBST([NEIGHBOURS_CPPFLAGS])
])
