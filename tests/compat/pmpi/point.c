/* point.c - messages between pairs of ranks: each kind of send with each kind of receive, completed in each
 * way that MPI has. */
#include "compat/pmpi/scene.h"
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 4, ELEMENTS = 20000 };

/* The kinds of sends. The first four block, the last four do not. */
enum { SEND, SSEND, BSEND, RSEND, ISEND, ISSEND, IBSEND, IRSEND, SEND_KINDS };
enum { IRECV, RECV, PROBE, MPROBE, IMPROBE, RECV_KINDS };

typedef struct message {
    piece from, to;
    int send, receive; /* the kinds of the send and of the receive */
    int tag, any_source, any_tag;
    int dest, source;
    void *packed; /* if not NULL, these bytes are sent instead of `from` */
} message;

typedef struct plan {
    message m[MESSAGES];
    int n;
    int persistent, receives_first, form, frees_early, repeats;
    /* 1: requests of sends are freed before the sends have ended. Not with MPICH 4.0, which may lose such
     * messages. */
    int frees_sends;
    MPI_Request requests[2 * MESSAGES]; /* sends, then receives */
} plan;

/* Draw the partners. Ranks form a ring or a chain; on an inter-communicator, ranks of the two groups form
 * pairs. Returns 1 on all ranks if some rank has no partner. */
static int draw_partners(scene *s, int *dest, int *source)
{
    const int shift = test_random_int(&s->r, 0, s->size + s->npartners),
              is_chain = test_random_int(&s->r, 0, 4) == 0;
    if (s->is_inter) {
        const int most = s->size > s->npartners ? s->size : s->npartners;
        const int partner = (shift + most - s->rank) % most;
        *dest = *source = partner < s->npartners ? partner : MPI_PROC_NULL;
        return s->size != s->npartners;
    }
    *dest = (s->rank + shift) % s->size;
    *source = (s->rank + s->size - shift % s->size) % s->size;
    if (is_chain && s->rank == s->size - 1)
        *dest = MPI_PROC_NULL;
    if (is_chain && *source == s->size - 1)
        *source = MPI_PROC_NULL;
    return is_chain;
}

static int draw_cap(test_random *r)
{
    const int caps[] = {20, 300, 3000, ELEMENTS};
    return caps[test_random_int(r, 0, 3)];
}

/* Let some messages be sent as MPI_PACKED bytes. MPICH 4.0 cannot pack types with absolute addresses. */
static void draw_packed(message *m, test_random *r, const scene *s)
{
    int position = 0;
    if (test_random_int(r, 0, 9) > 0 || m->from.bytes > INT_MAX)
        return;
    if (!IS_OPENMPI && m->from.buf == MPI_BOTTOM)
        return;
    m->packed = malloc((size_t)m->from.bytes + 1);
    if (!m->packed)
        abort();
    calls_plain.Pack(m->from.buf, m->from.count, m->from.type, m->packed, (int)m->from.bytes, &position,
                     s->comm);
}

/* Draw a message. The sender and the receiver both draw the type that is sent, from equal streams of random
 * numbers. So the receiver knows how many bytes will come. No message is truncated: Open MPI 4.1 may then
 * wait for ever, miss the error, or write beyond buffers; MPICH 4.0 may crash. */
static void draw_message(scene *s, message *m, int k)
{
    MPI_Datatype basic = types_basic(&s->r);
    int element;
    const int cap = draw_cap(&s->r);
    test_random own = scene_stream(s, k, s->id, 30);
    test_random mine = scene_stream(s, k, s->id, 31);
    const int partner = m->source == MPI_PROC_NULL ? s->id : scene_partner(s, m->source);
    test_random theirs = scene_stream(s, k, partner, 31);
    MPI_Type_size(basic, &element);
    m->from =
        piece_draw(s->mpi, &mine, basic, cap, PIECE_SENT | (test_random_int(&own, 0, 9) ? 0 : PIECE_BOTTOM));
    const MPI_Count incoming = piece_bytes(&theirs, basic, cap);
    const int apart = piece_flags(incoming, partner == s->id);
    m->to = piece_draw(s->mpi, &own, basic, (int)(incoming / element),
                       apart | (test_random_int(&own, 0, 9) ? 0 : PIECE_BOTTOM));
    m->tag = test_random_int(&s->r, 0, 1000);
    m->any_source = test_random_int(&own, 0, 5) == 0 && m->source != MPI_PROC_NULL;
    m->any_tag = test_random_int(&own, 0, 5) == 0;
    draw_packed(m, &own, s);
}

