/* alltoall.c - all-to-all exchanges: with one type, or one type per rank; blocking, nonblocking and
 * persistent. */
#include "compat/pmpi/scene.h"
#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 16, GUARD = 128, ELEMENTS = 6000 };

/* The functions (MPI_Alltoall, MPI_Alltoallv, MPI_Alltoallw), and their forms. */
enum { ALL, ALLV, ALLW, KINDS };
enum { BLOCKING, NONBLOCKING, PERSISTENT };

/* What a rank sends to all partners, or receives from them. The large_ fields are for calls with MPI_Count
 * and MPI_Aint. */
typedef struct side {
    MPI_Datatype types[RANKS_MAX], kept[RANKS_MAX];
    int counts[RANKS_MAX], displs[RANKS_MAX], is_owner[RANKS_MAX];
    MPI_Count large_counts[RANKS_MAX];
    MPI_Aint large_displs[RANKS_MAX];
    unsigned char *memory, *block[RANKS_MAX];
    void *buf;
    size_t room;
} side;

typedef struct plan {
    int kind, form, complete, in_place, frees_early, meanwhile, repeats;
    int n;
    side from, to;
} plan;

/* Draw, for a sender and a receiver, the number of elements of the type, and the number of these types to
 * send. In place both directions must have the same numbers. */
static void draw_amount(scene *s, const plan *p, int sender, int receiver, int *elements, int *count)
{
    const int swap = p->in_place && sender > receiver;
    test_random pair = scene_stream(s, 3, swap ? receiver : sender, swap ? sender : receiver);
    test_random all = scene_stream(s, 4, 0, 0);
    *elements = types_elements(p->kind == ALLW ? &pair : &all, ELEMENTS);
    if (IS_OPENMPI && p->form != BLOCKING && *elements == 0)
        *elements = 1;
    *count = test_random_int(p->kind == ALL ? &all : &pair, p->kind == ALL ? 1 : 0, 3);
}

/* Elements of a block may overlap, but blocks from different ranks may not: their order is not defined. In
 * place, no elements may overlap. Nonblocking exchanges of Open MPI 4.1 may wait for ever if elements that
 * follow one another overlap. */
static void create_types(scene *s, plan *p, side *x, test_random *own, MPI_Datatype basic, int is_sent)
{
    const int is_any = p->kind == ALLW && !(IS_OPENMPI && p->form != BLOCKING);
    const types_lie lie = p->in_place ? TYPES_APART : is_any ? TYPES_ANY : TYPES_INSIDE;
    int elements, count;
    for (int i = 0; i < p->n; i++) {
        const int partner = scene_partner(s, i);
        draw_amount(s, p, is_sent ? s->id : partner, is_sent ? partner : s->id, &elements, &count);
        x->is_owner[i] = p->kind == ALLW || i == 0;
        x->counts[i] = count;
        if (p->kind == ALLW && test_random_int(own, 0, 3) == 0 && !p->in_place &&
            (count > 0 || !IS_OPENMPI)) {
            x->counts[i] = 1;
            elements *= count;
        }
        if (x->is_owner[i]) {
            x->types[i] = types_draw(own, basic, elements, lie);
            s->mpi->Type_commit(&x->types[i]);
            calls_plain.Type_dup(x->types[i], &x->kept[i]);
        } else {
            x->types[i] = x->types[0];
            x->kept[i] = x->kept[0];
        }
    }
}

/* Place the blocks one after the other. If there is only one type, displacements are multiples of its
 * extent. */
static void place(plan *p, side *x, test_random *own)
{
    MPI_Aint lowest, length, lb, extent, at = 0, first = 0, offset[RANKS_MAX];
    for (int i = 0; i < p->n; i++) {
        test_nested_span(x->types[i], x->counts[i], &lowest, &length);
        MPI_Type_get_extent(x->types[i], &lb, &extent);
        if (i == 0)
            first = p->kind == ALLW ? 0 : lowest;
        x->displs[i] = (int)(p->kind == ALLW ? at - lowest : at);
        x->large_displs[i] = x->displs[i];
        x->large_counts[i] = x->counts[i];
        offset[i] = p->kind == ALLW ? at - lowest : at * extent;
        at += p->kind == ALLW ? length + test_random_int(own, 0, 30) : x->counts[i];
        if (p->kind == ALLV)
            at += test_random_int(own, 0, 1);
    }
    MPI_Type_get_extent(x->types[0], &lb, &extent);
    x->room = (size_t)(p->kind == ALLW ? at : (at + 1) * extent + extent) + 2 * GUARD;
    x->memory = malloc(x->room);
    if (!x->memory)
        abort();
    x->buf = x->memory + GUARD - first;
    for (int i = 0; i < p->n; i++)
        x->block[i] = (unsigned char *)x->buf + offset[i];
}

