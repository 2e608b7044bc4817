#!/bin/sh
# cplusplus.sh - the C++17 example compiles without warnings, and runs on 1 and 3 ranks. Skipped without a C++ compiler.

. "$(dirname "$0")/../common/shell.sh"

CC=${CC:-mpicc}
build=${top_builddir:-.}
example=$top/doc/examples/17_raii.cpp

echo 'int main() { return 0; }' >"$scratch/probe.cc"
# CC is not quoted, because it may have options.
# shellcheck disable=SC2086
$CC -x c++ -std=c++17 "$scratch/probe.cc" -o "$scratch/probe" -lstdc++ 2>/dev/null || skip "no C++17 compiler"
test -f "$build/.libs/libsubx_fft.so" || skip "no shared libraries in $build"

# shellcheck disable=SC2086
if $CC -x c++ -std=c++17 -Wall -Wextra -Werror -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -I"$top/include" "$example" \
    -o "$scratch/raii" -L"$build/.libs" -lsubx_fft -lsubx -lstdc++ -lm >"$scratch/log" 2>&1; then
    passed
else
    fail "17_raii.cpp does not compile: $(head -n 20 "$scratch/log")"
fi
LD_LIBRARY_PATH=$(cd "$build" && pwd)/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
for ranks in 1 3; do
    if launch -n $ranks "$scratch/raii" >"$scratch/log" 2>&1; then passed; else fail "$ranks ranks: $(cat "$scratch/log")"; fi
done
finish
