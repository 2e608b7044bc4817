# subx_cuda.m4 - CUDA with cuFFT, for libsubx_cuda.so, which is loaded at run time and never linked. Sets NVCC, and the
# conditional HAVE_CUDA. Neither a GPU nor a driver is needed to build it.
AC_DEFUN([SUBX_CUDA], [
  AC_ARG_WITH([cuda],
    [AS_HELP_STRING([--with-cuda=auto|yes|no], [transforms on NVIDIA's GPUs, by CUDA 11.5 or later @<:@auto@:>@])],
    [], [with_cuda=auto])
  AS_CASE([$with_cuda], [auto|yes|no], [],
    [AC_MSG_ERROR([--with-cuda is auto, yes or no; say where CUDA is by PATH or NVCC])])
  AC_ARG_VAR([NVCC], [the compiler of CUDA])
  AC_ARG_VAR([NVCCFLAGS], [options of this compiler])
  subx_cuda=no
  AS_IF([test "$with_cuda" != no], [
    AC_PATH_PROG([NVCC], [nvcc], [], [$PATH$PATH_SEPARATOR/usr/local/cuda/bin])
    AS_IF([test -n "$NVCC"], [SUBX_CUDA_CHECK])
    AS_IF([test "$with_cuda" = yes && test "$subx_cuda" != yes],
      [AC_MSG_ERROR([--with-cuda=yes, but there is no nvcc that builds a shared library with cuFFT])])])
  : "${NVCCFLAGS=-O2 -arch=all-major}"
  AM_CONDITIONAL([HAVE_CUDA], [test "$subx_cuda" = yes])
])

# The two steps of the build: MPI's compiler knows where mpi.h is, but the library does not need MPI's libraries.
AC_DEFUN([SUBX_CUDA_CHECK], [
  AC_MSG_CHECKING([whether $NVCC builds a shared library with cuFFT])
  cat >conftest.cu <<'END'
#include <cufftXt.h>
#include <mpi.h>
extern "C" int conftest() { cufftHandle plan; return cufftCreate(&plan) + cudaDeviceSynchronize() + MPI_SUCCESS; }
END
  AS_IF([AC_TRY_COMMAND([$NVCC -ccbin "$CC" -Xcompiler -fPIC -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -c -o conftest.cuda.o conftest.cu >&AS_MESSAGE_LOG_FD 2>&1 &&
      $NVCC -shared -o conftest.cuda.so conftest.cuda.o -lcufft >&AS_MESSAGE_LOG_FD 2>&1])],
    [subx_cuda=yes])
  rm -f conftest.cu conftest.cuda.o conftest.cuda.so
  AC_MSG_RESULT([$subx_cuda])
])
