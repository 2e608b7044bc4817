#!/bin/sh
# rows.sh - the measuring programs with tiny sizes. They must print the right columns, the right number of rows, and valid JSON.
# Their results must be right. After a wrong invocation they must print one line, and the exit status must be 2. Times are not
# checked.

. "$(dirname "$0")/../common/shell.sh"

programs=$(cd "${top_builddir:-.}" && pwd)
csv=$scratch/rows.csv
json=$scratch/rows.json
export TEST_SECONDS=240

python=${PYTHON3:-python3}
"$python" -c 'import json' 2>/dev/null || python=

order_columns=mpi,ranks,shape,dtype,send_order,recv_order,engine,min_s,median_s,gbps,ratio_plain,ratio_memcpy
exch_columns=mpi,ranks,data,block_bytes,engine,min_s,median_s,gbps,ratio_alltoall,ratio_memcpy
fft_columns=mpi,library,variant,problem,direction,place,ranks,grid,min_s,median_s,limit_s,ratio_limit,max_error,memory_bytes
serial_error_columns=kind,precision,n,layout,place,tile_bytes,pencils,candidate,error_eps
serial_columns=$serial_error_columns,min_s,median_s,ns_pencil,gflops,ratio_min,ratio_median
efforts_columns=$fft_columns,effort,choice,planning_ms
stride_columns=problem,stride,call,transforms,effort,setup_s,min_s,median_s,ratio

# check_csv WHAT COLUMNS ROWS: the CSV must have the lines of the head, a line with the names of COLUMNS, then ROWS rows
# with as many values. ROWS may be "some".
check_csv() {
    sed '/^# [a-z_0-9"\\]*: ./d' "$csv" >"$scratch/body"
    rows=$(($(wc -l <"$scratch/body") - 1))
    names=$(head -n 1 "$scratch/body")
    if test "$names" != "$2"; then
        fail "$1: the columns are $names"
    elif test "$3" = some && test "$rows" -gt 0; then
        passed
    elif test "$rows" != "$3"; then
        fail "$1: $rows rows, not $3"
    elif ! awk -F, -v n="$(echo "$2" | tr ',' '\n' | wc -l)" 'NF != n { exit 1 }' "$scratch/body"; then
        fail "$1: a row has too few or too many values"
    else
        passed
    fi
}

# check_json WHAT: the JSON must be valid, and have as many rows as the CSV.
check_json() {
    test -n "$python" || return 0
    if ! "$python" -m json.tool "$json" >/dev/null 2>"$scratch/err"; then
        fail "$1: the JSON is none: $(cat "$scratch/err")"
    elif test "$("$python" -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["rows"]))' "$json")" -ne "$rows"; then
        fail "$1: the JSON has not $rows rows"
    else
        passed
    fi
}

# measure RANKS COLUMNS ROWS PROGRAM ARGUMENT ...: run the program, and check its CSV and JSON.
measure() {
    ranks=$1 columns=$2 count=$3 program=$4
    shift 4
    rm -f "$csv" "$json"
    if launch -n "$ranks" "$programs/$program" "$@" --repeat 2 --csv "$csv" --json "$json" >"$scratch/out" \
        2>"$scratch/err"; then
        check_csv "$program $* on $ranks ranks" "$columns" "$count"
        check_json "$program $* on $ranks ranks"
    else
        fail "$program $* on $ranks ranks: exit status $?"
        cat "$scratch/err"
    fi
}

# refuse WORD PROGRAM ARGUMENT ...: the exit status must be 2, and the error message must contain WORD.
refuse() {
    word=$1 program=$2
    shift 2
    launch -n 0 "$programs/$program" "$@" >"$scratch/out" 2>"$scratch/err"
    status=$?
    if test $status -ne 2 || ! grep "^$program\( serial\)\?: " "$scratch/err" | grep -qF -e "$word"; then
        fail "$program $*: exit status $status, $(cat "$scratch/err")"
    else
        passed
    fi
}

