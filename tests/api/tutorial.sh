#!/bin/sh
# tutorial.sh - the programs of the tutorial compile and run with the installed libraries, by the commands in their first
# lines: pkg-config alone says where headers and libraries are. The installed programs start. Called by make installcheck
# with CC, FC, PKG_CONFIG, MPIEXEC, LIBDIR and BINDIR in the environment, and optionally SUBX_PYTHON.

. "$(dirname "$0")/../common/shell.sh"

cd "$scratch" || exit 99
cp "$top"/doc/examples/tutorial/step* .
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 SUBX_WISDOM=none PKG_CONFIG_PATH="$LIBDIR/pkgconfig"
export LD_LIBRARY_PATH="$LIBDIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

for program in subx-fft subx-wisdom; do
    if "$BINDIR/$program" --version >log; then passed; else fail "$program --version"; fi
done

# The tutorial's commands begin with words such as mpicc, which must run the tools of this build. WORD and PROGRAM may be
# the same word, so each command names PROGRAM by its path.
mkdir bin
# say WORD PROGRAM ARGUMENT ...: create a command WORD that runs PROGRAM with these arguments.
say() {
    word=$1
    program=$(command -v "$2") || return
    shift 2
    printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$program" "$*" >"bin/$word" && chmod +x "bin/$word"
}
# shellcheck disable=SC2086 # lists of words
{
    say mpicc ${CC:-mpicc}
    say mpifort ${FC:-mpifort}
    say pkg-config ${PKG_CONFIG:-pkg-config}
}
say mpirun "$top/tests/common/launch"
say python3 "${SUBX_PYTHON:-python3}"
PATH=$scratch/bin:$PATH

# run FILE: run the commands in its first lines, in their order.
run() {
    sed -n '2,12s/^[ *!]*\(mpi[a-z]* .*\)$/\1/p' "$1" >commands
    test -s commands || { fail "$1 tells no command"; return; }
    while read -r command; do
        if sh -c "$command" >log 2>&1 </dev/null; then passed; else fail "$1: $command: $(head -n 10 log)"; return; fi
    done <commands
}

for file in step*.c; do run "$file"; done
if "${PKG_CONFIG:-pkg-config}" --exists subx_fortran 2>/dev/null; then
    for file in step*.f90; do test ! -f "$file" || run "$file"; done
else
    echo "left out: Fortran, whose modules are not installed"
fi
if mpirun -n 1 python3 -c 'import subarray_x' >log 2>&1; then
    for file in step*.py; do run "$file"; done
else
    echo "left out: Python, which cannot import subarray_x"
fi
finish