static void fill(side *x, uint64_t seed)
{
    test_random r = test_random_stream(seed, 1);
    for (size_t i = 0; i < x->room; i += sizeof(uint64_t)) {
        const uint64_t bits = test_random_bits(&r);
        memcpy(x->memory + i, &bits, x->room - i < sizeof bits ? x->room - i : sizeof bits);
    }
}

static void free_types(plan *p, side *x, MPI_Datatype types[])
{
    for (int i = 0; i < p->n; i++)
        if (x->is_owner[i])
            MPI_Type_free(&types[i]);
}

static plan draw(scene *s)
{
    plan p = {.kind = test_random_int(&s->r, 0, KINDS - 1),
              .form = test_random_int(&s->r, 0, 2),
              .n = s->npartners};
    test_random own = scene_stream(s, 5, s->id, 0);
#ifndef HAVE_MPI_ALLTOALLW_INIT
    if (p.form == PERSISTENT)
        p.form = BLOCKING;
#endif
    if (IS_OPENMPI && !s->is_inter && s->size == 1 && p.kind == ALLW)
        p.kind = ALLV;
    p.in_place = !s->is_inter && s->size > IS_OPENMPI && test_random_int(&s->r, 0, 4) == 0;
    /* Nonblocking and persistent MPI_Alltoallw in place: MPICH 4.0 moves blocks to wrong partners on three or
     * more ranks; Open MPI 4.1 may wait for ever if a count is 0, also in MPI_Ialltoallv. */
    if (p.form != BLOCKING && (IS_OPENMPI || p.kind == ALLW))
        p.in_place = 0;
    p.meanwhile = test_random_int(&s->r, 0, 1);
    p.repeats = p.form == PERSISTENT ? test_random_int(&s->r, 1, 3) : 1;
    p.frees_early = p.form != BLOCKING && !IS_OPENMPI && test_random_int(&own, 0, 2) == 0;
    /* MPICH 4.0 does not notice that a persistent exchange has become inactive, so only waiting works. */
    p.complete = test_random_int(&own, 0, p.form == PERSISTENT ? 1 : COMPLETE_FORMS - 1);
    MPI_Datatype basic = types_basic(&s->r);
    create_types(s, &p, &p.from, &own, basic, 1);
    create_types(s, &p, &p.to, &own, basic, 0);
    place(&p, &p.from, &own);
    place(&p, &p.to, &own);
    return p;
}

/* In place, MPI_IN_PLACE replaces the send buffer, and MPI ignores the sender's counts and types. */
#define FROM (p->in_place ? MPI_IN_PLACE : p->from.buf)
#define ONE FROM, p->from.counts[0], p->from.types[0], p->to.buf, p->to.counts[0], p->to.types[0], s->comm
#define MANY(form)                                                                                           \
    FROM, p->from.form##counts, p->from.form##displs, p->from.types, p->to.buf, p->to.form##counts,          \
        p->to.form##displs, p->to.types, s->comm
#define V(form)                                                                                              \
    FROM, p->from.form##counts, p->from.form##displs, p->from.types[0], p->to.buf, p->to.form##counts,       \
        p->to.form##displs, p->to.types[0], s->comm

static int exchange(scene *s, plan *p)
{
    const calls *m = s->mpi;
#ifdef HAVE_MPI_TYPE_GET_CONTENTS_C
    if (s->large)
        return p->kind == ALL    ? m->Alltoall_c(ONE)
               : p->kind == ALLV ? m->Alltoallv_c(V(large_))
                                 : m->Alltoallw_c(MANY(large_));
#endif
    return p->kind == ALL ? m->Alltoall(ONE) : p->kind == ALLV ? m->Alltoallv(V()) : m->Alltoallw(MANY());
}

static int start(scene *s, plan *p, MPI_Request *request)
{
    const calls *m = s->mpi;
#ifdef HAVE_MPI_TYPE_GET_CONTENTS_C
    if (s->large)
        return p->kind == ALL    ? m->Ialltoall_c(ONE, request)
               : p->kind == ALLV ? m->Ialltoallv_c(V(large_), request)
                                 : m->Ialltoallw_c(MANY(large_), request);
#endif
    return p->kind == ALL    ? m->Ialltoall(ONE, request)
           : p->kind == ALLV ? m->Ialltoallv(V(), request)
                             : m->Ialltoallw(MANY(), request);
}

