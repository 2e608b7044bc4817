/* alloc.c - memory for users: subx_mem_alloc, subx_mem_free, subx_mem_get_info and subx_mem_get_nodes. */
#include "comm/comm.h"
#include <limits.h>
#include <string.h>
#include <subx_lowlevel.h>

static int read_node_ranks(MPI_Info hints, int *node_ranks)
{
    return sx_base_hint_int(hints, "node_ranks", 0, 0, INT_MAX, node_ranks);
}

/* The hints of subx_mem_alloc besides node_ranks. */
typedef struct alloc_hints {
    char kind[SX_HINT_LEN];
} alloc_hints;

static const sx_hint kind_hint = {.key = "subx_memory_kind",
                                  .type = SX_HINT_TEXT,
                                  .offset = offsetof(alloc_hints, kind),
                                  .text = SX_DEVICE_SYSTEM,
                                  .is_right = sx_device_is_kind,
                                  .right = SX_DEVICE_KINDS,
                                  .is_of_program = 1};

static int read_kind(MPI_Info hints, alloc_hints *h, const sx_device **device)
{
    char why[SX_ERROR_LEN] = "";
    sx_text t = {why, sizeof why, 0};
    int rc = sx_base_hints_parse(&kind_hint, 1, hints, h);
    if (!rc && sx_device_find(h->kind, device, &t))
        rc = sx_base_hint_refuse(hints, kind_hint.key, SUBX_ERR_UNAVAILABLE, why);
    return rc;
}

static int read_arguments(ptrdiff_t bytes, MPI_Info hints, void *const *mem, int *node_ranks, alloc_hints *h,
                          const sx_device **device)
{
    if (!mem)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (bytes < 0)
        return subx_error_get_code(SUBX_ERR_SIZE);
    const int rc = read_node_ranks(hints, node_ranks);
    return rc ? rc : read_kind(hints, h, device);
}

/* Agree on the outcomes of all ranks so far, check that node_ranks and the device are the same on all ranks,
 * and number the nodes. */
static int get_nodes(sx_comm *c, int rc, int node_ranks, const sx_device *device, int node[])
{
    char key[SX_HINT_LEN];
    sx_text t = {key, sizeof key, 0};
    sx_base_print(&t, "node_ranks %d, memory_kind %s", node_ranks, device ? device->name : "system");
    rc = sx_base_agree(c->comm, rc, key);
    return rc ? rc : sx_comm_get_nodes(c, rc, node_ranks, node);
}

static int create_segment(sx_comm *c, int rc, ptrdiff_t bytes, int node_ranks, const sx_device *device,
                          sx_segment *s)
{
    int *node = sx_base_alloc(c->p, sizeof *node);
    if (!rc && !node)
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = get_nodes(c, rc, node_ranks, device, node);
    if (!rc)
        rc = sx_mem_segment_create(c->comm, rc, (ptrdiff_t)bytes, node, device, s);
    sx_base_free(node);
    return rc;
}

int sx_comm_alloc(sx_comm *c, int rc, ptrdiff_t bytes, int node_ranks, const sx_device *device, void **mem)
{
    sx_segment *s = sx_base_alloc(1, sizeof *s);
    const int has_room = sx_mem_list_reserve() == MPI_SUCCESS;
    if (!rc && !(s && has_room))
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = create_segment(c, rc, bytes, node_ranks, device, s);
    if (rc) {
        if (has_room)
            sx_mem_list_cancel();
        sx_base_free(s);
        return rc;
    }
    s->owner = device ? sx_comm_hold(c) : NULL;
    sx_mem_list_add(s);
    *mem = s->own->base;
    return MPI_SUCCESS;
}

int subx_mem_alloc(MPI_Comm comm, ptrdiff_t bytes, MPI_Info hints, void **mem)
{
    sx_comm *ours;
    const sx_device *device = NULL;
    alloc_hints h = {""};
    int node_ranks = 0;
    if (mem)
        *mem = NULL;
    int rc = sx_comm_get(comm, &ours);
    if (rc)
        return rc;
    rc = read_arguments(bytes, hints, mem, &node_ranks, &h, &device);
    rc = sx_comm_alloc(ours, rc, bytes, node_ranks, device, mem);
    sx_comm_free(&ours);
    return rc;
}

/* Number nodes again, in the order of their lowest ranks. `number` has p zeros; number[i] becomes 1 + the new
 * number of node i. */
static void renumber(int p, int node[], int number[])
{
    int nnodes = 0;
    for (int q = 0; q < p; q++) {
        if (!number[node[q]])
            number[node[q]] = ++nnodes;
        node[q] = number[node[q]] - 1;
    }
}

