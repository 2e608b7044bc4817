#!/bin/sh
# calls.sh - in the rooms of fft that decide on a plan, no files and no rooms call each other in a circle, and functions are
# named after their rooms.

. "$(dirname "$0")/../common/shell.sh"

NM=${NM:-nm}
build=${top_builddir:-.}

# The rooms from the lowest to the highest, each with the words that may follow sx_ in the names of its functions.
rooms='
strategy strategy
hints    hints
choice   choice
stages   stages|stage
model    model
decision decision
plan     plan
explain  explain
search   search|space
'

# object ROOM NAME: print the path of the object file: the one for the shared library, or, if there is none, the one for the
# static library.
object() {
    for file in "$build/fft/$1/.libs/"*"-$2.o" "$build/fft/$1/"*"-$2.o"; do
        if test -f "$file"; then
            echo "$file"
            return
        fi
    done
}

# symbols: read rooms, and print for each of their sources a line "FILE defines NAME" or "FILE needs NAME" per function and
# table.
symbols() {
    while read -r room nouns; do
        for source in $(cd "$top/fft" && ls "$room/"*.c); do
            name=${source##*/}
            file=$(object "$room" "${name%.c}")
            test -n "$file" && $NM -P -g "$file" |
                awk -v "file=$source" '/^s/ { print file, $2 == "U" ? "needs" : "defines", $1 }'
        done
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

echo "$rooms" | sed '/^$/d' >"$scratch/rooms"
symbols <"$scratch/rooms" >"$scratch/symbols"
test -s "$scratch/symbols" || skip "there are no objects of fft in $build"
calls <"$scratch/symbols" >"$scratch/calls"

# circles itself is tested: it must find a circle of three files, and must not report a chain.
printf 'a b\nb c\nc a\nd a\n' | circles | cmp -s - <<'END' || fail "a planted circle is not found"
a b
b c
c a
END
sed -n '1s/\(.*\) \(.*\)/\2 \1/p' "$scratch/calls" | cat - "$scratch/calls" | circles >"$scratch/planted"
test -s "$scratch/planted" || fail "two files that are said to call each other are not found"

circles <"$scratch/calls" >"$scratch/circles"
while read -r caller called; do
    fail "fft/$caller calls fft/$called, which leads back to it"
done <"$scratch/circles"
test -s "$scratch/circles" || passed

while read -r room nouns; do
    for source in $(cd "$top/fft" && ls "$room/"*.c); do
        if grep -q "^$source " "$scratch/symbols"; then
            passed
        else
            fail "fft/$source has no object, or neither defines nor needs anything"
        fi
    done
    for name in $(sed -n "s,^$room/.* defines ,,p" "$scratch/symbols"); do
        if echo "$name" | grep -qE "^(subx_fft_|sx_($nouns)_)"; then passed; else fail "$name is in fft/$room"; fi
    done
done <"$scratch/rooms"

# Rooms must not call each other in a circle either. Strategies (fused, staged) are left out: they call these rooms, and
# these rooms call them through a table, which nm does not show.
sed 's,/[^ ]*,,g' "$scratch/calls" | awk '$1 != $2' | sort -u | circles >"$scratch/circles"
while read -r caller called; do
    fail "room fft/$caller calls fft/$called, which leads back to it"
done <"$scratch/circles"
test -s "$scratch/circles" || passed
echo "$(wc -l <"$scratch/calls") pairs of files"
finish