# Each pair of orders gives four rows: two references, and a row for each of the two engines.
two="--engines pairwise,alltoallw"
# shellcheck disable=SC2086 # two words
{
    measure 2 $order_columns 144 subx-perf-order --shape 6x4x5 $two --memory shared --dtype float32 --hint "subx_tune=permute send"
    measure 3 $order_columns 48 subx-perf-order --shape 7x4x5 $two --pairs table1a --dtype complex64
    measure 4 $order_columns 4 subx-perf-order --shape 3x4x5 $two --pairs table1b --memory huge
    measure 2 $order_columns 8 subx-perf-order --shape 3x4x2x5 $two --pairs 0123:3210,1302:2013 --axes 1,2 --dtype float64
    measure 2 $exch_columns 24 subx-perf-exch --from 64 --to 1K $two --factor 16
}
measure 4 $order_columns some subx-perf-order --shape 6x5x7 --pairs 021:102,210:210 --memory shared --engines all
measure 3 $order_columns 6 subx-perf-order --shape 6x5x7 --orders traversal --pairs 021:102,102:012 --engines auto
measure 4 $exch_columns some subx-perf-exch --from 48 --to 48 --engines all --data contiguous,transposing
if test -x "$programs/subx-perf-stride"; then
    # 12 rows: two for each of the strides 1, 4, 8, 16, 32 and 64. With stride 64, a column is longer than 4 KiB.
    measure 2 $stride_columns 12 subx-perf-stride --length 8 --size 4K --from 4 --to 64 --effort estimate
    refuse heroic subx-perf-stride --effort heroic
    refuse --from subx-perf-stride --from 64 --to 8

    # Serial transforms of the lengths 4, 6, 8, 9 and 7, in two layouts and two precisions; c2c is also measured in place.
    serial="subx-perf-stride serial"
    # shellcheck disable=SC2086 # two words
    {
        measure 0 $serial_columns 60 $serial --lengths 4,6-9:3smooth,7:prime --backends naive --kinds c2c,r2c \
            --precision float,double --caches 4K --time 20
        measure 2 $serial_columns some $serial --lengths 1-6,97 --backends all --kinds c2c,r2c,c2r --layouts contiguous \
            --places out --caches 100 --effort estimate --time 20
        measure 0 $serial_error_columns 16 $serial --lengths 2-9 --backends naive --kinds c2r,dst3 --layouts interleaved --caches 1 --accuracy
        # There is no DCT-I of one number.
        measure 0 $serial_error_columns 11 $serial --lengths 1-3 --backends naive --kinds dct1,dst4,dht,r2hc --layouts interleaved --caches 1 --accuracy
        measure 0 $serial_columns 10 $serial --lengths 5-9 --layouts contiguous --places in --backends naive,fftw3 --time 20
    }
    test "$(grep -c ',fftw3,.*,1,1$' "$csv")" -eq 5 || fail "subx-perf-stride serial: FFTW is not the reference"
    # Wrong results must be reported: those of an FFTW that does nothing. Backend naive must be measured all the same.
    cat >"$scratch/idle.c" <<'END'
void fftw_execute(void *plan) { (void)plan; }
void fftw_execute_dft(void *plan) { (void)plan; }
END
    if ${CC:-cc} -w -shared -fPIC -o "$scratch/idle.so" "$scratch/idle.c" 2>/dev/null; then
        launch -n 0 env LD_PRELOAD="$scratch/idle.so" "$programs/subx-perf-stride" serial --lengths 4,5 --caches 1 \
            --backends naive,fftw3 --places out --repeat 1 --time 20 >"$scratch/out" 2>"$scratch/err"
        status=$?
        if test $status -ne 1 || ! grep -q 'WRONG: fftw3' "$scratch/err" || test "$(grep -c ' naive ' "$scratch/out")" -ne 4; then
            fail "subx-perf-stride serial: exit status $status with wrong results, $(cat "$scratch/err")"
        else
            passed
        fi
    fi
    refuse steam subx-perf-stride serial --backends steam
    refuse 64,2-512 subx-perf-stride serial --lengths 4-8:even
    refuse "c2c is in place" subx-perf-stride serial --backends naive --kinds r2c --places in
    refuse dct5 subx-perf-stride serial --kinds dct5
