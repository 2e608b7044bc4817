# subx_fftw3_mpi.m4 - FFTW's own MPI transforms, which subx-perf-fft compares with ours. After SUBX_MPI and
# SUBX_FFTW3.

AC_DEFUN([SUBX_FFTW3_MPI], [
  AC_ARG_WITH([fftw3-mpi],
    [AS_HELP_STRING([--with-fftw3-mpi=auto|yes|no], [measure FFTW's MPI transforms too @<:@auto@:>@])],
    [], [with_fftw3_mpi=auto])
  AS_CASE([$with_fftw3_mpi], [auto|yes|no], [], [AC_MSG_ERROR([--with-fftw3-mpi is auto, yes or no])])
  AC_ARG_VAR([FFTW3_MPI_LIBS], [linker flags for FFTW's MPI transforms, by default -lfftw3_mpi])
  AC_ARG_VAR([FFTW3F_MPI_LIBS], [linker flags for FFTW's MPI transforms in single precision, by default -lfftw3f_mpi])
  subx_fftw3_mpi=no subx_fftw3f_mpi=no
  AS_IF([test "$with_fftw3_mpi" != no && test "$subx_fftw3" = yes], [
    AS_IF([test -z "$FFTW3_MPI_LIBS"], [FFTW3_MPI_LIBS=-lfftw3_mpi])
    AS_IF([test -z "$FFTW3F_MPI_LIBS"], [FFTW3F_MPI_LIBS=-lfftw3f_mpi])
    subx_save_CPPFLAGS=$CPPFLAGS subx_save_LIBS=$LIBS
    CPPFLAGS="$CPPFLAGS $FFTW3_CFLAGS"
    LIBS="$FFTW3_MPI_LIBS $FFTW3_LIBS -lm $LIBS"
    AC_MSG_CHECKING([for FFTW's MPI transforms for this MPI])
    SUBX_MPI_LINK([[#include <fftw3-mpi.h>]], [[MPI_Init(0, 0); fftw_mpi_init();]])
    subx_fftw3_mpi=$subx_found
    AC_MSG_RESULT([$subx_fftw3_mpi])
    AS_IF([test "$subx_fftw3_mpi" = yes && test "$subx_fftw3f" = yes], [
      LIBS="$FFTW3F_MPI_LIBS $FFTW3F_LIBS $LIBS"
      AC_MSG_CHECKING([for FFTW's MPI transforms in single precision])
      SUBX_MPI_LINK([[#include <fftw3-mpi.h>]], [[MPI_Init(0, 0); fftwf_mpi_init();]])
      AC_MSG_RESULT([$subx_found])
      AS_IF([test "$subx_found" = yes], [subx_fftw3f_mpi=yes
        AC_DEFINE([HAVE_FFTW3F_MPI], [1], [FFTW's MPI transforms in single precision])])])
    CPPFLAGS=$subx_save_CPPFLAGS LIBS=$subx_save_LIBS])
  AS_IF([test "$subx_fftw3_mpi" != yes], [FFTW3_MPI_LIBS=])
  AS_IF([test "$subx_fftw3f_mpi" != yes], [FFTW3F_MPI_LIBS=])
  AS_IF([test "$with_fftw3_mpi" = yes && test "$subx_fftw3_mpi" != yes],
    [AC_MSG_ERROR([--with-fftw3-mpi=yes, but no such library was found that is for the MPI of $CC])])
  AM_CONDITIONAL([HAVE_FFTW3_MPI], [test "$subx_fftw3_mpi" = yes])
])
