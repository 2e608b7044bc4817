/* recall.c - create a plan from wisdom. Rank 0 reads the file and sends the entry to the other ranks. */
#include "decision/decision.h"
#include "model/model.h"
#include "search/search.h"
#include "wisdom/wisdom.h"
#include <stdio.h>
#include <string.h>

/* ---- sharing a text */

/* All ranks get a copy of rank 0's text, or NULL. Each rank frees its copy. */
static int share(MPI_Comm all, int rc, char **text)
{
    int rank = 0, length = -1;
    (void)MPI_Comm_rank(all, &rank);
    if (rank == 0 && *text)
        (void)sx_base_int((ptrdiff_t)strlen(*text), &length); /* a text too long for an int is not sent */
    rc = MPI_Bcast(&length, 1, MPI_INT, 0, all);
    if (rc || length < 0)
        return rc;
    if (rank != 0)
        *text = sx_base_alloc((ptrdiff_t)length + 1, 1);
    rc = sx_base_agree(all, *text ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    return rc ? rc : MPI_Bcast(*text, length, MPI_CHAR, 0, all);
}

/* ---- plans: keys and values */

/* An entry as rank 0 has parsed it. All ranks get this struct, so all ranks decide alike. */
typedef struct entry {
    int is_found, effort; /* effort is -1 if the entry cannot be parsed */
    double seconds;
    char hints[2 * sizeof(sx_candidate)];
} entry;

/* Parse "measure; 0.00123; grid 4, strategy fused; 9e107d9d372bb682:fftw3". Returns the address of the notes,
 * the last part; NULL if the text is wrong. */
static const char *parse(const char *text, entry *m)
{
    const size_t word = strcspn(text, ";");
    for (int i = 0; i <= SX_EFFORT_PATIENT; i++)
        if (strlen(sx_hints_get_effort(i)) == word && strncmp(text, sx_hints_get_effort(i), word) == 0)
            m->effort = i;
    const char *from = text + word + (text[word] == ';'), *end = sx_base_parse_number(from, &m->seconds);
    const size_t length = strncmp(end, "; ", 2) == 0 ? strcspn(end + 2, ";") : 0;
    if (m->effort < 0 || end == from || length == 0 || length >= sizeof m->hints || end[2 + length] != ';') {
        m->effort = -1;
        return NULL;
    }
    memcpy(m->hints, end + 2, length);
    return end + 2 + length + 1;
}

/* ---- FFTW */

static int recall_of_fftw(const sx_choice *c, MPI_Comm all)
{
    char key[SX_WISDOM_KEY], *line = NULL;
    sx_text k = {key, sizeof key, 0};
    sx_search_print_key_of_fftw(c, &k);
    sx_search_find(all, c->hints.wisdom, SX_WISDOM_FFTW, key, &line, NULL);
    int rc = share(all, MPI_SUCCESS, &line);
    if (!rc && line)
        (void)sx_serial_import_wisdom(c->array.precision, line);
    sx_base_free(line);
    return rc;
}

/* ---- plans */

/* Replace the notes of a choice by the notes of a text. The new notes are closed, so no backend is measured.
 * The choice owns them. */
static int set_notes(sx_choice *choice, const char *text)
{
    sx_serial_notes *closed = NULL;
    int rc = sx_serial_notes_create(text, 1, &closed);
    if (rc)
        return rc;
    sx_serial_notes_free(&choice->shared.notes);
    choice->shared.notes = closed;
    return MPI_SUCCESS;
}

static int set_report(const entry *m, subx_fft_plan plan)
{
    sx_report *r = &plan->report;
    r->source = SX_SOURCE_WISDOM;
    r->list = sx_base_alloc(1, sizeof *r->list);
    if (!r->list)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    r->n = 1;
    snprintf(r->list->name, sizeof r->list->name, "%.*s", (int)sizeof r->list->name - 1, m->hints);
    r->list->price = sx_model_get_price(&plan->choice, NULL, NULL);
    r->list->trial = (sx_tune_trial){SX_TUNE_MEASURED, m->seconds, 1, 0};
    return MPI_SUCCESS;
}

/* Create the plan of an entry. Its grid replaces *grid. Engines are not checked again: they were checked when
 * the entry was made, with the same MPI. */
static int create(sx_choice *choice, const entry *m, MPI_Comm all, MPI_Info hints, subx_grid *grid,
                  subx_fft_plan *plan)
{
    MPI_Info info;
    sx_choice c;
    subx_grid own = SUBX_GRID_NULL;
    int rc = sx_decision_vary(choice, m->hints, hints, &c, &info);
    c.hints.effort = m->effort;
    if (!rc)
        rc = sx_hints_trust(&c.hints, info);
    rc = sx_base_agree(all, rc, NULL);
    if (!rc && sx_hints_get_rigor(&c.hints) > SX_EFFORT_ESTIMATE)
        rc = recall_of_fftw(&c, all);
    if (!rc)
        rc = sx_decision_create_other_grid(&c, choice, *grid, info, &own);
    if (!rc)
        rc = sx_plan_create(&c, own, info, plan);
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    (void)subx_grid_free(rc ? &own : grid);
    if (!rc)
        *grid = own;
    return rc;
}

/* Tell why the plan of an entry cannot be created. */
static void explain(int rc, sx_text *why)
{
    static const char ours[] = "subx: ";
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int length;
    sx_base_print(why, "the entry for this plan cannot be used");
    if (subx_error_get_kind(rc) && !MPI_Error_string(rc, text, &length) &&
        strncmp(text, ours, sizeof ours - 1) == 0)
        sx_base_print(why, ": %.150s", text + sizeof ours - 1);
}

/* Find an entry that was made with at least the effort of this choice. All ranks get the same *m and the same
 * notes. */
static int find_plan(const sx_choice *choice, MPI_Comm all, entry *m, char **notes, sx_text *why)
{
    char key[SX_WISDOM_KEY], *value = NULL;
    sx_text k = {key, sizeof key, 0};
    int rc;
    sx_search_print_plan_key(choice, &k);
    sx_search_find(all, choice->hints.wisdom, SX_WISDOM_PLAN, key, &value, why);
    m->is_found = value != NULL;
    const char *rest = value ? parse(value, m) : NULL;
    rc = MPI_Bcast(m, (int)sizeof *m, MPI_BYTE, 0, all);
    if (m->is_found && m->effort < 0)
        sx_base_print(why, "the entry for this plan is not understood");
    else if (m->is_found && m->effort < choice->hints.effort) {
        sx_base_print(why, "the entry for this plan is of effort %s", sx_hints_get_effort(m->effort));
        m->effort = -1;
    }
    if (rest)
        memmove(value, rest, strlen(rest) + 1);
    *notes = value;
    rc = sx_base_agree(all, rc, NULL);
    return rc || m->effort < 0 ? rc : share(all, rc, notes);
}

/* If the plan of an entry cannot be created, for example because somebody has edited the file, the caller
 * searches for a new plan. */
int sx_search_recall(sx_choice *choice, subx_grid *grid, MPI_Info hints, subx_fft_plan *plan, sx_text *why)
{
    entry m = {.effort = -1};
    char *notes = NULL;
    MPI_Comm all;
    *plan = SUBX_FFT_PLAN_NULL;
    if (strcmp(choice->hints.wisdom, "none") == 0)
        return MPI_SUCCESS;
    (void)subx_grid_get_comm(choice->shared.all_ranks, -1, &all);
    int rc = find_plan(choice, all, &m, &notes, why);
    if (!rc && m.effort >= 0) {
        rc = sx_base_agree(all, set_notes(choice, notes), NULL);
        const int refused = rc ? rc : create(choice, &m, all, hints, grid, plan);
        if (!rc && refused) {
            sx_serial_notes_free(&choice->shared.notes); /* closed notes prevent measurements of backends */
            explain(refused, why);
        } else if (!rc)
            rc = sx_base_agree(all, set_report(&m, *plan), NULL);
    }
    sx_base_free(notes);
    if (rc)
        sx_plan_free(plan);
    return rc;
}