/* Draw the kinds of sends and receives. A blocking send needs a receive that has started, and a blocking
 * receive needs a send that has started. */
static void draw_kinds(scene *s, plan *p)
{
    test_random own = scene_stream(s, 20, s->id, 0);
    for (int k = 0; k < p->n; k++) {
        message *m = &p->m[k];
        m->send = test_random_int(&own, p->receives_first ? 0 : ISEND, SEND_KINDS - 1);
        m->receive = p->receives_first ? IRECV : test_random_int(&own, RECV, RECV_KINDS - 1);
        if (m->send == IRSEND && !p->receives_first)
            m->send = ISEND;
        /* MPICH 4.0 cannot buffer messages whose types have absolute addresses. */
        if (!IS_OPENMPI && m->from.buf == MPI_BOTTOM && (m->send == BSEND || m->send == IBSEND))
            m->send = m->send == BSEND ? SEND : ISEND;
        if (p->persistent && m->send < ISEND)
            m->send += ISEND;
    }
    p->form = test_random_int(&own, 0, COMPLETE_FORMS - 1);
    p->frees_early = test_random_int(&own, 0, 3) == 0;
    p->frees_sends = IS_OPENMPI && !p->persistent && test_random_int(&own, 0, 9) == 0;
}

static plan draw(scene *s)
{
    plan p = {.n = test_random_int(&s->r, 1, MESSAGES)};
    int dest, source;
    p.receives_first = test_random_int(&s->r, 0, 1);
    p.persistent = p.receives_first && test_random_int(&s->r, 0, 2) == 0;
    p.repeats = p.persistent ? test_random_int(&s->r, 1, 3) : 1;
    /* In MPICH 4.0, a persistent request with MPI_PROC_NULL makes later persistent exchanges overwrite
     * memory. */
    if (draw_partners(s, &dest, &source) && !IS_OPENMPI)
        p.persistent = 0, p.repeats = 1;
    for (int k = 0; k < p.n; k++) {
        p.m[k] = (message){.dest = dest, .source = source};
        draw_message(s, &p.m[k], k);
    }
    draw_kinds(s, &p);
    for (int k = 0; k < 2 * MESSAGES; k++)
        p.requests[k] = MPI_REQUEST_NULL;
    return p;
}

#define OUTGOING                                                                                             \
    (m->packed ? m->packed : m->from.buf), (m->packed ? (int)m->from.bytes : m->from.count),                 \
        (m->packed ? MPI_PACKED : m->from.type), m->dest, m->tag, s->comm
#define INCOMING(m)                                                                                          \
    (m)->to.buf, (m)->to.count, (m)->to.type, ((m)->any_source ? MPI_ANY_SOURCE : (m)->source),              \
        ((m)->any_tag ? MPI_ANY_TAG : (m)->tag), s->comm

static int send(scene *s, const message *m, MPI_Request *request)
{
    switch (m->send) {
    case SEND:
        return CALL(s->mpi, s->large, Send, (OUTGOING));
    case SSEND:
        return CALL(s->mpi, s->large, Ssend, (OUTGOING));
    case BSEND:
        return CALL(s->mpi, s->large, Bsend, (OUTGOING));
    case RSEND:
        return CALL(s->mpi, s->large, Rsend, (OUTGOING));
    case ISSEND:
        return CALL(s->mpi, s->large, Issend, (OUTGOING, request));
    case IBSEND:
        return CALL(s->mpi, s->large, Ibsend, (OUTGOING, request));
    case IRSEND:
        return CALL(s->mpi, s->large, Irsend, (OUTGOING, request));
    default:
        return CALL(s->mpi, s->large, Isend, (OUTGOING, request));
    }
}

