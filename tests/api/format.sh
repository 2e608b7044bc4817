#!/bin/sh
# format.sh - no line of the libraries, comments included, has more than 110 columns, and all C sources are formatted as
# clang-format formats them. The second check is skipped without the version that .clang-format names.

. "$(dirname "$0")/../common/shell.sh"

(cd "$top" && find lib fft io compat include -name '*.[ch]' -o -name '*.cu') >"$scratch/files"
test "$(wc -l <"$scratch/files")" -ge 300 || fail "suspiciously few files"
(cd "$top" && xargs awk 'length > 110 { print FILENAME ":" FNR ": more than 110 columns" }') <"$scratch/files" >"$scratch/long"
if test -s "$scratch/long"; then fail "$(cat "$scratch/long")"; else passed; fi

CLANG_FORMAT=${CLANG_FORMAT:-clang-format}
wanted=$(sed -n 's/^# clang-format \([0-9]*\).*/\1/p' "$top/.clang-format")
version=$($CLANG_FORMAT --version 2>/dev/null | sed -n 's/.*version \([0-9]*\)\..*/\1/p')
test -n "$wanted" || fail ".clang-format does not say for which version it is"
test "$version" = "$wanted" || skip "clang-format is ${version:-absent}, not $wanted"

# One process checks all files. clang-format finds .clang-format in a folder above each file.
(cd "$top" && find include lib io fft compat perf tests doc -name '*.[ch]' | sort) >"$scratch/files"
if (cd "$top" && xargs "$CLANG_FORMAT" --dry-run --Werror) <"$scratch/files" 2>"$scratch/err"; then
    checks=$(wc -l <"$scratch/files")
else
    fail "$(sed -n 's/^\([^:]*\):.*code should be clang-formatted.*/\1 is not formatted: clang-format -i \1/p' "$scratch/err" | sort -u)"
fi
finish
