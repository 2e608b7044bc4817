/* pages.c - files in memory, which a process can map and another on the same system can find.
 *
 * Not MPI_Win_allocate_shared: both MPIs back it by files in /dev/shm, which in containers is often a few
 * megabytes small, and one of them then dies of SIGBUS; a memfd has the system's memory. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create, fallocate */
#endif
#include "mem/mem.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef HAVE_MEMFD_CREATE
#include <fcntl.h>
#endif

/* FNV-1a, 64 bits (Fowler, Noll & Vo). */
static uint64_t mix(uint64_t h, const void *data, size_t n)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < n; i++)
        h = (h ^ byte[i]) * 1099511628211u;
    return h;
}

enum { TEXT = 128 };
static const uint64_t BASIS = 14695981039346656037u;

static int64_t process;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Ranks that start together differ in their number; those of systems with equal numbers in time and in where
 * the loader put things. */
static void set_process(void)
{
    struct timespec now;
    pid_t pid = getpid();
    const void *here = &now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t h = mix(BASIS, &pid, sizeof pid);
    h = mix(h, &now.tv_sec, sizeof now.tv_sec);
    h = mix(h, &now.tv_nsec, sizeof now.tv_nsec);
    process = (int64_t)(mix(h, &here, sizeof here) >> 1);
}

int64_t sx_mem_process(void)
{
    pthread_once(&once, set_process);
    return process;
}

/* A name that two hosts share, or a container of its own, would lead one process to look for another where
 * it is not: the boot, the host's name and the space of process numbers must all be the same. */
int64_t sx_mem_host(void)
{
    char text[TEXT] = "";
    struct stat space;
    uint64_t h = BASIS;
    FILE *boot = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (boot) {
        h = mix(h, text, fread(text, 1, sizeof text, boot));
        fclose(boot);
    }
    if (stat("/proc/self/ns/pid", &space) == 0)
        h = mix(h, &space.st_ino, sizeof space.st_ino);
    if (gethostname(text, sizeof text - 1) == 0)
        h = mix(h, text, strlen(text));
    return (int64_t)(h >> 1);
}

#ifdef HAVE_MEMFD_CREATE

static void print_name(char *name, int64_t owner)
{
    snprintf(name, TEXT, "subx-%llx", (long long)owner);
}

int sx_mem_file_create(int64_t owner)
{
    char name[TEXT];
    print_name(name, owner);
    return memfd_create(name, MFD_CLOEXEC);
}

void sx_mem_file_free(int file)
{
    if (file >= 0)
        close(file);
}

/* Huge pages spare a transposing reader a miss of the TLB a row. For memory of this kind most systems have
 * them switched off, and then the advice is not taken. */
static char *map(int file, ptrdiff_t bytes, int protection)
{
    void *base = mmap(NULL, (size_t)bytes, protection, MAP_SHARED, file, 0);
    if (base == MAP_FAILED)
        return NULL;
    madvise(base, (size_t)bytes, MADV_HUGEPAGE);
    return base;
}

/* A signal interrupts a call, which then has done nothing: hence in pieces that take no longer than the time
 * between two ticks of a profiler. */
enum { PIECE = 16 << 20 };

static int commit_pages(int file, ptrdiff_t bytes)
{
    for (ptrdiff_t at = 0; at < bytes; at += PIECE) {
        ptrdiff_t n = bytes - at < PIECE ? bytes - at : PIECE;
        int failed;
        do
            failed = fallocate(file, 0, at, n);
        while (failed && errno == EINTR);
        if (failed)
            return -1;
    }
    return 0;
}

/* What is not committed is noticed as SIGBUS when it is touched. */
char *sx_mem_file_map(int file, ptrdiff_t bytes, int commit)
{
    if (file < 0 || ftruncate(file, bytes))
        return NULL;
    char *base = map(file, bytes, PROT_READ | PROT_WRITE);
    if (base && commit && commit_pages(file, bytes)) {
        sx_mem_file_unmap(base, bytes);
        return NULL;
    }
    return base;
}

/* The link in /proc has the name that the file was made with, and with it the process that is meant. */
static int is_that_file(const char *path, int64_t owner)
{
    char link[2 * TEXT] = "", name[TEXT], expected[2 * TEXT];
    print_name(name, owner);
    snprintf(expected, sizeof expected, "/memfd:%s (deleted)", name);
    return readlink(path, link, sizeof link - 1) > 0 && strcmp(link, expected) == 0;
}

char *sx_mem_file_map_other(int pid, int file, int64_t owner, ptrdiff_t bytes, int use)
{
    char path[TEXT];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, file);
    if (file < 0 || !is_that_file(path, owner))
        return NULL;
    int other = open(path, (use == SX_MEM_WRITE ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (other < 0)
        return NULL;
    char *base = map(other, bytes, use == SX_MEM_WRITE ? PROT_READ | PROT_WRITE : PROT_READ);
    close(other);
    return base;
}

void sx_mem_file_unmap(char *base, ptrdiff_t bytes)
{
    if (base)
        munmap(base, (size_t)bytes);
}

#else

/* No files in memory on this system: every rank has its own memory only. */
int sx_mem_file_create(int64_t owner)
{
    (void)owner;
    return -1;
}

void sx_mem_file_free(int file)
{
    (void)file;
}

char *sx_mem_file_map(int file, ptrdiff_t bytes, int commit)
{
    (void)file, (void)bytes, (void)commit;
    return NULL;
}

char *sx_mem_file_map_other(int pid, int file, int64_t owner, ptrdiff_t bytes, int use)
{
    (void)pid, (void)file, (void)owner, (void)bytes, (void)use;
    return NULL;
}

void sx_mem_file_unmap(char *base, ptrdiff_t bytes)
{
    (void)base, (void)bytes;
}

#endif
