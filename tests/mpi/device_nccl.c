/* device_nccl.c - the device carrier nccl: when ranks get it, and why not; that the data are right, also if ranks of a node read each
 * other's memory; that a call that fails on one rank, in a creation or an execution, makes all ranks leave with an error, and that
 * nothing is left on the device. A test that waits for ever has failed.
 * ranks: 1 2 3 4 5 7 */
#include "common/hints.h"
#include "common/verdict.h"
#include "mpi/on_device.h"
#include <stdlib.h>
#include <string.h>

enum { LACKS = SX_FAKE_LACKS_TEAMS, HAS = SX_FAKE_HAS_TEAMS, SPOILS = SX_FAKE_SPOILS_TEAMS };

static const ptrdiff_t sizes[] = {7, 9, 10};
static const int order[] = {1, 0, 2};

static int create(MPI_Comm comm, const char *text, const char *memory, subx_exch *ex)
{
    MPI_Info hints = test_hints("%s memory_kind=%s", text, memory);
    const int rc = subx_exch_create_realign(comm, 3, sizes, 0, 1, NULL, order, MPI_DOUBLE, hints, ex);
    MPI_Info_free(&hints);
    return rc;
}

/* ---- data */

/* What this rank sends, what the exchange of the host gives for it, and both arrays of the device. */
typedef struct data {
    ptrdiff_t bytes[2];
    char *from, *expected, *got;
    void *memory[2];
} data;

static void create_data(data *d)
{
    subx_exch host = SUBX_EXCH_NULL;
    test_random r = test_random_stream(test_seed(), (uint64_t)test_rank);
    EXPECT_OK(create(MPI_COMM_WORLD, "engine=alltoallv check=no", "system", &host));
    EXPECT_OK(subx_exch_get(host, NULL, &d->bytes[0], &d->bytes[1], NULL));
    d->from = malloc((size_t)d->bytes[0] + 1);
    d->expected = malloc((size_t)d->bytes[1] + 1);
    d->got = calloc((size_t)d->bytes[1] + 1, 1);
    test_random_fill(&r, d->from, (size_t)d->bytes[0]);
    EXPECT_OK(subx_exch_execute(host, d->from, d->expected));
    EXPECT_OK(subx_exch_free(&host));
    for (int i = 0; i < 2; i++)
        d->memory[i] = test_device_alloc(d->bytes[i]);
    test_device_copy(d->memory[0], d->from, d->bytes[0]);
}

static void free_data(data *d)
{
    for (int i = 0; i < 2; i++)
        test_device.table->free(test_device.handle, d->memory[i]);
    free(d->got);
    free(d->expected);
    free(d->from);
}

/* Execute, and compare the result if there is no error. */
static int execute(const data *d, subx_exch ex)
{
    const int rc = subx_exch_execute(ex, d->memory[0], d->memory[1]);
    if (rc)
        return rc;
    test_device_copy(d->got, d->memory[1], d->bytes[1]);
    EXPECT(memcmp(d->got, d->expected, (size_t)d->bytes[1]) == 0);
    memset(d->got, 0, (size_t)d->bytes[1]);
    test_device_copy(d->memory[1], d->got, d->bytes[1]);
    return rc;
}

/* ---- which ranks form a team */

typedef struct expectation {
    const char *hints;
    int all, one, number, version; /* of the last rank: one, number (-1: its own), version */
    const char *carrier;           /* NULL if the creation fails */
    const char *why;               /* in the text of the error */
} expectation;

static const expectation table[] = {
    {"engine=pairwise device_carrier=nccl", HAS, HAS, -1, 0, "nccl", ""},
    {"engine=pairwise device_carrier=nccl slices=3", HAS, HAS, -1, 0, "nccl", ""},
    {"engine=pairwise device_carrier=nccl work=caller", HAS, HAS, -1, 0, "nccl", ""},
    {"engine=pairwise device_carrier=nccl slices=7 check=no", HAS, HAS, -1, 0, "nccl", ""},
    {"engine=node node_ranks=2 device_carrier=nccl slices=4", HAS, HAS, -1, 0, "nccl", ""},
    {"engine=auto node_ranks=1 device_carrier=nccl", HAS, HAS, -1, 0, "nccl", ""},
    {"engine=pairwise", HAS, HAS, -1, 0, "staged", ""},
    {"engine=alltoallv device_carrier=nccl", HAS, HAS, -1, 0, NULL, "another carrier than pairwise"},
    {"engine=pairwise device_carrier=nccl", LACKS, LACKS, -1, 0, NULL, "there is no library"},
    {"engine=pairwise device_carrier=nccl", HAS, LACKS, -1, 0, NULL, "there is no library"},
    {"engine=pairwise device_carrier=nccl", SPOILS, SPOILS, -1, 0, NULL, "wrong data"},
    {"engine=pairwise device_carrier=nccl", HAS, SPOILS, -1, 0, NULL, "wrong data"},
    {"engine=pairwise device_carrier=nccl", HAS, HAS, 0, 0, NULL, "two ranks have the same GPU"},
    {"engine=pairwise device_carrier=nccl", HAS, HAS, -1, 1, NULL, "different versions"},
};

