/* memory_file.c - files in memory: one process creates a file, and other processes of the same system map it.
 *
 * MPI_Win_allocate_shared is not used: both MPIs use files in /dev/shm, which has only a few megabytes in
 * many containers. If these are not enough, one of the MPIs lets the program end by SIGBUS. A memfd can use
 * all of the system's memory. */
#include "mem/mem.h"

#if SX_MEM_HAS_FILES

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Numbers of the kernel's interface that older headers lack. The running kernel may be newer than the
 * headers. */
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum { TEXT = 128 };

static void print_name(char name[TEXT], int64_t process, int64_t serial)
{
    snprintf(name, TEXT, "subx-%llx-%llx", (unsigned long long)process, (unsigned long long)serial);
}

/* Ask for a file that cannot be executed (MFD_NOEXEC_SEAL), because some systems allow no other files.
 * Kernels before 6.3 do not know this flag. */
int sx_mem_file_create(int64_t process, int64_t serial)
{
    char name[TEXT];
    print_name(name, process, serial);
    int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
    if (file < 0 && errno == EINVAL)
        file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    return file;
}

/* Check that the link in /proc has the name with which the file was created: the number of the process, or
 * the descriptor, may have been reused. */
static int is_that_file(const char *path, int64_t process, int64_t serial)
{
    char link[2 * TEXT] = "", name[TEXT], expected[2 * TEXT];
    print_name(name, process, serial);
    snprintf(expected, sizeof expected, "/memfd:%s (deleted)", name);
    return readlink(path, link, sizeof link - 1) > 0 && strcmp(link, expected) == 0;
}

int sx_mem_file_open(int pid, int file, int64_t process, int64_t serial)
{
    char path[TEXT];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, file);
    if (file < 0 || !is_that_file(path, process, serial))
        return -1;
    return open(path, O_RDWR | O_CLOEXEC);
}

/* Map a file at an address that is a multiple of a huge page's length, because the system uses huge pages
 * only there. To get such an address, reserve more than is needed, and give back the parts before and
 * after. */
static char *map_aligned(int file, size_t bytes)
{
    const size_t align = SX_BASE_HUGE_PAGE;
    char *room = mmap(NULL, bytes + align, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return NULL;
    size_t before = (align - (uintptr_t)room % align) % align;
    char *map = mmap(room + before, bytes, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0);
    if (map == MAP_FAILED) {
        munmap(room, bytes + align);
        return NULL;
    }
    if (before > 0)
        munmap(room, before);
    munmap(map + bytes, align - before);
    return map;
}

static char *map_file(int file, ptrdiff_t bytes)
{
    if (bytes >= SX_BASE_LARGE)
        return map_aligned(file, (size_t)bytes);
    char *map = mmap(NULL, (size_t)bytes, PROT_READ, MAP_SHARED, file, 0);
    return map == MAP_FAILED ? NULL : map;
}

static int alloc_pages(int file, ptrdiff_t at, ptrdiff_t bytes)
{
    for (ptrdiff_t end = at + bytes; at < end; at += SX_MEM_STEP) {
        ptrdiff_t n = end - at < SX_MEM_STEP ? end - at : SX_MEM_STEP;
        int failed;
        do
            failed = fallocate(file, 0, at, n);
        while (failed && errno == EINTR);
        if (failed)
            return -1;
    }
    return 0;
}

/* Make the pages of this rank's piece now: if there were no memory for a page later, the first access to the
 * page would raise SIGBUS. MADV_POPULATE_WRITE (Linux 5.14) respects the advice to use huge pages. Older
 * kernels have only fallocate, which reports a lack of memory but ignores the advice. Returns -1 if there is
 * no memory. */
static int make_pages(int file, char *map, ptrdiff_t at, ptrdiff_t own)
{
    if (own >= SX_BASE_LARGE)
        madvise(map + at, (size_t)own, MADV_HUGEPAGE);
    if (madvise(map + at, (size_t)own, MADV_POPULATE_WRITE) == 0)
        return 0;
    return alloc_pages(file, at, own);
}

char *sx_mem_file_map(int file, ptrdiff_t bytes, ptrdiff_t at, ptrdiff_t own)
{
    if (file < 0 || ftruncate(file, bytes) || fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK))
        return NULL;
    char *map = map_file(file, bytes);
    if (map && (mprotect(map + at, (size_t)own, PROT_READ | PROT_WRITE) || make_pages(file, map, at, own))) {
        sx_mem_file_unmap(map, bytes);
        return NULL;
    }
    return map;
}

void sx_mem_file_unmap(char *map, ptrdiff_t bytes)
{
    if (map)
        munmap(map, (size_t)bytes);
}

void sx_mem_file_close(int file)
{
    if (file < 0)
        return;
    fcntl(file, F_ADD_SEALS, F_SEAL_GROW);
    close(file);
}

/* The system's file lists all settings; the one that is active is in brackets. */
int sx_mem_has_huge_pages(int is_shared)
{
    char text[TEXT] = "";
    FILE *file = fopen(is_shared ? "/sys/kernel/mm/transparent_hugepage/shmem_enabled"
                                 : "/sys/kernel/mm/transparent_hugepage/enabled",
                       "r");
    if (!file)
        return 0;
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    return n > 0 && !strstr(text, "[never]") && !strstr(text, "[deny]");
}

#else

int sx_mem_file_create(int64_t process, int64_t serial)
{
    (void)process, (void)serial;
    return -1;
}

int sx_mem_file_open(int pid, int file, int64_t process, int64_t serial)
{
    (void)pid, (void)file, (void)process, (void)serial;
    return -1;
}

char *sx_mem_file_map(int file, ptrdiff_t bytes, ptrdiff_t at, ptrdiff_t own)
{
    (void)file, (void)bytes, (void)at, (void)own;
    return NULL;
}

void sx_mem_file_unmap(char *map, ptrdiff_t bytes)
{
    (void)map, (void)bytes;
}

void sx_mem_file_close(int file)
{
    (void)file;
}

int sx_mem_has_huge_pages(int is_shared)
{
    (void)is_shared;
    return 0;
}

#endif
