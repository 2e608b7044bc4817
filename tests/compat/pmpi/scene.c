/* scene.c - create communicators of all kinds. */
#include "compat/pmpi/scene.h"
#include "common/verdict.h"
#include <stdio.h>

/* How often the error handler was called. */
static int handled;

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    handled++;
}

static MPI_Comm create_split(test_random *r)
{
    MPI_Comm comm;
    int order[64];
    test_random_permutation(r, test_nranks, order);
    const int colors = test_random_int(r, 1, 2);
    MPI_Comm_split(MPI_COMM_WORLD, order[test_rank] % colors, order[test_rank], &comm);
    return comm;
}

static MPI_Comm create_inter(test_random *r)
{
    MPI_Comm half, comm;
    const int first = test_random_int(r, 1, test_nranks - 1), is_low = test_rank < first;
    MPI_Comm_split(MPI_COMM_WORLD, is_low, test_rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_low ? first : 0, 5, &comm);
    MPI_Comm_free(&half);
    return comm;
}

static MPI_Comm create_comm(test_random *r, int with_inter, char text[64])
{
    MPI_Comm comm;
    const int kind = test_random_int(r, 0, 5);
    if (kind == 0 && with_inter && test_nranks > 1) {
        snprintf(text, 64, "between groups");
        return create_inter(r);
    }
    if (kind == 1) {
        snprintf(text, 64, "in parts of the world");
        return create_split(r);
    }
    snprintf(text, 64, kind == 2 ? "alone" : "in the world");
    MPI_Comm_dup(kind == 2 ? MPI_COMM_SELF : MPI_COMM_WORLD, &comm);
    return comm;
}

static void set_handler(MPI_Comm comm, test_random *r)
{
    MPI_Errhandler handler;
    if (test_random_int(r, 0, 1)) {
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        return;
    }
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
}

scene scene_create(const calls *mpi, uint64_t seed, uint64_t number, int with_inter, char text[64])
{
    scene s = {.mpi = mpi, .seed = seed, .number = number, .id = test_rank};
    s.r = test_random_stream(seed, number << 20);
    s.large = test_random_int(&s.r, 0, 1);
    s.comm = create_comm(&s.r, with_inter, text);
    set_handler(s.comm, &s.r);
    MPI_Comm_rank(s.comm, &s.rank);
    MPI_Comm_size(s.comm, &s.size);
    MPI_Comm_test_inter(s.comm, &s.is_inter);
    s.npartners = s.size;
    if (s.is_inter)
        MPI_Comm_remote_size(s.comm, &s.npartners);
    handled = 0;
    return s;
}

void scene_free(scene *s)
{
    trace_int(&s->trace, "calls of the error handler", 0, handled);
    MPI_Comm_free(&s->comm);
}

test_random scene_stream(const scene *s, int what, int from, int to)
{
    return test_random_stream(s->seed, (s->number << 20) + 1 + (uint64_t)((what * 32 + from) * 32 + to));
}

int scene_partner(const scene *s, int rank)
{
    MPI_Group world, group;
    int id;
    if (s->is_inter)
        MPI_Comm_remote_group(s->comm, &group);
    else
        MPI_Comm_group(s->comm, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_translate_ranks(group, 1, &rank, world, &id);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    return id;
}
