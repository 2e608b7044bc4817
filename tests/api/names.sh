#!/bin/sh
# names.sh - public functions are called subx_<noun>_<verb> with a verb of the list, and their comments say whether they
# are local or collective. Enumerators have numbers.

. "$(dirname "$0")/../common/shell.sh"

# The headers that declare subx_*: those that are installed, and the private one.
shared="$(echo "$top"/include/subx*.h) $top/lib/lowlevel/subx_lowlevel.h"

verbs="create add explain calibrate predict forget alloc free get set post start test relax complete wait execute prefetch pack unpack read write import export parse print canon query check"

# The noun follows subx_. Functions on transforms as a whole have no noun.
nouns="version error type copy block grid mem exch pipe boxes halo file problem operation plan machine wisdom hint"

# functions HEADER: print a line for each function: the name, a colon, and the comment before it.
functions() {
    awk '
        /^\/\*/ { comment = "" }
        /^\/\*/, /\*\// { comment = comment " " $0 }
        /^SUBX_EXPORT/ {
            match($0, /subx_[a-z0-9_]*\(/)
            print substr($0, RSTART, RLENGTH - 1) ":" comment
            comment = ""
        }
        /^(enum|typedef|#define|struct)/ { comment = "" }' "$top/include/$1"
}

# check_name NAME: a verb comes first (subx_fft_execute), or second (subx_type_create_subarray). Words after the verb tell
# what it acts on.
check_name() {
    rest=${1#subx_}
    rest=${rest#fft_}
    first=${rest%%_*}
    second=${rest#*_}
    second=${second%%_*}
    case " $verbs " in
    *" $first "* | *" $second "*) passed ;;
    *) fail "$1: neither $first nor $second is a verb of the list" ;;
    esac
    case " $nouns " in
    *" $first "*) passed ;;
    *)
        case "$1 $verbs " in
        subx_fft_*" $first "*) passed ;;
        *) fail "$1: $first is not a noun of the list" ;;
        esac
        ;;
    esac
}

# check_comment NAME COMMENT: the comment must contain the word Local or Collective.
check_comment() {
    case $2 in
    "") fail "$1 has no comment" ;;
    *Local* | *Collective*) passed ;;
    *) fail "$1: its comment says neither Local nor Collective" ;;
    esac
}

for header in subx.h subx_boxes.h ../lib/lowlevel/subx_lowlevel.h subx_io.h subx_fft.h subx_tune.h; do
    functions $header >"$scratch/functions"
    while IFS=: read -r name comment; do
        check_name "$name"
        check_comment "$name" "$comment"
    done <"$scratch/functions"
    # The header must explain each error code.
    for kind in $(sed -n 's/^ *\(SUBX_ERR_[A-Z_]*[A-Z]\)[ ,].*/\1/p' "$top/include/$header"); do
        if grep -q "^ *$kind[ ,].*/\*" "$top/include/$header"; then passed; else fail "$kind is not explained"; fi
    done
done

# Numbers are part of the interface. Each enumerator has an explicit number in the header, so that new enumerators do not
# change the numbers of others. No enumerator is a count of others, because its number would change when enumerators are
# added.
for header in $shared; do
    awk '/^enum/, /};/' "$header" | tr '\n' ' ' | sed 's,/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/,,g; s/enum {//g; s/};/,/g' |
        tr ',' '\n' | sed '/^ *$/d' >"$scratch/enums"
    if grep -vE '^ *SUBX_[A-Z0-9_]*[A-Z0-9] = -?[0-9]+ *$' "$scratch/enums" >"$scratch/found"; then
        fail "${header##*/}: an enumerator without a number, or not a name of ours:$(head -n 1 "$scratch/found")"
    else
        passed
    fi
done

# Every kind of error must have a text.
for kind in $(sed -n 's/^ *\(SUBX_ERR_[A-Z_]*\) = .*/\1/p' "$top/include/subx.h"); do
    if grep -q "^    \[$kind\] =" "$top/lib/base/error.c"; then passed; else fail "$kind has no text in lib/base/error.c"; fi
done

# Synonyms of the verbs in the list. Neither public functions nor private ones may use synonyms.
synonyms='new|delete|destroy|init|fini|finalize|make|dealloc|release|build|run|exec|begin|end|fetch|load|store|show|dump'
for name in $(sed -n 's/^SUBX_EXPORT .*[ *]\(subx_[a-z0-9_]*\)(.*/\1/p' $shared); do
    if echo "$name" | grep -qE "_($synonyms)(_|\$)"; then fail "$name: a second word for a verb"; else passed; fi
done

# Names of private functions that several files call must contain a verb of the list, a verb of a second list (inner), a
# word that states something (says, as in sx_.._is_..), or a term for what a room does or for the value that a function
# gives (terms). New functions should need no new words.
inner="find count put copy list measure gather agree sort join merge price take give drop reserve open close lock unlock vary
    choose reduce recall remember"
says="is has have can may are suits likes sends exists writes converts"
terms="at factor reuse name multiply ignore trust visit transform scale fork for expand own simplex split replace sweep hash
    convert volume reverse error length round mul int reset hint fail adopt hold bind exceeded least magnitude loop scatter stream
    next transpose swap zip slice number process host map unmap progress fit"
