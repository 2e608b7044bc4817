/* mem.c - the allocator of all rooms. Memory is aligned; sx_base_alloc and sx_base_alloc_area also zero it.
 * Large allocations ask for huge pages. Fault tests can make an allocation fail. */
#include "base/base.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

long sx_base_fail_after(long n)
{
    return __atomic_exchange_n(&sx_base_knobs.fails_after, n, __ATOMIC_RELAXED);
}

/* Query whether this allocation must fail (sx_base_fail_after). If several threads allocate at the same time,
 * exactly one of them gets the failure. */
static int fails_now(void)
{
    long left = __atomic_load_n(&sx_base_knobs.fails_after, __ATOMIC_RELAXED);
    while (left >= 0 && !__atomic_compare_exchange_n(&sx_base_knobs.fails_after, &left, left - 1, 0,
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return left == 0;
}

/* Get the bytes of the huge pages for an allocation: none if it has less than `least` bytes. What remains
 * after the whole huge pages gets one more huge page if it has at least `least` bytes; else it stays on small
 * pages. */
static size_t get_huge_bytes(size_t bytes, size_t least)
{
    const size_t whole = bytes / SX_BASE_HUGE_PAGE * SX_BASE_HUGE_PAGE;
    return bytes < least ? 0 : bytes - whole < least ? whole : whole + SX_BASE_HUGE_PAGE;
}

ptrdiff_t sx_base_get_area_bytes(ptrdiff_t bytes)
{
    const ptrdiff_t huge = (ptrdiff_t)get_huge_bytes((size_t)bytes, SX_BASE_LEAST_HUGE);
    return huge > bytes ? huge : bytes;
}

static int alloc_aligned(void **ptr, size_t alignment, size_t bytes, size_t least)
{
    const size_t huge = get_huge_bytes(bytes, least);
    int rc = posix_memalign(ptr, huge > 0 ? SX_BASE_HUGE_PAGE : alignment, bytes > huge ? bytes : huge);
#ifdef MADV_HUGEPAGE
    if (!rc && huge > 0)
        madvise(*ptr, huge, MADV_HUGEPAGE);
#endif
    return rc;
}

static int is_there(ptrdiff_t bytes)
{
    return bytes < SX_BASE_CHECKED || bytes <= sx_base_get_free_memory();
}

/* Zeroing touches every page, so that executions do not spend time on page faults. */
static void *alloc_zeroed(ptrdiff_t bytes, size_t least)
{
    void *ptr;
    if (fails_now() || bytes < 0 || !is_there(bytes) ||
        alloc_aligned(&ptr, SX_ALIGNMENT, bytes > 0 ? (size_t)bytes : 1, least))
        return NULL;
    memset(ptr, 0, (size_t)bytes);
    return ptr;
}

void *sx_base_alloc(ptrdiff_t n, size_t size)
{
    ptrdiff_t bytes;
    return alloc_zeroed(sx_base_mul(n, (ptrdiff_t)size, &bytes) ? -1 : bytes, SX_BASE_LARGE);
}

/* Linux looks up each page of a message that it copies between two processes of a host. With huge pages the
 * copy takes half of the time. The system also makes a huge page faster than 30 small pages. */
void *sx_base_alloc_area(ptrdiff_t bytes)
{
    return alloc_zeroed(bytes, SX_BASE_LEAST_HUGE);
}

/* The heap may return pages that were touched before. MADV_DONTNEED drops these pages, so that the next touch
 * is a first touch again. */
void *sx_base_alloc_untouched(ptrdiff_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = ((size_t)bytes / page + 1) * page;
    void *ptr;
    if (fails_now() || bytes < 0 || bytes > PTRDIFF_MAX - SX_BASE_HUGE_PAGE || !is_there(bytes) ||
        alloc_aligned(&ptr, page, whole, SX_BASE_LARGE))
        return NULL;
#ifdef MADV_DONTNEED
    madvise(ptr, whole, MADV_DONTNEED);
#endif
    return ptr;
}

void sx_base_free(void *ptr)
{
    free(ptr);
}
