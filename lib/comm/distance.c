/* distance.c - measure whether the ranks of a node are far from each other: whether a rank takes long to
 * write cache lines that another rank has read. Then such lines are written past the caches, and the other
 * rank reads them from memory. Nanoseconds per line on EPYC 9005, two ranks that write and read 128 KiB
 * alternately:
 *
 *                                             through the caches    past the caches
 *                                               write    read        write    read
 *     ranks share the third-level cache          1.8      1.1         2.7      2.9
 *     they do not: they are far                  8.3      2.1         1.5      2.5
 *
 * The system's description of the caches is not used, because it is wrong on some virtual machines.
 *
 * With n ranks on the node, rank i of them writes lines that rank i - n/2 reads. If the node has several
 * third-level caches, most pairs at this distance share none. All ranks do this at the same time, as in an
 * exchange. */
#include "comm/comm.h"

/* In the piece of each rank. `posted` and `completed` are the last round in which the rank has written its
 * lines, and in which it has read the other rank's lines. */
typedef struct trial {
    uint64_t posted;
    char fill[SX_ALIGNMENT - sizeof(uint64_t)];
    uint64_t completed;
    char fill_too[SX_ALIGNMENT - sizeof(uint64_t)];
    char line[SX_COMM_LINES][SX_LINE];
} trial;

static double write_lines(trial *t, int round)
{
    const double start = MPI_Wtime();
    for (int i = 0; i < SX_COMM_LINES; i++)
        *(volatile char *)t->line[i] = (char)round;
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* wait until all lines are written */
    return (MPI_Wtime() - start) / SX_COMM_LINES;
}

static void read_lines(const trial *t)
{
    for (int i = 0; i < SX_COMM_LINES; i++)
        (void)*(const volatile char *)t->line[i];
}

/* Wait until a counter has a value. Returns 0 if it does not have it at the time `end` (MPI_Wtime). */
static int wait_until(const sx_comm *c, const uint64_t *counter, int value, double end)
{
    for (int polled = 0; __atomic_load_n(counter, __ATOMIC_ACQUIRE) < (uint64_t)value;) {
        (void)sx_base_relax(c->comm, SX_RELAX_LOOK, &polled);
        if (MPI_Wtime() > end)
            return 0;
    }
    return 1;
}

/* Query whether writing is slow in most rounds. In the first round no rank has read the lines. A rank that
 * has to wait for too long, because other programs have the processors, gives up: for this rank no other rank
 * is far. */
static int is_slow(const sx_comm *c, trial *mine, const trial *read, const trial *reader)
{
    const double end = MPI_Wtime() + SX_COMM_LONGEST;
    int slow = 0;
    for (int round = 1; round <= SX_COMM_ROUNDS; round++) {
        const double seconds = write_lines(mine, round);
        slow += round > 1 && seconds > SX_COMM_FAR;
        __atomic_store_n(&mine->posted, (uint64_t)round, __ATOMIC_RELEASE);
        if (!wait_until(c, &read->posted, round, end))
            return 0;
        read_lines(read);
        __atomic_store_n(&mine->completed, (uint64_t)round, __ATOMIC_RELEASE);
        if (!wait_until(c, &reader->completed, round, end))
            return 0;
    }
    return 2 * slow > SX_COMM_ROUNDS - 1;
}

ptrdiff_t sx_comm_distance_get_bytes(void)
{
    return sizeof(trial);
}

int sx_comm_distance_measure(const sx_comm *c, const sx_segment *s, ptrdiff_t offset)
{
    const int n = s->npieces;
    if (n < 2)
        return 0;
    const ptrdiff_t own = s->own - s->piece;
    char *mine = s->own->base, *read = s->piece[(own + n / 2) % n].base,
         *reader = s->piece[(own + n - n / 2) % n].base;
    if (!mine || !read || !reader) /* the ranks of this node share no memory */
        return 0;
    return is_slow(c, (trial *)(void *)(mine + offset), (const trial *)(void *)(read + offset),
                   (const trial *)(void *)(reader + offset));
}
