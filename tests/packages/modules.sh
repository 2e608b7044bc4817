#!/bin/sh
# modules.sh - Lmod (in Lua) and Environment Modules (in Tcl) must load and unload the installed modulefiles.
#
# make check-packages sets MAKE and top_builddir, and the folders of the configured installation: prefix, bindir, libdir and
# datadir. LMOD_CMD and MODULES_CMD are the paths of the two programs; the programs themselves set these variables.

. "$(dirname "$0")/../common/shell.sh"

lmod=${LMOD_CMD:-$(ls /usr/share/lmod/*/libexec/lmod 2>/dev/null | head -n 1)}
modules=${MODULES_CMD:-$(ls /usr/lib/*/modulecmd.tcl /usr/share/Modules/libexec/modulecmd.tcl 2>/dev/null | head -n 1)}
test -n "$lmod$modules" || skip "neither Lmod nor Environment Modules is here"
$MAKE -C "$top_builddir" install-modulefilesDATA DESTDIR="$scratch" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }

# expect NAME VALUE: the first entry of variable NAME must be VALUE.
expect() {
    eval "found=\${$1:-}"
    if test "${found%%:*}" = "$2"; then passed; else fail "$1 begins with '${found%%:*}', not with $2"; fi
}

# check_with COMMAND ...: load the module, check the variables, unload it. COMMAND is one of the two programs.
check_with() {
    unset SUBARRAY_X_ROOT CMAKE_PREFIX_PATH
    eval "$("$@" load subarray_x 2>"$scratch/log")"
    expect SUBARRAY_X_ROOT "$prefix"
    expect PATH "$bindir"
    expect LD_LIBRARY_PATH "$libdir"
    expect PKG_CONFIG_PATH "$libdir/pkgconfig"
    expect CMAKE_PREFIX_PATH "$prefix"
    "$@" help subarray_x 2>&1 | grep -q 'pkg-config (subx' || fail "no help"
    eval "$("$@" unload subarray_x 2>>"$scratch/log")"
    case :$PATH: in
    *":$bindir:"*) fail "unloading leaves PATH as it is" ;;
    *) test -z "${SUBARRAY_X_ROOT:-}" && passed || fail "unloading leaves SUBARRAY_X_ROOT" ;;
    esac
    cat "$scratch/log"
}

export MODULEPATH="$scratch$datadir/modulefiles"
unset LOADEDMODULES _LMFILES_
# Each of the two programs runs in a shell of its own, because both keep their state in environment variables.
test -z "$lmod" || (check_with "$lmod" bash; finish) || failures=$((failures + 1))
test -z "$modules" || (failures=0; check_with tclsh "$modules" bash; finish) || failures=$((failures + 1))
test "$failures" -eq 0
