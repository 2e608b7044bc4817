/* remember.c - put the results of a plan's measurements into wisdom. Rank 0 writes the file. The results of
 * serial transforms depend on the shape of a rank's arrays, so the lowest rank of each shape sends its
 * results to rank 0. */
#include "search/search.h"
#include "wisdom/wisdom.h"
#include <string.h>

/* ---- texts of ranks of different shapes */

/* Get a hash of the lengths of this rank's arrays. Ranks with equal hashes have arrays of the same shape. */
static uint64_t get_shape(subx_fft_plan plan)
{
    uint64_t h[2 * SX_NSTAGES_MAX];
    const size_t bytes = (size_t)plan->choice.array.ndims * sizeof(ptrdiff_t);
    for (int i = 0; i < plan->nstages; i++) {
        h[2 * i] = sx_base_hash(SX_BASE_NO_HASH, plan->stage[i].from.len, bytes);
        h[2 * i + 1] = sx_base_hash(SX_BASE_NO_HASH, plan->stage[i].to.len, bytes);
    }
    return sx_base_hash(SX_BASE_NO_HASH, h, 2 * (size_t)plan->nstages * sizeof *h);
}

/* *is_first becomes 1 if no lower rank has arrays of the same shape as this rank. */
static int find_first(subx_fft_plan plan, int nranks, int rank, int *is_first)
{
    uint64_t mine = get_shape(plan), *all = sx_base_alloc(nranks, sizeof *all);
    int rc = sx_base_agree(plan->everyone, all ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    if (!rc)
        rc = MPI_Allgather(&mine, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, plan->everyone);
    *is_first = !rc;
    for (int r = 0; r < rank && *is_first; r++)
        *is_first = all[r] != mine;
    sx_base_free(all);
    return rc;
}

/* The texts that rank 0 has gathered. They lie one after the other in `all`, which has `bytes` bytes. The
 * texts of higher ranks come first. Each text ends with a 0 byte. Rank r's text has length[r] bytes, and
 * begins at all + place[r]. */
typedef struct texts {
    int *length, *place, bytes;
    char *all;
} texts;

static void free_texts(texts *t)
{
    sx_base_free(t->all);
    sx_base_free(t->place);
    sx_base_free(t->length);
}

static int set_places(int nranks, texts *t)
{
    ptrdiff_t bytes = 0;
    int rc = MPI_SUCCESS;
    for (int r = nranks - 1; r >= 0 && !rc; r--) {
        rc = sx_base_int(bytes, &t->place[r]);
        bytes += t->length[r];
    }
    if (!rc)
        rc = sx_base_int(bytes, &t->bytes);
    if (rc)
        return rc;
    t->all = sx_base_alloc(bytes, 1);
    return t->all ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
}

/* Gather texts on rank 0. Of all ranks whose arrays have the same shape, only the lowest rank sends its text.
 * `text` is this rank's text; NULL if it has none. */
static int gather(subx_fft_plan plan, const char *text, texts *t)
{
    int nranks = 1, rank = 0, is_first, length = 0;
    (void)MPI_Comm_size(plan->everyone, &nranks);
    (void)MPI_Comm_rank(plan->everyone, &rank);
    int rc = find_first(plan, nranks, rank, &is_first);
    if (rc)
        return rc;
    if (is_first && !plan->is_idle && text)
        (void)sx_base_int((ptrdiff_t)strlen(text) + 1, &length); /* a text too long for an int is not sent */
    t->length = sx_base_alloc(rank == 0 ? nranks : 1, sizeof *t->length);
    t->place = sx_base_alloc(rank == 0 ? nranks : 1, sizeof *t->place);
    rc = t->length && t->place ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = sx_base_agree(plan->everyone, rc, NULL);
    if (rc)
        return rc;
    rc = MPI_Gather(&length, 1, MPI_INT, t->length, 1, MPI_INT, 0, plan->everyone);
    rc = sx_base_agree(plan->everyone, rc || rank != 0 ? rc : set_places(nranks, t), NULL);
    return rc ? rc
              : MPI_Gatherv(text, length, MPI_CHAR, t->all, t->length, t->place, MPI_CHAR, 0, plan->everyone);
}

/* ---- notes of the serial backends */

/* Print notes into a text, which the caller frees. Returns NULL if there is no memory. */
static char *create_text(const sx_serial_notes *notes)
{
    sx_text measure = {NULL, 0, 0};
    sx_serial_notes_print(notes, &measure);
    sx_text t = {sx_base_alloc((ptrdiff_t)measure.used + 1, 1), measure.used + 1, 0};
    if (t.at)
        sx_serial_notes_print(notes, &t);
    return t.at;
}

/* Rank 0 gets the notes of all shapes. If notes of two shapes differ, the notes of the lower rank are
 * kept. */
static int gather_notes(subx_fft_plan plan, sx_serial_notes **notes)
{
    texts t = {0};
    char *text = create_text(plan->choice.shared.notes);
    int rc = gather(plan, text, &t);
    *notes = NULL;
    for (int i = 0; i + 1 < t.bytes && !rc; i++)
        t.all[i] = t.all[i] ? t.all[i] : ' ';
    if (!rc && t.all)
        rc = sx_serial_notes_create(t.all, 0, notes);
    free_texts(&t);
    sx_base_free(text);
    return rc;
}

/* ---- FFTW's wisdom */

/* Rank 0 adds FFTW's wisdom of ranks with other shapes to its own. */
static int gather_wisdom_of_fftw(subx_fft_plan plan)
{
    const int precision = plan->choice.array.precision;
    texts t = {0};
    char *text = sx_serial_export_wisdom(precision);
    int rc = gather(plan, text, &t);
    for (size_t i = 0; i < (size_t)t.bytes && !rc; i += strlen(t.all + i) + 1)
        rc = sx_serial_import_wisdom(precision, t.all + i);
    free_texts(&t);
    sx_base_free(text);
    return rc;
}

static void put_wisdom_of_fftw(const sx_choice *c, const char *path, sx_text *why)
{
    char key[SX_WISDOM_KEY];
    sx_text k = {key, sizeof key, 0};
    char *line = sx_serial_export_wisdom(c->array.precision);
    sx_search_print_key_of_fftw(c, &k);
    if (line)
        (void)sx_wisdom_put(path, SX_WISDOM_FFTW, key, line, why);
    sx_base_free(line);
}

/* ---- plans */

static void print_value(subx_fft_plan plan, const sx_serial_notes *notes, sx_text *t)
{
    const sx_report *r = &plan->report;
    const sx_candidate *best = &r->list[r->chosen];
    sx_base_print(t, "%s; ", sx_hints_get_effort(plan->choice.hints.effort));
    sx_base_print_number(t, 6, best->trial.seconds);
    sx_base_print(t, "; %s", r->list[0].name);
    if (r->chosen > 0)
        sx_base_print(t, ", %s", best->name);
    sx_base_print(t, "; ");
    sx_serial_notes_print(notes, t);
}

static int put_plan(subx_fft_plan plan, const sx_serial_notes *notes, const char *path, sx_text *why)
{
    char key[SX_WISDOM_KEY];
    sx_text k = {key, sizeof key, 0}, measure = {NULL, 0, 0};
    print_value(plan, notes, &measure);
    sx_text t = {sx_base_alloc((ptrdiff_t)measure.used + 1, 1), measure.used + 1, 0};
    if (!t.at)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    print_value(plan, notes, &t);
    sx_search_print_plan_key(&plan->choice, &k);
    int rc = sx_wisdom_put(path, SX_WISDOM_PLAN, key, t.at, why);
    sx_base_free(t.at);
    return rc;
}

void sx_search_remember(subx_fft_plan plan)
{
    const int has_rigor = sx_hints_get_rigor(&plan->choice.hints) > SX_EFFORT_ESTIMATE;
    char path[SX_WISDOM_PATH];
    sx_serial_notes *notes = NULL;
    sx_text why = {plan->report.wisdom[1], sizeof plan->report.wisdom[1], 0};
    if (strcmp(plan->choice.hints.wisdom, "none") == 0)
        return;
    int rc = gather_notes(plan, &notes);
    rc = sx_base_agree(plan->everyone, rc, NULL);
    if (!rc && has_rigor)
        rc = gather_wisdom_of_fftw(plan);
    if (!rc && notes && !sx_wisdom_get_path(plan->choice.hints.wisdom, path) && *path &&
        !put_plan(plan, notes, path, &why) && has_rigor)
        put_wisdom_of_fftw(&plan->choice, path, &why);
    sx_serial_notes_free(&notes);
}
