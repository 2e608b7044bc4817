#!/bin/sh
# help.sh - --help must name every option, and every value that the libraries offer. --version must print a version.

. "$(dirname "$0")/../common/shell.sh"

subx_fft=${SUBX_FFT:-./subx-fft}

launch -n 2 "$subx_fft" --help >"$scratch/help" 2>"$scratch/errors" || fail "--help exits with $?"
test "$(grep -c '^Usage:' "$scratch/help")" -eq 1 || fail "--help is not printed once"

# The options are the words "--.." in the program's source, and one option for each hint in the library's table.
hints=$(sed -n 's/^    {"subx_\([a-z_]*\)",.*/--\1/p' "$top/fft/hints/hints.c" | tr _ -)
options=$({ grep -ohE '"--[a-z][a-z-]*"' "$top"/fft/cli/*.c | tr -d '"'; echo "$hints"; } | sort -u)
for option in $options; do
    if grep -qE -e "(^|[ ,])$option([ =,]|\$)" "$scratch/help"; then passed; else fail "--help lacks $option"; fi
done
test "$(echo "$hints" | wc -l)" -ge 15 || fail "the table has suspiciously few hints"

# --help gets the hints from the library's query. Each hint must be there exactly once.
listed=$(grep -oE '^  --[a-z-]+' "$scratch/help" | tr -d ' ' | grep -xF -e "$hints")
test "$(echo "$listed" | sort)" = "$(echo "$hints" | sort)" || fail "--help lists other hints: $listed"

for word in alltoallv alltoallw auto naive natural fused stride1 transposed none forward backward symmetric orthonormal \
    estimate measure patient exhaustive send recv reference properties receive both contiguous interleaved preserve destroy c2c r2c c2r \
    dct1 dct4 dst1 dst4 dht r2hc hc2r f32 f64 long f128 SUBX_TIME_LIMIT; do
    if grep -qw -e "$word" "$scratch/help"; then passed; else fail "--help lacks $word"; fi
done
test "$(awk 'length > 120' "$scratch/help" | wc -l)" -eq 0 || fail "--help has lines of more than 120 columns"

launch -n 1 "$subx_fft" -h >"$scratch/short" 2>/dev/null || fail "-h exits with $?"
if cmp -s "$scratch/help" "$scratch/short"; then passed; else fail "-h differs from --help"; fi

version=$(launch -n 2 "$subx_fft" --version 2>/dev/null)
case $version in
"subx-fft "[0-9]*.[0-9]*.[0-9]*) passed ;;
*) fail "--version says \"$version\"" ;;
esac
finish
