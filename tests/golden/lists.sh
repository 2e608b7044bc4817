#!/bin/sh
# lists.sh - what executions of fixed plans will do must not change: fused with each overlap of messages, fused in shared
# memory, and stride1, on slabs and on pencils.

. "$(dirname "$0")/../common/shell.sh"

program=${top_builddir:-.}/tests/golden/lists
for ranks in 4 6; do
    if launch -n "$ranks" "$program" >>"$scratch/lists.txt"; then passed; else fail "$program on $ranks ranks exits with $?"; fi
done
if diff "$top/tests/golden/lists.txt" "$scratch/lists.txt"; then passed; else fail "other lists"; fi
finish
