/* node.c - find out which ranks on this node run this library. No messages are sent, because a rank without
 * the library would not answer.
 *
 *     before MPI_Init    each rank listens on a socket. The socket's name has the user, the job, the rank,
 *                        and a mark if the rank promises that all ranks run this library (SUBX_PMPI_ALL=1)
 *     MPI_Init           waits for all ranks of the job. Ranks that promise then look for all ranks of their
 *                        node
 *     afterwards         a rank runs this library if its socket exists and belongs to a process of this user
 *
 * The names are abstract (unix(7)): a socket leaves no file, and its name ends with the process. */
#include "pmpi/alltoall.h"
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* PROTOCOL: a part of the names of sockets. Versions of this library that execute calls differently have
 * different numbers, so their ranks do not find each other. */
enum { PROTOCOL = 2, BACKLOG = 4096 };

static int listener = -1, promises, is_job_known;
static uint64_t job;

/* Answers about the ranks of MPI_COMM_WORLD. All ranks must get the same answers, so nothing here may fail on
 * one rank alone. Therefore the memory is static, and a descriptor is kept in reserve (`spare`). `ask` closes
 * the spare descriptor before it opens a socket, so that the socket can be opened even if the process has
 * reached its limit of open files. */
enum { NOT_ASKED, NO, YES, PROMISES, MOST_RANKS = 1 << 16 };
static char answer[MOST_RANKS];
static int spare = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void hash(const char *text)
{
    job = sx_base_hash(job, text, text ? strlen(text) : 0);
}

/* Hash the process ID of the launcher on this node, which is at the other end of the connection `descriptor`.
 * There is one such process per node and job. Returns 0 if its ID is not known. */
static int hash_launcher(const char *descriptor)
{
    struct ucred peer;
    socklen_t length = sizeof peer;
    char text[32];
    if (!descriptor || getsockopt(atoi(descriptor), SOL_SOCKET, SO_PEERCRED, &peer, &length) || peer.pid <= 0)
        return 0;
    snprintf(text, sizeof text, "%d", (int)peer.pid);
    hash(text);
    return 1;
}

/* Set `job`, a hash that identifies the job. Returns the number of this rank in the job, as text; NULL if the
 * launcher is not known. With PMIx, the hash includes the launcher's address, because jobs of different
 * launchers may have the same namespace. */
static const char *find_job(void)
{
    const char *space = getenv("PMIX_NAMESPACE"), *slurm = getenv("SLURM_JOB_ID");
    job = SX_BASE_NO_HASH;
    hash(space);
    hash(getenv("PMIX_SERVER_URI2"));
    if (space)
        return getenv("PMIX_RANK");
    if (hash_launcher(getenv("PMI_FD")))
        return getenv("PMI_RANK");
    hash(slurm);
    hash(".");
    hash(getenv("SLURM_STEP_ID"));
    return slurm && getenv("SLURM_STEP_ID") ? getenv("SLURM_PROCID") : NULL;
}

static socklen_t set_name(struct sockaddr_un *name, int rank, int with_promise)
{
    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    int n = snprintf(name->sun_path + 1, sizeof name->sun_path - 1, "subx_pmpi.%d.%d.%llx.%d.%d", PROTOCOL,
                     (int)geteuid(), (unsigned long long)job, rank, with_promise);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

void sx_pmpi_node_leave(void)
{
    if (listener >= 0)
        close(listener);
    if (spare >= 0)
        close(spare);
    listener = spare = -1;
}

void sx_pmpi_node_announce(void)
{
    struct sockaddr_un name;
    const char *rank = find_job(), *promise = getenv("SUBX_PMPI_ALL");
    promises = promise && strcmp(promise, "1") == 0;
    is_job_known = rank != NULL;
    if (!rank || listener >= 0)
        return;
    const socklen_t length = set_name(&name, atoi(rank), promises);
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    spare = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || spare < 0 || bind(listener, (struct sockaddr *)&name, length) ||
        listen(listener, BACKLOG))
        sx_pmpi_node_leave();
}

/* Query whether a process of this user listens under the name of this rank, with or without the mark of the
 * promise. The listener accepts no connection: it is enough that connecting succeeds. If the queue of
 * connections is full (EAGAIN), the answer is yes, too: a process listens, because else the connection would
 * be refused. */
static int can_connect(int s, int rank, int with_promise)
{
    struct sockaddr_un name;
    struct ucred peer;
    socklen_t room = sizeof peer;
    const socklen_t length = set_name(&name, rank, with_promise);
    if (connect(s, (struct sockaddr *)&name, length))
        return errno == EAGAIN;
    return !getsockopt(s, SOL_SOCKET, SO_PEERCRED, &peer, &room) && peer.uid == geteuid();
}

static char ask(int rank)
{
    close(spare);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const char found = s < 0 ? NO : can_connect(s, rank, 1) ? PROMISES : can_connect(s, rank, 0) ? YES : NO;
    if (s >= 0)
        close(s);
    spare = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return found;
}

/* Get NO, YES or PROMISES for a rank of MPI_COMM_WORLD. Each rank is asked at most once. */
static char get_answer(int rank)
{
    if (rank == MPI_UNDEFINED || rank >= MOST_RANKS)
        return NO;
    pthread_mutex_lock(&lock);
    if (answer[rank] == NOT_ASKED)
        answer[rank] = ask(rank);
    const char found = answer[rank];
    pthread_mutex_unlock(&lock);
    return found;
}

/* Query whether all ranks of comm run this library on this node. The answer is no if comm has ranks of other
 * jobs, which are not in MPI_COMM_WORLD. */
static int are_here(MPI_Comm comm, int p)
{
    MPI_Group group, world;
    int all = 1;
    if (listener < 0 || PMPI_Comm_group(comm, &group))
        return 0;
    if (PMPI_Comm_group(MPI_COMM_WORLD, &world)) {
        PMPI_Group_free(&group);
        return 0;
    }
    for (int q = 0; q < p && all; q++) {
        int rank;
        all = !PMPI_Group_translate_ranks(group, 1, &q, world, &rank) && get_answer(rank) != NO;
    }
    PMPI_Group_free(&world);
    PMPI_Group_free(&group);
    return all;
}

/* Get the number of ranks of this job on this node from environment variables of the launcher; 0 if there are
 * none. */
static int count_local(void)
{
    const char *ompi = getenv("OMPI_COMM_WORLD_LOCAL_SIZE"), *hydra = getenv("MPI_LOCALNRANKS");
    return ompi ? atoi(ompi) : hydra ? atoi(hydra) : 0;
}

/* Query whether the promise (SUBX_PMPI_ALL=1) is true on this node: all ranks of the node run this library,
 * and give the same promise. Ranks of other nodes cannot be asked. If the job is not known, or has more than
 * MOST_RANKS ranks, the promise is believed. */
static int is_kept(void)
{
    int size, count[PROMISES + 1] = {0};
    if (!is_job_known)
        return 1;
    if (listener < 0 || PMPI_Comm_size(MPI_COMM_WORLD, &size))
        return 0;
    for (int r = 0; r < size && size <= MOST_RANKS; r++)
        count[(int)get_answer(r)]++;
    return size > MOST_RANKS || (count[YES] == 0 && count[PROMISES] >= count_local());
}

void sx_pmpi_node_meet(void)
{
    promises = promises && is_kept();
}

int sx_pmpi_node_get(MPI_Comm comm, int p)
{
    if (p == 1 || are_here(comm, p))
        return SX_NODE_ALL;
    return promises ? SX_NODE_PROMISED : SX_NODE_UNKNOWN;
}