#ifdef HAVE_MPI_ALLTOALLW_INIT
static int init(scene *s, plan *p, MPI_Request *request)
{
    const calls *m = s->mpi;
#ifdef HAVE_MPI_TYPE_GET_CONTENTS_C
    if (s->large)
        return p->kind == ALL    ? m->Alltoall_init_c(ONE, MPI_INFO_NULL, request)
               : p->kind == ALLV ? m->Alltoallv_init_c(V(large_), MPI_INFO_NULL, request)
                                 : m->Alltoallw_init_c(MANY(large_), MPI_INFO_NULL, request);
#endif
    return p->kind == ALL    ? m->Alltoall_init(ONE, MPI_INFO_NULL, request)
           : p->kind == ALLV ? m->Alltoallv_init(V(), MPI_INFO_NULL, request)
                             : m->Alltoallw_init(MANY(), MPI_INFO_NULL, request);
}
#else
static int init(scene *s, plan *p, MPI_Request *request)
{
    return start(s, p, request);
}
#endif

static MPI_Count block_bytes(const side *x, int i)
{
    MPI_Count size;
    MPI_Type_size_x(x->kept[i], &size);
    return size * x->counts[i];
}

/* Exchange by messages, as all-to-alls are defined: pack, send the bytes, unpack. */
static void exchange_bytes(scene *s, plan *p)
{
    const side *from = p->in_place ? &p->to : &p->from;
    MPI_Request requests[2 * RANKS_MAX];
    char *out[RANKS_MAX], *in[RANKS_MAX];
    for (int i = 0; i < p->n; i++) {
        const int nout = (int)block_bytes(from, i), nin = (int)block_bytes(&p->to, i);
        int position = 0;
        out[i] = malloc((size_t)nout + 1);
        in[i] = malloc((size_t)nin + 1);
        if (!out[i] || !in[i])
            abort();
        calls_plain.Pack(from->block[i], from->counts[i], from->kept[i], out[i], nout, &position, s->comm);
        calls_plain.Isend(out[i], nout, MPI_BYTE, i, 9, s->comm, &requests[i]);
        calls_plain.Irecv(in[i], nin, MPI_BYTE, i, 9, s->comm, &requests[p->n + i]);
    }
    for (int i = 0; i < 2 * p->n; i++)
        calls_plain.Wait(&requests[i], MPI_STATUS_IGNORE);
    for (int i = 0; i < p->n; i++) {
        int position = 0;
        calls_plain.Unpack(in[i], (int)block_bytes(&p->to, i), &position, p->to.block[i], p->to.counts[i],
                           p->to.kept[i], s->comm);
        free(out[i]);
        free(in[i]);
    }
}

/* Call MPI_Allreduce on the same communicator while the exchange is in progress. */
static void do_meanwhile(scene *s, plan *p)
{
    int mine = s->id, sum = 0;
    if (p->meanwhile)
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, s->comm);
    trace_int(&s->trace, "sum of ranks", 0, sum);
}

static void run_requests(scene *s, plan *p, int repeat, MPI_Request *request)
{
    MPI_Datatype none = MPI_DATATYPE_NULL;
    int code = MPI_SUCCESS;
    if (p->form == NONBLOCKING)
        code = start(s, p, request);
    else if (repeat == 0)
        code = init(s, p, request);
    trace_code(&s->trace, "the code of an exchange", repeat, code);
    if (p->form == PERSISTENT)
        s->mpi->Start(request);
    if (p->frees_early && repeat == 0) {
        free_types(p, &p->from, p->from.types);
        free_types(p, &p->to, p->to.types);
    }
    do_meanwhile(s, p);
    complete(s, p->complete, 1, request, &none);
}

/* Exchange once. If messages replace the call (by_definition), there is no error code, so only memory is
 * noted. */
static void run_once(scene *s, plan *p, int repeat, MPI_Request *request)
{
    fill(&p->from, s->seed + (uint64_t)(100 * repeat + s->id));
    fill(&p->to, s->seed + (uint64_t)(100 * repeat + s->id) + 50);
    if (s->by_definition)
        exchange_bytes(s, p);
    else if (p->form == BLOCKING)
        trace_code(&s->trace, "the code of an exchange", repeat, exchange(s, p));
    else
        run_requests(s, p, repeat, request);
    trace_bytes(&s->trace, "sent memory", repeat, p->from.memory, p->from.room);
    trace_bytes(&s->trace, "received memory", repeat, p->to.memory, p->to.room);
}

void alltoall_run(scene *s)
{
    plan p = draw(s);
    MPI_Request request = MPI_REQUEST_NULL;
    for (int repeat = 0; repeat < p.repeats; repeat++)
        run_once(s, &p, repeat, &request);
    if (request != MPI_REQUEST_NULL)
        trace_code(&s->trace, "the code of MPI_Request_free", 0, s->mpi->Request_free(&request));
    if (!p.frees_early || s->by_definition) {
        free_types(&p, &p.from, p.from.types);
        free_types(&p, &p.to, p.to.types);
    }
    free_types(&p, &p.from, p.from.kept);
    free_types(&p, &p.to, p.to.kept);
    free(p.from.memory);
    free(p.to.memory);
}
