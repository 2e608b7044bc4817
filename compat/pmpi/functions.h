/* functions.h - the list of interposed MPI functions: SX_PMPI_FUNCTIONS(X) expands to X(name without MPI_,
 * parameters, arguments) for each function.
 *
 * Some functions exist twice: with int counts, and, with the suffix _c, with MPI_Count (MPI 4.0, section
 * 2.5.8). T is the type of a count, D the type of a displacement, c the suffix. */
#ifndef SX_PMPI_FUNCTIONS_H
#define SX_PMPI_FUNCTIONS_H

#include <mpi.h>

/* clang-format off */

#define SX_PMPI_SEND_PARAMS(T) (const void *buf, T n, MPI_Datatype type, int rank, int tag, MPI_Comm comm)
#define SX_PMPI_SEND_ARGS (buf, n, type, rank, tag, comm)
#define SX_PMPI_ISEND_PARAMS(T) (const void *buf, T n, MPI_Datatype type, int rank, int tag, \
        MPI_Comm comm, MPI_Request *request)
#define SX_PMPI_ISEND_ARGS (buf, n, type, rank, tag, comm, request)
#define SX_PMPI_IRECV_PARAMS(T) (void *buf, T n, MPI_Datatype type, int rank, int tag, MPI_Comm comm, \
        MPI_Request *request)

#define SX_PMPI_ALLTOALL_PARAMS(T) const void *from, T nfrom, MPI_Datatype tfrom, void *to, T nto, \
        MPI_Datatype tto, MPI_Comm comm
#define SX_PMPI_ALLTOALL_ARGS from, nfrom, tfrom, to, nto, tto, comm
#define SX_PMPI_ALLTOALLV_PARAMS(T, D) \
    const void *from, const T nfrom[], const D dfrom[], MPI_Datatype tfrom, \
    void *to, const T nto[], const D dto[], MPI_Datatype tto, MPI_Comm comm
#define SX_PMPI_ALLTOALLW_PARAMS(T, D) \
    const void *from, const T nfrom[], const D dfrom[], const MPI_Datatype tfrom[], \
    void *to, const T nto[], const D dto[], const MPI_Datatype tto[], MPI_Comm comm
#define SX_PMPI_ALLTOALLVW_ARGS from, nfrom, dfrom, tfrom, to, nto, dto, tto, comm

