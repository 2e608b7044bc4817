/* execute.c - transform pencils, one group (the pencils of a register) after the other. */
#include "simd/transform.h"
#include <string.h>

/* The arguments of sx_simd_execute, and how far it has come. */
typedef struct call {
    sx_simd s;
    const sx_simd_side *side[2];
    char *work;
    const sx_simd_program *program;
    ptrdiff_t element[2]; /* [side]: bytes of an element */
    int is_single;        /* 1 if lines are transformed one by one */
    int is_in_order;      /* 1 if lane l has pencil l. Lanes have another order only because of rows */
    ptrdiff_t shift[2];   /* [side]: bytes from the first batch to this one */
    ptrdiff_t n;          /* number of pencils of a batch */
    ptrdiff_t done;       /* number of pencils of this batch that have been transformed */
    ptrdiff_t few;        /* number of pencils of the group, if they do not fill a register; else 0 */
    int has_rows;         /* 1 if the group has the addresses of the callers' rows */
    char **line[2];       /* [side][lane]: addresses of the lines of a group */
} call;

static ptrdiff_t get_element_bytes(sx_simd s, int side)
{
    return s->width[side] * s->real_bytes;
}

/* Get the number of bytes of a row that belong to one group. */
static ptrdiff_t get_row_bytes(sx_simd s, int side)
{
    return get_element_bytes(s, side) * s->code->lanes;
}

void sx_simd_parts_set(sx_simd s)
{
    const ptrdiff_t from = s->length[SX_FROM] * get_row_bytes(s, SX_FROM),
                    to = s->length[SX_TO] * get_row_bytes(s, SX_TO);
    const ptrdiff_t bytes[] = {[SX_SIMD_PART_BUFFER] = s->points * 2 * s->code->lanes * s->real_bytes,
                               [SX_SIMD_PART_ROWS] = from > to ? from : to,
                               [SX_SIMD_PART_LINE] = s->length[SX_TO] * get_element_bytes(s, SX_TO),
                               [SX_SIMD_PART_FROM] = s->nrows[SX_FROM] * (ptrdiff_t)sizeof(char *),
                               [SX_SIMD_PART_TO] = s->nrows[SX_TO] * (ptrdiff_t)sizeof(char *)};
    for (int i = 0; i < SX_SIMD_PART_END; i++)
        s->part[i + 1] = s->part[i] + sx_base_round_up(bytes[i]);
}

ptrdiff_t sx_simd_get_length(sx_simd s, int side)
{
    return s->length[side];
}

int sx_simd_get_lanes(sx_simd s)
{
    return s->code->lanes;
}

ptrdiff_t sx_simd_get_bytes(sx_simd s)
{
    return s->part[SX_SIMD_PART_END];
}

static int is_divided(const call *c, int side)
{
    return c->side[side]->part_count > 1;
}

static const sx_simd_program *get_program(const call *c)
{
    const int from_lines = c->side[SX_FROM]->are_lines, to_lines = c->side[SX_TO]->are_lines;
    if (from_lines && to_lines && (is_divided(c, SX_FROM) || is_divided(c, SX_TO)))
        return &c->s->divided;
    return &c->s->program[from_lines][to_lines];
}

static void set_program(call *c)
{
    c->program = get_program(c);
    for (int side = 0; side < 2; side++)
        c->element[side] = get_element_bytes(c->s, side);
    c->is_single = c->program->npencils < c->s->code->lanes;
    c->is_in_order = c->side[SX_FROM]->are_lines && c->side[SX_TO]->are_lines;
}

/* ---- rows */

static char **get_table(const call *c, int side)
{
    return (char **)(void *)(c->work + c->s->part[side == SX_FROM ? SX_SIMD_PART_FROM : SX_SIMD_PART_TO]);
}

