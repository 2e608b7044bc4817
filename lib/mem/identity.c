/* identity.c - numbers that identify a system, its processors, a process, and an object of a process. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "mem/mem.h"
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TEXT = 128 };

static int64_t process;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Set the number of this process. Processes of one system have different process numbers, but processes of
 * two systems may have the same. So the result is a hash of the process number, the time, and the address of
 * a local variable. */
static void set_process(void)
{
    struct timespec now;
    pid_t pid = getpid();
    const void *here = &now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t h = sx_base_hash(SX_BASE_NO_HASH, &pid, sizeof pid);
    h = sx_base_hash(h, &now.tv_sec, sizeof now.tv_sec);
    h = sx_base_hash(h, &now.tv_nsec, sizeof now.tv_nsec);
    process = (int64_t)(sx_base_hash(h, &here, sizeof here) >> 1);
}

int64_t sx_mem_process(void)
{
    pthread_once(&once, set_process);
    return process;
}

int64_t sx_mem_take_serial(void)
{
    static int64_t serial;
    return __atomic_add_fetch(&serial, 1, __ATOMIC_RELAXED);
}

/* Two hosts may have the same name, and two containers of a host may have different spaces of process numbers
 * (PID namespaces). Hence two ranks are on one host only if the identity of the boot, the host's name and the
 * space of process numbers are all equal. */
int64_t sx_mem_host(void)
{
    char text[TEXT] = "";
    struct stat space;
    uint64_t h = SX_BASE_NO_HASH;
    FILE *boot = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (boot) {
        h = sx_base_hash(h, text, fread(text, 1, sizeof text, boot));
        fclose(boot);
    }
    if (stat("/proc/self/ns/pid", &space) == 0)
        h = sx_base_hash(h, &space.st_ino, sizeof space.st_ino);
    if (gethostname(text, sizeof text - 1) == 0)
        h = sx_base_hash(h, text, strlen(text));
    return (int64_t)(h >> 1);
}

int64_t sx_mem_get_cpus(int *count)
{
    *count = 0;
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        *count = CPU_COUNT(&set);
        return (int64_t)(sx_base_hash(SX_BASE_NO_HASH, &set, sizeof set) >> 1);
    }
#endif
    return 0;
}