fi
if test -x "$programs/subx-perf-fft"; then
    # The rows: two variants of ours, Dalcin's method, FFTW's serial plan, and FFTW's slabs if FFTW has MPI.
    measure 1 $fft_columns some subx-perf-fft --neighbours none --problems c2c:6x5x4
    mpi=$(grep -c ',fftw-mpi,' "$csv")
    test "$(grep -c ',subx,' "$csv")" -eq 2 || fail "subx-perf-fft: not a row for each variant of ours"
    test "$(grep -c ',dalcin,\|,fftw,' "$csv")" -eq 2 || fail "subx-perf-fft: not a row for each other"
    measure 2 $fft_columns $((9 + 3 * mpi)) subx-perf-fft --neighbours none --problems c2c:6x5x4,r2c:5x7,r2c:4x3x5x6 --stages --effort estimate
    measure 4 $fft_columns $((6 + mpi)) subx-perf-fft --neighbours none --problems r2c:7x5x6 --grids auto --memory shared --effort estimate
    measure 4 $fft_columns $((12 + 2 * mpi)) subx-perf-fft --neighbours none --problems c2c:5x3,r2c:3x5x4x2 --grids pencil,4,1x2x2 --effort estimate \
        --variants natural,stride1/transposed/pairwise
    # The program must find that scaled results are wrong.
    launch -n 2 "$programs/subx-perf-fft" --problems c2c:4x6 --repeat 1 --hint subx_scaling=forward >"$scratch/out" \
        2>"$scratch/err"
    status=$?
    if test $status -ne 1 || ! grep -q 'WRONG: subx' "$scratch/err" || ! grep -q dalcin "$scratch/out"; then
        fail "subx-perf-fft: exit status $status with wrong results, $(cat "$scratch/err")"
    else
        passed
    fi
    # Both directions, both places, single precision and real-to-real kinds, with neighbours. Each problem has one row of ours,
    # in double precision also one of Dalcin's method and those of FFTW's slabs. Every row names its direction and place.
    # direction RANKS DIRECTION PLACE
    direction() {
        measure "$1" $fft_columns some subx-perf-fft --direction "$2" --place "$3" --variants auto --effort estimate \
            --problems "c2c:5x7x6;r2c:6x4x7;dct1:5x3;dct2,dst3,dht:4x5x6;dst4:7x5;c2c.f32:6x5x7;r2c.f32:5x9;dst2.f32:3x7x4"
        if test "$(grep -c ",subx,auto,.*,$2,$3,$1," "$csv")" -eq 8 &&
            test "$(grep -v '\.f32:' "$csv" | grep -c ",dalcin,.*,$2,$3,$1,")" -eq 5 &&
            test "$(grep -v '\.f32:' "$csv" | grep -c ",fftw-mpi,.*,$2,$3,$1,")" -eq $((5 * mpi)); then
            passed
        else
            fail "subx-perf-fft: not all rows of $2 and $3 on $1 ranks"
        fi
    }
    direction 1 pair out
    direction 3 pair in
    direction 2 forward in
    direction 3 backward out
    # Ranks without data, and axes of one element.
    measure 3 $fft_columns some subx-perf-fft --direction pair --problems "c2c.f32:2x1x3,dct3:1x2x5" --grids 3,1x3 \
        --neighbours none --stages --effort estimate
    # Backward is verified as well.
    launch -n 2 "$programs/subx-perf-fft" --problems r2c:4x6 --repeat 1 --direction pair --hint subx_scaling=backward \
        >"$scratch/out" 2>"$scratch/err"
    status=$?
    if test $status -ne 1 || ! grep -q 'WRONG: subx.* backward' "$scratch/err" || grep -q 'WRONG: subx.* forward' "$scratch/err"; then
        fail "subx-perf-fft: exit status $status with wrong results backward, $(cat "$scratch/err")"
    else
        passed
    fi
    # The neighbours (other libraries) that are built in must give right results, even if ranks have different amounts of
    # data.
    measure 4 $fft_columns some subx-perf-fft --problems c2c:9x8x10,r2c:8x9,c2c:3x4x2 --grids auto --variants natural --effort estimate
    # Plans of each effort, each of which chooses its grid; and on a given grid, beside Dalcin's method.
    measure 2 $efforts_columns 4 subx-perf-fft --problems r2c:4x6,dct2:3x4x5 --grids free --efforts estimate,measure --variants auto
    test "$(awk -F, 'NR > 1 && $15 ~ /^(estimate|measure)$/ && $16 != "" && $17 > 0' "$scratch/body" | wc -l)" -eq 4 ||
        fail "subx-perf-fft --efforts: a row lacks its effort, its choice, or the time of planning"
    measure 2 $efforts_columns $((4 + 2 * mpi)) subx-perf-fft --problems c2c:4x6 --grids slab --efforts estimate,measure --variants auto --neighbours none
    refuse heroic subx-perf-fft --efforts heroic
    refuse c2c:4 subx-perf-fft --problems c2c:4
    refuse "--direction backward" subx-perf-fft --problems c2r:4x4
    refuse f32 subx-perf-fft --problems c2c.long:4x4
    refuse options subx-perf-fft --problems r2c:4x4/padded
    refuse "c2c, r2c" subx-perf-fft --problems dct2,c2c:4x4
    refuse "forward, backward, pair" subx-perf-fft --direction sideways
    refuse "out, in" subx-perf-fft --place both
    refuse oval subx-perf-fft --grids oval
    refuse 3x2 subx-perf-fft --grids 3x2
    refuse heroic subx-perf-fft --effort heroic
    refuse sideways subx-perf-fft --problems c2c:4x4 --variants sideways
    refuse suits subx-perf-fft --problems c2c:4x4 --grids pencil
