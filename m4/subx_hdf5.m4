# subx_hdf5.m4 - a parallel HDF5 for the MPI in use. After SUBX_MPI.
AC_DEFUN([SUBX_HDF5], [
  AC_ARG_WITH([hdf5],
    [AS_HELP_STRING([--with-hdf5=auto|yes|no], [HDF5 files, by a parallel HDF5 for this MPI @<:@auto@:>@])],
    [], [with_hdf5=auto])
  AS_CASE([$with_hdf5], [auto|yes|no], [],
    [AC_MSG_ERROR([--with-hdf5 is auto, yes or no; say where HDF5 is by PKG_CONFIG_PATH or HDF5_CFLAGS and HDF5_LIBS])])
  # Debian has a module for each MPI; hdf5 may be for any MPI, or for none.
  AS_CASE([$subx_mpi_version], [Open*], [subx_try=hdf5-openmpi], [MPICH], [subx_try=hdf5-mpich], [subx_try=hdf5])
  subx_hdf5=no
  AS_IF([test "$with_hdf5" != no], [
    PKG_CHECK_MODULES([HDF5], [$subx_try >= 1.10], [subx_hdf5=yes], [
      AS_UNSET([pkg_cv_HDF5_CFLAGS])
      AS_UNSET([pkg_cv_HDF5_LIBS])
      PKG_CHECK_MODULES([HDF5], [hdf5 >= 1.10], [subx_hdf5=yes], [:])])
    AS_IF([test "$subx_hdf5" = yes], [SUBX_HDF5_CHECK])
    AS_IF([test "$subx_hdf5" = no && test "$with_hdf5" = yes],
      [AC_MSG_ERROR([--with-hdf5=yes, but no parallel HDF5 for this MPI was found])])])
  AS_IF([test "$subx_hdf5" = yes], [AC_DEFINE([HAVE_HDF5], [1], [HDF5 files])], [HDF5_LIBS=])
  AM_CONDITIONAL([HAVE_HDF5], [test "$subx_hdf5" = yes])
])

# A program with an HDF5 of another MPI may well link, but then with another MPI's library.
AC_DEFUN([SUBX_HDF5_CHECK], [
  AC_MSG_CHECKING([whether this HDF5 is parallel and for this MPI])
  subx_hdf5=no subx_save_CPPFLAGS=$CPPFLAGS subx_save_LIBS=$LIBS
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]], [[MPI_Init(0, 0);]])], [SUBX_MPI_LIBRARIES])
  subx_mpi_alone=$subx_mpi_libraries
  CPPFLAGS="$CPPFLAGS $HDF5_CFLAGS" LIBS="$HDF5_LIBS $LIBS"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <hdf5.h>
#ifndef H5_HAVE_PARALLEL
#error "not parallel"
#endif
]], [[MPI_Init(0, 0); H5Pset_fapl_mpio(H5Pcreate(H5P_FILE_ACCESS), MPI_COMM_SELF, MPI_INFO_NULL);]])],
    [SUBX_MPI_LIBRARIES
     AS_IF([test "$subx_mpi_libraries" = "$subx_mpi_alone"], [subx_hdf5=yes])])
  CPPFLAGS=$subx_save_CPPFLAGS LIBS=$subx_save_LIBS
  AC_MSG_RESULT([$subx_hdf5])
])