/* Packing, and messages between two ranks. */
#define SX_PMPI_MESSAGES(X, T, c) \
    X(Pack##c, (const void *in, T n, MPI_Datatype type, void *out, T room, T *position, MPI_Comm comm), \
      (in, n, type, out, room, position, comm)) \
    X(Unpack##c, (const void *in, T room, T *position, void *out, T n, MPI_Datatype type, MPI_Comm comm), \
      (in, room, position, out, n, type, comm)) \
    X(Send##c, SX_PMPI_SEND_PARAMS(T), SX_PMPI_SEND_ARGS) \
    X(Ssend##c, SX_PMPI_SEND_PARAMS(T), SX_PMPI_SEND_ARGS) \
    X(Rsend##c, SX_PMPI_SEND_PARAMS(T), SX_PMPI_SEND_ARGS) \
    X(Bsend##c, SX_PMPI_SEND_PARAMS(T), SX_PMPI_SEND_ARGS) \
    X(Isend##c, SX_PMPI_ISEND_PARAMS(T), SX_PMPI_ISEND_ARGS) \
    X(Issend##c, SX_PMPI_ISEND_PARAMS(T), SX_PMPI_ISEND_ARGS) \
    X(Irsend##c, SX_PMPI_ISEND_PARAMS(T), SX_PMPI_ISEND_ARGS) \
    X(Ibsend##c, SX_PMPI_ISEND_PARAMS(T), SX_PMPI_ISEND_ARGS) \
    X(Send_init##c, SX_PMPI_ISEND_PARAMS(T), SX_PMPI_ISEND_ARGS) \
    X(Ssend_init##c, SX_PMPI_ISEND_PARAMS(T), SX_PMPI_ISEND_ARGS) \
    X(Rsend_init##c, SX_PMPI_ISEND_PARAMS(T), SX_PMPI_ISEND_ARGS) \
    X(Bsend_init##c, SX_PMPI_ISEND_PARAMS(T), SX_PMPI_ISEND_ARGS) \
    X(Recv##c, (void *buf, T n, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Status *status), \
      (buf, n, type, rank, tag, comm, status)) \
    X(Irecv##c, SX_PMPI_IRECV_PARAMS(T), SX_PMPI_ISEND_ARGS) \
    X(Recv_init##c, SX_PMPI_IRECV_PARAMS(T), SX_PMPI_ISEND_ARGS) \
    X(Mrecv##c, (void *buf, T n, MPI_Datatype type, MPI_Message *message, MPI_Status *status), \
      (buf, n, type, message, status)) \
    X(Imrecv##c, (void *buf, T n, MPI_Datatype type, MPI_Message *message, MPI_Request *request), \
      (buf, n, type, message, request)) \
    X(Sendrecv##c, (const void *from, T nfrom, MPI_Datatype tfrom, int dest, int sendtag, void *to, T \
        nto, MPI_Datatype tto, \
      int source, int recvtag, MPI_Comm comm, MPI_Status *status), \
      (from, nfrom, tfrom, dest, sendtag, to, nto, tto, source, recvtag, comm, status)) \
    X(Sendrecv_replace##c, (void *buf, T n, MPI_Datatype type, int dest, int sendtag, int source, int \
        recvtag, \
      MPI_Comm comm, MPI_Status *status), \
      (buf, n, type, dest, sendtag, source, recvtag, comm, status))

/* The displacements of MPI_Alltoallw are bytes; their type is int in the form without suffix. */
#define SX_PMPI_ALLTOALLS(X, T, D, c) \
    X(Alltoall##c, (SX_PMPI_ALLTOALL_PARAMS(T)), (SX_PMPI_ALLTOALL_ARGS)) \
    X(Alltoallv##c, (SX_PMPI_ALLTOALLV_PARAMS(T, D)), (SX_PMPI_ALLTOALLVW_ARGS)) \
    X(Ialltoall##c, (SX_PMPI_ALLTOALL_PARAMS(T), MPI_Request *request), (SX_PMPI_ALLTOALL_ARGS, request)) \
    X(Ialltoallv##c, (SX_PMPI_ALLTOALLV_PARAMS(T, D), MPI_Request *request), (SX_PMPI_ALLTOALLVW_ARGS, \
        request)) \
    X(Alltoallw##c, (SX_PMPI_ALLTOALLW_PARAMS(T, D)), (SX_PMPI_ALLTOALLVW_ARGS)) \
    X(Ialltoallw##c, (SX_PMPI_ALLTOALLW_PARAMS(T, D), MPI_Request *request), (SX_PMPI_ALLTOALLVW_ARGS, \
        request))

#define SX_PMPI_PLAIN(X) \
    X(Init, (int *argc, char ***argv), (argc, argv)) \
    X(Init_thread, (int *argc, char ***argv, int required, int *provided), (argc, argv, required, provided)) \
    X(Finalize, (void), ()) \
    X(Type_commit, (MPI_Datatype *type), (type)) \
    X(Type_dup, (MPI_Datatype type, MPI_Datatype *dup), (type, dup))

#define SX_PMPI_REQUESTS(X) \
    X(Start, (MPI_Request *request), (request)) \
    X(Startall, (int n, MPI_Request request[]), (n, request)) \
    X(Wait, (MPI_Request *request, MPI_Status *status), (request, status)) \
    X(Waitall, (int n, MPI_Request request[], MPI_Status status[]), (n, request, status)) \
    X(Waitany, (int n, MPI_Request request[], int *index, MPI_Status *status), (n, request, index, status)) \
    X(Waitsome, (int n, MPI_Request request[], int *done, int index[], MPI_Status status[]), \
      (n, request, done, index, status)) \
    X(Test, (MPI_Request *request, int *flag, MPI_Status *status), (request, flag, status)) \
    X(Testall, (int n, MPI_Request request[], int *flag, MPI_Status status[]), (n, request, flag, status)) \
    X(Testany, (int n, MPI_Request request[], int *index, int *flag, MPI_Status *status), \
      (n, request, index, flag, status)) \
    X(Testsome, (int n, MPI_Request request[], int *done, int index[], MPI_Status status[]), \
      (n, request, done, index, status)) \
    X(Request_get_status, (MPI_Request request, int *flag, MPI_Status *status), (request, flag, status)) \
    X(Request_free, (MPI_Request *request), (request))

/* The probes and the barrier, which have no counts of elements. */
#define SX_PMPI_PROBES(X) \
    X(Probe, (int rank, int tag, MPI_Comm comm, MPI_Status *status), (rank, tag, comm, status)) \
    X(Iprobe, (int rank, int tag, MPI_Comm comm, int *flag, MPI_Status *status), (rank, tag, comm, \
        flag, status)) \
    X(Mprobe, (int rank, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status), \
      (rank, tag, comm, message, status)) \
    X(Improbe, (int rank, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status), \
      (rank, tag, comm, flag, message, status)) \
    X(Barrier, (MPI_Comm comm), (comm))

#define SX_PMPI_REDUCE_PARAMS(T) const void *from, void *to, T n, MPI_Datatype type, MPI_Op op
#define SX_PMPI_REDUCE_ARGS from, to, n, type, op
#define SX_PMPI_GATHERV_PARAMS(T, D) \
    const void *from, T nfrom, MPI_Datatype tfrom, void *to, const T nto[], const D dto[], MPI_Datatype tto
#define SX_PMPI_GATHERV_ARGS from, nfrom, tfrom, to, nto, dto, tto
#define SX_PMPI_SCATTERV_PARAMS(T, D) \
    const void *from, const T nfrom[], const D dfrom[], MPI_Datatype tfrom, void *to, T nto, MPI_Datatype tto
#define SX_PMPI_SCATTERV_ARGS from, nfrom, dfrom, tfrom, to, nto, tto
#define SX_PMPI_ROOTED_PARAMS(T) \
    const void *from, T nfrom, MPI_Datatype tfrom, void *to, T nto, MPI_Datatype tto, int root, MPI_Comm comm
#define SX_PMPI_ROOTED_ARGS from, nfrom, tfrom, to, nto, tto, root, comm
#define SX_PMPI_COLLECTIVES(X, T, D, c) \
    X(Bcast##c, (void *buf, T n, MPI_Datatype type, int root, MPI_Comm comm), (buf, n, type, root, comm)) \
    X(Gather##c, (SX_PMPI_ROOTED_PARAMS(T)), (SX_PMPI_ROOTED_ARGS)) \
    X(Scatter##c, (SX_PMPI_ROOTED_PARAMS(T)), (SX_PMPI_ROOTED_ARGS)) \
    X(Gatherv##c, (SX_PMPI_GATHERV_PARAMS(T, D), int root, MPI_Comm comm), (SX_PMPI_GATHERV_ARGS, root, \
        comm)) \
    X(Scatterv##c, (SX_PMPI_SCATTERV_PARAMS(T, D), int root, MPI_Comm comm), (SX_PMPI_SCATTERV_ARGS, \
        root, comm)) \
    X(Allgather##c, (SX_PMPI_ALLTOALL_PARAMS(T)), (SX_PMPI_ALLTOALL_ARGS)) \
    X(Allgatherv##c, (SX_PMPI_GATHERV_PARAMS(T, D), MPI_Comm comm), (SX_PMPI_GATHERV_ARGS, comm)) \
    X(Reduce##c, (SX_PMPI_REDUCE_PARAMS(T), int root, MPI_Comm comm), (SX_PMPI_REDUCE_ARGS, root, comm)) \
    X(Allreduce##c, (SX_PMPI_REDUCE_PARAMS(T), MPI_Comm comm), (SX_PMPI_REDUCE_ARGS, comm)) \
    X(Scan##c, (SX_PMPI_REDUCE_PARAMS(T), MPI_Comm comm), (SX_PMPI_REDUCE_ARGS, comm)) \
    X(Exscan##c, (SX_PMPI_REDUCE_PARAMS(T), MPI_Comm comm), (SX_PMPI_REDUCE_ARGS, comm)) \
    X(Reduce_scatter_block##c, (SX_PMPI_REDUCE_PARAMS(T), MPI_Comm comm), (SX_PMPI_REDUCE_ARGS, comm)) \
    X(Reduce_scatter##c, (const void *from, void *to, const T n[], MPI_Datatype type, MPI_Op op, \
        MPI_Comm comm), \
      (SX_PMPI_REDUCE_ARGS, comm))

/* Persistent all-to-alls exist since MPI 4. */
#ifdef HAVE_MPI_ALLTOALLW_INIT
#define SX_PMPI_ALLTOALL_INITS(X, T, D, c) \
    X(Alltoall_init##c, (SX_PMPI_ALLTOALL_PARAMS(T), MPI_Info info, MPI_Request *request), \
      (SX_PMPI_ALLTOALL_ARGS, info, request)) \
    X(Alltoallv_init##c, (SX_PMPI_ALLTOALLV_PARAMS(T, D), MPI_Info info, MPI_Request *request), \
      (SX_PMPI_ALLTOALLVW_ARGS, info, request)) \
    X(Alltoallw_init##c, (SX_PMPI_ALLTOALLW_PARAMS(T, D), MPI_Info info, MPI_Request *request), \
      (SX_PMPI_ALLTOALLVW_ARGS, info, request))
#else
#define SX_PMPI_ALLTOALL_INITS(X, T, D, c)
#endif

#ifdef HAVE_MPI_TYPE_GET_CONTENTS_C
#define SX_PMPI_LARGE_MESSAGES(X) SX_PMPI_MESSAGES(X, MPI_Count, _c)
#define SX_PMPI_LARGE_ALLTOALLS(X) \
    SX_PMPI_ALLTOALLS(X, MPI_Count, MPI_Aint, _c) \
    SX_PMPI_ALLTOALL_INITS(X, MPI_Count, MPI_Aint, _c)
#define SX_PMPI_LARGE_COLLECTIVES(X) SX_PMPI_COLLECTIVES(X, MPI_Count, MPI_Aint, _c)
#else
#define SX_PMPI_LARGE_MESSAGES(X)
#define SX_PMPI_LARGE_ALLTOALLS(X)
#define SX_PMPI_LARGE_COLLECTIVES(X)
#endif

/* Functions from which a program may learn that a message has arrived (poll.c). A barrier tells it
 * indirectly: when the barrier ends, the sender has entered the barrier, and has sent the message before. */
#define SX_PMPI_POLLS(X) \
    SX_PMPI_PROBES(X) \
    SX_PMPI_COLLECTIVES(X, int, int, ) \
    SX_PMPI_LARGE_COLLECTIVES(X)

/* LAZY: functions whose calls go straight to MPI until a strided datatype is committed. EAGER: all other
 * functions. */
#define SX_PMPI_LAZY(X) \
    SX_PMPI_MESSAGES(X, int, ) \
    SX_PMPI_LARGE_MESSAGES(X) \
    SX_PMPI_REQUESTS(X) \
    SX_PMPI_POLLS(X)
#define SX_PMPI_EAGER(X) \
    SX_PMPI_PLAIN(X) \
    SX_PMPI_ALLTOALLS(X, int, int, ) \
    SX_PMPI_ALLTOALL_INITS(X, int, int, ) \
    SX_PMPI_LARGE_ALLTOALLS(X)
#define SX_PMPI_FUNCTIONS(X) SX_PMPI_EAGER(X) SX_PMPI_LAZY(X)

/* clang-format on */

#endif
