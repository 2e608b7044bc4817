#!/bin/sh
# two_hosts.sh - exchanges between two hosts of two ranks each: shared memory on each, messages between them.

. "$(dirname "$0")/../common/shell.sh"

SUBX_TEST_HOSTS=subx$$
export SUBX_TEST_HOSTS
hosts="sh $top/tests/net/hosts"
test "$(id -u)" -eq 0 || skip "network namespaces are root's to make"
command -v ip >/dev/null && command -v unshare >/dev/null || skip "no ip or no unshare"
trap '$hosts free "$SUBX_TEST_HOSTS"; rm -rf "$scratch"' EXIT
$hosts create "$SUBX_TEST_HOSTS" 2>"$scratch/log" || skip "this system has no network namespaces: $(head -n 1 "$scratch/log")"

# MPI starts what it needs on a host by a remote shell; ours goes through the namespace.
printf '#!/bin/sh\nexec %s agent "$@"\n' "$hosts" >"$scratch/agent"
chmod +x "$scratch/agent"
case $(${MPIEXEC:-mpiexec} --version 2>&1) in
*"Open MPI"* | *OpenRTE*)
    interface=10.97.0.0/24
    start="--host 10.97.0.1:2,10.97.0.2:2 --mca plm_rsh_agent $scratch/agent --mca btl tcp,vader,self
        --mca btl_tcp_if_include $interface --mca oob_tcp_if_include $interface"
    ;;
*HYDRA* | *MPICH*) start="-launcher rsh -launcher-exec $scratch/agent -hosts 10.97.0.1:2,10.97.0.2:2" ;;
*) skip "no way known to start this MPI on two hosts" ;;
esac

# four PROGRAM ...: on four ranks, with what the launcher of all tests sets.
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

# expect WHAT PATTERN PROGRAM ...
expect() {
    what=$1 pattern=$2
    shift 2
    if four "$@" && grep -q "$pattern" "$scratch/out"; then
        passed
    else
        fail "$what: $(cat "$scratch/out")"
    fi
}

expect "the orders of Yan, table 1a" " 0 failures" "$top_builddir/tests/mpi/exch_table1a"
expect "auto knows nodes" "engine node," "$SUBX_FFT" c2c:12x10x9 --verify
for between in packv alltoallw; do
    SUBX_BETWEEN=$between
    export SUBX_BETWEEN
    expect "$between between nodes" PASS "$SUBX_FFT" c2c:12x10x9 --engine node --verify
done
finish
