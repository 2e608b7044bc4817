/* device_carrier.c - which device carrier an exchange gets, if MPI takes memory of the fake device, refuses
 * it, or spoils messages, also on one rank alone; that all ranks get the same one, and learn why others were
 * left; that the data are right. Also: the carriers that an exchange could have; the copy engine reads other
 * ranks' memory where the hint says so and where the blocks are rows.
 * ranks: 1 2 3 4 5 7 */
#include "common/hints.h"
#include "common/on_device.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int create_ordered(const char *text, const char *memory, const int order[], subx_exch *ex)
{
    static const ptrdiff_t sizes[] = {7, 9, 10};
    return test_device_create_realign(text, memory, sizes, order, ex);
}

static const int permuted[] = {1, 0, 2};

static int create(const char *text, const char *memory, subx_exch *ex)
{
    return create_ordered(text, memory, permuted, ex);
}

/* ---- data */

/* Execute on the device twice, and compare with the exchange of the host. */
static void check_data(subx_exch ex, const int order[])
{
    subx_exch host = SUBX_EXCH_NULL;
    ptrdiff_t bytes[2];
    test_random r = test_random_stream(test_seed(), (uint64_t)test_rank);
    EXPECT_OK(create_ordered("engine=alltoallv", "system", order, &host));
    EXPECT_OK(subx_exch_get(host, NULL, &bytes[0], &bytes[1], NULL));
    char *from = malloc((size_t)bytes[0] + 1), *expected = malloc((size_t)bytes[1] + 1),
         *got = calloc((size_t)bytes[1] + 1, 1);
    void *memory[2] = {test_device_alloc_readable(MPI_COMM_WORLD, bytes[0]), test_device_alloc(bytes[1])};
    for (int i = 0; i < 2; i++) {
        test_random_fill(&r, from, (size_t)bytes[0]);
        test_device_copy(memory[0], from, bytes[0]);
        EXPECT_OK(subx_exch_execute(host, from, expected));
        EXPECT_OK(subx_exch_execute(ex, memory[0], memory[1]));
        test_device_copy(got, memory[1], bytes[1]);
        EXPECT(memcmp(got, expected, (size_t)bytes[1]) == 0);
    }
    test_device_free(memory[1]);
    EXPECT_OK(subx_mem_free(&memory[0]));
    free(got);
    free(expected);
    free(from);
    EXPECT_OK(subx_exch_free(&host));
}

/* ---- the carrier in effect */

typedef struct expectation {
    const char *hints;
    int all, one;        /* SX_FAKE_*: what MPI does on all ranks, and on the last rank */
    const char *carrier; /* NULL if the creation fails */
    const char *dropped, *why;
} expectation;

enum { REFUSES = SX_FAKE_REFUSES_MESSAGES, TAKES = SX_FAKE_TAKES_MESSAGES, SPOILS = SX_FAKE_SPOILS_MESSAGES };

static const expectation table[] = {
    {"engine=pairwise", TAKES, TAKES, "messages", "", ""},
    {"engine=pairwise device_carrier=messages", TAKES, TAKES, "messages", "", ""},
    {"engine=pairwise device_carrier=staged", TAKES, TAKES, "staged", "", ""},
    {"engine=pairwise slices=3", TAKES, TAKES, "messages", "", ""},
    {"engine=pairwise work=engine check=no", TAKES, TAKES, "messages", "", ""},
    {"engine=alltoallv", TAKES, TAKES, "staged", "", "another carrier than pairwise"},
    {"engine=alltoallv device_carrier=messages", TAKES, TAKES, NULL, "", ""},
    {"engine=pairwise", REFUSES, REFUSES, "staged", "", "messages: MPI takes no addresses of GPUs"},
    {"engine=pairwise device_carrier=messages", REFUSES, REFUSES, NULL, "", ""},
    {"engine=pairwise", SPOILS, SPOILS, "staged", "messages", "messages: a trial has failed"},
    {"engine=pairwise device_carrier=messages", SPOILS, SPOILS, NULL, "", ""},
    {"engine=pairwise", TAKES, REFUSES, "staged", "", "messages: "},
    {"engine=pairwise device_carrier=messages", TAKES, REFUSES, NULL, "", ""},
    {"engine=pairwise", TAKES, SPOILS, "staged", "messages", "messages: a trial has failed"},
};

static void check(const expectation *e)
{
    char value[MPI_MAX_INFO_VAL + 1];
    const int left = test_device_count();
    subx_exch ex = SUBX_EXCH_NULL;
    test_context("%s, MPI %d and %d", e->hints, e->all, e->one);
    test_device.fake->messages = test_rank == test_nranks - 1 ? e->one : e->all;
    const int rc = create(e->hints, test_device.place, &ex);
    if (!e->carrier && (test_nranks > 1 || e->all != SPOILS)) {
        EXPECT_KIND(rc, SUBX_ERR_UNAVAILABLE);
    } else if (EXPECT_OK(rc)) {
        test_device_get_info(ex, "device_carrier", value);
        EXPECT(strcmp(value, test_nranks == 1 ? "" : e->carrier) == 0);
        test_device_get_info(ex, "subx_dropped", value);
        EXPECT(test_nranks == 1 || strcmp(value, e->dropped) == 0);
        test_device_get_info(ex, "subx_device_why", value);
        EXPECT(test_nranks == 1 || strstr(value, e->why));
        EXPECT_EQUAL(test_nranks > 1 && !*e->why, !*value && test_nranks > 1);
        check_data(ex, permuted);
    }
    EXPECT_OK(subx_exch_free(&ex));
    EXPECT_EQUAL(test_device_count(), left);
}

