/* node.c - the engine that knows nodes: shm among the ranks of each, another engine between them.
 *
 * Two exchanges on the same ranks, each without the other's blocks. What is between nodes is sent first, and
 * travels while the ranks of a node read from each other. */
#include "exch/exch.h"
#include "mem/mem.h"
#include <string.h>

enum { NEAR, FAR, HALVES };

typedef struct state {
    struct subx_exch_s half[HALVES];
    sx_part *part[HALVES][2];
} state;

/* As shm does. */
static int avoids(subx_exch ex)
{
    return sx_exch_shm.avoids(ex);
}

static int alloc_parts(subx_exch ex, state *s)
{
    for (int h = 0; h < HALVES; h++)
        for (int i = 0; i < 2; i++) {
            s->part[h][i] = sx_base_alloc(ex->p, sizeof *s->part[h][i]);
            if (!s->part[h][i])
                return subx_error_get(SUBX_ERR_NO_MEM);
        }
    return MPI_SUCCESS;
}

static int create(subx_exch ex)
{
    state *s = ex->state = sx_base_alloc(1, sizeof *s);
    return s ? alloc_parts(ex, s) : subx_error_get(SUBX_ERR_NO_MEM);
}

/* The same shapes; the parts of ranks on the other half's side are empty. */
static void set_half(subx_exch ex, state *s, int h, const int node[])
{
    subx_exch half = &s->half[h];
    *half = (struct subx_exch_s){.comm = ex->comm, .p = ex->p, .r = ex->r, .choices = ex->choices};
    half->choices.check = SX_CHECK_NO; /* the whole is checked */
    memcpy(half->avoided, ex->avoided, sizeof half->avoided);
    for (int i = 0; i < 2; i++) {
        half->side[i] = ex->side[i];
        half->side[i].part = s->part[h][i];
        half->side[i].bytes = 0;
        for (int q = 0; q < ex->p; q++) {
            int is_near = node[q] == node[ex->r];
            half->side[i].part[q] = is_near == (h == NEAR) ? ex->side[i].part[q] : (sx_part){.shape = -1};
            half->side[i].bytes += half->side[i].part[q].bytes;
        }
    }
}

/* 1 if some node has two ranks; all ranks find the same. */
static int has_company(const int node[], int p, int count[])
{
    int found = 0;
    for (int q = 0; q < p; q++)
        found |= ++count[node[q]] > 1;
    return found;
}

/* Near blocks have shm's own space, far ones that of this exchange. */
static int create_halves(subx_exch ex, state *s)
{
    subx_exch near = &s->half[NEAR], far = &s->half[FAR];
    near->owns_work = 1;
    int rc = sx_exch_try_engine(near, &sx_exch_shm);
    if (rc)
        return rc;
    strcpy(far->choices.engine, ex->choices.between);
    rc = sx_exch_choose_engine(far, SX_BETWEEN_NODES);
    if (rc)
        return rc;
    strcpy(ex->choices.between, far->engine->name); /* for those who ask */
    ex->work_bytes = far->work_bytes;
    return MPI_SUCCESS;
}

static int complete(subx_exch ex)
{
    state *s = ex->state;
    int *node = sx_base_alloc(ex->p, sizeof *node), *count = sx_base_alloc(ex->p, sizeof *count);
    int rc = node && count ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
    rc = sx_mem_get_nodes(ex->comm, rc, ex->choices.node_ranks, node);
    if (!rc && !has_company(node, ex->p, count))
        rc = subx_error_get(SUBX_ERR_UNAVAILABLE);
    for (int h = 0; h < HALVES && !rc; h++)
        set_half(ex, s, h, node);
    if (!rc)
        rc = create_halves(ex, s);
    sx_base_free(count);
    sx_base_free(node);
    return rc;
}

static int start(subx_exch ex)
{
    state *s = ex->state;
    int rc = MPI_SUCCESS;
    s->half[FAR].work = ex->work;
    for (int h = HALVES - 1; h >= 0; h--) {
        subx_exch half = &s->half[h];
        half->sendbuf = ex->sendbuf;
        half->recvbuf = ex->recvbuf;
        int failed = half->engine->start(half);
        rc = rc ? rc : failed;
    }
    return rc;
}

static int test_half(subx_exch half, int *done)
{
    *done = 1;
    return half->engine->test ? half->engine->test(half, done) : MPI_SUCCESS;
}

static int test(subx_exch ex, int *done)
{
    state *s = ex->state;
    int near_done = 0, far_done = 0;
    int rc = test_half(&s->half[FAR], &far_done);
    int failed = test_half(&s->half[NEAR], &near_done);
    *done = near_done && far_done;
    return rc ? rc : failed;
}

static int wait_for(subx_exch ex)
{
    state *s = ex->state;
    int rc = sx_exch_shm.wait(&s->half[NEAR]);
    int failed = s->half[FAR].engine->wait(&s->half[FAR]);
    return rc ? rc : failed;
}

static void free_state(subx_exch ex)
{
    state *s = ex->state;
    if (!s)
        return;
    for (int h = 0; h < HALVES; h++) {
        if (s->half[h].engine)
            sx_exch_drop_engine(&s->half[h]);
        for (int i = 0; i < 2; i++)
            sx_base_free(s->part[h][i]);
    }
    sx_base_free(s);
    ex->state = NULL;
}

const sx_engine sx_exch_node = {
    .name = "node",
    .for_nodes = 1,
    .avoids = avoids,
    .create = create,
    .complete = complete,
    .start = start,
    .test = test,
    .wait = wait_for,
    .free = free_state,
};
