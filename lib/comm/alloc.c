/* alloc.c - memory for users: subx_mem_alloc, subx_mem_free, subx_mem_get_info and subx_mem_get_nodes. */
#include "comm/comm.h"
#include <limits.h>
#include <subx_lowlevel.h>

static int read_node_ranks(MPI_Info hints, int *node_ranks)
{
    return sx_base_hint_int(hints, "subx_node_ranks", 0, 0, INT_MAX, node_ranks);
}

static int read_arguments(ptrdiff_t bytes, MPI_Info hints, void *const *mem, int *node_ranks)
{
    if (!mem)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (bytes < 0)
        return subx_error_get_code(SUBX_ERR_SIZE);
    return read_node_ranks(hints, node_ranks);
}

/* Agree on the outcomes of all ranks so far, check that node_ranks is the same on all ranks, and number the nodes. */
static int get_nodes(sx_comm *c, int rc, int node_ranks, int node[])
{
    char key[SX_HINT_LEN];
    sx_text t = {key, sizeof key, 0};
    sx_base_print(&t, "%d", node_ranks);
    rc = sx_base_agree(c->comm, rc, key);
    return rc ? rc : sx_comm_get_nodes(c, rc, node_ranks, node);
}

static int create_segment(sx_comm *c, int rc, ptrdiff_t bytes, int node_ranks, sx_segment *s)
{
    int *node = sx_base_alloc(c->p, sizeof *node);
    if (!rc && !node)
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = get_nodes(c, rc, node_ranks, node);
    if (!rc)
        rc = sx_mem_segment_create(c->comm, rc, (ptrdiff_t)bytes, node, s);
    sx_base_free(node);
    return rc;
}

int sx_comm_alloc(sx_comm *c, int rc, ptrdiff_t bytes, int node_ranks, void **mem)
{
    sx_segment *s = sx_base_alloc(1, sizeof *s);
    const int has_room = sx_mem_list_reserve() == MPI_SUCCESS;
    if (!rc && !(s && has_room))
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = create_segment(c, rc, bytes, node_ranks, s);
    if (rc) {
        if (has_room)
            sx_mem_list_cancel();
        sx_base_free(s);
        return rc;
    }
    sx_mem_list_add(s);
    *mem = s->own->base;
    return MPI_SUCCESS;
}

int subx_mem_alloc(MPI_Comm comm, ptrdiff_t bytes, MPI_Info hints, void **mem)
{
    sx_comm *ours;
    int node_ranks = 0;
    if (mem)
        *mem = NULL;
    int rc = sx_comm_get(comm, &ours);
    if (rc)
        return rc;
    rc = read_arguments(bytes, hints, mem, &node_ranks);
    rc = sx_comm_alloc(ours, rc, bytes, node_ranks, mem);
    sx_comm_free(&ours);
    return rc;
}

/* Number nodes again, in the order of their lowest ranks. `number` has p zeros; number[i] becomes 1 + the new number of
 * node i. */
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
    rc = get_nodes(ours, rc, node_ranks, node);
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
    sx_mem_segment_free(s);
    sx_base_free(s);
    *mem = NULL;
    return MPI_SUCCESS;
}

static int fill(const sx_segment *s, MPI_Info info)
{
    static const char *const lost[] = {NULL, "sharing", "huge_pages", "sharing huge_pages"};
    const int is_large = s->own->bytes >= SX_MEM_LARGE;
    int rc = MPI_Info_set(info, "subx_sharing",
                          s->map                          ? "yes"
                          : s->lost & SX_MEM_LOST_SHARING ? "no"
                                                          : "alone");
    if (!rc)
        rc = MPI_Info_set(info, "subx_huge_pages", is_large && !(s->lost & SX_MEM_LOST_HUGE) ? "yes" : "no");
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
