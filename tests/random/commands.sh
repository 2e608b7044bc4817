#!/bin/sh
# commands.sh - run subx-fft and subx-wisdom with random wrong options, hints, problems and files (drawn by commands.awk).
# No command may hang or crash. Each command that fails must print one clear line, which names what is wrong.
#
# COMMANDS_SEED, COMMANDS_FIRST and COMMANDS_COUNT choose other commands. A failure prints these three with the command.

. "$(dirname "$0")/../common/shell.sh"

subx_fft=${SUBX_FFT:-./subx-fft}
subx_wisdom=${top_builddir:-.}/subx-wisdom
seed=${COMMANDS_SEED:-20210814}
limit=30
XDG_CACHE_HOME=$scratch/cache
TMPDIR=$scratch # else Open MPI's processes without a launcher share a folder with other tests
export XDG_CACHE_HOME TMPDIR SUBX_WISDOM

# ---- files

f=$scratch/files
mkdir "$f" "$f/folder.npy" "$f/folder.h5"
mkfifo "$f/pipe.npy" "$f/pipe.h5" "$f/pipe.raw"
# npy FILE DESCR SHAPE BYTES [ORDER]: write a .npy file of version 1.0 with this header and BYTES zeros.
npy() {
    printf '\223NUMPY\001\000\166\000' >"$f/$1"
    printf '%-117s\n' "{'descr': $2, 'fortran_order': ${5:-False}, 'shape': $3, }" >>"$f/$1"
    head -c "$4" /dev/zero >>"$f/$1"
}
npy good.npy "'<f8'" "(4, 3)" 96
npy fortran.npy "'>c16'" "(4, 3)" 192 True
npy nan.npy "'<f8'" "(4, 3)" 80
printf '\000\000\000\000\000\000\370\177\000\000\000\000\000\000\360\177' >>"$f/nan.npy"
npy cut.npy "'<f8'" "(4, 3)" 95
npy object.npy "'|O'" "(4, 3)" 96
npy ints.npy "'<i8'" "(4, 3)" 96
npy bool.npy "'|b1'" "(4, 3)" 12
npy half.npy "'<f2'" "(4, 3)" 24
npy struct.npy "[('x', '<f8')]" "(4, 3)" 96
npy scalar.npy "'<f8'" "()" 8
npy deep.npy "'<f8'" "($(printf '1,%.0s' 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1))" 8
npy none.npy "'<f8'" "(4, 0)" 0
npy negative.npy "'<f8'" "(4, -3)" 96
npy vast.npy "'<f8'" "(4611686018427387904, 3)" 96
npy locked.npy "'<f8'" "(4, 3)" 96
chmod 0 "$f/locked.npy"
printf '\223NUMPY\002\000\377\377\377\177{' >"$f/header.npy"
printf '\223NUMPY\001\000\166\000{' >"$f/short.npy"
printf 'this is no array' >"$f/text.npy"
printf 'this is no array' >"$f/text.h5"
: >"$f/empty.npy"
: >"$f/empty.h5"
head -c 96 /dev/zero >"$f/good.raw"
: >"$f/good.h5"
: >"$f/cut.h5"
if launch -n 0 "$subx_fft" --input "$f/good.npy" --output "$f/good.h5" >/dev/null 2>&1; then
    head -c 2000 "$f/good.h5" >"$f/cut.h5"
fi

# change_byte: change one byte in a copy of good.npy, in its header of 128 bytes.
change_byte() {
    cp "$f/good.npy" "$f/changed.npy"
    # shellcheck disable=SC2059
    printf "\\$(printf '%03o' $((number * 37 % 256)))" |
        dd of="$f/changed.npy" bs=1 seek=$((number * 11 % 128)) conv=notrunc 2>/dev/null
}

# ---- commands

# check_line: check the error message of a command that has failed: it must be one line. MPI's launcher may have printed other
# lines.
check_line() {
    grep "^$program: " "$scratch/err" >"$scratch/line"
    if test $status -ge 124; then
        fail "$how: exit status $status"
    elif test "$(wc -l <"$scratch/line")" -ne 1; then
        fail "$how: exit status $status, not one line"
    elif test "$ranks" -eq 0 && test "$(wc -l <"$scratch/err")" -ne 1; then
        fail "$how: more than its line"
    elif ! grep -qF -e "$(echo "$words" | tr '|' '\n')" "$scratch/line"; then
        fail "$how: the line does not name what is wrong"
    else
        passed
        return
    fi
    head -n 20 "$scratch/err"
}

# execute RANKS PROGRAM WORDS VARIABLES ARGUMENTS: run a command, and check what it prints.
execute() {
    ranks=$1 program=$2 words=$3
    how="COMMANDS_SEED=$seed COMMANDS_FIRST=$number COMMANDS_COUNT=1, $ranks ranks:$4 $2$5"
    change_byte
    # If SUBX_WISDOM is empty, subx-wisdom uses the user's file, which is below XDG_CACHE_HOME.
    test "$2" = subx-fft && file=$subx_fft SUBX_WISDOM=none || file=$subx_wisdom SUBX_WISDOM=
    # eval: commands.awk puts quotes around values of variables; the values themselves contain no quotes
    eval "env $4 \"$top/tests/common/launch\" -t $limit -n $1 \"$file\" $5" >"$scratch/out" 2>"$scratch/err"
    status=$?
    if test $status -eq 0; then passed; else check_line; fi
    for rest in "$f"/*.tmp.*; do
        test ! -e "$rest" || fail "$how: left $rest"
    done
    rm -f "$f"/o "$f"/o.* "$f"/*.tmp.*
}

number=${COMMANDS_FIRST:-0}
awk -v seed="$seed" -v first="$number" -v count="${COMMANDS_COUNT:-25}" \
    -f "$top/tests/random/commands.awk" >"$scratch/commands" || fail "no command could be drawn"
cd "$scratch" || exit 99
tab=$(printf '\t')
while IFS= read -r line; do
    rest=$line
    set --
    for field in 1 2 3 4; do
        set -- "$@" "${rest%%"$tab"*}"
        rest=${rest#*"$tab"}
    done
    execute "$@" "$rest" </dev/null
    number=$((number + 1))
done <"$scratch/commands"
finish
