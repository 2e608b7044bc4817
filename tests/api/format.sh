#!/bin/sh
# format.sh - the C sources are as clang-format writes them; skipped where there is another version of it, or none.

. "$(dirname "$0")/../common/shell.sh"

CLANG_FORMAT=${CLANG_FORMAT:-clang-format}
wanted=$(sed -n 's/^# clang-format \([0-9]*\).*/\1/p' "$top/.clang-format")
version=$($CLANG_FORMAT --version 2>/dev/null | sed -n 's/.*version \([0-9]*\)\..*/\1/p')
test -n "$wanted" || fail ".clang-format does not say for which version it is"
test "$version" = "$wanted" || skip "clang-format is ${version:-absent}, not $wanted"

for file in $(cd "$top" && find include lib io fft compat perf tests doc -name '*.[ch]' | sort); do
    # The style is found by looking upwards from the file.
    if $CLANG_FORMAT "$top/$file" | cmp -s - "$top/$file"; then
        passed
    else
        fail "$file is not formatted"
    fi
done
finish