int subx_mem_get_nodes(MPI_Comm comm, MPI_Info hints, int node[])
{
    sx_comm *ours;
    int node_ranks = 0;
    int rc = sx_comm_get(comm, &ours);
    if (rc)
        return rc;
    int *number = sx_base_alloc(ours->p, sizeof *number);
    rc = node ? read_node_ranks(hints, &node_ranks) : subx_error_get_code(SUBX_ERR_ARG);
    if (!rc && !number)
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = get_nodes(ours, rc, node_ranks, NULL, node);
    if (!rc)
        renumber(ours->p, node, number);
    sx_base_free(number);
    sx_comm_free(&ours);
    return rc;
}

int subx_mem_free(void **mem)
{
    if (!mem || !*mem)
        return MPI_SUCCESS;
    sx_segment *s = sx_mem_list_take(*mem);
    if (!s)
        return subx_error_get_code(SUBX_ERR_ARG);
    sx_comm *c = s->owner;
    int rc = MPI_SUCCESS;
    /* All ranks must have ended their imports before a device frees the memory. */
    if (c) {
        sx_mem_segment_drop(s);
        rc = MPI_Barrier(c->comm);
    }
    sx_mem_segment_free(s);
    sx_base_free(s);
    *mem = NULL;
    if (c)
        sx_comm_free(&c);
    return rc;
}

/* ---- memory of devices */

/* Copy between memory of the host and bytes `offset` .. of a piece on a device, and wait until this is
 * done. */
static int move(const sx_segment *s, void *to, const void *from, ptrdiff_t bytes)
{
    void *stream = NULL;
    int kind = s->device->create_stream(s->handle, &stream);
    kind = kind ? kind : s->device->copy(stream, to, from, bytes);
    const int failed = stream ? s->device->finish(stream) : SUBX_ERR_NONE;
    s->device->free_stream(stream);
    return subx_error_get_code(kind ? kind : failed);
}

/* Find the segment of some bytes; NULL if they are not in this rank's piece of a segment. */
static const sx_segment *find_bytes(const void *mem, ptrdiff_t bytes)
{
    const sx_segment *s = mem && bytes >= 0 ? sx_mem_find_address(mem) : NULL;
    return s && (const char *)mem + bytes <= s->own->base + s->own->bytes ? s : NULL;
}

int subx_mem_write(void *mem, const void *from, ptrdiff_t bytes)
{
    const sx_segment *s = find_bytes(mem, bytes);
    if (!s || (bytes > 0 && !from))
        return subx_error_get_code(SUBX_ERR_ARG);
    if (s->device && bytes > 0)
        return move(s, mem, from, bytes);
    if (bytes > 0)
        memcpy(mem, from, (size_t)bytes);
    return MPI_SUCCESS;
}

int subx_mem_read(const void *mem, void *to, ptrdiff_t bytes)
{
    const sx_segment *s = find_bytes(mem, bytes);
    if (!s || (bytes > 0 && !to))
        return subx_error_get_code(SUBX_ERR_ARG);
    if (s->device && bytes > 0)
        return move(s, to, mem, bytes);
    if (bytes > 0)
        memcpy(to, mem, (size_t)bytes);
    return MPI_SUCCESS;
}

/* ---- information */

static int is_imported(const sx_segment *s)
{
    return s->device && s->npieces > 1 && !(s->lost & SX_MEM_LOST_SHARING);
}

static int fill(const sx_segment *s, MPI_Info info)
{
    static const char *const lost[] = {NULL, "sharing", "huge_pages", "sharing huge_pages"};
    char device[SX_HINT_LEN] = "";
    sx_text t = {device, sizeof device, 0};
    int rc = MPI_Info_set(info, "subx_sharing",
                          s->map || is_imported(s)        ? "yes"
                          : s->lost & SX_MEM_LOST_SHARING ? "no"
                                                          : "alone");
    if (!rc)
        rc = MPI_Info_set(info, "subx_huge_pages",
                          sx_mem_is_large(s) && !(s->lost & SX_MEM_LOST_HUGE) ? "yes" : "no");
    if (!rc && s->device) {
        s->device->describe(s->handle, &t);
        rc = MPI_Info_set(info, "subx_device", device);
    }
    /* If the rank lacks no feature, there is no key: an MPI_Info cannot hold an empty text. */
    if (!rc && s->lost)
        rc = MPI_Info_set(info, "subx_lost", lost[s->lost]);
    return rc;
}

int subx_mem_get_info(const void *mem, MPI_Info *info)
{
    if (!info)
        return subx_error_get_code(SUBX_ERR_ARG);
    *info = MPI_INFO_NULL;
    const sx_segment *s = sx_mem_find_address(mem);
    if (!s)
        return subx_error_get_code(SUBX_ERR_ARG);
    MPI_Info made;
    int rc = MPI_Info_create(&made);
    if (rc)
        return rc;
    rc = fill(s, made);
    if (rc)
        MPI_Info_free(&made);
    else
        *info = made;
    return rc;
}
