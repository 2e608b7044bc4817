# SUBX_MANUAL: the programs that build the manual. Sets PANDOC and MANDOC, each empty if the program is missing, and
# subx_manual, a text for people. Both programs are optional: a release has the pages.
AC_DEFUN([SUBX_MANUAL], [
    AC_ARG_VAR([PANDOC], [pandoc, which builds the manual])
    AC_PATH_PROG([PANDOC], [pandoc])
    AC_PATH_PROG([MANDOC], [mandoc])
    AS_IF([test -n "$PANDOC"], [subx_manual="make doc builds it"],
        [test -f "$srcdir/doc/built/html/index.html"], [subx_manual="as built for the release"],
        [subx_manual="Markdown only; make doc needs pandoc"])
])
