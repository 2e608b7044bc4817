# subx_check.m4 - the Check library, for the unit tests.
AC_DEFUN([SUBX_CHECK], [
  AC_ARG_WITH([check],
    [AS_HELP_STRING([--with-check=auto|yes|no], [unit tests with the Check library @<:@auto@:>@])],
    [], [with_check=auto])
  AS_CASE([$with_check], [auto|yes|no], [], [AC_MSG_ERROR([--with-check is auto, yes or no])])
  subx_check=no
  AS_IF([test "$with_check" != no],
    [PKG_CHECK_MODULES([CHECK], [check >= 0.13], [subx_check=yes],
      [AS_IF([test "$with_check" = yes], [AC_MSG_ERROR([--with-check=yes, but Check was not found])])])])
  AM_CONDITIONAL([HAVE_CHECK], [test "$subx_check" = yes])
])
