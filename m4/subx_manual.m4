# SUBX_MANUAL: what builds the manual. Sets PANDOC and MANDOC, each empty if it is not there, and subx_manual, which is for
# people. Both are optional: a release has the pages.
AC_DEFUN([SUBX_MANUAL], [
    AC_ARG_VAR([PANDOC], [pandoc, which builds the manual])
    AC_PATH_PROG([PANDOC], [pandoc])
    AC_PATH_PROG([MANDOC], [mandoc])
    AS_IF([test -n "$PANDOC"], [subx_manual="make doc builds it"],
        [test -f "$srcdir/doc/built/html/index.html"], [subx_manual="as built for the release"],
        [subx_manual="Markdown only; make doc needs pandoc"])
])
