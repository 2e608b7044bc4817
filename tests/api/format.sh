#!/bin/sh
# format.sh - all C sources are formatted as clang-format formats them. Skipped without the version that .clang-format
# names.

. "$(dirname "$0")/../common/shell.sh"

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
