/* p2p_body.h - the sends and receives with counts of type COUNT; NAME(verb) is a function's name. */

/* The largest number of bytes that a COUNT can count. */
#define MOST (sizeof(COUNT) < sizeof(ptrdiff_t) ? (ptrdiff_t)INT_MAX : PTRDIFF_MAX)
#define TEXT(verb) "MPI_" #verb

/* Query whether a type has no record. Most calls have such a type, and are passed to MPI at once. */
#define IS_PLAIN(type) __builtin_expect(!sx_pmpi_record_get(type), 1)

#define SEND(verb, pmpi_name)                                                                                \
    SUBX_EXPORT int pmpi_name SX_PMPI_SEND_PARAMS(COUNT)                                                     \
    {                                                                                                        \
        sx_parcel *p =                                                                                       \
            IS_PLAIN(type) ? NULL : sx_pmpi_parcel_pack(TEXT(verb), SX_BLOCKING, buf, n, type, rank, MOST);  \
        int rc;                                                                                              \
        if (!p) {                                                                                            \
            rc = sx_pmpi_real.NAME(verb) SX_PMPI_SEND_ARGS;                                                  \
        } else {                                                                                             \
            rc = sx_pmpi_real.NAME(verb)(sx_pmpi_parcel_data(p), (COUNT)p->count, p->type, rank, tag, comm); \
            sx_pmpi_parcel_free(p);                                                                          \
        }                                                                                                    \
        sx_pmpi_request_poll();                                                                              \
        return rc;                                                                                           \
    }

/* Functions that create a request. */
#define POST(verb, pmpi_name, params, get_parcel, use)                                                       \
    SUBX_EXPORT int pmpi_name params                                                                         \
    {                                                                                                        \
        sx_parcel *p = IS_PLAIN(type) ? NULL : get_parcel(TEXT(verb), use, buf, n, type, rank, MOST);        \
        if (!p)                                                                                              \
            return sx_pmpi_real.NAME(verb) SX_PMPI_ISEND_ARGS;                                               \
        int rc = sx_pmpi_real.NAME(verb)(sx_pmpi_parcel_data(p), (COUNT)p->count, p->type, rank, tag, comm,  \
                                         request);                                                           \
        return sx_pmpi_parcel_track(p, rc, request);                                                         \
    }
#define ISEND(verb, pmpi_name, use)                                                                          \
    POST(verb, pmpi_name, SX_PMPI_ISEND_PARAMS(COUNT), sx_pmpi_parcel_pack, use)
#define IRECV(verb, pmpi_name, use)                                                                          \
    POST(verb, pmpi_name, SX_PMPI_IRECV_PARAMS(COUNT), sx_pmpi_parcel_create, use)

SEND(Send, NAME(PMPI_Send))
SEND(Ssend, NAME(PMPI_Ssend))
SEND(Rsend, NAME(PMPI_Rsend))
SEND(Bsend, NAME(PMPI_Bsend))
ISEND(Isend, NAME(PMPI_Isend), SX_ONCE)
ISEND(Issend, NAME(PMPI_Issend), SX_ONCE)
ISEND(Irsend, NAME(PMPI_Irsend), SX_ONCE)
ISEND(Ibsend, NAME(PMPI_Ibsend), SX_ONCE)
ISEND(Send_init, NAME(PMPI_Send_init), SX_PERSISTENT)
ISEND(Ssend_init, NAME(PMPI_Ssend_init), SX_PERSISTENT)
ISEND(Rsend_init, NAME(PMPI_Rsend_init), SX_PERSISTENT)
ISEND(Bsend_init, NAME(PMPI_Bsend_init), SX_PERSISTENT)
IRECV(Irecv, NAME(PMPI_Irecv), SX_ONCE)
IRECV(Recv_init, NAME(PMPI_Recv_init), SX_PERSISTENT)

SUBX_EXPORT int NAME(PMPI_Recv)(void *buf, COUNT n, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
                                MPI_Status *status)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    sx_parcel *p =
        IS_PLAIN(type) ? NULL : sx_pmpi_parcel_create("MPI_Recv", SX_BLOCKING, buf, n, type, rank, MOST);
    int rc;
    if (!p)
        rc = sx_pmpi_real.NAME(Recv)(buf, n, type, rank, tag, comm, status);
    else
        rc = sx_pmpi_parcel_open(
            p, sx_pmpi_real.NAME(Recv)(sx_pmpi_parcel_data(p), (COUNT)p->count, p->type, rank, tag, comm, s),
            s);
    sx_pmpi_request_poll();
    return rc;
}

