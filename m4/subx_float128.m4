# subx_float128.m4 - __float128, the type of quad precision: with its arithmetic, but not its functions.
AC_DEFUN([SUBX_FLOAT128], [
  AC_CACHE_CHECK([for __float128], [subx_cv_float128],
    [AC_LINK_IFELSE([AC_LANG_PROGRAM([], [[volatile __float128 a = 3; a = a / 7 * a;]])],
      [subx_cv_float128=yes], [subx_cv_float128=no])])
  AS_IF([test "$subx_cv_float128" = yes], [AC_DEFINE([HAVE_FLOAT128], [1], [the compiler has __float128])])
])
