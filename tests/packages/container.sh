#!/bin/sh
# container.sh - check the container recipe. If this system has the recipe's version of Debian, the packages that the recipe
# installs must exist. If podman can get the base image, the test builds an image, and subx-fft must run in it.
#
# make check-packages sets MAKE and top_builddir.

. "$(dirname "$0")/../common/shell.sh"

recipe=$top/packaging/container/Containerfile
if grep -q '^VERSION_ID="12"' /etc/os-release; then
    for MPI in openmpi mpich; do
        # the packages of the recipe: all words between --no-install-recommends and the next command
        packages=$(tr -d '\\\n' <"$recipe" | sed 's/RUN/\n/g' | sed -n 's/.*--no-install-recommends \(.*\) && *rm .*/\1/p')
        # shellcheck disable=SC2086 # a list of words
        if eval "apt-get install --simulate --no-install-recommends $(echo $packages)" >"$scratch/log" 2>&1; then
            passed
        else
            fail "packages for $MPI"
            cat "$scratch/log"
        fi
    done
fi
if command -v podman >/dev/null && podman pull -q docker.io/library/debian:12-slim >"$scratch/log" 2>&1; then
    $MAKE -C "$top_builddir" distdir >/dev/null 2>&1 || exit 99
    mv "$top_builddir"/subarray_x-[0-9]* "$scratch/tree"
    podman build -f "$recipe" -t subarray_x-check "$scratch/tree" >"$scratch/log" 2>&1 &&
        podman run --rm subarray_x-check mpirun --oversubscribe -n 2 subx-fft r2c:16x12x10 --verify >>"$scratch/log" 2>&1 &&
        passed || { fail "podman"; cat "$scratch/log"; }
    podman rmi subarray_x-check >/dev/null 2>&1
else
    echo "image: not built, podman or its base image cannot be had"
fi
test "$checks" -gt 0 || skip "nothing could be checked"
finish
