# subx_flags.m4 - the language, the warnings, hidden symbols, threads.
#
# The language is C99. What a file needs beyond it, such as POSIX, it gets by config.h, which comes before all system headers
# (AC_USE_SYSTEM_EXTENSIONS). With -std=c99 gcc would no longer join a product and a sum to one instruction, which the
# kernels of fft/simd count on; hence -ffp-contract=fast.

AC_DEFUN([SUBX_ADD_FLAG], [
  AC_MSG_CHECKING([whether $CC takes $1])
  subx_saved=$CFLAGS
  CFLAGS="$CFLAGS -Werror $1"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
    [AC_MSG_RESULT([yes]); SUBX_CFLAGS="$SUBX_CFLAGS $1"], [AC_MSG_RESULT([no])])
  CFLAGS=$subx_saved
])

AC_DEFUN([SUBX_WARNINGS], [
  SUBX_CFLAGS=
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [warnings are errors, for our own checks])])
  for subx_flag in -std=c99 -ffp-contract=fast -fvisibility=hidden -Wall -Wextra -Wpedantic -Wconversion -Wshadow \
                   -Wstrict-prototypes -Wmissing-prototypes; do
    SUBX_ADD_FLAG([$subx_flag])
  done
  AS_IF([test "$enable_werror" = yes], [SUBX_CFLAGS="$SUBX_CFLAGS -Werror"])
  AC_SUBST([SUBX_CFLAGS])
])

AC_DEFUN([SUBX_THREADS], [AC_SEARCH_LIBS([pthread_once], [pthread])])