/* Get the addresses of the rows in the work space, in the order in which steps use the rows. */
static char *const *set_own_rows(const call *c, int side)
{
    const ptrdiff_t *order = c->program->order[side], bytes = get_row_bytes(c->s, side);
    char **table = get_table(c, side);
    for (ptrdiff_t i = 0; i < c->s->nrows[side]; i++)
        table[i] = c->work + c->s->part[SX_SIMD_PART_ROWS] + (order ? order[i] : i) * bytes;
    return table;
}

/* Query whether steps read the rows of across_body.h from the buffer. */
static int is_line_inside(const call *c)
{
    return c->s->across.is_inside[SX_FROM];
}

/* Get the addresses of the rows of a line (across_body.h), which is the first line or in the buffer. */
static char *const *set_line_rows(const call *c)
{
    const ptrdiff_t bytes = 2 * c->s->code->lanes * c->s->real_bytes;
    char **table = get_table(c, SX_FROM), *line = is_line_inside(c) ? c->work : c->side[SX_FROM]->at[0];
    for (ptrdiff_t i = 0; i < c->s->columns.n; i++)
        table[i] = line + i * bytes;
    return table;
}

/* Get the addresses of the rows of a side, in the order in which steps use the rows. If the side has lines:
 * the rows of a line if lines are transformed one by one, the rows in the work space if steps use them
 * (goes_through), else NULL. */
static char *const *set_rows(const call *c, int side)
{
    const ptrdiff_t *order = c->program->order[side];
    char **table = get_table(c, side);
    if (c->is_single)
        return side == SX_FROM ? set_line_rows(c) : NULL;
    if (c->side[side]->are_lines)
        return c->s->goes_through[side] ? set_own_rows(c, side) : NULL;
    if (!order)
        return c->side[side]->at;
    for (ptrdiff_t i = 0; i < c->s->nrows[side]; i++)
        table[i] = c->side[side]->at[order[i]];
    return table;
}

/* A copy between the caller's rows and rows in the work space. `own` is the address of nrows rows in the work
 * space, of `row` bytes each. `at` lists the addresses of the caller's rows; the pencils begin at byte
 * `offset` of each of these rows. */
typedef struct copies {
    char *own;
    ptrdiff_t row, nrows, offset;
    char *const *at;
} copies;

/* Copy `size` bytes of each row, behind the `done` bytes that are already copied. The function is inlined, so
 * that `size` is a constant. */
static inline void copy_column(const copies *m, int side, ptrdiff_t done, size_t size)
{
    const copies k = *m;
    for (ptrdiff_t i = 0; i < k.nrows; i++) {
        char *own = k.own + i * k.row + done, *at = k.at[i] + k.offset + done;
        memcpy(side == SX_FROM ? own : at, side == SX_FROM ? at : own, size);
    }
}

static inline void copy_columns(const copies *m, int side, ptrdiff_t bytes)
{
    ptrdiff_t done = 0;
    for (; done + 32 <= bytes; done += 32)
        copy_column(m, side, done, 32);
    if (bytes & 16)
        copy_column(m, side, done, 16);
    done += bytes & 16;
    if (bytes & 8)
        copy_column(m, side, done, 8);
    done += bytes & 8;
    if (bytes & 4)
        copy_column(m, side, done, 4);
}

/* Copy n pencils, beginning with pencil c->done, to the rows in the work space, to the lanes from `lane`
 * on. */
static void load_rows(const call *c, ptrdiff_t lane, ptrdiff_t n)
{
    const ptrdiff_t element = c->element[SX_FROM];
    const copies m = {c->work + c->s->part[SX_SIMD_PART_ROWS] + lane * element, get_row_bytes(c->s, SX_FROM),
                      c->s->length[SX_FROM], c->shift[SX_FROM] + c->done * element, c->side[SX_FROM]->at};
    copy_columns(&m, SX_FROM, n * element);
}