static int send_init(scene *s, const message *m, MPI_Request *request)
{
    switch (m->send) {
    case ISSEND:
        return CALL(s->mpi, s->large, Ssend_init, (OUTGOING, request));
    case IBSEND:
        return CALL(s->mpi, s->large, Bsend_init, (OUTGOING, request));
    case IRSEND:
        return CALL(s->mpi, s->large, Rsend_init, (OUTGOING, request));
    default:
        return CALL(s->mpi, s->large, Send_init, (OUTGOING, request));
    }
}

/* Receive by a matched probe (MPI_Mprobe or MPI_Improbe), which removes the message from MPI's queue. */
static int receive_matched(scene *s, const message *m, MPI_Status *status)
{
    MPI_Message found;
    MPI_Request request;
    const int source = m->any_source ? MPI_ANY_SOURCE : m->source, tag = m->any_tag ? MPI_ANY_TAG : m->tag;
    int flag = 0, code;
    if (m->receive == MPROBE) {
        MPI_Mprobe(source, tag, s->comm, &found, status);
        trace_status(&s->trace, 100, status, m->to.kept);
        return CALL(s->mpi, s->large, Mrecv, (m->to.buf, m->to.count, m->to.type, &found, status));
    }
    while (!flag) {
        MPI_Improbe(source, tag, s->comm, &flag, &found, status);
        sched_yield();
    }
    code = CALL(s->mpi, s->large, Imrecv, (m->to.buf, m->to.count, m->to.type, &found, &request));
    return code == MPI_SUCCESS ? s->mpi->Wait(&request, status) : code;
}

static void receive(scene *s, const message *m, int k)
{
    MPI_Status status;
    int code;
    if (m->receive == PROBE) {
        MPI_Probe(m->any_source ? MPI_ANY_SOURCE : m->source, m->any_tag ? MPI_ANY_TAG : m->tag, s->comm,
                  &status);
        trace_status(&s->trace, 50 + k, &status, m->to.kept);
    }
    if (m->receive == RECV || m->receive == PROBE)
        code = CALL(s->mpi, s->large, Recv, (INCOMING(m), &status));
    else
        code = receive_matched(s, m, &status);
    trace_code(&s->trace, "the code of a receive", k, code);
    if (code == MPI_SUCCESS)
        trace_status(&s->trace, k, &status, m->to.kept);
}

static void start_receives(scene *s, plan *p, int repeat)
{
    for (int k = 0; k < p->n && repeat == 0; k++) {
        MPI_Request *request = &p->requests[p->n + k];
        const int code = p->persistent ? CALL(s->mpi, s->large, Recv_init, (INCOMING(&p->m[k]), request))
                                       : CALL(s->mpi, s->large, Irecv, (INCOMING(&p->m[k]), request));
        trace_code(&s->trace, "the code of a receive", k, code);
    }
    if (p->persistent)
        s->mpi->Startall(p->n, p->requests + p->n);
}

static void start_sends(scene *s, plan *p, int repeat)
{
    for (int k = 0; k < p->n; k++) {
        MPI_Request *request = &p->requests[k];
        int code = MPI_SUCCESS;
        if (!p->persistent)
            code = send(s, &p->m[k], request);
        else if (repeat == 0)
            code = send_init(s, &p->m[k], request);
        if (p->persistent)
            s->mpi->Start(request);
        trace_code(&s->trace, "the code of a send", k, code);
        if (p->frees_sends && *request != MPI_REQUEST_NULL)
            trace_code(&s->trace, "the code of MPI_Request_free", k, s->mpi->Request_free(request));
    }
}

static void free_types(plan *p)
{
    for (int k = 0; k < p->n; k++) {
        piece_free_type(&p->m[k].from);
        piece_free_type(&p->m[k].to);
    }
}

static void fill(scene *s, plan *p, int repeat)
{
    for (int k = 0; k < p->n; k++) {
        message *m = &p->m[k];
        int position = 0;
        piece_fill(&m->from, s->seed + (uint64_t)(1000 * repeat + 10 * s->id + k));
        piece_fill(&m->to, s->seed + 7);
        if (m->packed)
            calls_plain.Pack(m->from.buf, m->from.count, m->from.kept, m->packed, (int)m->from.bytes,
                             &position, s->comm);
    }
}

