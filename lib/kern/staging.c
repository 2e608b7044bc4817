/* staging.c - static staging buffers; a thread takes a staging while it executes a copy. A staging is too
 * large for the stacks of some threads. A copy or a plan cannot own it, because any number of threads may
 * execute one copy at a time, and each of these threads needs a staging of its own. An execution cannot
 * allocate one, because executions must not allocate memory. The system gives memory only to stagings that
 * have been used. */
#include "kern/staging.h"
#include <pthread.h>

static sx_staging stagings[SX_STAGING_COUNT];

/* A thread always tries the same staging first, because lines of this staging may still be in the caches of
 * its core. The handles of threads are spread over the stagings by multiplicative hashing (Knuth, The Art of
 * Computer Programming 3, section 6.4). */
static unsigned get_first(void)
{
    const uint64_t hash = (uint64_t)(uintptr_t)pthread_self() * 0x9E3779B97F4A7C15u >> 32;
    return (unsigned)(hash * SX_STAGING_COUNT >> 32);
}

sx_staging *sx_kern_staging_take(void)
{
    const unsigned first = get_first();
    for (unsigned i = 0; i < SX_STAGING_COUNT; i++) {
        sx_staging *s = &stagings[(first + i) % SX_STAGING_COUNT];
        if (!__atomic_test_and_set(&s->is_taken, __ATOMIC_ACQUIRE))
            return s;
    }
    return NULL;
}

void sx_kern_staging_give(sx_staging *s)
{
    __atomic_clear(&s->is_taken, __ATOMIC_RELEASE);
}