static void set_teams(const expectation *e)
{
    const int is_last = test_rank == test_nranks - 1;
    test_device.fake->teams = is_last ? e->one : e->all;
    test_device.fake->number = is_last && e->number >= 0 ? e->number : test_rank;
    test_device.fake->version = is_last ? e->version : 0;
}

static void expect_refusal(const expectation *e, int rc)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int length;
    EXPECT_KIND(rc, SUBX_ERR_UNAVAILABLE);
    MPI_Error_string(rc, text, &length);
    EXPECT(strstr(text, e->why));
}

/* Work space of the caller, as several exchanges may share it. */
static void set_work(subx_exch ex, void **host, void **device)
{
    ptrdiff_t bytes = 0, device_bytes = 0;
    EXPECT_OK(subx_exch_get(ex, NULL, NULL, NULL, &bytes));
    EXPECT_OK(subx_exch_get_device_work(ex, &device_bytes));
    EXPECT_OK(subx_mem_alloc(MPI_COMM_WORLD, bytes, MPI_INFO_NULL, host));
    *device = test_device_alloc(device_bytes);
    EXPECT_OK(subx_exch_set_work(ex, *host));
    EXPECT_OK(subx_exch_set_device_work(ex, *device));
}

static void check_exchange(const expectation *e, const data *d, subx_exch ex)
{
    char value[MPI_MAX_INFO_VAL + 1];
    void *host = NULL, *device = NULL;
    const int is_callers = strstr(e->hints, "work=caller") != NULL;
    const long moves = test_device.fake->nmoves;
    const int needs_carrier = test_nranks > 2 || (test_nranks == 2 && !strstr(e->hints, "node_ranks=2"));
    test_device_get_info(ex, "subx_device_carrier", value);
    EXPECT(strcmp(value, needs_carrier ? e->carrier : "auto") == 0);
    if (is_callers)
        set_work(ex, &host, &device);
    for (int i = 0; i < 2; i++)
        EXPECT_OK(execute(d, ex));
    if (needs_carrier)
        EXPECT_EQUAL(test_device.fake->nmoves > moves, strcmp(e->carrier, "nccl") == 0);
    EXPECT_OK(subx_exch_free(&ex));
    test_device.table->free(test_device.handle, device);
    EXPECT_OK(subx_mem_free(&host));
}

/* Whether a refusal needs the library depends on the hints and on each rank; all other refusals need two ranks. */
static int is_refused(const expectation *e)
{
    return !e->carrier && (test_nranks > 1 || e->one == LACKS || strstr(e->hints, "alltoallv"));
}

static void check(const expectation *e, const data *d)
{
    const int left = test_device.fake->nobjects;
    subx_exch ex = SUBX_EXCH_NULL;
    test_context("%s, library %d and %d, GPU %d, version %d", e->hints, e->all, e->one, e->number,
                 e->version);
    set_teams(e);
    const int rc = create(MPI_COMM_WORLD, e->hints, test_device.place, &ex);
    if (is_refused(e))
        expect_refusal(e, rc);
    else if (EXPECT_OK(rc) && e->carrier)
        check_exchange(e, d, ex);
    else
        EXPECT_OK(subx_exch_free(&ex));
    EXPECT_EQUAL(test_device.fake->nobjects, left);
}

/* ---- one team for all exchanges of a communicator, until a rank has another GPU */

static const char *const sample = "engine=pairwise device_carrier=nccl slices=2 check=no";

static void check_team(const data *d)
{
    subx_exch ex[3] = {SUBX_EXCH_NULL, SUBX_EXCH_NULL, SUBX_EXCH_NULL};
    test_context("one team");
    set_teams(&table[0]);
    EXPECT_OK(create(MPI_COMM_WORLD, sample, test_device.place, &ex[0]));
    const long moves = test_device.fake->nmoves;
    EXPECT_OK(create(MPI_COMM_WORLD, sample, test_device.place, &ex[1]));
    EXPECT_EQUAL(test_device.fake->nmoves, moves);
    for (int i = 0; i < 4; i++)
        EXPECT_OK(execute(d, ex[i % 2]));
    test_device.fake->number += test_rank == 0 ? 100 : 0;
    const int rc = create(MPI_COMM_WORLD, sample, test_device.place, &ex[2]);
    if (test_nranks > 1)
        EXPECT_KIND(rc, SUBX_ERR_UNAVAILABLE);
    else
        EXPECT_OK(rc);
    for (int i = 0; i < 3; i++)
        EXPECT_OK(subx_exch_free(&ex[i]));
}