/* Set all lanes of the rows in the work space to 0. */
static void clear_rows(const call *c)
{
    memset(c->work + c->s->part[SX_SIMD_PART_ROWS], 0,
           (size_t)(c->s->length[SX_FROM] * get_row_bytes(c->s, SX_FROM)));
}

/* Copy the pencils of n lanes, beginning with `lane`, out of the work space to the caller's rows. */
static void store_rows(const call *c, ptrdiff_t lane, ptrdiff_t n)
{
    const ptrdiff_t element = c->element[SX_TO];
    const copies m = {c->work + c->s->part[SX_SIMD_PART_ROWS] + lane * element, get_row_bytes(c->s, SX_TO),
                      c->s->length[SX_TO], c->shift[SX_TO] + c->done * element, c->side[SX_TO]->at};
    copy_columns(&m, SX_TO, n * element);
}

/* ---- lines */

/* Get the addresses that the caller has given for the group's lines. If the lines are divided, they are those
 * of one part. */
static char *const *get_callers_lines(const call *c, int side, int part)
{
    return c->side[side]->at + part * c->n + c->done;
}

/* Get the addresses of the lines of a group, by lanes. */
static char *const *set_lines(call *c, int side, int part)
{
    char *const *at = get_callers_lines(c, side, part);
    const int pencils = c->program->npencils;
    if (c->is_in_order && c->shift[side] == 0)
        return at;
    for (int l = 0; l < pencils; l++)
        c->line[side][l] = at[c->is_in_order ? l : c->s->pencil[l]] + c->shift[side];
    return c->line[side];
}

/* Get the addresses of the lines of a register that is not full: the last lines, and lines that stand in for
 * the missing ones. */
static char *const *set_last_lines(call *c, int side, int part)
{
    char *const *at = get_callers_lines(c, side, part);
    char *const missing = side == SX_FROM ? at[0] + c->shift[side] : c->work + c->s->part[SX_SIMD_PART_LINE];
    for (int l = 0; l < c->s->code->lanes; l++) {
        const int pencil = c->is_in_order ? l : c->s->pencil[l];
        c->line[side][l] = pencil < c->few ? at[pencil] + c->shift[side] : missing;
    }
    return c->line[side];
}

static void set_group_lines(call *c, int side, int part, sx_simd_group *g)
{
    char *const *line = c->few ? set_last_lines(c, side, part) : set_lines(c, side, part);
    if (side == SX_FROM)
        g->from_line = line;
    else
        g->to_line = line;
}

/* Set how far ahead steps prefetch, if the lines are in no cache. They prefetch the lines of the next group,
 * or the line after the next one if lines are transformed one by one: a single line takes less time than
 * memory. The distance is that of the first two lines, times the number of lines. The last group prefetches
 * beyond the pencils of this call, because the caller often goes on there. */
static void set_ahead(const call *c, int part, sx_simd_group *g)
{
    char *const *at = c->side[SX_FROM]->at + part * c->n;
    const int is_far = c->side[SX_FROM]->are_lines && c->side[SX_FROM]->is_far && c->n > 1;
    const int nlines = c->is_single ? 2 : c->s->code->lanes;
    g->ahead = is_far ? (at[1] - at[0]) * nlines : 0;
}

/* ---- groups */

/* Execute the step that loads or stores divided lines. The step is called once per part, because each part
 * has addresses of its own. */
static void execute_parts(call *c, int side, const sx_simd_step *step, sx_simd_group *g)
{
    for (int k = 0; k < c->side[side]->part_count; k++) {
        set_group_lines(c, side, k, g);
        if (side == SX_FROM)
            set_ahead(c, k, g);
        g->lo = c->side[side]->part[k].lo * c->s->width[side];
        g->hi = c->side[side]->part[k].hi * c->s->width[side];
        step->run(step, g);
    }
    g->lo = g->hi = 0;
}

