/* intercept.c - replacements for the MPI functions that the library calls. They call MPI's own functions. */
#define _GNU_SOURCE
#include "fault/intercept.h"
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>
#include <string.h>

static long left; /* the call that fails is the left-th from now on; 0: none fails */

/* Functions that test or probe (see ASK) have a bit each. `asked`: a call of the function has counted, so
 * further calls do not count. All bits of `asked` are cleared when a test succeeds, or when another function
 * is called. `ending`: the function must return an error when its test succeeds. */
static unsigned asked, ending;

/* 1: the chosen call has its effect and then returns an error; 0: it only returns an error. */
static int is_after;

static const char *failed;

static const void *only; /* where the file whose calls count lies in memory; NULL: all calls count */

static const void *find_file(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fbase : NULL;
}

void test_intercept_only(void (*function)(void))
{
    void *address;
    memcpy(&address, &function, sizeof address);
    only = find_file(address);
}

void test_intercept_begin(long n, int when)
{
    left = n;
    is_after = when == TEST_AFTER;
    asked = ending = 0;
    failed = NULL;
}

const char *test_intercept_end(void)
{
    left = 0;
    ending = 0;
    return failed;
}

static int is_chosen(const char *name, const void *caller)
{
    if (left == 0 || (only && only != find_file(caller)) || --left > 0)
        return 0;
    failed = name;
    return 1;
}

static int fails(const char *name, const void *caller)
{
    asked = 0;
    return is_chosen(name, caller);
}

static int asking_fails(const char *name, unsigned bit, const void *caller)
{
    if (asked & bit)
        return 0;
    asked |= bit;
    return is_chosen(name, caller);
}

/* Get the return code of a function that ASK defines. `done`: 1 if the function has found something
 * complete. */
static int note(int rc, int done, unsigned bit)
{
    if (!done)
        return rc;
    asked = 0;
    if (!(ending & bit))
        return rc;
    ending = 0;
    return MPI_ERR_OTHER;
}

