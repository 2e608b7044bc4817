/* limit.c - how much memory, and how many threads, this process can still get. A system may grant more memory
 * than it has, and end a process when the process touches the memory. So we ask before we allocate. */
#include "base/base.h"
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { LINE = 256, PATH = 1024 };

static ptrdiff_t get_least(ptrdiff_t a, ptrdiff_t b)
{
    return a < b ? a : b;
}

/* ---- files of lines such as "MemAvailable:  20597 kB" or "inactive_file 4096" */

/* Get the number that follows a word at the beginning of a line; if the word is empty, the number at the
 * beginning of the first line. Returns `otherwise` if the file has no such number. */
static ptrdiff_t read_number(const char *path, const char *word, ptrdiff_t otherwise)
{
    char line[LINE];
    const size_t n = strlen(word);
    ptrdiff_t value = otherwise;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        char *end = line + n;
        if (strncmp(line, word, n) != 0 || (n && *end != ' ' && *end != ':'))
            continue;
        end += *end == ':';
        const long long found = strtoll(end, &end, 10);
        if (end > line + n + 1 || (!n && end > line))
            value = (ptrdiff_t)found;
        break;
    }
    if (file)
        fclose(file);
    return value;
}

/* ---- control groups: limits apply to the process's group and to all groups around it */

/* A kind of control group: its name in /proc/self/cgroup, and the folder of all groups of this kind. In the
 * folder of a group, the file `most` has the limit, and the file `now` has the amount in use. */
typedef struct kind {
    const char *name, *folder, *most, *now, *inactive,
        *active; /* inactive, active: the lines of memory.stat that count the files which the kernel keeps
                    in memory; NULL if the kind limits threads */
} kind;

/* Get how much more a group may use; PTRDIFF_MAX if it has no limit. Files that the kernel keeps in memory
 * for the group (kept) count as free, because the kernel can drop them. */
static ptrdiff_t get_room(const kind *k, const char *folder)
{
    char path[2 * PATH];
    ptrdiff_t used, kept = 0;
    snprintf(path, sizeof path, "%s/%s", folder, k->most);
    const ptrdiff_t most = read_number(path, "", PTRDIFF_MAX);
    if (most == PTRDIFF_MAX)
        return most;
    snprintf(path, sizeof path, "%s/%s", folder, k->now);
    used = read_number(path, "", 0);
    if (k->inactive) {
        snprintf(path, sizeof path, "%s/memory.stat", folder);
        kept = read_number(path, k->inactive, 0) + read_number(path, k->active, 0);
    }
    used = used > kept ? used - kept : 0;
    return most > used ? most - used : 0;
}

/* Get the smallest result of get_room for a group, such as "/user/job", and all groups around it. */
static ptrdiff_t get_least_room(const kind *k, const char *group)
{
    char folder[PATH];
    ptrdiff_t room = PTRDIFF_MAX;
    if (snprintf(folder, sizeof folder, "%s%s", k->folder, group) >= (int)sizeof folder)
        return room;
    for (char *slash = folder; slash; slash = strrchr(folder, '/')) {
        *slash = slash == folder ? *slash : '\0';
        room = get_least(room, get_room(k, folder));
        if (strlen(folder) <= strlen(k->folder))
            break;
    }
    return room;
}

/* Get the smallest result of get_least_room for all groups of this process. Lines of /proc/self/cgroup are
 * "4:memory:/user/job" or, in version 2, "0::/user/job". */
static ptrdiff_t get_room_of_groups(const kind kinds[], int n)
{
    char line[PATH];
    ptrdiff_t room = PTRDIFF_MAX;
    FILE *file = fopen("/proc/self/cgroup", "r");
    while (file && fgets(line, sizeof line, file)) {
        char *name = strchr(line, ':'), *group = name ? strchr(name + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = '\0';
        group[strcspn(group, "\n")] = '\0';
        for (int i = 0; i < n; i++)
            if (strcmp(name + 1, kinds[i].name) == 0)
                room = get_least(room, get_least_room(&kinds[i], group));
    }
    if (file)
        fclose(file);
    return room;
}

/* ---- memory, threads */

ptrdiff_t sx_base_get_free_memory(void)
{
    static const kind kinds[] = {
        {"", "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file", "active_file"},
        {"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
         "total_inactive_file", "total_active_file"}};
    const ptrdiff_t available = read_number("/proc/meminfo", "MemAvailable", -1);
    const ptrdiff_t swap = read_number("/proc/meminfo", "SwapFree", 0);
    const ptrdiff_t node = available < 0 ? PTRDIFF_MAX : 1024 * (available + swap);
    return get_least(node, get_room_of_groups(kinds, 2));
}

/* Get the number of threads that exist on this node; 0 if the system does not tell. In /proc/loadavg, such as
 * "0.20 0.18 0.12 1/80 11206", this is the number behind the slash. */
static ptrdiff_t count_threads(void)
{
    ptrdiff_t n = 0;
    FILE *file = fopen("/proc/loadavg", "r");
    if (file && fscanf(file, "%*s %*s %*s %*d/%td", &n) != 1)
        n = 0;
    if (file)
        fclose(file);
    return n;
}

/* The threads that exist on the node are subtracted from the node's limits. The threads of the user are not
 * subtracted from RLIMIT_NPROC: to count them, we would have to read a file of every process on the node. */
ptrdiff_t sx_base_get_free_threads(void)
{
    static const kind kinds[] = {{"", "/sys/fs/cgroup", "pids.max", "pids.current", NULL, NULL},
                                 {"pids", "/sys/fs/cgroup/pids", "pids.max", "pids.current", NULL, NULL}};
    struct rlimit user;
    ptrdiff_t most = read_number("/proc/sys/kernel/threads-max", "", PTRDIFF_MAX);
    most = get_least(most, read_number("/proc/sys/kernel/pid_max", "", PTRDIFF_MAX));
    most -= get_least(most, count_threads());
    if (getrlimit(RLIMIT_NPROC, &user) == 0 && user.rlim_cur < (rlim_t)PTRDIFF_MAX)
        most = get_least(most, (ptrdiff_t)user.rlim_cur);
    return get_least(most, get_room_of_groups(kinds, 2));
}
