# SUBX_PYTHON: sets PYTHON3, the program that runs bindings/generate.py and doc/manual/build.py. A release has the bindings, and
# is built without it.
AC_DEFUN([SUBX_PYTHON], [
    AC_ARG_VAR([PYTHON3], [Python 3.7 or later, which writes the bindings and the manual @<:@python3@:>@])
    : ${PYTHON3=python3}
    AS_IF([test ! -f "$srcdir/bindings/python/subarray_x/_raw.py"], [
        AC_MSG_CHECKING([whether $PYTHON3 can write the bindings])
        AS_IF(["$PYTHON3" -c 'import dataclasses' >&AS_MESSAGE_LOG_FD 2>&1], [AC_MSG_RESULT([yes])],
            [AC_MSG_RESULT([no])
             AC_MSG_ERROR([building from the repository needs Python 3.7 or later; PYTHON3 names it, and a release needs none])])])
])