/* Execute the steps for a group whose lines are divided on one side, or on both. */
static void execute_divided(call *c, sx_simd_group *g)
{
    const sx_simd_step *step = c->program->step, *end = step + c->program->nsteps;
    for (int side = 0; side < 2; side++)
        if (c->side[side]->are_lines && !is_divided(c, side))
            set_group_lines(c, side, 0, g);
    if (is_divided(c, SX_FROM))
        execute_parts(c, SX_FROM, step++, g);
    for (; step < end - is_divided(c, SX_TO); step++)
        step->run(step, g);
    if (is_divided(c, SX_TO))
        execute_parts(c, SX_TO, step, g);
}

static void execute_group(call *c, sx_simd_group *g)
{
    const sx_simd_step *step = c->program->step, *end = step + c->program->nsteps;
    if (is_divided(c, SX_FROM) || is_divided(c, SX_TO)) {
        execute_divided(c, g);
        return;
    }
    for (int side = 0; side < 2; side++)
        if (c->side[side]->are_lines)
            set_group_lines(c, side, 0, g);
    for (; step < end; step++)
        step->run(step, g);
}

/* Get how many bytes after the address of a row the group begins. Its first pencil is `pencil`. Lines have no
 * offset, because set_lines gives the address of each line. */
static ptrdiff_t get_offset(const call *c, int side, ptrdiff_t pencil)
{
    return c->side[side]->are_lines ? 0 : c->shift[side] + pencil * c->element[side];
}

static void set_offsets(const call *c, ptrdiff_t pencil, sx_simd_group *g)
{
    char *const *from = c->side[SX_FROM]->at;
    if (c->is_single) {
        g->from_offset = is_line_inside(c) ? 0 : from[pencil] - from[0] + c->shift[SX_FROM];
        return;
    }
    g->from_offset = get_offset(c, SX_FROM, pencil);
    g->to_offset = get_offset(c, SX_TO, pencil);
}

static void execute_groups(call *c, sx_simd_group *g, ptrdiff_t n)
{
    const int pencils = c->program->npencils;
    set_ahead(c, 0, g);
    for (; c->done + pencils <= n; c->done += pencils) {
        set_offsets(c, c->done, g);
        execute_group(c, g);
    }
}

/* Transform n pencils that do not fill a register. Rows are copied to the work space; other lines stand in
 * for missing lines. */
static void execute_few(call *c, sx_simd_group *g, ptrdiff_t n)
{
    c->has_rows = 0;
    c->few = n;
    if (!c->side[SX_FROM]->are_lines) {
        clear_rows(c);
        load_rows(c, 0, n);
        g->from = set_own_rows(c, SX_FROM);
    }
    if (!c->side[SX_TO]->are_lines)
        g->to = set_own_rows(c, SX_TO);
    g->from_offset = g->to_offset = 0;
    execute_group(c, g);
    if (!c->side[SX_TO]->are_lines)
        store_rows(c, 0, n);
    c->few = 0;
}

/* Transform the rest of n pencils, which does not fill a register. The other lanes take pencils that are
 * already transformed. Out of place, these pencils are transformed once more, with the same results. In
 * place, their input is overwritten, so their new results would be wrong: rows are transformed into the work
 * space, from which only the rest is copied; lines are transformed by execute_few. */
static void execute_last(call *c, sx_simd_group *g, ptrdiff_t n)
{
    const ptrdiff_t lanes = c->s->code->lanes, rest = n - c->done;
    if (c->side[SX_FROM]->at[0] + c->shift[SX_FROM] != c->side[SX_TO]->at[0] + c->shift[SX_TO]) {
        c->done = n - lanes;
        execute_groups(c, g, n);
    } else if (c->side[SX_FROM]->are_lines)
        execute_few(c, g, rest);
    else {
        set_offsets(c, n - lanes, g);
        c->has_rows = 0;
        g->to = set_own_rows(c, SX_TO);
        g->to_offset = 0;
        execute_group(c, g);
        store_rows(c, lanes - rest, rest);
    }
}

