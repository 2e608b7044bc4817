# subx_mpi.m4 - the MPI compiler, its library's version, the launcher that belongs to it, and whether other libraries are
# for this MPI.

# Take mpicc as the compiler if none was named. Before AC_PROG_CC.
AC_DEFUN([SUBX_MPI_COMPILER], [
  AC_ARG_VAR([MPIEXEC], [the launcher of MPI programs, for the tests])
  AS_IF([test -z "$CC"], [AC_CHECK_PROGS([CC], [mpicc mpicc.openmpi mpicc.mpich], [cc])])
])

# SUBX_MPI_LIBRARIES: the shell variable subx_mpi_libraries becomes the list of the MPI libraries of the program linked
# last: names with versions, and where the loader finds them. The list has the MPI libraries that the program loads. It also
# has the MPI library that each of its libraries would load alone: two versions of an MPI can have the same name, and then the
# program loads only one of them. MPI libraries for Fortran and C++ are left out: each needs the C library of its own MPI,
# which is in the list.
AC_DEFUN([SUBX_MPI_LIBRARIES],
  [subx_libraries=`ldd ./conftest$ac_exeext 2>/dev/null | sed -n 's,.*=> \(/[[^ ]]*\).*,\1,p'`
   subx_mpi_libraries=`{ ldd ./conftest$ac_exeext; ldd $subx_libraries | sed '/not found/d; /:$/d'; } 2>/dev/null |
    sed -n 's,^[[[:space:]]]*,,; s, *(0x.*,,; /\(fort\|cxx\)\.so/d; /\(^\|\/\)libp*mpi[[a-z]]*\.so/p' | sort -u`])

# SUBX_MPI_LINK(HEAD, BODY): subx_found becomes yes if a program of HEAD and BODY links with LIBS and loads the same MPI
# library as a program with MPI alone. A library that was built for another MPI often links as well, and loads that MPI.
AC_DEFUN([SUBX_MPI_LINK], [
  AC_LINK_IFELSE([AC_LANG_PROGRAM([$1], [$2])],
    [SUBX_MPI_LIBRARIES
     AS_IF([test "$subx_mpi_libraries" = "$subx_mpi_alone"], [subx_found=yes],
       [subx_found="no, for another MPI: "`echo "$subx_mpi_libraries" | grep -Fvx "$subx_mpi_alone"`])],
    [subx_found=no])
])

AC_DEFUN([SUBX_MPI], [
  AC_MSG_CHECKING([for MPI 3])
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#if MPI_VERSION < 3
#error "MPI 3 is needed"
#endif
]], [[MPI_Init(0, 0); MPI_Finalize();]])],
    [AC_MSG_RESULT([yes])
     SUBX_MPI_LIBRARIES
     subx_mpi_alone=$subx_mpi_libraries
     # The CMake package recognises another MPI by these names.
     AC_SUBST([SUBX_MPI_NAMES], [`echo "$subx_mpi_alone" | sed 's, .*,,; s,.*/,,' | sort -u | xargs`])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([$CC does not compile MPI programs: configure with CC=mpicc, mpicc.openmpi or mpicc.mpich])])

  # Types created by calls with MPI_Count can only be queried by calls with MPI_Count.
  AC_CHECK_FUNCS([MPI_Type_get_contents_c MPI_Alltoallw_init])
  AS_IF([test "$ac_cv_func_MPI_Type_get_contents_c" = yes],
        [subx_mpi_counts="int and MPI_Count"], [subx_mpi_counts="int"])

  # Persistent collectives are in MPI 4, and in Open MPI 4.1 an extension.
  AC_CHECK_HEADERS([mpi-ext.h], [], [], [#include <mpi.h>])
  AC_CACHE_CHECK([for a persistent MPI_Alltoallv], [subx_cv_alltoallv_init], [
    subx_cv_alltoallv_init=no
    for subx_try in MPI_Alltoallv_init MPIX_Alltoallv_init; do
      AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#ifdef HAVE_MPI_EXT_H
#include <mpi-ext.h>
#endif
]], [[MPI_Request request;
int n[1] = {0};
return $subx_try(n, n, n, MPI_BYTE, &request, n, n, MPI_BYTE, MPI_COMM_SELF, MPI_INFO_NULL, &request);]])],
        [subx_cv_alltoallv_init=$subx_try; break])
    done])
  AS_IF([test "$subx_cv_alltoallv_init" != no],
        [AC_DEFINE_UNQUOTED([SUBX_ALLTOALLV_INIT], [$subx_cv_alltoallv_init],
                            [The call that makes a persistent MPI_Alltoallv.])])

  AC_MSG_CHECKING([which MPI])
  AC_COMPUTE_INT([subx_ompi], [OMPI_MAJOR_VERSION], [#include <mpi.h>], [subx_ompi=no])
  AC_EGREP_CPP([subx_has_mpich], [#include <mpi.h>
#ifdef MPICH_VERSION
subx_has_mpich
#endif
], [subx_mpi_version=MPICH], [AS_IF([test "$subx_ompi" != no], [subx_mpi_version="Open MPI $subx_ompi"],
    [subx_mpi_version="another MPI"])])
  AC_MSG_RESULT([$subx_mpi_version])
  AC_SUBST([SUBX_MPI_VERSION], [$subx_mpi_version])

  # mpicc.openmpi goes with mpirun.openmpi, /opt/x/bin/mpicc with /opt/x/bin/mpirun.
  AS_IF([test -z "$MPIEXEC"], [
    set dummy $CC
    subx_cc=`command -v "$[2]"`
    for subx_try in `echo "$subx_cc" | sed 's/mpicc/mpirun/; s/mpigcc/mpirun/; s/mpiclang/mpirun/'` mpirun mpiexec; do
      AS_IF([test "$subx_try" != "$subx_cc" && command -v "$subx_try" >/dev/null 2>&1],
            [MPIEXEC=$subx_try; break])
    done])
  AS_IF([test -z "$MPIEXEC"], [AC_MSG_WARN([no mpirun found: set MPIEXEC to run the tests])])
])
