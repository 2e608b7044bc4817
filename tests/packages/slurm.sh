#!/bin/sh
# slurm.sh - jobs of perf/slurm run under a SLURM on this machine, which tests/net/slurm starts. Skipped without root
# or SLURM.

. "$(dirname "$0")/../common/shell.sh"

PATH=$PATH:/usr/sbin:/sbin
export PATH
test "$(id -u)" -eq 0 || skip "only root starts SLURM"
for command in slurmctld slurmd sbatch munged; do command -v "$command" >/dev/null || skip "no $command"; done
one="sh $top/tests/net/slurm"
trap '$one stop "$scratch/one" >/dev/null 2>&1; rm -rf "$scratch"' EXIT
$one start "$scratch/one" >"$scratch/settings" 2>"$scratch/err" || skip "SLURM does not start: $(tail -n 3 "$scratch/err")"
. "$scratch/settings"

case $(${MPIEXEC:-mpiexec} --version 2>&1) in
*"Open MPI"* | *OpenRTE*) SUBX_SRUN=--mpi=pmix ;;
*) SUBX_SRUN=--mpi=pmi2 ;;
esac
srun --mpi=list 2>&1 | grep -q "${SUBX_SRUN#--mpi=}" || skip "this SLURM has no $SUBX_SRUN"
SUBX_BUILD=$(cd "${top_builddir:-.}" && pwd)
export SUBX_SRUN SUBX_BUILD OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_pml="${OMPI_MCA_pml-ob1}"
export SUBX_WISDOM=none PYTHONDONTWRITEBYTECODE=1 MPLCONFIGDIR="$scratch"

# job NAME FILE ARGUMENT ...: submit a job of the sources with two ranks, one on each node, and wait for it.
job() {
    name=$1 file=$2
    shift 2
    (cd "$top" && SUBX_OUT=$scratch/$name timeout 120 sbatch -W -N 2 -n 2 --ntasks-per-node=1 -o "$scratch/$name.log" \
        "perf/slurm/$file" "$@") >"$scratch/submitted" 2>&1
}

# A job of two nodes must have a rank on each of them.
printf '#!/bin/sh\nsrun sh -c "echo \\$SLURMD_NODENAME"\n' >"$scratch/where"
timeout 60 sbatch -W -N 2 -n 2 --ntasks-per-node=1 -o "$scratch/where.log" "$scratch/where" >"$scratch/submitted" 2>&1
if test "$(sort -u "$scratch/where.log" | tr '\n' ' ')" = "node1 node2 "; then
    passed
else
    fail "two nodes: $(cat "$scratch/submitted" "$scratch/where.log")"
fi
SUBX_PROBLEMS=c2c:8x6x4 SUBX_SHAPE=8x6x4 SUBX_BLOCK=64
export SUBX_PROBLEMS SUBX_SHAPE SUBX_BLOCK
if job programs programs.sbatch && grep -q '^# ranks: 2$' "$scratch/programs/exch.csv" &&
    grep -q ',c2c:8x6x4,forward,out,2,' "$scratch/programs/fft.csv"; then
    passed
else
    fail "programs.sbatch: $(cat "$scratch/submitted" "$scratch/programs.log")"
fi

for python in "${PYTHON3:-python3}" /usr/bin/python3 none; do "$python" -c 'import matplotlib' 2>/dev/null && break; done
if test "$python" != none; then
    export SUBX_SIZE=tiny
    if job figures reproduce.sbatch yan-1b && grep -q '^exchange,.*,2,[0-9]' "$scratch/figures/yan-1b.csv"; then
        passed
    else
        fail "reproduce.sbatch: $(cat "$scratch/submitted" "$scratch/figures.log")"
    fi
fi
finish
