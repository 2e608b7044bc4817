/* hint_names.c - a hint means the same for all sorts of objects: if two sorts know a hint, both accept or
 * both refuse a value.
 * ranks: 1 2 */
#include "common/hints.h"
#include "common/verdict.h"
#include <string.h>
#include <subx_boxes.h>
#include <subx_io.h>
#include <subx_lowlevel.h>
#include <subx_tune.h>
#include <unistd.h>

/* ---- sorts of objects: create one with hints, free it, and return the kind of the error */

static int try_memory(MPI_Info hints)
{
    void *mem = NULL;
    int rc = subx_mem_alloc(MPI_COMM_WORLD, 64, hints, &mem);
    if (!rc)
        subx_mem_free(&mem);
    return rc;
}

static int try_exchange(MPI_Info hints)
{
    const ptrdiff_t sizes[] = {4, 4};
    subx_exch ex = SUBX_EXCH_NULL;
    int rc = subx_exch_create_realign(MPI_COMM_WORLD, 2, sizes, 0, 1, NULL, NULL, MPI_INT, hints, &ex);
    if (!rc)
        subx_exch_free(&ex);
    return rc;
}

static int try_boxes(MPI_Info hints)
{
    ptrdiff_t n = 4, len, start;
    subx_boxes boxes = SUBX_BOXES_NULL;
    subx_exch ex = SUBX_EXCH_NULL;
    subx_block_get(n, test_nranks, test_rank, &len, &start);
    EXPECT_OK(subx_boxes_create(1, &n, &boxes));
    EXPECT_OK(subx_boxes_add(boxes, &start, &len));
    int rc = subx_exch_create_boxes(MPI_COMM_WORLD, boxes, boxes, MPI_INT, hints, &ex);
    if (!rc)
        subx_exch_free(&ex);
    subx_boxes_free(&boxes);
    return rc;
}

static int try_halo(MPI_Info hints)
{
    const ptrdiff_t n = 4, one = 1;
    ptrdiff_t len, start;
    subx_halo halo = SUBX_HALO_NULL;
    subx_block_get(n, test_nranks, test_rank, &len, &start);
    int rc =
        subx_halo_create(MPI_COMM_WORLD, 1, &n, &start, &len, &one, &one, NULL, NULL, MPI_INT, hints, &halo);
    if (!rc)
        subx_halo_free(&halo);
    return rc;
}

static int try_pipe(MPI_Info hints)
{
    const ptrdiff_t bytes[2] = {8, 8};
    subx_pipe pipe = SUBX_PIPE_NULL;
    int rc = subx_pipe_create(MPI_COMM_WORLD, 1, bytes, bytes, hints, &pipe);
    if (!rc)
        subx_pipe_free(&pipe);
    return rc;
}

static int try_plan(MPI_Info hints)
{
    const ptrdiff_t sizes[] = {4, 4};
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    int rc = subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_C2C, 2, sizes, hints, &plan);
    if (!rc)
        subx_fft_plan_free(&plan);
    if (!rc)
        subx_fft_free_kept(MPI_COMM_WORLD);
    return rc;
}

/* No file is created: only the hints are read. */
static int try_file(MPI_Info hints)
{
    return subx_file_query_writable(MPI_COMM_WORLD, "/dev/null", hints);
}

static const struct {
    const char *name;
    int (*try)(MPI_Info);
} sorts[] = {{"memory", try_memory}, {"exchange", try_exchange}, {"boxes", try_boxes}, {"halo", try_halo},
             {"pipe", try_pipe},     {"plan", try_plan},         {"file", try_file}};
enum { SORTS = sizeof sorts / sizeof *sorts };

/* ---- hints */

/* The hints that are not hints of plans. */
static const char *const others[] = {"subx_work",   "subx_format", "subx_dataset",
                                     "subx_offset", "subx_append", "subx_bytes"};

/* Values of all sorts. Left out are lists of engines, which only plans have (a word for each dimension of the
 * grid), engines that are no pipes. */
static const char *const values[] = {
    "no such value", "-1",   "0",        "1",         "3",       "1000",   "2x",
    "1.5",           "no",   "yes",      "auto",      "none",    "full",   "float",
    "send",          "recv", "messages", "staged",    "kernel",  "copies", "system",
    "shm",           "node", "pairwise", "alltoallv", "replace", "caller", "100000000000000000000"};

static int accepts(int sort, const char *key, const char *value)
{
    MPI_Info hints;
    MPI_Info_create(&hints);
    test_hint_set(hints, key, value);
    const int kind = subx_error_get_kind(sorts[sort].try(hints));
    MPI_Info_free(&hints);
    return kind != SUBX_ERR_HINT;
}

static void check_key(const char *key)
{
    int known[SORTS], count = 0, first = -1;
    for (int s = 0; s < SORTS; s++) {
        known[s] = !accepts(s, key, values[0]);
        count += known[s];
        first = known[s] && first < 0 ? s : first;
    }
    for (size_t v = 1; v < sizeof values / sizeof *values && count > 1; v++) {
        const int right = accepts(first, key, values[v]);
        for (int s = first + 1; s < SORTS; s++) {
            test_context("%s=%s: %s, %s", key, values[v], sorts[first].name, sorts[s].name);
            if (known[s])
                EXPECT_EQUAL(accepts(s, key, values[v]), right);
        }
    }
}

CHECK(check_all_keys)
{
    const char *key = NULL;
    for (int i = 0; EXPECT_OK(subx_fft_query_hint(i, &key, 0, NULL, NULL)) && key; i++)
        check_key(key);
    for (int i = 0; test_hint_words[i]; i++)
        check_key(test_hint_words[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        check_key(others[i]);
}
