/* segment.c - a piece of memory on each rank, which the others of its node see. */
#include "mem/mem.h"
#include <unistd.h>

/* What ranks tell each other of their pieces. */
typedef struct card {
    int64_t process, pid, file, bytes, serial;
} card;

enum { CARD_LENGTH = sizeof(card) / sizeof(int64_t) };

/* How many segments this process has made: with its number, a key that nobody else has. */
static int64_t serial;

static int alloc_arrays(sx_segment *s)
{
    s->base = sx_base_alloc(s->p, sizeof *s->base);
    s->bytes = sx_base_alloc(s->p, sizeof *s->bytes);
    s->process = sx_base_alloc(s->p, sizeof *s->process);
    return s->base && s->bytes && s->process ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
}

static int has_company(const sx_segment *s, const int node[])
{
    int count = 0;
    for (int q = 0; q < s->p; q++)
        count += node[q] == node[s->r];
    return count > 1;
}

/* A rank that is alone has ordinary memory, which has the better pages. Returns the file, or -1. */
static int map_own(sx_segment *s, const int node[], int use)
{
    ptrdiff_t bytes = s->bytes[s->r];
    int file = has_company(s, node) ? sx_mem_file_create(sx_mem_process()) : -1;
    s->base[s->r] = sx_mem_file_map(file, bytes, use == SX_MEM_READ);
    if (s->base[s->r])
        return file;
    sx_mem_file_free(file);
    s->is_private = 1;
    s->base[s->r] = sx_base_alloc(bytes, 1);
    return -1;
}

/* 1 if the piece of some rank of this node cannot be had. */
static int map_others(sx_segment *s, const int node[], int use, const card cards[])
{
    int failed = 0;
    for (int q = 0; q < s->p; q++) {
        s->bytes[q] = (ptrdiff_t)cards[q].bytes;
        s->process[q] = cards[q].process;
        if (q == s->r || node[q] != node[s->r])
            continue;
        s->base[q] =
            sx_mem_file_map_other((int)cards[q].pid, (int)cards[q].file, cards[q].process, s->bytes[q], use);
        failed |= !s->base[q];
    }
    s->key = (int64_t)((uint64_t)cards[0].process * 31 + (uint64_t)cards[0].serial);
    return failed;
}

static void unmap_others(sx_segment *s)
{
    for (int q = 0; s->base && q < s->p; q++) {
        if (q == s->r || !s->base[q])
            continue;
        sx_mem_file_unmap(s->base[q], s->bytes[q]);
        s->base[q] = NULL;
    }
}

/* The files can be found while they are open, which is until all ranks have met again. */
static int share(MPI_Comm comm, sx_segment *s, const int node[], int use, card cards[])
{
    int file = map_own(s, node, use);
    int rc = s->base[s->r] ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
    card mine = {sx_mem_process(), getpid(), file, s->bytes[s->r],
                 __atomic_add_fetch(&serial, 1, __ATOMIC_RELAXED)};
    int failed = MPI_Allgather(&mine, CARD_LENGTH, MPI_INT64_T, cards, CARD_LENGTH, MPI_INT64_T, comm);
    int unseen = failed ? 1 : map_others(s, node, use, cards);
    rc = sx_base_agree_flags(comm, rc ? rc : failed, NULL, 1, &unseen);
    sx_mem_file_free(file);
    if (unseen)
        unmap_others(s);
    return rc;
}

int sx_mem_segment_create(MPI_Comm comm, int rc, ptrdiff_t bytes, int use, const int node[], sx_segment *s)
{
    *s = (sx_segment){0};
    if (!rc)
        rc = MPI_Comm_size(comm, &s->p);
    if (!rc)
        rc = MPI_Comm_rank(comm, &s->r);
    card *cards = sx_base_alloc(s->p, sizeof *cards);
    if (!rc)
        rc = cards ? alloc_arrays(s) : subx_error_get(SUBX_ERR_NO_MEM);
    rc = sx_base_agree(comm, rc, NULL);
    if (!rc) {
        s->bytes[s->r] = bytes > 0 ? bytes : 1;
        rc = share(comm, s, node, use, cards);
    }
    sx_base_free(cards);
    if (rc)
        sx_mem_segment_free(s);
    return rc;
}

void sx_mem_segment_free(sx_segment *s)
{
    unmap_others(s);
    if (s->base && s->is_private)
        sx_base_free(s->base[s->r]);
    else if (s->base && s->bytes)
        sx_mem_file_unmap(s->base[s->r], s->bytes[s->r]);
    sx_base_free(s->process);
    sx_base_free(s->bytes);
    sx_base_free(s->base);
    *s = (sx_segment){0};
}
