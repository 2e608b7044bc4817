/* measure.c - one copy by all libraries: verified, then timed alternately with memcpy. */
#include "kern/kern.h"

#include <string.h>

static const struct sx_perf_kern_library *const libraries[SX_PERF_KERN_NLIBRARIES] = {&sx_perf_kern_subx,
                                                                                      &sx_perf_kern_fftw3};

/* The candidates: memcpy, then the libraries that can make the copy and whose result is right. */
struct candidates {
    int n, library[SX_PERF_KERN_NLIBRARIES + 1];
    struct sx_perf_case cases[SX_PERF_KERN_NLIBRARIES + 1];
    char order[32], shape[SX_PERF_TEXT_MAX];
};

static void fill(const struct sx_perf_kern_copy *copy, struct sx_perf_box *box)
{
    *box = (struct sx_perf_box){.whole = copy->shape};
    for (int a = 0; a < copy->shape.ndims; a++) {
        box->len[a] = copy->shape.n[a];
        box->order[a] = copy->shape.ndims - 1 - a;
    }
    sx_perf_pattern_execute(box, copy->element_bytes, copy->in, sx_perf_pattern_export);
}

/* Verify a copy. The array is filled here, because making plans overwrites it. Collective: if the copy is wrong on any
 * rank, it is left out on all ranks, so that all ranks time the same candidates. */
static int is_right(struct sx_perf_kern_job *job, const struct sx_perf_kern_copy *copy,
                    const struct candidates *c, int library, void *plan)
{
    struct sx_perf_box box;
    double wrong;
    fill(copy, &box);
    memset(copy->out, 0xaa, (size_t)copy->bytes);
    libraries[library]->execute(plan);
    memcpy(box.order, copy->order, sizeof copy->order);
    wrong =
        (double)sx_perf_pattern_execute(&box, copy->element_bytes, copy->out, sx_perf_pattern_query_wrong);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (wrong == 0)
        return 1;
    job->nwrong++;
    if (sx_perf_program_get_rank() == 0)
        fprintf(stderr, "%s: WRONG: %s, %s, %s, %td bytes: %.0f elements\n", sx_perf_program_get_name(),
                libraries[library]->name, c->shape, c->order, copy->element_bytes, wrong);
    return 0;
}

/* If any rank has no plan, returns NULL on all ranks. */
static void *create_plan(const struct sx_perf_kern_copy *copy, int library)
{
    void *plan = libraries[library]->create(copy);
    int can = plan != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &can, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (plan && !can)
        libraries[library]->free(plan);
    return can ? plan : NULL;
}

static void add(struct candidates *c, int library, int (*run)(void *), void *context)
{
    c->library[c->n] = library;
    c->cases[c->n++] = (struct sx_perf_case){.run = run, .context = context, .inner = 1, .alone = 1};
}

static void add_libraries(struct sx_perf_kern_job *job, const struct sx_perf_kern_copy *copy,
                          struct candidates *c)
{
    for (int i = 0; i < SX_PERF_KERN_NLIBRARIES; i++) {
        void *plan = create_plan(copy, i);
        if (plan && is_right(job, copy, c, i, plan))
            add(c, i, libraries[i]->execute, plan);
        else if (plan)
            libraries[i]->free(plan);
    }
}

static void add_row(struct sx_perf_kern_job *job, const struct sx_perf_kern_copy *copy,
                    const struct candidates *c, int i)
{
    const struct sx_perf_case *k = &c->cases[i];
    const char *name = c->library[i] < 0 ? "memcpy" : libraries[c->library[i]]->name;
    const struct sx_perf_value values[] = {{c->shape, 0},
                                           {c->order, 0},
                                           {NULL, (double)copy->element_bytes},
                                           {name, 0},
                                           {NULL, k->min},
                                           {NULL, k->median},
                                           {NULL, (double)copy->bytes / k->median / 1e9},
                                           {NULL, k->median / c->cases[0].median}};
    sx_perf_table_add(&job->table, values, "");
}

static void report(struct sx_perf_kern_job *job, int size, const struct sx_perf_kern_copy *copy,
                   const struct candidates *c)
{
    char where[2 * SX_PERF_TEXT_MAX];
    double median[SX_PERF_KERN_NLIBRARIES] = {0};
    snprintf(where, sizeof where, "%s, %s", c->shape, c->order);
    for (int i = 0; i < c->n; i++) {
        add_row(job, copy, c, i);
        if (c->library[i] < 0)
            continue;
        median[c->library[i]] = c->cases[i].median;
        sx_perf_kern_summary_add(&job->share[size][c->library[i]], c->cases[0].median / c->cases[i].median,
                                 where);
    }
    if (median[SX_PERF_KERN_FFTW3] > 0 && median[SX_PERF_KERN_SUBX] > 0)
        sx_perf_kern_summary_add(&job->faster[size], median[SX_PERF_KERN_FFTW3] / median[SX_PERF_KERN_SUBX],
                                 where);
}

void sx_perf_kern_measure_execute(struct sx_perf_kern_job *job, int size, struct sx_perf_kern_copy *copy)
{
    struct candidates c = {.n = 0};
    struct sx_perf_copy plain = {copy->out, copy->in, (size_t)copy->bytes};
    sx_perf_values_print_shape(&copy->shape, sizeof c.shape, c.shape);
    sx_perf_orders_print(copy->shape.ndims, copy->order, sizeof c.order, c.order);
    sx_perf_progress_set(&job->progress, "%s, order %s, %td bytes", c.shape, c.order, copy->element_bytes);
    add(&c, -1, sx_perf_time_copy, &plain);
    add_libraries(job, copy, &c);
    sx_perf_time_raise(c.n, c.cases);
    sx_perf_time_execute(c.n, c.cases, job->settings.common.repeat, &job->progress);
    report(job, size, copy, &c);
    for (int i = 1; i < c.n; i++)
        libraries[c.library[i]]->free(c.cases[i].context);
}