/* ---- faults */

/* Call n of the device, or allocation n of the library, fails on one rank while an exchange is created. */
static int fail_creation(int victim, int is_device, long n)
{
    const int left = test_device.fake->nobjects;
    subx_exch ex = SUBX_EXCH_NULL;
    test_context("creation, %s %ld fails on rank %d", is_device ? "call" : "allocation", n, victim);
    test_device_begin_fault(victim, is_device, n);
    const int rc = create(MPI_COMM_WORLD, sample, test_device.place, &ex);
    const int has_failed = test_device_end_fault(victim, is_device, rc);
    EXPECT(!ex == (rc != MPI_SUCCESS));
    EXPECT_OK(subx_exch_free(&ex));
    EXPECT_EQUAL(test_device.fake->nobjects, left);
    return has_failed;
}

static void check_creation(int victim, int is_device, int step)
{
    long n = 0;
    set_teams(&table[0]);
    while (fail_creation(victim, is_device, n))
        n += step;
    EXPECT(n > 5);
}

/* Call n of the device fails on one rank during an execution. This rank gets DEVICE, the others get right data or PEER. Later
 * executions are right on all ranks, or, if the team is broken, have an error on all ranks. Then a new exchange works again. */
static int fail_execution(const data *d, const char *hints, int victim, long n)
{
    const int left = test_device.fake->nobjects;
    subx_exch ex = SUBX_EXCH_NULL;
    int outcome[2], has_failed = 0;
    test_context("execution, call %ld fails on rank %d, %s", n, victim, hints);
    EXPECT_OK(create(MPI_COMM_WORLD, hints, test_device.place, &ex));
    EXPECT_OK(execute(d, ex));
    test_device.fake->fails_after = test_rank == victim ? n : -1;
    const int rc = subx_exch_execute(ex, d->memory[0], d->memory[1]);
    has_failed = test_rank == victim && test_device.fake->fails_after < 0;
    test_device.fake->fails_after = -1;
    if (has_failed)
        EXPECT_KIND(rc, SUBX_ERR_DEVICE);
    else
        EXPECT(rc == MPI_SUCCESS || (test_rank != victim && subx_error_get_kind(rc) == SUBX_ERR_PEER));
    MPI_Bcast(&has_failed, 1, MPI_INT, victim, MPI_COMM_WORLD);
    outcome[0] = outcome[1] = execute(d, ex) == MPI_SUCCESS;
    MPI_Allreduce(MPI_IN_PLACE, &outcome[1], 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_EQUAL(outcome[0], outcome[1]);
    EXPECT(has_failed || (rc == MPI_SUCCESS && outcome[0]));
    EXPECT_OK(subx_exch_free(&ex));
    EXPECT_EQUAL(test_device.fake->nobjects, left);
    return has_failed;
}

/* A rank without data takes no part in an execution, so no call of it fails. */
static void check_execution(const data *d, const char *hints, int victim)
{
    long n = 0;
    set_teams(&table[0]);
    while (fail_execution(d, hints, victim, n))
        n++;
    EXPECT(n > 3);
}

static void check_faults(const data *d)
{
    check_creation(test_nranks - 1, 1, 1);
    check_creation(test_nranks - 1, 0, 5);
    if (test_nranks == 3)
        check_creation(0, 1, 1);
    check_execution(d, sample, 0);
    if (test_nranks == 3) {
        check_execution(d, sample, 2);
        check_execution(d, "engine=node node_ranks=2 device_carrier=nccl slices=3 check=no", 0);
        check_execution(d, "engine=node node_ranks=2 device_carrier=nccl slices=3 check=no", 2);
    }
}

int main(int argc, char **argv)
{
    data d = {.got = NULL};
    test_device_begin(&argc, &argv);
    if (test_device.fake) {
        create_data(&d);
        for (size_t i = 0; i < sizeof table / sizeof *table; i++)
            check(&table[i], &d);
        check_team(&d);
        if (test_nranks == 1 || test_nranks == 3)
            check_faults(&d);
        free_data(&d);
    }
    test_device_close();
    return test_end();
}
