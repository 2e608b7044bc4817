#!/bin/sh
# wrong_rank.sh - wrong_rank.f90 must have a case for each procedure that the headers call collective.

. "$(dirname "$0")/../common/shell.sh"
cd "$top/bindings" || exit 99

# Procedures without arguments that one rank can get wrong, apart from the object or the communicator itself.
exempt="subx_grid_free subx_mem_free subx_exch_free subx_halo_free subx_fft_plan_free subx_fft_free_kept"

"${PYTHON3:-python3}" -B - "$top" >"$scratch/collective" <<'END' || fail "the headers cannot be read"
import re
import sys

import headers

for header in headers.read_all(sys.argv[1]).headers:
    for function in header.select(headers.Function):
        if re.search(r"\b[Cc]ollective\b", function.text):
            print(function.name)
END

while read -r function; do
    if grep -q "call begin(\"$function\")" "$top/tests/fortran/wrong_rank.f90"; then
        passed
    else
        case " $exempt " in *" $function "*) passed ;; *) fail "$function is collective, and has no case" ;; esac
    fi
done <"$scratch/collective"
finish
