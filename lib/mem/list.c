/* list.c - the segments of subx_mem_alloc in this process, sorted by address and by key. Every execution of
 * an exchange looks up its send buffer here. */
#include "mem/mem.h"
#include <pthread.h>
#include <string.h>

/* There is one list for the whole process, because the segments belong to all threads. */
static struct {
    sx_segment **by_address, **by_key;
    int count, reserved, room;
} list;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- sorted arrays; the caller has the lock */

/* A function that gets the number by which an array is sorted: the address or the key of a segment. */
typedef uint64_t value(const sx_segment *s);

static uint64_t get_address(const sx_segment *s)
{
    return (uintptr_t)s->own->base;
}

static uint64_t get_key(const sx_segment *s)
{
    return (uint64_t)s->key;
}

/* Count the segments of a sorted array whose address or key (get) is at most v. */
static int count_up_to(sx_segment *const sorted[], value *get, uint64_t v)
{
    int low = 0, high = list.count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (get(sorted[middle]) <= v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Get the last segment of a sorted array whose address or key (get) is at most v; NULL if there is none. */
static sx_segment *find(sx_segment *const sorted[], value *get, uint64_t v)
{
    const int n = count_up_to(sorted, get, v);
    return n > 0 ? sorted[n - 1] : NULL;
}

static void insert(sx_segment *sorted[], value *get, sx_segment *s)
{
    const int at = count_up_to(sorted, get, get(s));
    memmove(sorted + at + 1, sorted + at, (size_t)(list.count - at) * sizeof *sorted);
    sorted[at] = s;
}

static void drop(sx_segment *sorted[], value *get, const sx_segment *s)
{
    const int end = count_up_to(sorted, get, get(s));
    memmove(sorted + end - 1, sorted + end, (size_t)(list.count - end) * sizeof *sorted);
}

/* ---- the memory of the arrays; the caller has the lock */

static void set_arrays(sx_segment **by_address, sx_segment **by_key, int room)
{
    sx_base_free(list.by_address);
    sx_base_free(list.by_key);
    list.by_address = by_address;
    list.by_key = by_key;
    list.room = room;
}

static int grow(void)
{
    const int room = 2 * list.room + 8;
    sx_segment **by_address = sx_base_alloc(room, sizeof *by_address);
    sx_segment **by_key = sx_base_alloc(room, sizeof *by_key);
    if (!by_address || !by_key) {
        sx_base_free(by_address);
        sx_base_free(by_key);
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    }
    for (int i = 0; i < list.count; i++) {
        by_address[i] = list.by_address[i];
        by_key[i] = list.by_key[i];
    }
    set_arrays(by_address, by_key, room);
    return MPI_SUCCESS;
}

/* Free the arrays if there are no segments, and if `reserve` has announced none. */
static void trim(void)
{
    if (list.count + list.reserved == 0)
        set_arrays(NULL, NULL, 0);
}

/* ---- the functions that take the lock themselves */

int sx_mem_list_reserve(void)
{
    pthread_mutex_lock(&lock);
    int rc = list.count + list.reserved < list.room ? MPI_SUCCESS : grow();
    list.reserved += rc == MPI_SUCCESS;
    pthread_mutex_unlock(&lock);
    return rc;
}

void sx_mem_list_cancel(void)
{
    pthread_mutex_lock(&lock);
    list.reserved--;
    trim();
    pthread_mutex_unlock(&lock);
}

void sx_mem_list_add(sx_segment *s)
{
    pthread_mutex_lock(&lock);
    insert(list.by_address, get_address, s);
    insert(list.by_key, get_key, s);
    list.count++;
    list.reserved--;
    pthread_mutex_unlock(&lock);
}

sx_segment *sx_mem_list_take(const void *address)
{
    pthread_mutex_lock(&lock);
    sx_segment *s = find(list.by_address, get_address, (uintptr_t)address);
    if (s && s->own->base != address)
        s = NULL;
    if (s) {
        drop(list.by_address, get_address, s);
        drop(list.by_key, get_key, s);
        list.count--;
        trim();
    }
    pthread_mutex_unlock(&lock);
    return s;
}

const sx_segment *sx_mem_find_address(const void *address)
{
    pthread_mutex_lock(&lock);
    const sx_segment *s = find(list.by_address, get_address, (uintptr_t)address);
    if (s && (uintptr_t)address - get_address(s) >= (uintptr_t)s->own->bytes)
        s = NULL;
    pthread_mutex_unlock(&lock);
    return s;
}

const sx_segment *sx_mem_find_key(int64_t key)
{
    pthread_mutex_lock(&lock);
    const sx_segment *s = find(list.by_key, get_key, (uint64_t)key);
    if (s && s->key != key)
        s = NULL;
    pthread_mutex_unlock(&lock);
    return s;
}
