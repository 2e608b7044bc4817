/* main.c - the program subx-perf-exch: exchanges of blocks of many sizes, by all engines. A block is a 1-D
 * subarray, or a block of a realignment. */
#include "common/perf.h"

/* The kinds: contiguous blocks; blocks of a realignment that keeps the order of the axes; blocks of a
 * realignment that reverses this order. */
enum { CONTIGUOUS, PLAIN, TRANSPOSING, NKINDS };

struct settings {
    struct sx_perf_settings common; /* must come first */
    int kind[NKINDS];               /* 1 if the kind is measured */
    int factor;
    ptrdiff_t least, most; /* bytes of the smallest and the largest block */
};

/* Bytes of an element. */
enum { ELEMENT = 16 };

struct job {
    struct settings settings;
    int kind; /* of the current exchange */
    ptrdiff_t bytes;
    struct sx_perf_subject subject;
    struct sx_perf_table table;
    struct sx_perf_progress progress;
    int nwrong;
};

/* --------------------------------------------------------------------------------------- options */

static const char *const kinds[NKINDS + 1] = {"contiguous", "plain", "transposing"};

#define AT(member) offsetof(struct settings, member)

static const struct sx_perf_option options[] = {
    {"--data", "K,..", "all", "see below", NULL, kinds, AT(kind)},
    {"--from", "BYTES", "64", "smallest block, from one rank to one rank", sx_perf_values_parse_bytes, NULL,
     AT(least)},
    {"--to", "BYTES", "4M", "largest block", sx_perf_values_parse_bytes, NULL, AT(most)},
    {"--factor", "N", "4", "factor from one size to the next", sx_perf_values_parse_count, NULL, AT(factor)},
    {.name = NULL}};

static const char purpose[] =
    "Time exchanges of blocks of one size between all ranks, by every engine, over a range of sizes.\n";

static const char rest[] =
    "Data:\n"
    "  contiguous   the bytes of a block are contiguous in both arrays\n"
    "  plain        the blocks of a realignment of a 3-D array of complex numbers from axis 0 to axis 2, in C order\n"
    "  transposing  the same, and the storage order is reversed\n"
    "\n"
    "Each exchange is verified. Then all are timed alternately, together with MPI_Alltoall of contiguous blocks of the same\n"
    "size, and with a memcpy of the bytes that a rank receives, on all ranks at once. A timing begins with a barrier and\n"
    "ends with the slowest rank. An exchange that takes less than 100 microseconds is executed several times per timing.\n"
    "\n"
    "Columns:\n"
    "  mpi, ranks, data\n"
    "  block_bytes      bytes that one rank sends to one rank\n"
    "  engine           an engine of the library, or a reference\n"
    "  min_s, median_s  seconds per execution, over the rounds\n"
    "  gbps             bytes that a rank receives, from itself too, per second of the median, 10^9/s\n"
    "  ratio_alltoall   median / median of MPI_Alltoall in the same rounds\n"
    "  ratio_memcpy     median / median of memcpy in the same rounds\n"
    "\n"
    "Example:\n"
    "  mpirun -n 4 subx-perf-exch --memory shared --csv exch.csv && subx-perf-plot exch.csv\n";

static const struct sx_perf_program program = {"subx-perf-exch", purpose, rest, "15", "--engines", options};

static void check_settings(const struct settings *settings)
{
    if (settings->least > settings->most)
        sx_perf_program_exit(MPI_SUCCESS, "--from %td: more than --to %td", settings->least, settings->most);
    if (settings->most > 1 << 30)
        sx_perf_program_exit(MPI_SUCCESS, "--to %td: more than 1G", settings->most);
    if (settings->least % ELEMENT)
        sx_perf_program_exit(MPI_SUCCESS, "--from %td: not a multiple of %d, the size of an element",
                             settings->least, ELEMENT);
    if (settings->factor < 2)
        sx_perf_program_exit(MPI_SUCCESS, "--factor %d: less than 2", settings->factor);
}

/* ---------------------------------------------------------------------------------------- blocks */

/* Get the largest divisor d of n with d^power <= n. If n is a power of two, d is close to the root of n.
 * `power` is 2 or 3. */
static ptrdiff_t get_divisor(ptrdiff_t n, int power)
{
    ptrdiff_t best = 1;
    for (ptrdiff_t d = 1; d * (power > 2 ? d * d : d) <= n; d++)
        if (n % d == 0)
            best = d;
    return best;
}

/* The blocks are those of a realignment from the first axis of an array, which is whole before, to its
 * last axis. */
static void set_blocks(struct job *job, int kind, ptrdiff_t bytes)
{
    struct sx_perf_box *side = job->subject.side;
    const ptrdiff_t p = sx_perf_program_get_nranks(), n = bytes / ELEMENT, a0 = get_divisor(n, 3),
                    a1 = get_divisor(n / a0, 2);
    const struct sx_perf_shape flat = {2, {p, p * n}}, cube = {3, {p * a0, a1, p * (n / a0 / a1)}};
    const struct sx_perf_shape *shape = kind == CONTIGUOUS ? &flat : &cube;
    job->kind = kind;
    job->bytes = bytes;
    snprintf(job->subject.what, sizeof job->subject.what, "%s blocks of %td bytes", kinds[kind], bytes);
    sx_perf_pattern_set_box(shape, shape->ndims - 1, &side[0]);
    sx_perf_pattern_set_box(shape, 0, &side[1]);
    for (int i = 0; i < shape->ndims && kind == TRANSPOSING; i++)
        side[1].order[i] = i;
}