/* Define a replacement. `parameters` are the parameters in MPI's declaration; `arguments` are their names. */
#define CALL(name, parameters, arguments)                                                                    \
    int MPI_##name parameters                                                                                \
    {                                                                                                        \
        const int chosen = fails("MPI_" #name, __builtin_return_address(0));                                 \
        if (chosen && !is_after)                                                                             \
            return MPI_ERR_OTHER;                                                                            \
        const int rc = PMPI_##name arguments;                                                                \
        return chosen ? MPI_ERR_OTHER : rc;                                                                  \
    }

/* Define a replacement for a function that tests or probes. Callers repeat such a function until it finds
 * something complete; then `done` is 1. For MPI_Iprobe `done` is 1 only if the probe must fail: a message
 * stays until it is received, so after the first probe that found it each later probe would count as a new
 * call. */
#define ASK(name, bit, parameters, arguments, done)                                                          \
    int MPI_##name parameters                                                                                \
    {                                                                                                        \
        const int chosen = asking_fails("MPI_" #name, 1u << (bit), __builtin_return_address(0));             \
        if (chosen && !is_after)                                                                             \
            return MPI_ERR_OTHER;                                                                            \
        ending |= chosen ? 1u << (bit) : 0;                                                                  \
        const int rc = PMPI_##name arguments;                                                                \
        return note(rc, done, 1u << (bit));                                                                  \
    }

/* ---- point to point, and requests */

CALL(Isend, (const void *b, int n, MPI_Datatype t, int q, int tag, MPI_Comm c, MPI_Request *r),
     (b, n, t, q, tag, c, r))
CALL(Irecv, (void *b, int n, MPI_Datatype t, int q, int tag, MPI_Comm c, MPI_Request *r),
     (b, n, t, q, tag, c, r))
CALL(Send_init, (const void *b, int n, MPI_Datatype t, int q, int tag, MPI_Comm c, MPI_Request *r),
     (b, n, t, q, tag, c, r))
CALL(Recv_init, (void *b, int n, MPI_Datatype t, int q, int tag, MPI_Comm c, MPI_Request *r),
     (b, n, t, q, tag, c, r))
CALL(Sendrecv,
     (const void *b, int n, MPI_Datatype t, int q, int tag, void *to, int m, MPI_Datatype u, int p, int tog,
      MPI_Comm c, MPI_Status *s),
     (b, n, t, q, tag, to, m, u, p, tog, c, s))
CALL(Start, (MPI_Request * r), (r))
CALL(Startall, (int n, MPI_Request r[]), (n, r))
CALL(Wait, (MPI_Request * r, MPI_Status *s), (r, s))
CALL(Waitall, (int n, MPI_Request r[], MPI_Status *s), (n, r, s))
CALL(Waitany, (int n, MPI_Request r[], int *i, MPI_Status *s), (n, r, i, s))
CALL(Waitsome, (int n, MPI_Request r[], int *m, int i[], MPI_Status *s), (n, r, m, i, s))
CALL(Request_free, (MPI_Request * r), (r))
CALL(Cancel, (MPI_Request * r), (r))
ASK(Test, 0, (MPI_Request * r, int *done, MPI_Status *s), (r, done, s), *done)
ASK(Testall, 1, (int n, MPI_Request r[], int *done, MPI_Status *s), (n, r, done, s), *done)
ASK(Testany, 2, (int n, MPI_Request r[], int *i, int *done, MPI_Status *s), (n, r, i, done, s), *done)
ASK(Testsome, 3, (int n, MPI_Request r[], int *m, int i[], MPI_Status *s), (n, r, m, i, s), *m > 0)
ASK(Request_get_status, 4, (MPI_Request r, int *done, MPI_Status *s), (r, done, s), *done)
ASK(Iprobe, 5, (int q, int tag, MPI_Comm c, int *found, MPI_Status *s), (q, tag, c, found, s),
    (ending >> 5) & 1)

/* ---- collectives */

CALL(Barrier, (MPI_Comm c), (c))
CALL(Bcast, (void *b, int n, MPI_Datatype t, int q, MPI_Comm c), (b, n, t, q, c))
CALL(Allreduce, (const void *b, void *to, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (b, to, n, t, o, c))
CALL(Allgather, (const void *b, int n, MPI_Datatype t, void *to, int m, MPI_Datatype u, MPI_Comm c),
     (b, n, t, to, m, u, c))
CALL(Allgatherv,
     (const void *b, int n, MPI_Datatype t, void *to, const int m[], const int d[], MPI_Datatype u,
      MPI_Comm c),
     (b, n, t, to, m, d, u, c))
CALL(Alltoall, (const void *b, int n, MPI_Datatype t, void *to, int m, MPI_Datatype u, MPI_Comm c),
     (b, n, t, to, m, u, c))
CALL(Alltoallv,
     (const void *b, const int n[], const int d[], MPI_Datatype t, void *to, const int m[], const int e[],
      MPI_Datatype u, MPI_Comm c),
     (b, n, d, t, to, m, e, u, c))
CALL(Alltoallw,
     (const void *b, const int n[], const int d[], const MPI_Datatype t[], void *to, const int m[],
      const int e[], const MPI_Datatype u[], MPI_Comm c),
     (b, n, d, t, to, m, e, u, c))
CALL(Ibarrier, (MPI_Comm c, MPI_Request *r), (c, r))
CALL(Ibcast, (void *b, int n, MPI_Datatype t, int q, MPI_Comm c, MPI_Request *r), (b, n, t, q, c, r))
CALL(Iallreduce, (const void *b, void *to, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c, MPI_Request *r),
     (b, to, n, t, o, c, r))
CALL(Igather,
     (const void *b, int n, MPI_Datatype t, void *to, int m, MPI_Datatype u, int q, MPI_Comm c,
      MPI_Request *r),
     (b, n, t, to, m, u, q, c, r))
CALL(Iallgather,
     (const void *b, int n, MPI_Datatype t, void *to, int m, MPI_Datatype u, MPI_Comm c, MPI_Request *r),
     (b, n, t, to, m, u, c, r))
CALL(Iallgatherv,
     (const void *b, int n, MPI_Datatype t, void *to, const int m[], const int d[], MPI_Datatype u,
      MPI_Comm c, MPI_Request *r),
     (b, n, t, to, m, d, u, c, r))
CALL(Ialltoall,
     (const void *b, int n, MPI_Datatype t, void *to, int m, MPI_Datatype u, MPI_Comm c, MPI_Request *r),
     (b, n, t, to, m, u, c, r))
CALL(Ialltoallv,
     (const void *b, const int n[], const int d[], MPI_Datatype t, void *to, const int m[], const int e[],
      MPI_Datatype u, MPI_Comm c, MPI_Request *r),
     (b, n, d, t, to, m, e, u, c, r))
CALL(Ialltoallw,
     (const void *b, const int n[], const int d[], const MPI_Datatype t[], void *to, const int m[],
      const int e[], const MPI_Datatype u[], MPI_Comm c, MPI_Request *r),
     (b, n, d, t, to, m, e, u, c, r))
CALL(Comm_dup, (MPI_Comm c, MPI_Comm *d), (c, d))
CALL(Comm_dup_with_info, (MPI_Comm c, MPI_Info i, MPI_Comm *d), (c, i, d))
CALL(Comm_split, (MPI_Comm c, int color, int key, MPI_Comm *d), (c, color, key, d))
CALL(Comm_split_type, (MPI_Comm c, int type, int key, MPI_Info i, MPI_Comm *d), (c, type, key, i, d))

/* ---- local calls */

CALL(Comm_size, (MPI_Comm c, int *p), (c, p))
CALL(Comm_rank, (MPI_Comm c, int *r), (c, r))
CALL(Comm_compare, (MPI_Comm c, MPI_Comm d, int *result), (c, d, result))
CALL(Comm_group, (MPI_Comm c, MPI_Group *g), (c, g))
CALL(Group_compare, (MPI_Group g, MPI_Group h, int *result), (g, h, result))
CALL(Query_thread, (int *level), (level))
CALL(Get_count, (const MPI_Status *s, MPI_Datatype t, int *n), (s, t, n))
CALL(Comm_test_inter, (MPI_Comm c, int *inter), (c, inter))
CALL(Comm_set_errhandler, (MPI_Comm c, MPI_Errhandler h), (c, h))
CALL(Comm_get_attr, (MPI_Comm c, int key, void *value, int *found), (c, key, value, found))
CALL(Comm_set_attr, (MPI_Comm c, int key, void *value), (c, key, value))
CALL(Type_commit, (MPI_Datatype * t), (t))
CALL(Type_dup, (MPI_Datatype t, MPI_Datatype *d), (t, d))
CALL(Type_size_x, (MPI_Datatype t, MPI_Count *n), (t, n))
CALL(Type_get_extent_x, (MPI_Datatype t, MPI_Count *low, MPI_Count *n), (t, low, n))
CALL(Type_get_true_extent_x, (MPI_Datatype t, MPI_Count *low, MPI_Count *n), (t, low, n))
CALL(Type_get_extent, (MPI_Datatype t, MPI_Aint *low, MPI_Aint *n), (t, low, n))
CALL(Type_contiguous, (int n, MPI_Datatype t, MPI_Datatype *d), (n, t, d))
CALL(Type_create_hvector, (int n, int m, MPI_Aint s, MPI_Datatype t, MPI_Datatype *d), (n, m, s, t, d))
CALL(Type_create_resized, (MPI_Datatype t, MPI_Aint low, MPI_Aint n, MPI_Datatype *d), (t, low, n, d))
CALL(Type_create_hindexed_block, (int n, int m, const MPI_Aint at[], MPI_Datatype t, MPI_Datatype *d),
     (n, m, at, t, d))
CALL(Type_set_attr, (MPI_Datatype t, int key, void *value), (t, key, value))
CALL(Type_get_attr, (MPI_Datatype t, int key, void *value, int *found), (t, key, value, found))
CALL(Info_get_valuelen, (MPI_Info i, const char *key, int *n, int *found), (i, key, n, found))
CALL(Info_get, (MPI_Info i, const char *key, int n, char *value, int *found), (i, key, n, value, found))
CALL(Info_create, (MPI_Info * i), (i))
CALL(Info_set, (MPI_Info i, const char *key, const char *value), (i, key, value))
CALL(Info_dup, (MPI_Info i, MPI_Info *d), (i, d))
