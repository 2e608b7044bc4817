# subx_openmp.m4 - threads within one rank, by OpenMP where the compiler has it.
AC_DEFUN([SUBX_OPENMP], [
  AC_OPENMP
  subx_openmp=no
  AS_IF([test -n "$OPENMP_CFLAGS"], [subx_openmp=yes])
])
