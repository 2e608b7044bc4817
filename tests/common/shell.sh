# shell.sh - functions that the shell tests share. The scripts that source this file are two folders below the top of
# the sources.
#
# Sets top (the folder of the sources) and scratch (a folder that is removed at the end). Defines fail, passed, skip,
# launch, finish.

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

finish() {
    echo "$checks checks passed, $failures failed"
    test "$failures" -eq 0 && test "$checks" -gt 0
    exit
}