words=" $(echo $verbs $inner $says $terms) "
headers=$(cd "$top" && find lib io fft -name '*.h' ! -path '*/cli/*' ! -path '*/wisdom_cli/*' | sort)
for header in $headers; do
    sed -e 's,//.*,,' -e ':a' -e 's,/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/,,' -e 'ta' -e '/\/\*/{N;ba' -e '}' "$top/$header" |
        grep -vE '^(typedef|#)' | grep -oE '\bsx_[a-z0-9_]+\(' | tr -d '(' | sort -u >"$scratch/inside"
    while read -r name; do
        has_verb=0
        for word in $(echo "${name#sx_}" | tr _ ' '); do
            case $words in *" $word "*) has_verb=1 ;; esac
        done
        if test $has_verb = 0; then fail "$header: $name has no verb of the lists"; else passed; fi
        # Functions with _get_ are left out: in sx_placement_get_load, load is a noun.
        if echo "$name" | grep -v _get_ | grep -qE "_($synonyms)(_|\$)"; then fail "$header: $name: a second word for a verb"; fi
    done <"$scratch/inside"
done

# The first comment of a file must begin with the name of the file.
for file in $(cd "$top" && find lib io fft include compat perf tests bindings -name '*.[ch]' | sort); do
    case $(head -n 1 "$top/$file") in
    "/* ${file##*/} - "*) passed ;;
    *) fail "$file: the first comment does not begin with ${file##*/}" ;;
    esac
done

# Each thing has one word. These words are no longer used: their things are now called partner, block, region, epoch, batch
# axis.
gone='peers?|neighbours?|sx_part|nparts|sx_run|run axis|far partners?|near partners?|packv'
for file in $(find "$top/lib" "$top/io" "$top/fft" "$top/include" -name '*.[ch]' ! -path '*/cli/*' ! -path '*/wisdom_cli/*' | sort); do
    if grep -nwE "$gone" "$file" >"$scratch/found"; then
        fail "${file#"$top"/}: a word that has gone: $(head -n 1 "$scratch/found")"
    else
        passed
    fi
done

# In the table "Names" of the page for upgrading, names before an arrow must not exist any more, and names after it must
# exist.
sed -n '/^## Names$/,/^## Hints$/p' "$top/doc/manual/upgrading.md" | grep -iE '^subx_' | grep -e '->' >"$scratch/renamed"
test -s "$scratch/renamed" || fail "doc/manual/upgrading.md has no table of names"
while read -r line; do
    for name in $(echo "${line%%->*}" | grep -oiE 'subx_[a-z_]*[a-z]'); do
        if grep -qw "$name" $top/include/subx*.h; then fail "doc/manual/upgrading.md: $name has not gone"; else passed; fi
    done
    for name in $(echo "${line#*->}" | grep -oE 'subx_[a-z_]*[a-z]\>([^.]|$)' | grep -oE 'subx_[a-z_]*[a-z]'); do
        if grep -q "[ *]$name(" $top/include/subx*.h; then passed; else fail "doc/manual/upgrading.md: there is no $name"; fi
    done
done <"$scratch/renamed"

# Each hint in the code must have an entry in a comment of the headers: the entry begins with the key, or with a list of
# keys. The list of all names must have the key, or it is refused.
for key in $(grep -rh '"subx_' "$top/lib" "$top/io" "$top/fft" | grep -oE '"subx_[a-z_]+"' | tr -d '"' | sort -u); do
    if grep -q "\"${key#subx_}\"" "$top/lib/base/names.c"; then passed; else fail "lib/base/names.c does not have the hint $key"; fi
    if grep -qE "^ \* +(subx_[a-z_]+, )*$key(,| |\$)" $shared; then
        passed
    else
        fail "the hint $key has no entry in a comment of these headers"
    fi
done

# So must each word of subx_tune, which is in the list of all words.
sed -n '/^static const char \*const words\[\]/,/};/p' "$top/lib/base/names.c" | grep -oE '"[a-z_]+"' | tr -d '"' >"$scratch/words"
test "$(wc -l <"$scratch/words")" -ge 10 || fail "suspiciously few words of subx_tune"
while read -r word; do
    if grep -qE "^ \* +([a-z_]+, )*$word(,| |\$)" $top/include/subx_tune.h $top/include/subx.h; then
        passed
    else
        fail "the word $word of subx_tune has no entry in a comment of the public headers"
    fi
done <"$scratch/words"

# Each engine must be described at subx_exch_create. The names come from the page of hints, which manual.sh compares with
# the library.
sed -n 's/^| `subx_engine` |[^|]*| auto, \([a-z, ]*\), or a list.*/\1/p' "$top/doc/manual/hints.md" | tr -d ' ' | tr , '\n' >"$scratch/engines"
test "$(wc -l <"$scratch/engines")" -ge 8 || fail "doc/manual/hints.md names suspiciously few engines"
sed -n '/^ \*   subx_engine  /,/^ \*   subx_memory_kind /p' "$top/include/subx.h" >"$scratch/described"
while read -r engine; do
    if grep -q "^ \*  *$engine  " "$scratch/described"; then passed; else fail "$engine is not described at subx_exch_create in include/subx.h"; fi
done <"$scratch/engines"
finish