static void finish(scene *s, plan *p)
{
    MPI_Datatype types[2 * MESSAGES];
    for (int k = 0; k < p->n; k++) {
        types[k] = MPI_DATATYPE_NULL;
        types[p->n + k] = p->requests[p->n + k] == MPI_REQUEST_NULL ? MPI_DATATYPE_NULL : p->m[k].to.kept;
    }
    complete(s, p->form, 2 * p->n, p->requests, types);
}

static void check(scene *s, plan *p)
{
    for (int k = 0; k < p->n; k++) {
        const message *m = &p->m[k];
        piece_note(&s->trace, "sent memory", k, &m->from);
        piece_note(&s->trace, "received memory", k, &m->to);
    }
}

static void repeat(scene *s, plan *p, int times)
{
    fill(s, p, times);
    if (!s->is_inter || s->npartners > 0)
        MPI_Barrier(s->comm);
    if (p->receives_first) {
        start_receives(s, p, times);
        MPI_Barrier(s->comm); /* for ready sends: all receives have started */
    }
    start_sends(s, p, times);
    if (p->frees_early && (p->receives_first || p->m[0].receive == IRECV))
        free_types(p);
    for (int k = 0; k < p->n && !p->receives_first; k++)
        receive(s, &p->m[k], k);
    finish(s, p);
    MPI_Barrier(s->comm); /* all have received; so the sends whose requests were freed have ended, too */
    check(s, p);
}

static void run_ring(scene *s)
{
    plan p = draw(s);
    for (int times = 0; times < p.repeats; times++)
        repeat(s, &p, times);
    for (int k = 0; k < 2 * p.n; k++)
        if (p.requests[k] != MPI_REQUEST_NULL)
            trace_code(&s->trace, "the code of MPI_Request_free", k, s->mpi->Request_free(&p.requests[k]));
    for (int k = 0; k < p.n; k++) {
        free(p.m[k].packed);
        piece_free(&p.m[k].from);
        piece_free(&p.m[k].to);
    }
}

/* MPI_Sendrecv and MPI_Sendrecv_replace. For MPI_Sendrecv_replace all ranks must send the same number of
 * bytes. */
static void run_combined(scene *s)
{
    MPI_Status status;
    message m = {0};
    int code;
    draw_partners(s, &m.dest, &m.source);
    const int replaces = test_random_int(&s->r, 0, 1);
    draw_message(s, &m, 0);
    test_random own = scene_stream(s, 2, s->id, 0);
    const int count = test_random_int(&s->r, 1, 3), elements = types_elements(&s->r, ELEMENTS);
    const int is_own = m.source == s->rank && !s->is_inter;
    piece both = piece_exact(s->mpi, &own, types_basic(&s->r), elements, count,
                             piece_flags(elements * count * 16, is_own));
    piece_fill(&m.from, s->seed + (uint64_t)s->id);
    piece_fill(&m.to, s->seed + 7);
    piece_fill(&both, s->seed + (uint64_t)s->id);
    const int source = m.any_source ? MPI_ANY_SOURCE : m.source, tag = m.any_tag ? MPI_ANY_TAG : m.tag;
    if (replaces)
        code = CALL(s->mpi, s->large, Sendrecv_replace,
                    (both.buf, both.count, both.type, m.dest, m.tag, source, tag, s->comm, &status));
    else
        code = CALL(s->mpi, s->large, Sendrecv,
                    (m.from.buf, m.from.count, m.from.type, m.dest, m.tag, m.to.buf, m.to.count, m.to.type,
                     source, tag, s->comm, &status));
    trace_code(&s->trace, "the code of a combined call", replaces, code);
    if (code == MPI_SUCCESS)
        trace_status(&s->trace, replaces, &status, replaces ? both.kept : m.to.kept);
    piece_note(&s->trace, "replaced memory", 0, &both);
    piece_note(&s->trace, "received memory", 0, &m.to);
    piece_free(&both);
    free(m.packed);
    piece_free(&m.from);
    piece_free(&m.to);
}

void point_run(scene *s)
{
    if (test_random_int(&s->r, 0, 4) == 0)
        run_combined(s);
    else
        run_ring(s);
}
