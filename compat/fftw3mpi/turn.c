/* turn.c - with MPI_THREAD_MULTIPLE, two threads may execute two plans of FFTW at the same time, but never
 * one plan of ours. If such plans share a plan of ours (keep.c), they take turns.
 *
 * A lock in each process is not enough: if rank 0 locked the shared plan for one plan of FFTW, and rank 1 for
 * another one, each would wait for the other. So the ranks agree, for each plan of FFTW on a communicator of
 * its own. First all ranks begin the execution; until then no rank holds the lock, because a rank may have
 * other executions to do before. Then each rank tries its lock, and the execution goes on if all have it;
 * else those who have it give it back, and all try again. A rank only tries for the execution that goes first
 * of those that wait in its process: the plan of FFTW with the fewest executions, of these the oldest. All
 * ranks agree on this order, so the first one gets all locks soon. */
#include "fftw3mpi/fftw3mpi.h"
#include <sched.h>

struct sx_fftw_turn {
    sx_fftw_lock *lock;
    MPI_Comm comm;
    int64_t number, executions; /* the same on all ranks */
};

static int is_threaded(void)
{
    int level = MPI_THREAD_MULTIPLE;
    return MPI_Query_thread(&level) || level == MPI_THREAD_MULTIPLE;
}

/* A plan needs turns if some rank has several threads, and all ranks share the plan. Plans of ranks without a
 * lock are never shared. The number is new on all ranks. */

int sx_fftw_turn_create(MPI_Comm comm, subx_fft_plan plan, sx_fftw_turn **turn)
{
    static int64_t last;
    sx_fftw_lock *lock = sx_fftw_share_get_lock(plan);
    int64_t most[] = {is_threaded(), lock == NULL, last};
    *turn = NULL;
    int rc = MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_INT64_T, MPI_MAX, comm);
    if (rc || !most[0] || most[1])
        return rc;
    sx_fftw_turn *made = sx_base_alloc(1, sizeof *made);
    MPI_Comm copy = MPI_COMM_NULL;
    rc = MPI_Comm_dup(comm, &copy);
    rc = sx_base_agree(comm, rc || made ? rc : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    if (!rc) {
        last = most[2] + 1;
        *made = (sx_fftw_turn){lock, copy, last, 0};
        *turn = made;
        return MPI_SUCCESS;
    }
    if (copy != MPI_COMM_NULL)
        (void)MPI_Comm_free(&copy);
    sx_base_free(made);
    return rc;
}

void sx_fftw_turn_free(sx_fftw_turn *turn, int is_late)
{
    if (turn && !is_late)
        (void)MPI_Comm_free(&turn->comm);
    sx_base_free(turn);
}

/* The lower one goes first. */
static int64_t get_order(const sx_fftw_turn *turn)
{
    return (turn->executions << 32) + turn->number;
}

/* Wait in this process; the result tells whether this execution is the first one, and has the lock. */
static int try_lock(sx_fftw_lock *lock, int64_t order)
{
    int64_t first = __atomic_load_n(&lock->first, __ATOMIC_ACQUIRE);
    while (order < first &&
           !__atomic_compare_exchange_n(&lock->first, &first, order, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        ;
    return order <= first && !__atomic_exchange_n(&lock->is_held, 1, __ATOMIC_ACQUIRE);
}

static void unlock(sx_fftw_lock *lock)
{
    __atomic_store_n(&lock->is_held, 0, __ATOMIC_RELEASE);
}

int sx_fftw_turn_take(sx_fftw_turn *turn)
{
    int rc = MPI_Barrier(turn->comm);
    while (!rc) {
        const int mine = try_lock(turn->lock, get_order(turn));
        int all = mine;
        rc = MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, turn->comm);
        if (!rc && all)
            return MPI_SUCCESS;
        if (mine)
            unlock(turn->lock);
        (void)sched_yield();
    }
    return rc;
}

void sx_fftw_turn_give(sx_fftw_turn *turn)
{
    int64_t order = get_order(turn);
    turn->executions++;
    (void)__atomic_compare_exchange_n(&turn->lock->first, &order, SX_FFTW_NOBODY, 0, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE);
    unlock(turn->lock);
}
