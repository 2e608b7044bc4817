#!/bin/sh
# abi.sh - the interface of the libraries equals the record in tests/api/abi: the functions with the types of their
# parameters, the types, the numbers of enumerators and macros, and the libraries' SONAMEs. (symbols.sh holds that the
# libraries export exactly the functions of the headers, and their versions.)
#
# usage: abi.sh [--record]   --record writes the record anew, as make abi-record does

. "$(dirname "$0")/../common/shell.sh"

record=$top/tests/api/abi/interface

# declarations: print each function and each type of the public headers in one line, without the names of parameters.
declarations() {
    sed -e ':a' -e 's,/\*[^*]*\*\**\([^/*][^*]*\*\**\)*/,,g' -e '/\/\*/{N;ba' -e '}' "$top"/include/subx*.h |
        awk '/^(SUBX_EXPORT|typedef) / { line = "" ; reads = 1 }
            reads { line = line " " $0 }
            reads && /;/ { print line; reads = 0 }' |
        sed -E -e 's/SUBX_EXPORT//; s/[[:space:]]+/ /g; s/^ //; s/\(\*[a-z_]+/& /' -e 's/([*a-zA-Z0-9_]) ?\<[a-z_][a-z0-9_]*(\[\])?([,)])/\1 \2\3/g' \
            -e 's/\(([a-z]*) \)/(\1)/; s/ ([],)])/\1/g'
}

# numbers: print a line for each enumerator and each macro that is a number. Leaves out the version, which changes with
# each release.
numbers() {
    cat "$top"/include/subx*.h | sed -n 's/^#define \(SUBX_[A-Z0-9_]*\) \([0-9]*\)$/\1 \2/p' | grep -v '^SUBX_VERSION_'
    cat "$top"/include/subx*.h | awk '/^enum/, /};/' | grep -oE 'SUBX_[A-Z0-9_]+ = -?[0-9]+' | sed 's/ = / /'
}

# sonames: print the SONAMEs, whose numbers are current - age of -version-info.
sonames() {
    cat "$top"/lib/local.mk "$top"/fft/local.mk "$top"/io/local.mk |
        sed -nE 's/^(libsubx[a-z_]*)_la_LDFLAGS.*-version-info ([0-9]+):[0-9]+:([0-9]+) .*/\1 \2 \3/p' |
        while read -r name current age; do echo "$name.so.$((current - age))"; done
}

{ declarations; numbers; sonames; } | sort >"$scratch/interface"
if test "${1:-}" = --record; then
    cp "$scratch/interface" "$record" && echo "written: $record"
    exit
fi
comm -23 "$record" "$scratch/interface" >"$scratch/gone"
while read -r line; do
    fail "programs were compiled with this, which is changed or gone (HACKING, Numbers of the interface): $line"
done <"$scratch/gone"
comm -13 "$record" "$scratch/interface" >"$scratch/new"
while read -r line; do fail "this is not on record, which is out of date (HACKING, After an edit): $line"; done <"$scratch/new"
comm -12 "$record" "$scratch/interface" >"$scratch/same"
while read -r line; do passed; done <"$scratch/same"
finish