/* ---- the carriers that an exchange could have */

static void expect_carriers(subx_exch ex, const char *carriers)
{
    char value[MPI_MAX_INFO_VAL + 1];
    test_device_get_info(ex, "subx_device_carriers", value);
    EXPECT(test_nranks == 1 || strcmp(value, carriers) == 0);
}

static void check_carriers(const char *hints, int messages, const char *carriers)
{
    subx_exch ex = SUBX_EXCH_NULL;
    test_context("carriers, %s, MPI %d", hints, messages);
    test_device.fake->messages = messages;
    if (EXPECT_OK(create(hints, test_device.place, &ex)))
        expect_carriers(ex, carriers);
    EXPECT_OK(subx_exch_free(&ex));
}

/* Device call n fails on the last rank while an exchange is created. Returns 1 if the exchange left messages
 * because of that. */
static int fail_creation(long n)
{
    char value[MPI_MAX_INFO_VAL + 1];
    subx_exch ex = SUBX_EXCH_NULL;
    test_context("call %ld fails", n);
    test_device_begin_fault(test_nranks - 1, 1, n);
    const int rc = create("engine=pairwise check=yes", test_device.place, &ex);
    test_device.fake->fails_after = -1;
    EXPECT_SAME(subx_error_get_kind(rc));
    if (rc)
        return 0;
    test_device_get_info(ex, "subx_dropped", value);
    const int is_left = strcmp(value, "messages") == 0;
    expect_carriers(ex, is_left ? "staged" : "messages staged");
    if (is_left)
        check_data(ex, permuted);
    EXPECT_OK(subx_exch_free(&ex));
    return is_left;
}

/* The trial of messages has passed for another exchange. If messages fail when an exchange is checked, staged
 * serves it. */
static void check_late_failures(void)
{
    enum { MOST_CALLS = 40 };
    subx_exch ex = SUBX_EXCH_NULL;
    int count = 0;
    test_device.fake->messages = TAKES;
    EXPECT_OK(create("engine=pairwise", test_device.place, &ex));
    for (long n = 0; n < MOST_CALLS; n++)
        count += fail_creation(n);
    EXPECT(count > 0 || test_nranks == 1);
    EXPECT_OK(subx_exch_free(&ex));
}

static void check_all_carriers(void)
{
    check_carriers("engine=pairwise", TAKES, "messages staged");
    check_carriers("engine=auto", TAKES, "messages staged");
    check_carriers("engine=pairwise device_carrier=messages", TAKES, "messages");
    check_carriers("engine=pairwise device_carrier=staged", TAKES, "staged");
    check_carriers("engine=kway", TAKES, "staged");
    check_carriers("engine=pairwise", REFUSES, "staged");
    check_carriers("engine=pairwise", SPOILS, "staged");
    check_late_failures();
}

/* ---- the reader */

/* The copy engine reads only if the hint says so, the storage order stays, and there is another rank.
 * `reader` is the one that the exchange reports. */
static void check_reader(const char *hints, const int order[], int copies, const char *reader)
{
    char value[MPI_MAX_INFO_VAL + 1];
    subx_exch ex = SUBX_EXCH_NULL;
    test_context("reader, %s, %s", hints, order ? "permuted" : "in order");
    EXPECT_OK(create_ordered(hints, test_device.place, order, &ex));
    test_device_get_info(ex, "device_reader", value);
    EXPECT(test_rank > 6 || strcmp(value, test_nranks == 1 ? "" : reader) == 0);
    test_device.fake->nrows = 0;
    check_data(ex, order);
    EXPECT(copies || test_device.fake->nrows == 0);
    EXPECT(!copies || test_nranks == 1 || test_rank > 6 || test_device.fake->nrows > 0);
    EXPECT_OK(subx_exch_free(&ex));
}

static void check_readers(void)
{
    check_reader("engine=auto", NULL, 0, "kernel");
    check_reader("engine=auto device_reader=kernel", NULL, 0, "kernel");
    check_reader("engine=auto device_reader=copies", NULL, 1, "copies");
    check_reader("engine=auto device_reader=copies slices=3", NULL, 1, "copies");
    check_reader("engine=auto device_reader=copies", permuted, 0, "");
    check_reader("engine=pairwise device_reader=copies", NULL, 0, "");
}

/* ---- trials */

/* The second exchange on a communicator makes no trials any more: with as many calls as this it could not. */
static void check_trials(void)
{
    enum { MANY = 1000 };
    subx_exch ex[2] = {SUBX_EXCH_NULL, SUBX_EXCH_NULL};
    long calls[2];
    test_context("trials");
    test_device.fake->messages = TAKES;
    for (int i = 0; i < 2; i++) {
        test_device.fake->fails_after = MANY;
        EXPECT_OK(create("engine=node node_ranks=2 check=no", test_device.place, &ex[i]));
        calls[i] = MANY - test_device.fake->fails_after;
        test_device.fake->fails_after = -1;
    }
    EXPECT(test_nranks == 1 || calls[1] < calls[0]);
    for (int i = 0; i < 2; i++)
        EXPECT_OK(subx_exch_free(&ex[i]));
}

int main(int argc, char **argv)
{
    test_device_begin(&argc, &argv);
    for (size_t i = 0; test_device.fake && i < sizeof table / sizeof *table; i++)
        check(&table[i]);
    if (test_device.fake) {
        check_trials();
        check_all_carriers();
        check_readers();
    }
    test_device_close();
    return test_end();
}
