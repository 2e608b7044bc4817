#!/bin/sh
# layers.sh - rooms include only headers of the rooms that they may include; only some files call MPI, and only some
# functions; libraries neither print nor stop the program; functions of lib/base make ints of longer numbers; no file is too
# long.

. "$(dirname "$0")/../common/shell.sh"
cd "$top" || exit 99

# The table of rooms: a room, then the rooms whose private headers it may include besides its own. All but the examples may
# include subx_lowlevel.h, of lib/lowlevel. cli includes installed headers, base, the definition and facts; wisdom_cli and perf include
# installed headers. There is one exception: perf/serial measures the serial backends, which have no public functions.
# perf/fft uses its tiles for the limit, perf/stride its sub-command.
table='
lib/lowlevel
lib/base
lib/block    base
lib/layout   base
lib/kern     base layout
lib/copy     base device layout kern
lib/type     base layout kern
lib/mem      base device
lib/device   base
lib/comm     base device mem
lib/grid     base block comm
lib/message  base
lib/pipe     base mem comm message
lib/exch     base device layout kern copy type comm pipe
lib/boxes    base layout type comm exch
lib/halo     base comm exch boxes
io           base
compat/fftw3mpi base
compat/pmpi  base
fft/limits
fft/simd     base limits
fft/serial   base simd limits
fft/problem  base serial
fft/tune     base limits
fft/machine  base serial device limits
fft/wisdom   base limits
fft/pass     base serial simd limits
fft/array    base serial problem
fft/strategy base
fft/hints    base serial device problem strategy limits
fft/choice   base serial device problem array machine strategy hints
fft/stages   base serial problem array strategy hints choice
fft/model    base serial machine strategy hints choice stages limits
fft/decision base serial problem array machine strategy hints choice model
fft/plan     base serial problem array machine tune strategy hints choice stages limits
fft/facts    base
fft/keep     base serial problem array machine tune strategy hints choice stages plan
fft/search   base serial device problem machine tune wisdom strategy hints choice stages model decision plan keep explain limits
fft/explain  base problem machine tune strategy hints choice stages model plan facts
fft/predict  base problem machine strategy hints choice stages model decision facts
fft/operation base serial problem array plan limits
fft/fused    base serial problem array operation pass plan limits
fft/staged   base serial problem array operation pass plan
fft/offload  base serial device problem array operation plan limits
fft/cuda     device
fft/definition
fft/cli      base definition facts
fft/wisdom_cli
perf/common
perf/order   common
perf/exch    common
perf/stride  common serial
perf/fft     common serial
perf/serial  common
perf/plot
perf/predict
perf/reproduce
perf/simulate
perf/slurm
perf/scale
'

