#!/bin/sh
# manual.sh - check the manual: includes and links lead to files that exist, every public function has a page, each block of
# code that stands alone compiles or runs, the pages of programs equal the help of the programs, and man pages are well
# formed.
#
# usage: manual.sh [--record]   --record writes the pages of programs and hints anew, as make manual-record does
#
# Code that a page includes from an example is not tested here, because make check runs the examples. Without Python 3.7 the
# test is skipped. Without compilers, built programs, or pandoc and mandoc, it leaves out parts and says so.

. "$(dirname "$0")/../common/shell.sh"

python=${PYTHON3:-python3}
CC=${CC:-mpicc}
build=${top_builddir:-.}
manual=$top/doc/manual
"$python" -c 'import dataclasses' 2>/dev/null || skip "no Python with dataclasses"

# ---- pages of programs, and of hints

# write_pages FOLDER: write the pages of all programs that were built, and the page of hints.
write_pages() {
    mkdir -p "$1/programs"
    for page in "$manual"/programs/subx-*.md; do
        program=$(basename "$page" .md)
        test -x "$build/$program" || { left_out "the page of $program: it was not built"; continue; }
        launch -n 0 "$build/$program" --help >"$scratch/help" 2>/dev/null || { fail "$program --help exits with $?"; continue; }
        "$python" -B "$manual/programs.py" "$program" <"$scratch/help" >"$1/programs/$program.md"
        test "$program" != subx-fft || "$python" -B "$manual/programs.py" hints <"$scratch/help" >"$1/hints.md"
    done
}

left_out() {
    echo "left out: $*"
}

if test "${1:-}" = --record; then
    write_pages "$manual"
    exit "$failures"
fi

write_pages "$scratch/pages"
for page in $(cd "$scratch/pages" && find . -name '*.md'); do
    if cmp -s "$scratch/pages/$page" "$manual/$page"; then
        passed
    else
        fail "$page is out of date, manual.sh --record writes it (HACKING, After an edit): $(diff "$manual/$page" "$scratch/pages/$page" | head -n 5)"
    fi
done

# ---- includes, links, functions

"$python" -B "$manual/build.py" --pages "$scratch/written" || fail "cannot write the reference"
(cd "$scratch" && "$python" -B "$top/bindings/generate.py") || fail "cannot write the bindings"
if "$python" -B "$manual/build.py" --check >"$scratch/out"; then passed; else fail "$(cat "$scratch/out")"; fi
tail -n 1 "$scratch/out"

# The check itself is tested: it must find a planted fault.
cp -r "$top/doc" "$top/include" "$scratch"
cp "$top/bindings/headers.py" "$scratch/bindings"
chmod -R u+w "$scratch/doc"
for line in '<!-- include doc/examples/03_transform.c nowhere -->' '<!-- include doc/nothing.c -->' '[a](nothing.md)' '[a](install.md#nothing)'; do
    { cat "$manual/glossary.md" && printf '\n%s\n' "$line"; } >"$scratch/doc/manual/glossary.md"
    if "$python" -B "$scratch/doc/manual/build.py" --check >"$scratch/out"; then fail "$line: no fault is found"; else passed; fi
done

functions=$(sed -n 's/^SUBX_EXPORT int \(subx_[a-z_0-9]*\)(.*/\1/p' "$top"/include/subx*.h)
test "$(echo "$functions" | wc -l)" -ge 60 || fail "suspiciously few functions"
for function in $functions; do
    if grep -qx "## $function" "$scratch"/written/reference/*.md; then passed; else fail "no page tells of $function"; fi
done

# The functions, hints, handles, modules and libraries that hand-written pages name must exist. upgrading.md is different:
# it also has old names.
cat "$top"/include/*.h "$top"/bindings/fortran/*.f90 "$scratch"/bindings/fortran/*.f90 "$top/fft/hints/hints.c" | grep -oE 'subx_[a-z0-9_]*[a-z0-9]' | sort -u >"$scratch/known"
for file in "$top"/*.pc.in "$scratch"/written/reference/*.md; do basename "$file" | sed 's/\..*//'; done | sort -u - "$scratch/known" >"$scratch/names"
for page in "$manual"/*.md; do
    test "$(basename "$page")" != upgrading.md || continue
    for name in $(sed 's/\(lib\|--file \)subx_[a-z0-9]*//g; s/([^()]*\.md[^()]*)//g' "$page" | grep -oE '\bsubx_[a-z0-9_]*[a-z0-9]' | sort -u); do
        if grep -qx "$name" "$scratch/names"; then passed; else fail "$(basename "$page"): there is no $name"; fi
    done
done

# The page for slow programs must explain each warning that explanations of plans can print.
sed -n '/^} warnings/,/^};/p' "$top/fft/machine/warning.c" | tr -d '\n' | sed 's/" *"//g' | grep -oE '"[^"]+"' | tr -d '"' >"$scratch/warnings"
test "$(wc -l <"$scratch/warnings")" -ge 3 || fail "suspiciously few warnings"
sed 's/^> //' "$manual/slow.md" | tr '\n' ' ' >"$scratch/slow"
while read -r warning; do
    if grep -qF "$warning" "$scratch/slow"; then passed; else fail "slow.md does not explain: $warning"; fi