/* Set the addresses of the callers' rows in the first batch. This is done again for a later batch if the
 * table has got the addresses of rows in the work space since then (has_rows is 0). */
static void set_callers_rows(call *c, sx_simd_group *g, ptrdiff_t n)
{
    const int is_many = n >= c->s->code->lanes;
    if (is_many || c->side[SX_FROM]->are_lines)
        g->from = set_rows(c, SX_FROM);
    if (is_many || c->side[SX_TO]->are_lines)
        g->to = set_rows(c, SX_TO);
    c->has_rows = 1;
}

static void execute_batch(call *c, sx_simd_group *g, ptrdiff_t n)
{
    c->done = 0;
    if (!c->has_rows)
        set_callers_rows(c, g, n);
    execute_groups(c, g, n);
    if (c->done < n && n >= c->s->code->lanes)
        execute_last(c, g, n);
    else if (c->done < n)
        execute_few(c, g, n);
}

/* ---- several batches */

static void set_batch(call *c, ptrdiff_t i)
{
    for (int side = 0; side < 2; side++)
        c->shift[side] = i * c->side[side]->step;
}

/* Get how many pencils at the end of each batch are transformed together with those of other batches: the
 * pencils that do not fill a register. This is done for rows only, and only if a register has room for the
 * pencils of two batches; else the result is 0. */
static ptrdiff_t get_rest(const call *c, ptrdiff_t n, ptrdiff_t count)
{
    const ptrdiff_t lanes = c->s->code->lanes, rest = n % lanes;
    const int are_rows = !c->side[SX_FROM]->are_lines && !c->side[SX_TO]->are_lines;
    return are_rows && count > 1 && 2 * rest <= lanes ? rest : 0;
}

/* Copy the rests of m batches, beginning with batch `first`, to the work space, or from there to the caller's
 * rows. */
static void copy_rests(call *c, int side, ptrdiff_t rest, ptrdiff_t first, ptrdiff_t m)
{
    for (ptrdiff_t k = 0; k < m; k++) {
        set_batch(c, first + k);
        if (side == SX_FROM)
            load_rows(c, k * rest, rest);
        else
            store_rows(c, k * rest, rest);
    }
}

/* Transform the last `rest` of the n pencils of all batches. As many batches as fit share a register. */
static void execute_rests(call *c, sx_simd_group *g, ptrdiff_t n, ptrdiff_t rest, ptrdiff_t count)
{
    const ptrdiff_t most = c->s->code->lanes / rest;
    c->done = n - rest;
    g->from = set_own_rows(c, SX_FROM);
    g->to = set_own_rows(c, SX_TO);
    g->from_offset = g->to_offset = 0;
    clear_rows(c);
    for (ptrdiff_t i = 0; i < count; i += most) {
        const ptrdiff_t m = count - i < most ? count - i : most;
        copy_rests(c, SX_FROM, rest, i, m);
        execute_group(c, g);
        copy_rests(c, SX_TO, rest, i, m);
    }
}

void sx_simd_execute(sx_simd s, ptrdiff_t n, ptrdiff_t count, const sx_simd_side *from,
                     const sx_simd_side *to, void *work)
{
    char *line[2][SX_SIMD_LANES_MAX];
    call c = {.s = s, .side = {from, to}, .work = work, .line = {line[SX_FROM], line[SX_TO]}, .n = n};
    set_program(&c);
    sx_simd_group g = {.buffer = work,
                       .nlines = c.program->npencils,
                       .prefetch = from->prefetch,
                       .kept = (size_t)to->kept,
                       .kept_bytes = (size_t)to->kept_bytes};
    const ptrdiff_t rest = get_rest(&c, n, count);
    for (ptrdiff_t i = 0; i < count && n > rest; i++) {
        set_batch(&c, i);
        execute_batch(&c, &g, n - rest);
    }
    if (rest > 0)
        execute_rests(&c, &g, n, rest, count);
}

void sx_simd_complete(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