static int create_exchange(const void *context, MPI_Info hints, subx_exch *ex)
{
    const struct sx_perf_box *side = ((const struct job *)context)->subject.side;
    const struct sx_perf_shape *shape = &side[0].whole;
    return subx_exch_create_realign(MPI_COMM_WORLD, shape->ndims, shape->n, 0, shape->ndims - 1,
                                    side[0].order, side[1].order, MPI_C_DOUBLE_COMPLEX, hints, ex);
}

/* ------------------------------------------------------------------------------------- measuring */

static int alltoall(void *context)
{
    const struct job *job = context;
    const struct sx_perf_subject *s = &job->subject;
    const int bytes = (int)job->bytes;
    return MPI_Alltoall(s->in, bytes, MPI_BYTE, s->out, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void add_rows(struct job *job, const struct sx_perf_candidates *c)
{
    int nranks = sx_perf_program_get_nranks();
    for (int i = 0; i < c->n; i++) {
        const struct sx_perf_case *k = &c->cases[i];
        char mark[64];
        const struct sx_perf_value values[] = {{sx_perf_machine_query_mpi(), 0},
                                               {NULL, nranks},
                                               {kinds[job->kind], 0},
                                               {NULL, (double)job->bytes},
                                               {c->name[i], 0},
                                               {NULL, k->min},
                                               {NULL, k->median},
                                               {NULL, (double)job->bytes * nranks / k->median / 1e9},
                                               {NULL, k->median / c->cases[0].median},
                                               {NULL, k->median / c->cases[1].median}};
        sx_perf_candidates_print_mark(c, i, sizeof mark, mark);
        sx_perf_table_add(&job->table, values, mark);
    }
}

static void measure(struct job *job)
{
    struct sx_perf_candidates c = {.n = 0};
    const struct sx_perf_subject *s = &job->subject;
    struct sx_perf_copy copy;
    sx_perf_time_create_copy(s->settings, s->out, s->in, job->bytes * sx_perf_program_get_nranks(), &copy);
    sx_perf_progress_set(&job->progress, "%s", s->what);
    sx_perf_candidates_add(&c, "mpi-alltoall", alltoall, job, 0);
    sx_perf_candidates_add(&c, "memcpy", sx_perf_time_copy, &copy, 1);
    job->nwrong += sx_perf_candidates_add_engines(&c, s);
    sx_perf_time_raise(c.n, c.cases);
    sx_perf_time_execute(c.n, c.cases, s->settings->repeat, &job->progress);
    add_rows(job, &c);
    sx_perf_candidates_free(&c);
}

/* --------------------------------------------------------------------------------------- program */

static const struct sx_perf_column columns[] = {
    {"mpi", 0, SX_PERF_TABLE_TEXT},
    {"ranks", 0, 0},
    {"data", 12, SX_PERF_TABLE_TEXT},
    {"block_bytes", 11, 0},
    {"engine", 12, SX_PERF_TABLE_TEXT},
    {"min_s", 12, 9},
    {"median_s", 12, 9},
    {"gbps", 8, 3},
    {"ratio_alltoall", 14, 3},
    {"ratio_memcpy", 12, 3},
};

static ptrdiff_t count_cases(const struct settings *s)
{
    ptrdiff_t sizes = 0, nkinds = 0;
    for (ptrdiff_t bytes = s->least; bytes <= s->most; bytes *= s->factor)
        sizes++;
    for (int k = 0; k < NKINDS; k++)
        nkinds += s->kind[k];
    return sizes * nkinds;
}

static void run(struct job *job)
{
    const struct settings *s = &job->settings;
    sx_perf_table_create(&s->common, columns, sizeof columns / sizeof *columns, &job->table);
    sx_perf_table_start(&job->table);
    sx_perf_progress_start(&job->progress, &s->common, count_cases(s) * s->common.repeat);
    for (int k = 0; k < NKINDS; k++)
        for (ptrdiff_t bytes = s->least; s->kind[k] && bytes <= s->most; bytes *= s->factor) {
            set_blocks(job, k, bytes);
            measure(job);
        }
    sx_perf_progress_finish(&job->progress);
    if (job->nwrong)
        sx_perf_table_add_note(&job->table, "WRONG: %d exchanges", job->nwrong);
    sx_perf_table_finish(&job->table);
}

int main(int argc, char *argv[])
{
    struct job job = {.nwrong = 0};
    ptrdiff_t bytes;
    sx_perf_program_start(&program, argc, argv, &job.settings.common, sizeof job.settings);
    check_settings(&job.settings);
    bytes = job.settings.most * sx_perf_program_get_nranks();
    job.subject = (struct sx_perf_subject){.settings = &job.settings.common,
                                           .element_bytes = ELEMENT,
                                           .in = sx_perf_memory_create(&job.settings.common, bytes),
                                           .out = sx_perf_memory_create(&job.settings.common, bytes),
                                           .create = create_exchange,
                                           .context = &job};
    run(&job);
    sx_perf_memory_free(&job.settings.common, job.subject.in);
    sx_perf_memory_free(&job.settings.common, job.subject.out);
    return sx_perf_program_finish(job.nwrong ? SX_PERF_WRONG : SX_PERF_OK);
}
