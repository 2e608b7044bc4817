#!/bin/sh
# features.sh - doc/features names tests and examples that exist, for each feature that we have, and explains its letters.

. "$(dirname "$0")/../common/shell.sh"

features=$top/doc/features

for file in $(grep -oE '(tests|doc/examples)/[a-z0-9_/]+\.[a-z]+' "$features" | sort -u); do
    if test -f "$top/$file"; then passed; else fail "doc/features names $file, which does not exist"; fi
done

# A table has its rows, then its notes, then what shows our cells; the first column is ours.
awk '
    function check(what, is_right) { print (is_right ? "passed " : "wrong ") title ": " what }
    function end_table() {
        for (letter in used)
            check("a note for " letter, letter in note)
        for (letter in note)
            check("a cell for the note " letter, letter in used)
        for (n in ours)
            check("row " n " is ours and shown by a test, or neither", ours[n] == (n in shown))
        split("", used); split("", note); split("", ours); split("", shown)
        part = ""
    }
    length($0) > 110 { check("line " NR " has at most 110 columns", 0) }
    /^-+$/ { if (part) end_table(); title = previous }
    /^ +subx  FFTW / { part = "rows"; column = index($0, "subx") }
    /^Shown by$/ { part = "shown" }
    part == "rows" && /^[ 0-9][0-9]  / {
        n = split(substr($0, column), cell, " ")
        check("row " $1 " has ten cells", n == 10)
        ours[$1] = cell[1] != "-" && title " " cell[1] != "Use BSD-3"
        for (i = 1; i <= n; i++) {
            split(cell[i], half, "/")
            for (k in half)
                if (half[k] ~ /^[a-z]$/)
                    used[half[k]]
        }
    }
    part == "rows" && /^  [a-z]  / { note[$1] }
    part == "shown" && /^ +[0-9]+  (tests|doc)/ { shown[$1] }
    { previous = $0 }' "$features" >"$scratch/checks"

while read -r outcome what; do
    if test "$outcome" = passed; then passed; else fail "doc/features, $what"; fi
done <"$scratch/checks"
finish