/* A matched receive has no source rank; rank 0 stands for any rank. After MPI_MESSAGE_NO_PROC nothing is
 * unpacked, because the status has 0 bytes. */
SUBX_EXPORT int NAME(PMPI_Mrecv)(void *buf, COUNT n, MPI_Datatype type, MPI_Message *message,
                                 MPI_Status *status)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    sx_parcel *p = sx_pmpi_parcel_create("MPI_Mrecv", SX_BLOCKING, buf, n, type, 0, MOST);
    int rc;
    if (!p)
        rc = sx_pmpi_real.NAME(Mrecv)(buf, n, type, message, status);
    else
        rc = sx_pmpi_parcel_open(
            p, sx_pmpi_real.NAME(Mrecv)(sx_pmpi_parcel_data(p), (COUNT)p->count, p->type, message, s), s);
    sx_pmpi_request_poll();
    return rc;
}

SUBX_EXPORT int NAME(PMPI_Imrecv)(void *buf, COUNT n, MPI_Datatype type, MPI_Message *message,
                                  MPI_Request *request)
{
    sx_parcel *p = sx_pmpi_parcel_create("MPI_Imrecv", SX_ONCE, buf, n, type, 0, MOST);
    if (!p)
        return sx_pmpi_real.NAME(Imrecv)(buf, n, type, message, request);
    int rc = sx_pmpi_real.NAME(Imrecv)(sx_pmpi_parcel_data(p), (COUNT)p->count, p->type, message, request);
    return sx_pmpi_parcel_track(p, rc, request);
}

/* Each of the two messages has a parcel only if packing this message is faster. */
SUBX_EXPORT int NAME(PMPI_Sendrecv)(const void *from, COUNT nfrom, MPI_Datatype tfrom, int dest, int sendtag,
                                    void *to, COUNT nto, MPI_Datatype tto, int source, int recvtag,
                                    MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    sx_parcel *out = sx_pmpi_parcel_pack("MPI_Sendrecv", SX_BLOCKING, from, nfrom, tfrom, dest, MOST);
    sx_parcel *in = sx_pmpi_parcel_create("MPI_Sendrecv", SX_BLOCKING, to, nto, tto, source, MOST);
    if (out)
        from = sx_pmpi_parcel_data(out), nfrom = (COUNT)out->count, tfrom = out->type;
    if (in)
        to = sx_pmpi_parcel_data(in), nto = (COUNT)in->count, tto = in->type;
    int rc = sx_pmpi_real.NAME(Sendrecv)(from, nfrom, tfrom, dest, sendtag, to, nto, tto, source, recvtag,
                                         comm, in ? s : status);
    sx_pmpi_parcel_free(out);
    if (in)
        rc = sx_pmpi_parcel_open(in, rc, s);
    sx_pmpi_request_poll();
    return rc;
}

/* If both messages can have parcels, this function calls MPI's MPI_Sendrecv, because MPI's
 * MPI_Sendrecv_replace would allocate memory. */
SUBX_EXPORT int NAME(PMPI_Sendrecv_replace)(void *buf, COUNT n, MPI_Datatype type, int dest, int sendtag,
                                            int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
    sx_parcel *in = sx_pmpi_parcel_create("MPI_Sendrecv_replace", SX_BLOCKING, buf, n, type, source, MOST);
    sx_parcel *out =
        in ? sx_pmpi_parcel_pack("MPI_Sendrecv_replace", SX_BLOCKING, buf, n, type, dest, MOST) : NULL;
    int rc;
    if (out) {
        rc = sx_pmpi_real.NAME(Sendrecv)(sx_pmpi_parcel_data(out), (COUNT)out->count, out->type, dest,
                                         sendtag, sx_pmpi_parcel_data(in), (COUNT)in->count, in->type, source,
                                         recvtag, comm, s);
        rc = sx_pmpi_parcel_open(in, rc, s);
    } else {
        sx_pmpi_parcel_free(in);
        rc = sx_pmpi_real.NAME(Sendrecv_replace)(buf, n, type, dest, sendtag, source, recvtag, comm, status);
    }
    sx_pmpi_parcel_free(out);
    sx_pmpi_request_poll();
    return rc;
}

#undef SEND
#undef POST
#undef ISEND
#undef IRECV
#undef MOST
#undef TEXT
#undef IS_PLAIN
