#!/bin/sh
# calls.sh - no rooms of lib, fft, io and compat call each other in a circle, nor do files, except for those that are named
# here with a reason; and in the rooms of fft that decide on a plan, functions are named after their rooms.

. "$(dirname "$0")/../common/shell.sh"

NM=${NM:-nm}
build=${top_builddir:-.}

# Tables: a file that reads a table may also be one that the table lists. Pairs of a table and what it lists do not count.
tables='
lib/exch/engine/table.c
lib/pipe/carrier/table.c
fft/serial/table.c
fft/strategy/strategies.c
'

# Rooms, each with the words that may follow sx_ in the names of its functions.
nouns='
strategy strategy
hints    hints
choice   choice
stages   stages|stage
model    model
decision decision
plan     plan|list
explain  explain
search   search|space
'

# object SOURCE: print the path of the object file: the one for the shared library, or, if there is none, the one for the
# static library.
object() {
    name=${1##*/}
    name=${name%.c}
    for file in "$build/${1%/*}/.libs/"*"_la-$name.o" "$build/${1%/*}/"*"_la-$name.o"; do
        if test -f "$file"; then
            echo "$file"
            return
        fi
    done
}

# symbols: read sources, and print a line "SOURCE defines NAME" or "SOURCE needs NAME" per function and table of ours.
symbols() {
    while read -r source; do
        file=$(object "$source")
        test -n "$file" && $NM -P -g "$file" |
            awk -v "file=$source" '/^su?b?x_/ { print file, $2 == "U" ? "needs" : "defines", $1 }'
    done
}

# calls: print a line "CALLER CALLED" for each pair of files of which the first calls the second.
calls() {
    awk '$2 == "defines" { file[$3] = $1 }
        $2 == "needs" { needs[++n] = $1 " " $3 }
        END {
            for (i = 1; i <= n; i++) {
                split(needs[i], pair, " ")
                if (pair[2] in file && file[pair[2]] != pair[1])
                    print pair[1], file[pair[2]]
            }
        }' | sort -u
}

# circles: print the pairs that are part of a circle. Pairs whose caller nobody calls, or whose called file calls nobody,
# are removed until no such pair is left.
circles() {
    awk '{ from[NR] = $1; to[NR] = $2; left[NR] = 1 }
        END {
            do {
                split("", calls); split("", called)
                for (i in left) { calls[from[i]]; called[to[i]] }
                gone = 0
                for (i in left)
                    if (!(to[i] in calls) || !(from[i] in called)) { delete left[i]; gone = 1 }
            } while (gone)
            for (i in left)
                print from[i], to[i]
        }' | sort
}

(cd "$top" && find lib fft io compat -name '*.c' ! -path '*cli/*') | sort | symbols >"$scratch/symbols"
test -s "$scratch/symbols" || skip "there are no objects in $build"
calls <"$scratch/symbols" >"$scratch/calls"

# circles itself is tested: it must find a circle of three files, and must not report a chain.
printf 'a b\nb c\nc a\nd a\n' | circles | cmp -s - <<'END' || fail "a planted circle is not found"
a b
b c
c a
END
sed -n '1s/\(.*\) \(.*\)/\2 \1/p' "$scratch/calls" | cat - "$scratch/calls" | circles >"$scratch/planted"
test -s "$scratch/planted" || fail "two files that are said to call each other are not found"

# Without the calls of tables, no circle of files is left.
echo "$tables" | sed '/^$/d' >"$scratch/tables"
awk 'NR == FNR { is_table[$1]; next } !($1 in is_table)' "$scratch/tables" "$scratch/calls" >"$scratch/direct"
circles <"$scratch/direct" >"$scratch/circles"
while read -r caller called; do
    fail "$caller calls $called, which leads back to it"
done <"$scratch/circles"
test -s "$scratch/circles" || passed

# Rooms must not call each other in a circle either. A room is a folder of lib, fft or compat with all below it, or io.
sed -E 's,((lib|fft|compat)/[^/ ]*|io)/[^ ]*,\1,g' "$scratch/direct" | awk '$1 != $2' | sort -u >"$scratch/rooms"
circles <"$scratch/rooms" >"$scratch/circles"
while read -r caller called; do
    fail "room $caller calls $called, which leads back to it"
done <"$scratch/circles"
test -s "$scratch/circles" || passed

echo "$nouns" | sed '/^$/d' >"$scratch/nouns"
while read -r room words; do
    for name in $(sed -n "s,^fft/$room/.* defines ,,p" "$scratch/symbols"); do
        if echo "$name" | grep -qE "^(subx_fft_|sx_($words)_)"; then passed; else fail "$name is in fft/$room"; fi
    done
done <"$scratch/nouns"
echo "$(wc -l <"$scratch/calls") pairs of files, $(wc -l <"$scratch/rooms") pairs of rooms"
finish
