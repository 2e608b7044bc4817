#!/bin/sh
# generated.sh - the files in the tree that bindings/generate.py writes from the public headers are up to date. To test the
# check itself, the test also changes a copy of the tree: generate.py must find each change. Skipped without Python 3.7 or
# later.

. "$(dirname "$0")/../common/shell.sh"

python=${PYTHON3:-python3}
"$python" -c 'import dataclasses' 2>/dev/null || skip "no Python with dataclasses"

# generate ARGUMENT ...: run bindings/generate.py.
generate() {
    "$python" -B "$top/bindings/generate.py" "$@" >"$scratch/out" 2>&1
}

# expect_found WHAT: generate.py reports that the copy differs, and where. WHAT is what was changed.
expect_found() {
    if generate --check --top "$scratch/copy"; then
        fail "$1: no difference is found"
    elif grep -q "$1" "$scratch/out"; then
        passed
    else
        fail "$1: $(tail -n 3 "$scratch/out")"
    fi
}

# expect_same WHEN: generate.py finds no difference in the copy. WHEN is for the message of a failure.
expect_same() {
    if generate --check --top "$scratch/copy"; then passed; else fail "$1: $(cat "$scratch/out")"; fi
}

if generate --check; then passed; else fail "$(cat "$scratch/out")"; fi

# At first the copy has only the headers; then generate.py writes its files into the copy.
mkdir "$scratch/copy"
cp -r "$top/include" "$scratch/copy/include"
chmod -R u+w "$scratch/copy"
raw=bindings/python/subarray_x/_raw.py
expect_found "$raw (written again)"
generate --top "$scratch/copy" || fail "cannot write: $(cat "$scratch/out")"
expect_same "after writing"
sed -i.bak 's/SUBX_ERR_ALIAS = 18/SUBX_ERR_ALIAS = 81/' "$scratch/copy/$raw"
expect_found '+SUBX_ERR_ALIAS = 18'
generate --top "$scratch/copy"
expect_same "after writing again"

# First one header differs, then one cannot be read.
header=$scratch/copy/include/subx.h
sed -i.bak 's/subx_block_get(ptrdiff_t n, int p, int r,/subx_block_get(ptrdiff_t n, ptrdiff_t p, int r,/' "$header"
expect_found '+subx_block_get = .*c_ssize_t, c_ssize_t, c_int'
sed 's/^#define SUBX_NDIMS_MAX 32/struct subx_point { int x; };/' "$top/include/subx.h" >"$header"
expect_found 'the headers have 1 faults'
finish
