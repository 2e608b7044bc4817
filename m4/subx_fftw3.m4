# subx_fftw3.m4 - FFTW 3 in double precision, an optional serial backend.
AC_DEFUN([SUBX_FFTW3], [
  AC_ARG_WITH([fftw3],
    [AS_HELP_STRING([--with-fftw3=auto|yes|no], [serial transforms by FFTW 3 @<:@auto@:>@])],
    [], [with_fftw3=auto])
  subx_serial="naive"
  subx_fftw3=no
  AS_CASE([$with_fftw3], [auto|yes|no], [],
    [AC_MSG_ERROR([--with-fftw3 is auto, yes or no; say where FFTW is by PKG_CONFIG_PATH or FFTW3_CFLAGS and FFTW3_LIBS])])
  AS_IF([test "$with_fftw3" != no],
    [PKG_CHECK_MODULES([FFTW3], [fftw3 >= 3.3], [subx_fftw3=yes],
      [AS_IF([test "$with_fftw3" = yes], [AC_MSG_ERROR([--with-fftw3=yes, but FFTW 3 was not found])])])])
  AS_IF([test "$subx_fftw3" = yes],
    [AC_DEFINE([HAVE_FFTW3], [1], [serial transforms by FFTW 3])
     subx_serial="fftw3 naive"])
  AM_CONDITIONAL([HAVE_FFTW3], [test "$subx_fftw3" = yes])
])
