/* alloc.c - subx_mem_alloc, and the list of what it has made: an exchange looks there for the buffers it
 * is given. */
#include "mem/mem.h"
#include <limits.h>
#include <pthread.h>

/* Memory belongs to the process, and so does the list of it. */
static sx_segment *first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- the list */

static int holds(const sx_segment *s, const char *address)
{
    const char *base = s->base[s->r];
    return address >= base && address < base + s->bytes[s->r];
}

const sx_segment *sx_mem_find_address(const void *address)
{
    pthread_mutex_lock(&lock);
    const sx_segment *s = first;
    while (s && !holds(s, address))
        s = s->next;
    pthread_mutex_unlock(&lock);
    return s;
}

const sx_segment *sx_mem_find_key(int64_t key)
{
    pthread_mutex_lock(&lock);
    const sx_segment *s = first;
    while (s && s->key != key)
        s = s->next;
    pthread_mutex_unlock(&lock);
    return s;
}

static void add(sx_segment *s)
{
    pthread_mutex_lock(&lock);
    s->next = first;
    first = s;
    pthread_mutex_unlock(&lock);
}

/* Take the segment that begins at an address off the list. */
static sx_segment *take(const void *address)
{
    pthread_mutex_lock(&lock);
    sx_segment **at = &first;
    while (*at && (*at)->base[(*at)->r] != address)
        at = &(*at)->next;
    sx_segment *s = *at;
    if (s)
        *at = s->next;
    pthread_mutex_unlock(&lock);
    return s;
}

/* ---- the calls */

static int read_arguments(MPI_Count bytes, MPI_Info hints, void *const *mem, int *node_ranks)
{
    if (!mem)
        return subx_error_get(SUBX_ERR_ARG);
    if (bytes < 0)
        return subx_error_get(SUBX_ERR_SIZE);
    return sx_base_hint_int(hints, "subx_node_ranks", 0, 0, INT_MAX, node_ranks);
}

static int create_segment(MPI_Comm comm, ptrdiff_t bytes, int node_ranks, sx_segment *s)
{
    int p;
    int rc = MPI_Comm_size(comm, &p);
    int *node = sx_base_alloc(rc ? 0 : p, sizeof *node);
    if (!rc && !node)
        rc = subx_error_get(SUBX_ERR_NO_MEM);
    rc = sx_mem_get_nodes(comm, rc, node_ranks, node);
    if (!rc)
        rc = sx_mem_segment_create(comm, rc, bytes, SX_MEM_READ, node, s);
    sx_base_free(node);
    return rc;
}

int subx_mem_alloc(MPI_Comm comm, MPI_Count bytes, MPI_Info hints, void **mem)
{
    MPI_Comm dup;
    int node_ranks = 0;
    char key[SX_HINT_LEN];
    sx_text t = {key, sizeof key, 0};
    if (mem)
        *mem = NULL;
    int rc = sx_base_comm_dup(comm, &dup);
    if (rc)
        return rc;
    sx_segment *s = sx_base_alloc(1, sizeof *s);
    rc = read_arguments(bytes, hints, mem, &node_ranks);
    if (!rc && !s)
        rc = subx_error_get(SUBX_ERR_NO_MEM);
    sx_base_print(&t, "%d", node_ranks);
    rc = sx_base_agree(dup, rc, key);
    if (!rc)
        rc = create_segment(dup, (ptrdiff_t)bytes, node_ranks, s);
    MPI_Comm_free(&dup);
    if (rc) {
        sx_base_free(s);
        return rc;
    }
    add(s);
    *mem = s->base[s->r];
    return MPI_SUCCESS;
}

int subx_mem_free(void **mem)
{
    if (!mem || !*mem)
        return MPI_SUCCESS;
    sx_segment *s = take(*mem);
    if (!s)
        return subx_error_get(SUBX_ERR_ARG);
    sx_mem_segment_free(s);
    sx_base_free(s);
    *mem = NULL;
    return MPI_SUCCESS;
}
