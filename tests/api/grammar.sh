#!/bin/sh
# grammar.sh - the public headers and subx_lowlevel.h have the form that bindings/headers.py reads. Each comment explains every parameter once,
# says whether the function is local or collective, and names its errors. headers.py can read every declaration. To test the
# check itself, the test also plants faults, which headers.py must find. Skipped without Python 3.7 or later.

. "$(dirname "$0")/../common/shell.sh"

python=${PYTHON3:-python3}
"$python" -c 'import dataclasses' 2>/dev/null || skip "no Python with dataclasses"

# check FILE ...: let headers.py check these headers.
check() {
    "$python" -B "$top/bindings/headers.py" "$@" >"$scratch/out" 2>&1
}

# plant WORDS SCRIPT: change a copy of subx.h by a sed script; headers.py must report a fault with these words.
plant() {
    sed "$2" "$top/include/subx.h" >"$scratch/subx.h"
    if check "$scratch/subx.h"; then
        fail "$2: no fault is found"
    elif grep -q "$1" "$scratch/out"; then
        passed
    else
        fail "$2: $(cat "$scratch/out")"
    fi
}

if check "$top"/include/*.h "$top/lib/lowlevel/subx_lowlevel.h"; then
    passed
else
    fail "$(cat "$scratch/out")"
fi
entry='^ \*   r      \[in\]   which part'
plant "subx_block_get does not document r" "/$entry/d"
plant "subx_block_get documents r twice" "/$entry/p"
plant "subx_block_get documents q, which is no parameter" "s/$entry/ *   q, r   [in]   which part/"
plant "subx_block_get has an entry that cannot be read" "s/$entry/ *   r of p [in]   which part/"
plant "subx_block_get does not say whether it is local or collective" 's/eq\. 9)\. Local; needs no MPI/eq. 9)/'
plant "cannot be read from line" 's/^#define SUBX_NDIMS_MAX 32/struct subx_point { int x; };/'
plant "SUBX_ERR_ cannot be read from here" 's/SUBX_ERR_ARG = 1,/SUBX_ERR_ARG,/'
plant "has a struct, or a null value, of another name" 's/^#define SUBX_GRID_NULL/#define SUBX_GRIDS_NULL/'
plant "subx_block_get does not say which errors it returns" 's/^ \* Errors: ARG\. \*\/$/ *\//'
finish
