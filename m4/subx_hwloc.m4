# subx_hwloc.m4 - hwloc, which knows the sizes of the caches and who shares them.
AC_DEFUN([SUBX_HWLOC], [
  AC_ARG_WITH([hwloc],
    [AS_HELP_STRING([--with-hwloc=auto|yes|no], [sizes of caches by hwloc 2 @<:@auto@:>@])],
    [], [with_hwloc=auto])
  AS_CASE([$with_hwloc], [auto|yes|no], [],
    [AC_MSG_ERROR([--with-hwloc is auto, yes or no; say where hwloc is by PKG_CONFIG_PATH or HWLOC_CFLAGS and HWLOC_LIBS])])
  subx_hwloc=no
  AS_IF([test "$with_hwloc" != no],
    [PKG_CHECK_MODULES([HWLOC], [hwloc >= 2.0], [subx_hwloc=yes],
      [AS_IF([test "$with_hwloc" = yes], [AC_MSG_ERROR([--with-hwloc=yes, but hwloc 2 was not found])])])])
  subx_caches="of the C library"
  AS_IF([test "$subx_hwloc" = yes],
    [AC_DEFINE([HAVE_HWLOC], [1], [sizes of caches by hwloc])
     subx_caches=hwloc])
])
