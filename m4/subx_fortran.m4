# subx_fortran.m4 - the Fortran compiler of this MPI, for the modules subx, subx_fft and subx_io, and for 2DECOMP&FFT.

# Before LT_INIT, because LT_INIT must know the compilers. The name of an MPI's Fortran compiler is the name of its C compiler,
# with mpifort in place of mpicc.
AC_DEFUN([SUBX_FORTRAN_COMPILER], [
  AC_ARG_WITH([fortran],
    [AS_HELP_STRING([--with-fortran=auto|yes|no], [the Fortran modules @<:@auto@:>@])], [], [with_fortran=auto])
  AS_CASE([$with_fortran], [auto|yes|no], [], [AC_MSG_ERROR([--with-fortran is auto, yes or no])])
  AC_ARG_VAR([FC], [the Fortran compiler of the same MPI, such as mpifort])
  AC_ARG_VAR([fmoddir], [where the Fortran modules are installed, by default INCLUDEDIR/subarray_x])
  test -n "$fmoddir" || fmoddir='${includedir}/subarray_x'
  subx_fortran=no
  AS_IF([test "$with_fortran" != no || test "${with_2decomp:-no}" != no], [
    set dummy $CC
    subx_cc=$[2]
    for subx_try in mpifort mpif90; do
      subx_try=`echo "$subx_cc" | sed "s/mpiicc/mpiifort/; s/mpicc/$subx_try/"`
      AS_IF([test -z "$FC" && test "$subx_try" != "$subx_cc" && command -v "$subx_try" >/dev/null 2>&1], [FC=$subx_try])
    done
    AC_PROG_FC])
])

# After LT_INIT. Libtool misreads "-l gfortran" in the compiler's messages as an option -l without a library.
AC_DEFUN([SUBX_FORTRAN_LIBTOOL], [postdeps_FC=`echo "$postdeps_FC " | sed 's/ -l  */ /g; s/ -l  */ /g'`])

# SUBX_FORTRAN_PROGRAM(WHAT, PROGRAM): subx_fortran becomes no, with the reason, if PROGRAM does not link for the MPI of CC.
AC_DEFUN([SUBX_FORTRAN_PROGRAM], [
  AS_IF([test "$subx_fortran" = yes], [
    AC_MSG_CHECKING([whether $FC has $1])
    AC_LINK_IFELSE([AC_LANG_SOURCE([$2])],
      [SUBX_MPI_LIBRARIES
       AS_IF([test "$subx_mpi_libraries" = "$subx_mpi_alone"], [], [subx_fortran="no, $FC is for another MPI"])],
      [subx_fortran="no, $FC does not have $1"])
    AC_MSG_RESULT([$subx_fortran])])
])

# After SUBX_MPI. Both modules of MPI are used: programs have handles of either module.
AC_DEFUN([SUBX_FORTRAN], [
  AS_IF([test "$with_fortran" = no], [subx_fortran=no], [test -z "$FC"], [subx_fortran="no, there is no compiler"],
    [subx_fortran=yes])
  AS_IF([test "$subx_fortran" = yes], [
    AC_LANG_PUSH([Fortran])
    AC_FC_SRCEXT([f90], [], [subx_fortran="no, $FC does not take .f90"])
    SUBX_FORTRAN_PROGRAM([the module mpi_f08], [
program probe
  use mpi_f08
  type(MPI_Comm) :: comm
  comm = MPI_COMM_WORLD
  call MPI_Init()
  print *, comm%MPI_VAL
end program])
    SUBX_FORTRAN_PROGRAM([the module mpi], [
program probe
  use mpi
  integer :: ierror
  call MPI_Init(ierror)
end program])
    SUBX_FORTRAN_PROGRAM([descriptors of arrays], [
module conftest_m
  use, intrinsic :: iso_c_binding
  interface
    subroutine probe_c(a, b, n) bind(C)
      import
      integer(c_int), intent(in) :: n
      type(*), intent(in) :: a(..)
      real(c_double), allocatable, intent(inout) :: b(..)
    end subroutine
  end interface
contains
  subroutine probe_f(a, b)
    type(*), target, intent(in) :: a(..)
    real(c_double), allocatable, intent(out) :: b(..)
    integer :: n
    n = merge(1, 0, c_associated(c_loc(a)))
    call probe_c(a, b, n)
  end subroutine
end module
subroutine probe_c(a, b, n) bind(C)
  use, intrinsic :: iso_c_binding
  integer(c_int), intent(in) :: n
  type(*), intent(in) :: a(..)
  real(c_double), allocatable, intent(inout) :: b(..)
  print *, rank(a), rank(b), n
end subroutine
program probe
  use mpi_f08
  use conftest_m
  real(c_double), allocatable :: b(:,:)
  call MPI_Init()
  call probe_f((/ 1, 2 /), b)
end program])
    # If a compiler cannot compile modules, these macros of Autoconf leave the build folder: so they come last.
    AS_IF([test "$subx_fortran" = yes], [
      AC_FC_MODULE_FLAG([], [subx_fortran="no, the option for modules of $FC is not known"])
      AC_FC_MODULE_OUTPUT_FLAG([], [subx_fortran="no, the option for modules of $FC is not known"])])
    AC_LANG_POP([Fortran])])

  # The header that declares array descriptors must be the Fortran compiler's, even if the C compiler has one of its own.
  AS_IF([test "$subx_fortran" = yes], [
    AC_MSG_CHECKING([for ISO_Fortran_binding.h of $FC])
    subx_binding='<ISO_Fortran_binding.h>'
    subx_try=`$FC -print-file-name=include/ISO_Fortran_binding.h 2>/dev/null`
    AS_CASE([$subx_try], [/*], [AS_IF([test -f "$subx_try"], [subx_binding="\"$subx_try\""])])
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include $subx_binding]], [[CFI_cdesc_t *array = 0; return CFI_is_contiguous(array);]])],
      [AC_MSG_RESULT([$subx_binding])],
      [AC_MSG_RESULT([no])
       subx_fortran="no, $CC does not compile ISO_Fortran_binding.h"])
    AC_DEFINE_UNQUOTED([SUBX_FORTRAN_BINDING], [$subx_binding], [The header of the Fortran compiler for descriptors.])
    AC_COMPUTE_INT([subx_is_int], [sizeof(MPI_Comm) == sizeof(int)], [#include <mpi.h>])
    AS_IF([test "$subx_is_int" = 1], [SUBX_MPI_HANDLE=c_int], [SUBX_MPI_HANDLE=c_intptr_t])
    AC_SUBST([SUBX_MPI_HANDLE])])
  AS_IF([test "$with_fortran" = yes && test "$subx_fortran" != yes],
    [AC_MSG_ERROR([--with-fortran=yes cannot be had: $subx_fortran])])
  AS_IF([test "$subx_fortran" = yes], [], [fmoddir=])
  AM_CONDITIONAL([HAVE_FORTRAN], [test "$subx_fortran" = yes])
])