done <"$scratch/warnings"

# ---- code that stands alone: blocks in pages and in README. Each is written to a file NUMBER.LANGUAGE

"$python" - "$manual" "$top/README" "$scratch" <<'END' || fail "cannot read the blocks"
import glob, os, re, sys
manual, readme, scratch = sys.argv[1:]
blocks = []
for path in sorted(glob.glob(os.path.join(manual, "*.md"))):
    with open(path, encoding="utf-8") as file:
        blocks += [(path, m.group(1), m.group(2)) for m in re.finditer(r"^```(\w+)\n(.*?)^```", file.read(), re.M | re.S)]
with open(readme, encoding="utf-8") as file:
    text = file.read()
for name, language in (("C", "c"), ("Fortran", "fortran"), ("Python", "python")):
    found = re.search(rf"^In {name}.*:\n\n((?:    .*\n|\n)+)", text, re.M)
    if found:
        blocks.append((readme, language, re.sub(r"^    ", "", found.group(1), flags=re.M)))
suffixes = {"c": "c", "cpp": "cpp", "fortran": "f90", "python": "py", "sh": "sh"}
with open(os.path.join(scratch, "blocks"), "w") as index:
    for i, (path, language, code) in enumerate(blocks):
        if language not in suffixes:
            if language != "text":
                sys.exit(f"{path}: a block of the unknown language {language}")
            continue
        name = f"{i}.{suffixes[language]}"
        if language == "c" and "main(" not in code:  # the block is the body of a function: its includes go before the function
            lines = code.split("\n")
            heads = [line for line in lines if line.startswith("#include")]
            rest = [line for line in lines if not line.startswith("#include")]
            code = "\n".join(heads + ["void part(void);", "void part(void)", "{"] + rest + ["}", ""])
        if language == "fortran" and "end program" not in code:
            code = "program part\n" + code + "end program\n"
        with open(os.path.join(scratch, name), "w", encoding="utf-8") as file:
            file.write(code)
        index.write(f"{name} {os.path.basename(path)}\n")
END

# Our Python package needs an mpi4py that was built with this MPI. SUBX_PYTHON can name a Python that has one.
SUBX_LIBDIR=$(cd "$build" && pwd)/.libs
PYTHONPATH=$(cd "$build" && pwd)/bindings/python${PYTHONPATH:+:$PYTHONPATH}
PYTHONDONTWRITEBYTECODE=1
export SUBX_LIBDIR PYTHONPATH PYTHONDONTWRITEBYTECODE
for package in "${SUBX_PYTHON:-$python}" /usr/bin/python3 none; do
    launch -n 0 "$package" -c 'import subarray_x' >/dev/null 2>&1 && break
done
fortran=
test ! -f "$build/bindings/fortran/subx_fft.mod" || fortran=$(sed -n 's/^FC = //p' "$build/Makefile")
while read -r file page; do
    case $file in
    *.c)
        # Not quoted: CC and the flags are lists of words.
        # shellcheck disable=SC2086
        $CC -std=c99 -Wall -Wextra -Wconversion -Werror -Wno-unused-variable -Wno-unused-but-set-variable -I"$top/include" \
            -fsyntax-only "$scratch/$file" >"$scratch/log" 2>&1
        ;;
    *.sh) sh -n "$scratch/$file" >"$scratch/log" 2>&1 ;;
    *.py)
        test "$package" != none || { left_out "$page: no Python that can import subarray_x"; continue; }
        launch -n 2 "$package" "$scratch/$file" >"$scratch/log" 2>&1
        ;;
    *)
        test -n "$fortran" || { left_out "$page: the Fortran modules were not built"; continue; }
        # shellcheck disable=SC2086
        $fortran -Wall -Werror -I"$build/bindings/fortran" -J"$scratch" -fsyntax-only "$scratch/$file" >"$scratch/log" 2>&1
        ;;
    esac
    # shellcheck disable=SC2181
    if test $? -eq 0; then passed; else fail "$page: a block is wrong: $(head -n 10 "$scratch/log")"; fi
done <"$scratch/blocks"

# ---- man pages

if command -v "${PANDOC:-pandoc}" >/dev/null 2>&1 && command -v mandoc >/dev/null 2>&1; then
    "$python" -B "$manual/build.py" "$scratch/built" reference/subx_exchanges.md programs/subx-fft.md index.md || fail "cannot build pages"
    if mandoc -Tlint "$scratch"/built/man/man?/* >"$scratch/log" 2>&1; then passed; else fail "mandoc: $(head "$scratch/log")"; fi
    for file in man/man3/subx_exch_create.3 man/man7/subx_exchanges.7 man/man1/subx-fft.1 html/index.html; do
        if test -s "$scratch/built/$file"; then passed; else fail "build.py does not write $file"; fi
    done
else
    left_out "man pages: no pandoc, or no mandoc"
fi
finish
