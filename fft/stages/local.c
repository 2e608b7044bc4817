/* local.c - create the stages of one rank: set the rank's blocks, their strides and bytes. */
#include "stages/stages.h"
#include <string.h>

/* If the caller has given strides, set them. Then the bytes of the array are counted up to the end of its
 * last element. */
static int set_callers_strides(const sx_choice *c, int side, sx_box *b)
{
    const sx_problem_storage *s = &c->problem->storage[side];
    if (!s->has_strides || c->edge[side] || b->bytes == 0)
        return MPI_SUCCESS;
    for (int i = 0; i < b->ndims; i++)
        b->stride[i] = i == c->array.fields ? s->distance : s->strides[i];
    return sx_array_get_bytes(b->ndims, 0, b->len, b->stride, b->element, &b->bytes);
}

static int is_between_passes(const sx_stages *list, int i)
{
    return i + 1 < list->n && !sx_stage_is_exchange(&list->stage[i]) &&
           !sx_stage_is_exchange(&list->stage[i + 1]);
}

/* Consecutive passes without an exchange between them work in one array. All of these passes use the same
 * strides, even if they change lengths, so that a pass writes each tile where it has read the tile. */
static int align_strides(sx_stages *list, int first)
{
    sx_box widest = list->stage[first].to;
    int last = first, rc = MPI_SUCCESS;
    for (; is_between_passes(list, last); last++)
        for (int a = 0; a < widest.ndims; a++)
            if (list->stage[last].to.len[a] > widest.len[a])
                widest.len[a] = list->stage[last].to.len[a];
    rc = sx_box_set_strides(&widest);
    for (int i = first; i < last; i++) {
        sx_box *both[2] = {&list->stage[i].to, &list->stage[i + 1].from};
        for (int k = 0; k < 2 && both[k]->bytes > 0; k++) {
            memcpy(both[k]->stride, widest.stride, sizeof widest.stride);
            both[k]->bytes = widest.bytes;
        }
    }
    return rc;
}

/* Set a rank's block. If coords is NULL, the rank has no data: all lengths are 0. */
static int set_local(const sx_choice *c, const int coords[], sx_box *b)
{
    static const int origin[SUBX_NDIMS_MAX] = {0};
    int rc = sx_box_set_local(b, c->dims, coords ? coords : origin);
    if (coords)
        return rc;
    memset(b->len, 0, sizeof b->len);
    memset(b->start, 0, sizeof b->start);
    b->bytes = 0;
    return rc;
}

static int set_locals(sx_stages *list, const int coords[])
{
    const sx_choice *c = list->choice;
    sx_stage *first = &list->stage[0], *last = &list->stage[list->n - 1];
    int rc = MPI_SUCCESS;
    first->from.padded = c->array.is_padded ? c->array.halved : -1;
    for (int i = 0; i < list->n && !rc; i++) {
        rc = set_local(c, coords, &list->stage[i].from);
        if (!rc)
            rc = set_local(c, coords, &list->stage[i].to);
    }
    for (int i = 0; i < list->n && !rc; i++)
        if (is_between_passes(list, i) && (i == 0 || !is_between_passes(list, i - 1)))
            rc = align_strides(list, i);
    if (!rc)
        rc = set_callers_strides(c, SUBX_FFT_PHYSICAL, &first->from);
    return rc ? rc : set_callers_strides(c, SUBX_FFT_SPECTRAL, &last->to);
}

static int create(const sx_stages *list, sx_stage **stage)
{
    sx_stage *s = *stage = sx_base_alloc(list->n + 1, sizeof *s);
    if (!s)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    memcpy(s, list->stage, (size_t)list->n * sizeof *s);
    s[list->n].kind = SUBX_FFT_STAGE_SCALE;
    strcpy(s[list->n].name, "scale");
    return MPI_SUCCESS;
}

int sx_stages_create(const sx_choice *c, const int coords[], int *n, sx_stage **stage)
{
    sx_stages *list = sx_stages_alloc(&c->array);
    int rc = list ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
    if (!rc && !sx_stages_list(list, c))
        rc = subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    if (!rc)
        rc = set_locals(list, coords);
    if (!rc)
        rc = create(list, stage);
    if (!rc)
        *n = list->n;
    sx_base_free(list);
    return rc;
}
