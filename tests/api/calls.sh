#!/bin/sh
# calls.sh - in the rooms that decide on a plan, no files call each other in a circle; and the names of functions tell their rooms.

. "$(dirname "$0")/../common/shell.sh"

NM=${NM:-nm}
build=${top_builddir:-.}

# From below to above, with the nouns that follow sx_ in the names of a room.
rooms='
strategy strategy
hints    hints
choice   choice
stages   stages|stage
model    model
decision decision
plan     plan
search   search|space
explain  explain
'

# object ROOM NAME: what was compiled from a source of a room: for a shared library, or else for a static one.
object() {
    for file in "$build/fft/$1/.libs/"*"-$2.o" "$build/fft/$1/"*"-$2.o"; do
        if test -f "$file"; then
            echo "$file"
            return
        fi
    done
}

# symbols: for each source a line "FILE defines NAME" or "FILE needs NAME" per function and table.
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

# calls: "CALLER CALLED" for each pair of files.
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

# circles: those pairs that are part of a circle. Files that call nobody, or that nobody calls, are taken away until none is left.
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

# The check itself: a circle of three files is found, and a chain is none.
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

# A room must not call a room above it. Strategies are above, and are called through their table, which nm does not show.
sed 's,/[^ ]*,,g' "$scratch/calls" | awk '$1 != $2' | sort -u | circles >"$scratch/circles"
while read -r caller called; do
    fail "room fft/$caller calls fft/$called, which leads back to it"
done <"$scratch/circles"
test -s "$scratch/circles" || passed
echo "$(wc -l <"$scratch/calls") pairs of files"
finish
