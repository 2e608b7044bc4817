# end.sh - end all processes that a script has started, in whatever process groups they are.

# list_below PID: print all descendants of a process: the processes that it has started, their children, and so on.
list_below() {
    ps -e -o pid= -o ppid= | awk -v top="$1" '
        { parent[$1] = $2 }
        END {
            for (pid in parent) {
                for (at = pid; at in parent && at != top; at = parent[at]) {}
                if (at == top && pid != top) print pid
            }
        }'
}

# is_any_left PID ...: succeed if one of the processes still exists.
is_any_left() {
    for pid; do
        if kill -0 "$pid" 2>/dev/null; then return 0; fi
    done
    return 1
}

# end_below PID: ask all descendants of a process to end; after 3 seconds kill the remaining ones. The list is made before any
# of them ends: when a parent ends, its children get another parent, and are no longer found.
end_below() {
    # shellcheck disable=SC2046 # lists of numbers
    set -- $(list_below "$1")
    test $# -gt 0 || return 0
    kill "$@" 2>/dev/null || true
    for second in 1 2 3; do
        is_any_left "$@" || return 0
        sleep 1
    done
    # Also the processes that they have started meanwhile.
    kill -KILL "$@" $(for pid; do list_below "$pid"; done) 2>/dev/null || true
}
