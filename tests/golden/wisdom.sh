#!/bin/sh
# wisdom.sh - subx-wisdom lists, forgets and merges entries, and prints one line if something is wrong. The checksums in
# this script were computed by another program.

. "$(dirname "$0")/../common/shell.sh"

subx_wisdom=${top_builddir:-.}/subx-wisdom
SUBX_WISDOM= # empty: as if it was not set
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
tab=$(printf '\t')

# run ARGUMENT ...: run subx-wisdom. Its standard output and error go to files. Sets status.
run() {
    launch -t 30 -n 0 "$subx_wisdom" "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
}

# expect STATUS OUTPUT ARGUMENT ...: subx-wisdom must exit with STATUS and print OUTPUT. Standard error must be empty; but if
# STATUS is 1, it must say that there is no such entry.
expect() {
    wanted=$1 output=$2
    shift 2
    run "$@"
    if test $status -ne "$wanted"; then
        fail "$*: exit status $status: $(cat "$scratch/err")"
    elif test "$(cat "$scratch/out")" != "$output"; then
        fail "$* prints: $(cat "$scratch/out")"
    elif test $status -eq 1; then
        if grep -q "^subx-wisdom: .*: no entry contains \"" "$scratch/err"; then passed; else fail "$*: $(cat "$scratch/err")"; fi
    elif test -s "$scratch/err"; then
        fail "$*: $(cat "$scratch/err")"
    else
        passed
    fi
}

# refuse WORDS ARGUMENT ...: the exit status must be 2, and standard error one line that contains WORDS.
refuse() {
    words=$1
    shift
    run "$@"
    if test $status -eq 2 && test "$(wc -l <"$scratch/err")" -eq 1 && grep '^subx-wisdom: ' "$scratch/err" | grep -qF -e "$words"
    then
        passed
    else
        fail "$*: exit status $status, no \"$words\" in: $(cat "$scratch/err")"
    fi
}

# entries LINE ...: print a file of wisdom with these entries.
entries() {
    echo "subarray_x wisdom 1"
    for line in "$@"; do echo "$line"; done
}
fused="plan${tab}c2c:64x64, 4 ranks${tab}strategy fused"
natural="plan${tab}c2c:64x64, 4 ranks${tab}strategy natural"
stride1="plan${tab}r2c:9x8, 2 ranks${tab}strategy stride1"
fftw="fftw${tab}f64${tab}(fftw-3.3.10)"
machine="machine${tab}4 ranks per node${tab}latency 1e-6"
one=$scratch/one two=$scratch/two
entries "68fd2943827327d3$tab$fused" "895f1036c10808ea$tab$stride1" >"$one"
entries "c9900b474a0bd22c$tab$fftw" "2bf33690fed670c9$tab$natural" "65b3d2b6f69ee177$tab$machine" >"$two"

# The path of the file.
expect 0 "$scratch/cache/subarray_x/wisdom" path
expect 0 "$scratch/cache/subarray_x/wisdom" --file auto path
expect 0 "$one" --file="$one" path
SUBX_WISDOM=$two
export SUBX_WISDOM
expect 0 "$two" path
SUBX_WISDOM= # empty: as if it was not set

# The entries of the file.
expect 0 "$fused
$stride1" --file "$one" list
expect 0 "$stride1" --file "$one" list r2c
expect 0 "$fused" --file "$one" list c2c:64x64
expect 1 "" --file "$one" list stride1
expect 0 "$fftw" --file "$two" list fftw

# Merge two files, then forget entries.
expect 0 "4 entries merged" merge "$one" "$two"
expect 0 "$fftw
$machine
$natural
$stride1" list
expect 0 "1 entry removed" forget 9x8
expect 1 "0 entries removed" forget 9x8
expect 0 "2 entries merged" --file "$one" merge "$one"
expect 0 "$fftw
$machine
$natural" list
expect 0 "3 entries removed" forget --all
expect 0 "" list
expect 0 "0 entries removed" forget --all

# Damaged lines must be reported and dropped.
sed 's/stride1/stride2/' "$one" >"$scratch/damaged"
run --file "$scratch/damaged" list
test $status -eq 0 || fail "a damaged file: exit status $status"
test "$(cat "$scratch/out")" = "$fused" || fail "a damaged file: $(cat "$scratch/out")"
if grep -q "^subx-wisdom: $scratch/damaged: 1 damaged line is ignored\$" "$scratch/err"; then
    passed
else
    fail "a damaged file: $(cat "$scratch/err")"
fi
run --file "$scratch/damaged" merge "$two"
test $status -eq 0 || fail "a damaged file: exit status $status"
expect 0 "$fftw
$machine
$natural" --file "$scratch/damaged" list

# Wrong invocations and wrong files must be reported.
echo "subarray_x wisdom 2" >"$scratch/newer"
echo "something else" >"$scratch/other"
: >"$scratch/empty"
refuse "no command"
refuse "unknown command burn" burn
refuse "unknown option --burn" --burn list
refuse "unknown option --filename" --filename=x list
refuse "--file needs a path" --file
refuse "--file needs a path" --file= list
refuse "list takes" list a b
refuse "forget takes" forget
refuse "merge takes" merge
refuse "path takes" path x
refuse "the text is empty" forget ""
refuse "no file is used" --file none list
refuse "missing: there is no such file" --file "$scratch/missing" list
refuse "missing: there is no such file" merge "$one" "$scratch/missing"
refuse "empty: there is no such file, or it is empty" --file "$scratch/empty" list
refuse "newer: the file is of another version" --file "$scratch/newer" list
refuse "newer: the file is of another version" --file "$scratch/newer" merge "$one"
refuse "other: the file is not wisdom" --file "$scratch/other" forget --all
refuse "not a file" --file "$scratch" list
refuse "created" --file /proc/nowhere/wisdom merge "$one"
refuse "too long" --file "$(printf '%01100d' 0)" list
test "$(cat "$scratch/newer")" = "subarray_x wisdom 2" || fail "a newer file was changed"

# --help must name all options, commands and variables.
run --help
cp "$scratch/out" "$scratch/help"
for word in $(grep -ohE '"--[a-z-]+"' "$top"/fft/wisdom_cli/*.c | tr -d '"') list forget merge path SUBX_WISDOM XDG_CACHE_HOME; do
    if grep -qw -e "$word" "$scratch/help"; then passed; else fail "--help lacks $word"; fi
done
test "$(awk 'length > 120' "$scratch/help" | wc -l)" -eq 0 || fail "--help has lines of more than 120 columns"
expect 0 "$(cat "$scratch/help")" -h
expect 0 "subx-wisdom $(sed -n 's/^AC_INIT(\[subarray_x\], \[\([^]]*\)\].*/\1/p' "$top/configure.ac")" --version
finish
