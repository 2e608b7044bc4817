#!/bin/sh
# order.sh - bindings/fortran/local.mk must name every module that another module uses, so that make compiles the used
# module first.

. "$(dirname "$0")/../common/shell.sh"
build=${top_builddir:-$PWD}
copy_modules "$scratch/modules"
cp "$top/bindings/fortran/local.mk" "$top/bindings/fortran/subx_mpi.f90.in" "$scratch/modules"
cd "$scratch/modules" || exit 99

# Write the rules, one per line: the module, a colon, and the objects that must exist before the module is compiled.
sed -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}' local.mk | sed -n 's/\$(fortran_object)//g; s/^\(subx[a-z_]*\)\.lo:/\1:/p' >"$scratch/rules"
for file in subx*.f90 subx*.f90.in; do
    module=${file%%.*}
    for used in $(sed -n 's/^ *use \(subx[a-z_]*\).*/\1/p' "$file" | sort -u); do
        if sed -n "s/^$module: *//p" "$scratch/rules" | tr -s ' \t' '\n\n' | grep -qx "$used.lo"; then
            passed
        else
            fail "$module uses $used: local.mk does not say so"
        fi
    done
done
finish
