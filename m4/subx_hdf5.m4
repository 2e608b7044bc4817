# subx_hdf5.m4 - a parallel HDF5 for the MPI in use. After SUBX_MPI.
AC_DEFUN([SUBX_HDF5], [
  AC_ARG_WITH([hdf5],
    [AS_HELP_STRING([--with-hdf5=auto|yes|no], [HDF5 files, by a parallel HDF5 for this MPI @<:@auto@:>@])],
    [], [with_hdf5=auto])
  AS_CASE([$with_hdf5], [auto|yes|no], [],
    [AC_MSG_ERROR([--with-hdf5 is auto, yes or no; say where HDF5 is by PKG_CONFIG_PATH or HDF5_CFLAGS and HDF5_LIBS])])
  # Debian has a module for each MPI; hdf5 may be for any MPI, or for none.
  AS_CASE([$subx_mpi_version], [Open*], [subx_modules="hdf5-openmpi hdf5"], [MPICH], [subx_modules="hdf5-mpich hdf5"],
    [subx_modules=hdf5])
  subx_hdf5=no subx_hdf5_cflags=$HDF5_CFLAGS subx_hdf5_libs=$HDF5_LIBS
  AS_IF([test "$with_hdf5" != no], [
    for subx_try in $subx_modules; do
      AS_UNSET([pkg_cv_HDF5_CFLAGS])
      AS_UNSET([pkg_cv_HDF5_LIBS])
      HDF5_CFLAGS=$subx_hdf5_cflags HDF5_LIBS=$subx_hdf5_libs
      PKG_CHECK_MODULES([HDF5], [$subx_try >= 1.10], [SUBX_HDF5_CHECK], [:])
      AS_IF([test "$subx_hdf5" = yes], [break])
    done
    AS_IF([test "$with_hdf5" = yes && test "$subx_hdf5" != yes],
      [AC_MSG_ERROR([--with-hdf5=yes, but no parallel HDF5 for this MPI was found])])])
  AS_IF([test "$subx_hdf5" = yes], [AC_DEFINE([HAVE_HDF5], [1], [HDF5 files])], [HDF5_LIBS=])
  AM_CONDITIONAL([HAVE_HDF5], [test "$subx_hdf5" = yes])
])

AC_DEFUN([SUBX_HDF5_CHECK], [
  AC_MSG_CHECKING([whether this HDF5 is parallel and for this MPI])
  subx_save_CPPFLAGS=$CPPFLAGS subx_save_LIBS=$LIBS
  CPPFLAGS="$CPPFLAGS $HDF5_CFLAGS" LIBS="$HDF5_LIBS $LIBS"
  SUBX_MPI_LINK([[#include <hdf5.h>
#ifndef H5_HAVE_PARALLEL
#error "not parallel"
#endif
]], [[MPI_Init(0, 0); H5Pset_fapl_mpio(H5Pcreate(H5P_FILE_ACCESS), MPI_COMM_SELF, MPI_INFO_NULL);]])
  CPPFLAGS=$subx_save_CPPFLAGS LIBS=$subx_save_LIBS
  subx_hdf5=$subx_found
  AC_MSG_RESULT([$subx_hdf5])
])
