# shell.sh - functions that the shell tests share. The scripts that source this file are two folders below the top of
# the sources.
#
# Sets top (the folder of the sources) and scratch (a folder that is removed at the end). Defines fail, passed, skip,
# launch, copy_modules, finish.

set -u
LC_ALL=C
export LC_ALL
top=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/subx-test.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
failures=0
checks=0

# fail WORD ...: say what is wrong and go on.
fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# passed: count a check that held. A script that has checked nothing fails.
passed() {
    checks=$((checks + 1))
}

skip() {
    echo "SKIP: $*"
    exit 77
}

launch() {
    "$top/tests/common/launch" "$@"
}

# copy_modules FOLDER: copy the sources of the Fortran modules. Those that are written from the headers are in the folder
# build, or a release has them.
copy_modules() {
    mkdir "$1"
    cp "$top"/bindings/fortran/*.f90 "$1"
    cp "$build"/bindings/fortran/*.f90 "$1" 2>/dev/null
    chmod u+w "$1"/*
}

finish() {
    echo "$checks checks passed, $failures failed"
    test "$failures" -eq 0 && test "$checks" -gt 0
    exit
}
