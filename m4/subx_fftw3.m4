# subx_fftw3.m4 - FFTW 3, an optional serial backend: double precision, and the other precisions that are installed. After
# SUBX_FLOAT128.

# SUBX_FFTW3_PRECISION(LETTER, NAME): FFTW's library of one more precision. fftw3.h shows quad precision to gcc only.
AC_DEFUN([SUBX_FFTW3_PRECISION], [
  PKG_CHECK_MODULES([FFTW3]m4_toupper([$1]), [fftw3$1 >= 3.3], [
    AC_MSG_CHECKING([whether $CC compiles calls of FFTW in precision $2])
    subx_saved=$CPPFLAGS
    CPPFLAGS="$CPPFLAGS $FFTW3_CFLAGS"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <fftw3.h>]], [[fftw$1_plan plan = 0; fftw$1_destroy_plan(plan);]])],
      [AC_MSG_RESULT([yes])
       AC_DEFINE([HAVE_FFTW3]m4_toupper([$1]), [1], [FFTW 3 in precision $2])
       [subx_fftw3$1]=yes
       subx_precisions="$subx_precisions $2"],
      [AC_MSG_RESULT([no])
       [FFTW3]m4_toupper([$1])_LIBS=])
    CPPFLAGS=$subx_saved], [:])
])

AC_DEFUN([SUBX_FFTW3], [
  AC_ARG_WITH([fftw3],
    [AS_HELP_STRING([--with-fftw3=auto|yes|no], [serial transforms by FFTW 3 @<:@auto@:>@])],
    [], [with_fftw3=auto])
  subx_serial="naive"
  subx_fftw3=no subx_fftw3f=no subx_fftw3l=no
  AS_CASE([$with_fftw3], [auto|yes|no], [],
    [AC_MSG_ERROR([--with-fftw3 is auto, yes or no; say where FFTW is by PKG_CONFIG_PATH or FFTW3_CFLAGS and FFTW3_LIBS])])
  AS_IF([test "$with_fftw3" != no],
    [PKG_CHECK_MODULES([FFTW3], [fftw3 >= 3.3], [subx_fftw3=yes],
      [AS_IF([test "$with_fftw3" = yes], [AC_MSG_ERROR([--with-fftw3=yes, but FFTW 3 was not found])])])])
  AS_IF([test "$subx_fftw3" = yes],
    [AC_DEFINE([HAVE_FFTW3], [1], [serial transforms by FFTW 3])
     subx_precisions=
     SUBX_FFTW3_PRECISION([f], [float])
     subx_precisions="$subx_precisions double"
     SUBX_FFTW3_PRECISION([l], [long])
     AS_IF([test "$subx_cv_float128" = yes], [SUBX_FFTW3_PRECISION([q], [quad])])
     subx_serial="fftw3 (${subx_precisions# }) naive"])
  AM_CONDITIONAL([HAVE_FFTW3], [test "$subx_fftw3" = yes])
  AM_CONDITIONAL([HAVE_FFTW3F], [test "$subx_fftw3f" = yes])
  AM_CONDITIONAL([HAVE_FFTW3L], [test "$subx_fftw3l" = yes])
])