# what_is FOLDER: print what a room does: the first sentence of its header, or else of its first file.
what_is() {
    for file in "$1/${1##*/}".h "$1/${1##*/}".c* "$1"/*.h "$1"/*.c "$1"/*.py "$1"/[a-z]*; do
        test ! -f "$file" || break
    done
    sed -e 's,^/\* *,,' -e 's,^#!.*,,' -e 's,^ \* *,,' -e 's,^ \*$,,' -e 's,^# *,,' -e 's,^""" *,,' "$file" |
        awk '$0 == "" { if (text) exit; next } { text = text $0 " " } /\*\/|"""/ { exit } END { print text }' |
        sed -e 's/^[a-z0-9_]*\(\.[a-z]*\)\{0,1\} - //' -e 's/\. \([A-Z]\|sx_\).*//' -e 's/\.\{0,1\} *\(\*\/\|"""\).*//' -e 's/\. *$//'
}

# layers.sh --rooms: print each room, what it does, and the rooms whose headers it may include.
if test "${1-}" = --rooms; then
    echo "$table" | while read -r folder allowed; do
        test -d "$folder" || continue
        printf '%-16s %s\n' "$folder" "$(what_is "$folder")"
        test -z "$allowed" || printf '%-16s   includes %s\n' "" "$allowed"
    done
    exit 0
fi

sources() {
    find "$1" -name '*.[ch]' | sort
}

# without_comments FILE: print the code without comments, since comments may mention what code must not do.
without_comments() {
    sed -e 's,//.*,,' -e ':a' -e 's,/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/,,' -e 'ta' -e '/\/\*/{N;ba' -e '}' "$1"
}

# expect_none PATTERN WHY FILE ...: no line of code in these files matches PATTERN. WHY is the rule, for the message.
expect_none() {
    pattern=$1 why=$2
    shift 2
    for file in "$@"; do
        if without_comments "$file" | grep -nE "$pattern" >"$scratch/found"; then
            fail "$file: $why: $(head -n 1 "$scratch/found")"
        else
            passed
        fi
    done
}

# check_include FILE ROOM ALLOWED INCLUDED: FILE, in ROOM, may include the header INCLUDED: it is in ROOM or in one of the
# rooms ALLOWED.
check_include() {
    case $4 in
    config.h) passed ;; # configure writes it; it is in no room
    */*/* | /* | ../*) fail "$1: \"$4\" is not written room/header" ;;
    */*)
        case " $2 $3 " in
        *" ${4%%/*} "*) passed ;;
        *) fail "$1: $2 may not include \"$4\"" ;;
        esac
        ;;
    *) fail "$1: \"$4\" is not written room/header" ;;
    esac
}

check_room() {
    folder=$1
    shift
    test -d "$folder" || return 0
    for file in $(sources "$folder"); do
        for included in $(sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$file"); do
            check_include "$file" "${folder##*/}" "$*" "$included"
        done
    done
}

# perf/serial and fft/serial have the same name in includes, so check_room lets perf/serial, perf/fft and perf/stride include all
# of fft/serial. Their includes of serial/ are therefore checked here.
for file in $(sources perf/serial; sources perf/fft; sources perf/stride); do
    for included in $(sed -n 's/^ *# *include *"serial\/\([^"]*\)".*/\1/p' "$file"); do
        if test -f "perf/serial/$included" || test "${file%/*} $included" = "perf/serial serial.h"; then
            passed
        else
            fail "$file may not include \"serial/$included\": of fft/serial, perf/serial sees serial.h, and other rooms of perf nothing"
        fi
    done
done

while read -r folder allowed; do
    # shellcheck disable=SC2086 # a list of words
    test -z "$folder" || check_room "$folder" $allowed
done <<END
$table
END

# Every room of the tree must be in the table, and say what it does.
for folder in lib/*/ io/ fft/*/ compat/*/ perf/*/; do
    case $table in
    *"
${folder%/}"*) passed ;;
    *) fail "$folder is not in the table of rooms" ;;
    esac
    if test -n "$(what_is "${folder%/}")"; then passed; else fail "$folder does not say what it does"; fi
done

# These rooms find a plan. Each of them has only one header, which is short.
for room in strategy hints choice stages model decision keep search explain; do
    header=fft/$room/$room.h
    test "$(echo fft/$room/*.h)" = "$header" || fail "fft/$room has other headers than $room.h"
    if test "$(wc -l <"$header")" -le 165; then passed; else fail "$header has more than 165 lines"; fi
done

# long_files TOP: print the files with more than 600 lines, except those that bindings/generate.py writes.
long_files() {
    (cd "$1" && find include lib io fft compat perf bindings doc packaging tests -type f \
        \( -name '*.[ch]' -o -name '*.f90' -o -name '*.sh' -o -name '*.py' \)) | sort | while read -r file; do
        lines=$(wc -l <"$1/$file")
        test "$lines" -le 600 || head -n 4 "$1/$file" | grep -q 'Written by bindings/generate.py' ||
            echo "$file: $lines"
    done
}

# long_files itself is tested, in a tree made for it: it must print a file of 601 lines, but neither a file of 600 lines nor
# a generated file.
mkdir "$scratch/tree"
(cd "$scratch/tree" && mkdir include lib io fft compat perf bindings doc packaging tests)
seq 601 >"$scratch/tree/lib/long.c"
seq 600 >"$scratch/tree/lib/short.c"
{ echo '! Written by bindings/generate.py'; seq 601; } >"$scratch/tree/bindings/written.f90"
found=$(long_files "$scratch/tree")
if test "$found" = "lib/long.c: 601"; then passed; else fail "the planted files with too many lines: $found"; fi
found=$(long_files .)
if test -z "$found"; then passed; else fail "more than 600 lines: $found"; fi

# Sources must include config.h before all other headers, because its macros decide what the system's headers declare. So
# the first file that a source includes must be config.h, or a header whose first include satisfies the same rule.
# late_config prints the sources that break the rule. Examples are left out, because users have no config.h.
late_config() {
    # shellcheck disable=SC2046 # a list of files
    awk '
        FNR == 1 { known[FILENAME] = 1; searched = 0 }
        !searched && /^ *# *include/ { first[FILENAME] = $0; searched = 1 }
        function find(name, from,    folders, n, i) {
            if (name in known)
                return name
            n = split(substr(from, 1, index(from, "/")) " lib/ fft/ compat/ perf/ tests/", folders, " ")
            for (i = 1; i <= n; i++)
                if (folders[i] name in known)
                    return folders[i] name
        }
        END {
            for (file in known) {
                if (file !~ /\.c$/)
                    continue
                at = file
                while (at && split(first[at], word, "\"") > 1 && word[2] != "config.h")
                    at = find(word[2], at)
                if (!at || word[2] != "config.h")
                    print file
            }
        }' $(for room in lib fft io compat perf tests; do sources $room; done | grep -v "^tests/packages/project/")
}
late_config | sort >"$scratch/late"
while read -r file; do
    fail "$file includes another header before config.h"
done <"$scratch/late"
test -s "$scratch/late" || passed

# The other libraries and the drop-ins see of libsubx, besides base and device, its installed headers and subx_lowlevel.h.
# Bindings and examples see only what is installed.
for file in $(sources io; sources fft; sources compat; sources bindings; sources doc/examples); do
    for included in $(sed -n 's/^ *# *include *<\([^>]*\)>.*/\1/p' "$file"); do
        case $file:$included in
        bindings/*:subx_lowlevel.h | doc/*:subx_lowlevel.h) fail "$file includes the private $included" ;;
        *:subx_lowlevel.h) passed ;;
        *:subx*) if test -f "include/$included"; then passed; else fail "$file includes $included, which is not installed"; fi ;;
        *) if test -e "lib/$included"; then fail "$file includes the private <$included>"; else passed; fi ;;
        esac
    done
done

# Programs for users and programs in perf include no header of a room, as users do.
for file in $(sources doc/examples) $(sources fft/cli) $(sources fft/wisdom_cli) $(sources perf); do
    for included in $(sed -n 's/^ *# *include *<\([^>]*\)>.*/\1/p' "$file"); do
        case $included in
        base/* | block/* | layout/* | kern/* | copy/* | type/* | grid/* | mem/* | comm/* | message/* | exch/* | pipe/* | \
            boxes/* | halo/* | io/* | limits/* | simd/* | serial/* | problem/* | array/* | operation/* | pass/* | \
            strategy/* | hints/* | choice/* | stages/* | model/* | decision/* | plan/* | keep/* | search/* | explain/* | predict/* | fused/* | staged/* | tune/* | machine/* | wisdom/*)
            fail "$file includes the private <$included>"
            ;;
        *) passed ;;
        esac
    done
done
for file in $(sources doc/examples); do
    if grep -q '^ *# *include *"' "$file"; then
        fail "$file includes what is not installed"
    else
        passed
    fi
done

plans=$(for room in simd serial problem operation array tune machine wisdom strategy hints choice stages model decision plan keep search facts explain predict fused staged; do sources fft/$room; done)
libraries=$(sources lib; sources io; sources fft/pass; echo "$plans")

# shellcheck disable=SC2046,SC2086 # lists of files
{
    expect_none 'MPI_' 'kern knows no MPI' $(sources lib/kern)
    # Left out are bounds of hints, what a kept plan counts, and a time that no step can take.
    expect_none 'enum \{.*<< [12]0\b|static const (double|float|long|int|ptrdiff_t) [a-z_]+ = ' \
        'what a machine taught stands in a limits.h' \
        $(find lib fft io compat -name '*.[ch]' ! -name limits.h ! -name keep.c ! -path 'fft/cli/*' ! -path fft/hints/hints.c \
            ! -path fft/simd/transform.h | sort)
    expect_none 'MPI_[A-Z][a-z]' 'calls MPI' \
        $(sources lib/block) $(sources lib/layout) $(sources lib/copy) $(sources fft/pass) $(sources fft/wisdom)
    expect_none 'fftw[flq]?_' 'only fft/serial/fftw3.c knows FFTW' \
        $(find lib io fft include -name '*.[ch]' ! -path fft/serial/fftw3.c | sort)
    expect_none '\bH5[A-Z][a-z]|\bhid_t' 'only io/hdf5.c knows HDF5' \
        $(find lib io fft include -name '*.[ch]' ! -path io/hdf5.c | sort)
    expect_none 'hwloc_' 'only lib/kern/cache_sizes.c, and binding and warning of fft/machine know hwloc' \
        $(find lib io fft include -name '*.[ch]' ! -path lib/kern/cache_sizes.c ! -path 'fft/machine/binding.[ch]' \
            ! -path fft/machine/warning.c | sort)
    expect_none 'fprintf|puts|fopen' 'only serial_body.h prints, for FFTW, and report.c, which the caller asks to report' \
        $(sources compat/fftw3mpi | grep -v '/serial_body.h$\|/report.c$')
    expect_none '(^|[^>.a-z_])(malloc|calloc|realloc) *\(|\b(exit|abort|assert|MPI_Abort) *\(' 'memory comes from base' \
        $(sources compat/fftw3mpi)
    expect_none '# *pragma omp' 'only lib/kern/threads.c and fft/pass/threads.c have threads' \
        $(find lib io fft include -name '*.[ch]' ! -path lib/kern/threads.c ! -path fft/pass/threads.c | sort)
    expect_none 'MPI_(I?[bsr]?send|I?m?recv|Sendrecv|I?[Aa]lltoall|Put|R?get|R?put|Win_)(_[a-z]|[vw]?\b)|MPI_Get(_accumulate)?\b' \
        'only exch and pipe send' $(echo "$libraries" | grep -vE '^lib/(message|exch|pipe)/')
    expect_none 'MPI_(Isend|Send|Irecv|Recv|I?[Aa]lltoall|[A-Z][a-z]*_init)' 'plans send by exchanges and pipes only' \
        $plans
    expect_none '\b(printf|fprintf|puts|fputs|putchar|perror|exit|abort|assert|MPI_Abort) *\(' \
        'a library neither stops the program nor prints, but for fft/explain/verbose.c, which the caller asks to print' \
        $(echo "$libraries" | grep -v '^fft/explain/verbose.c')
    expect_none '\b(printf|exit|abort|assert|MPI_Abort) *\(|stdout' 'what is asked for goes to stderr' fft/explain/verbose.c
    expect_none '(^|[^>.a-z_])(malloc|calloc|realloc|free) *\(' 'memory comes from base' \
        $(echo "$libraries" | grep -v '^lib/base/mem.c')
    # (int)sizeof may be cast, and sizeof(int) is no cast.
    expect_none '(^|[^f])\(int\) *([^s;,)[:space:]]|s([^i]|i[^z]|iz[^e]|ize[^o]|izeo[^f]|izeof[a-z0-9_]))' \
        'sx_base_int or sx_base_fit makes an int of a number' \
        $(find lib io fft -name '*.[ch]' ! -path 'fft/cli/*' ! -path 'fft/wisdom_cli/*' ! -path 'fft/simd/*' \
            ! -path lib/base/arith.c | sort)
    # Left out are the files that convert numbers that were ints before.
    expect_none 'sx_base_fit' 'sx_base_int makes an int of a length, and tells if it does not fit' \
        $(sources lib/type | grep -v '/contents.c$\|/get.c$') $(sources lib/layout) $(sources lib/copy) $(sources lib/message) \
        $(sources lib/pipe) $(sources lib/exch) $(sources lib/boxes) $(sources lib/halo) $(sources lib/comm) $(sources lib/block) \
        fft/search/remember.c fft/search/recall.c
}
finish