fi

# mpi4py-fft, if this Python has mpi4py-fft for this MPI.
mpi4py=$top/perf/fft/subx-perf-fft-mpi4py
if test -n "$python"; then
    "$python" "$mpi4py" --help | grep -q problems && passed || fail "--help of subx-perf-fft-mpi4py fails"
    "$python" "$mpi4py" --problems oval >/dev/null 2>&1 && fail "subx-perf-fft-mpi4py takes any problem" || passed
fi
if test -n "$python" && test -f "$programs/.libs/libsubx_fft.so" && "$python" -c 'import mpi4py_fft, mpi4py, numpy' 2>/dev/null; then
    if launch -n 2 env SUBX_LIBDIR="$programs/.libs" PYTHONPATH="$top/bindings/python" PYTHONDONTWRITEBYTECODE=1 "$python" "$mpi4py" \
        --problems c2c:6x5x4,r2c:5x7 --repeat 2 --csv "$csv" >/dev/null 2>"$scratch/err"; then
        check_csv subx-perf-fft-mpi4py $fft_columns 10
    elif ! grep -q 'two MPI libraries' "$scratch/err"; then
        fail "subx-perf-fft-mpi4py: $(cat "$scratch/err")"
    fi
fi

for program in order exch stride fft; do
    test -x "$programs/subx-perf-$program" || continue
    launch -n 0 "$programs/subx-perf-$program" --help >"$scratch/help" 2>/dev/null || fail "--help of $program fails"
    if grep -q '^Usage: .*subx-perf-' "$scratch/help" && test "$(awk 'length > 120' "$scratch/help" | wc -l)" -eq 0; then
        passed
    else
        fail "--help of $program has no usage, or lines of more than 120 columns"
    fi
done

refuse --nonsense subx-perf-order --nonsense
refuse --shape subx-perf-order --shape 4
refuse 01:10 subx-perf-order --pairs 01:10
refuse --axes subx-perf-order --axes 1,1
refuse table subx-perf-order --pairs table1a --shape 4x4
refuse traversals subx-perf-order --pairs table1a --orders storage
refuse steam subx-perf-order --engines steam
refuse "hint" subx-perf-order --shape 4x4 --hint "subx_tune=permute sideways"
refuse "key=value" subx-perf-exch --hint luck
refuse nowhere subx-perf-exch --csv "$scratch/nowhere/rows.csv"
refuse --from subx-perf-exch --from 50
refuse --repeat subx-perf-exch --repeat 0
refuse "contiguous, plain, transposing" subx-perf-exch --data plain,odd
finish
