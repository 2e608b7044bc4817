#!/bin/sh
# topology.sh - the grids that the library chooses on big machines must not change.

. "$(dirname "$0")/../common/shell.sh"

program=${top_builddir:-.}/tests/golden/topology
if launch -n 0 "$program" >"$scratch/topology.txt"; then passed; else fail "$program exits with $?"; fi
if diff "$top/tests/golden/topology.txt" "$scratch/topology.txt"; then passed; else fail "other grids or loads"; fi
finish
