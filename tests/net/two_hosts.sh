#!/bin/sh
# two_hosts.sh - exchanges between two hosts with two ranks each: inside a host by shared memory, between the hosts by
# messages.

. "$(dirname "$0")/../common/shell.sh"

SUBX_TEST_HOSTS=subx$$
export SUBX_TEST_HOSTS
hosts="sh $top/tests/net/hosts"
test "$(id -u)" -eq 0 || skip "network namespaces are root's to make"
command -v ip >/dev/null && command -v unshare >/dev/null || skip "no ip or no unshare"
trap '$hosts free "$SUBX_TEST_HOSTS"; rm -rf "$scratch"' EXIT
$hosts create "$SUBX_TEST_HOSTS" 2>"$scratch/log" || skip "this system has no network namespaces: $(head -n 1 "$scratch/log")"

# MPI starts processes on a host by a remote shell. This one runs commands in the namespace of the host.
printf '#!/bin/sh\nexec %s agent "$@"\n' "$hosts" >"$scratch/agent"
chmod +x "$scratch/agent"
uses_cable=yes
case $(${MPIEXEC:-mpiexec} --version 2>&1) in
*"Open MPI"* | *OpenRTE*)
    interface=10.97.0.0/24
    start="--host 10.97.0.1:2,10.97.0.2:2 --mca plm_rsh_agent $scratch/agent --mca btl tcp,vader,self
        --mca btl_tcp_if_include $interface --mca oob_tcp_if_include $interface"
    ;;
*HYDRA* | *MPICH*)
    # MPICH uses UCX, which sends through the memory of the machine. If UCX is forced to use the cable (unshare --ipc),
    # MPICH 4.0.2 moves all data, but does not always return from MPI_Finalize.
    uses_cable=no
    start="-launcher rsh -launcher-exec $scratch/agent -hosts 10.97.0.1:2,10.97.0.2:2"
    ;;
*) skip "no way known to start this MPI on two hosts" ;;
esac

# four PROGRAM ...: run PROGRAM on four ranks on the two hosts, with the settings of tests/common/launch.
four() {
    # shellcheck disable=SC2086 # lists of words
    MPIEXEC="$hosts on $SUBX_TEST_HOSTS-0 ${MPIEXEC:-mpiexec} $(echo $start)" launch -t 60 -n 4 "$@" >"$scratch/out" 2>&1
}

four hostname || skip "MPI does not start on two hosts: $(head -n 3 "$scratch/out")"
if test "$(sort -u "$scratch/out" | grep -c "^$SUBX_TEST_HOSTS-[01]\$")" -eq 2; then
    passed
else
    fail "the ranks are not on two hosts: $(cat "$scratch/out")"
fi

# expect WHAT PATTERN PROGRAM ...: PROGRAM must succeed, and print a line that matches PATTERN.
expect() {
    what=$1 pattern=$2
    shift 2
    if four "$@" && grep -q "$pattern" "$scratch/out"; then
        passed
    else
        fail "$what: $(cat "$scratch/out")"
    fi
}

expect "realignments between all orders" " 0 failures" "$top_builddir/tests/mpi/realign"
expect "auto knows nodes" "engine node," "$SUBX_FFT" c2c:12x10x9 --verify
for between in alltoallv pairwise; do
    expect "$between between nodes" PASS "$SUBX_FFT" c2c:12x10x9 --engine node --tuning "between $between" --verify
done

# preloaded RANKS: run all-to-alls on four ranks with the interposer. The ranks in RANKS promise that all ranks have the
# interposer.
preloaded() {
    # shellcheck disable=SC2016
    four sh -c 'rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${PMIX_RANK:-0}}}
        case $0 in *$rank*) export SUBX_PMPI_ALL=1 ;; esac
        SUBX_PMPI_REPORT=1 LD_PRELOAD=$1 exec "$2" team' "$1" "$library" "$top_builddir/tests/compat/pmpi_cases"
}

library=$top_builddir/.libs/libsubx_pmpi.so
if test -f "$library"; then
    if preloaded "0 1 2 3" && grep -q 'MPI_Alltoallw, shared  *[1-9]' "$scratch/out"; then
        passed
    else
        fail "ranks that promise on both hosts do not share: $(cat "$scratch/out")"
    fi
    if preloaded "0 2" && ! grep -q 'MPI_Alltoallw, shared' "$scratch/out"; then
        passed
    else
        fail "a promise of one rank of each host: $(cat "$scratch/out")"
    fi
fi

# is_held_back: returns 0 if both ends of the cable had to wait before sending.
is_held_back() {
    test "$($hosts count "$SUBX_TEST_HOSTS" | sed -n 's/.*overlimits \([0-9]*\).*/\1/p' | grep -cv '^0$')" -eq 2
}

# On a slow cable, slices have not yet arrived when the library tests for them.
if $hosts shape "$SUBX_TEST_HOSTS" 100mbit 2>"$scratch/log"; then
    expect "overlap across a slow cable" "node  *2  [0-9]* bytes" \
        "$SUBX_FFT" c2c:64x64x64 --tuning "overlap both, slices 2" --verify
    expect "no overlap across a slow cable" "node  *1  [0-9]* bytes" \
        "$SUBX_FFT" c2c:64x64x64 --tuning "overlap none, slices 2" --verify
    if is_held_back; then
        passed
    elif test "$uses_cable" = no; then
        echo "skipped: a slow cable, which this MPI does not use"
    else
        fail "the cable is not slow: $($hosts count "$SUBX_TEST_HOSTS")"
    fi
else
    echo "skipped: the cable cannot be shaped: $(head -n 1 "$scratch/log")"
fi
finish
