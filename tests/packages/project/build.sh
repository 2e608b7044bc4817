# build.sh - functions that build the project in this folder with an installation, as a user would. To be sourced after
# common/shell.sh.
#
# The environment has CC, MPIEXEC and PKG_CONFIG. `libraries` is a list of components, such as "subx fft". Shared libraries
# must be loaded from the folder `loaded_from` (default: the argument LIBDIR of the functions).

project=$top/tests/packages/project
compiler=${CC%% *}

# step WORD ...: run a command, which must succeed. If it fails, print its output.
step() {
    if "$@" >"$scratch/step.log" 2>&1; then
        passed
    else
        fail "$*"
        cat "$scratch/step.log"
        return 1
    fi
}

# run_programs FOLDER LIBDIR: run use_NAME for each library, on two ranks. The reports of the drop-ins must show that the
# drop-ins were used.
run_programs() {
    for name in $libraries; do
        program=$1/use_$name
        (cd "$scratch" && SUBX_PMPI_RULE=all SUBX_PMPI_REPORT=1 SUBX_FFTW3MPI_REPORT=1 step launch -n 2 "$program") || fail "use_$name"
        case $name in
        pmpi | fftw3mpi) grep -q "subx_$name" "$scratch/step.log" || fail "use_$name runs without the drop-in" ;;
        esac
        elsewhere=$(LC_ALL=C ldd "$program" | grep 'libsubx' | grep -vF "${loaded_from:-$2}/")
        test -z "$elsewhere" || fail "use_$name loads $elsewhere"
        passed
    done
}

# pkg_config_project LIBDIR WORD ...: build and run with pkg-config. WORDs are options of pkg-config.
pkg_config_project() {
    folder=$scratch/pkg-config
    rm -rf "$folder"
    mkdir "$folder"
    libdir_used=$1
    shift
    for name in $libraries; do
        module=subx_$name last=
        case $name in
        subx) module=subx ;;
        fftw3mpi) last=-lfftw3 ;;
        esac
        flags=$(PKG_CONFIG_PATH=$libdir_used/pkgconfig $PKG_CONFIG "$@" --cflags --libs $module) || fail "$PKG_CONFIG $* $module"
        # shellcheck disable=SC2086 # lists of words
        step $CC -o "$folder/use_$name" "$project/use_$name.c" $flags $last
    done
    LD_LIBRARY_PATH=$libdir_used${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} run_programs "$folder" "$libdir_used"
}

# configure_project LIBDIR WORD ...: configure with CMake. WORDs are options of CMake. Writes the output to
# $scratch/step.log.
configure_project() {
    rm -rf "$scratch/cmake"
    libdir_used=$1
    shift
    env -u CC -u CXX \
        cmake -S "$project" -B "$scratch/cmake" -Dsubarray_x_DIR="$libdir_used/cmake/subarray_x" \
        -DMPI_C_COMPILER="$compiler" -DMPI_CXX_COMPILER="$(echo "$compiler" | sed 's/mpicc/mpicxx/')" "$@" >"$scratch/step.log" 2>&1
}

# cmake_project LIBDIR WORD ...: configure, build and run with CMake.
cmake_project() {
    if configure_project "$@" -DLIBRARIES="$(echo "$libraries" | tr ' ' ';')"; then
        step cmake --build "$scratch/cmake" && run_programs "$scratch/cmake" "$1"
    else
        fail "cmake $*"
        cat "$scratch/step.log"
    fi
}

# refused TEXT LIBDIR WORD ...: CMake must fail and print TEXT, possibly with line breaks in it.
refused() {
    text=$1
    shift
    if configure_project "$@"; then
        fail "CMake accepts $*"
    elif tr -s '\n ' ' ' <"$scratch/step.log" | grep -qF "$text"; then
        passed
    else
        fail "CMake does not say '$text' of $*"
        cat "$scratch/step.log"
    fi
}
