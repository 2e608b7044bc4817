/* axes.c - choose which axes each pass of a fused plan transforms. */
#include "fused/fused.h"
#include <string.h>

/* Tiles have all fields if the fields are few, and the fields of an element are adjacent in memory. */
int sx_fused_are_fields_whole(const sx_array *a)
{
    return a->fields >= 0 && a->order[SUBX_FFT_PHYSICAL][0] == a->fields &&
           a->axis[a->fields].n <= SX_TILE_FIELDS;
}

int sx_fused_get_innermost(const sx_array *a)
{
    return a->order[SUBX_FFT_PHYSICAL][sx_fused_are_fields_whole(a)];
}

ptrdiff_t sx_fused_get_unit(const sx_array *a)
{
    const ptrdiff_t element = a->width[SUBX_FFT_SPECTRAL] * a->real_bytes;
    return sx_fused_are_fields_whole(a) ? element * a->axis[a->fields].n : element;
}

/* Get the axes in the order in which passes transform them: the halved axis first, then from the innermost
 * one outwards. */
static void get_order(const sx_array *a, int order[])
{
    int n = 0;
    if (a->halved >= 0)
        order[n++] = a->halved;
    for (int i = 0; i < a->ndims; i++)
        if (a->order[SUBX_FFT_PHYSICAL][i] != a->halved)
            order[n++] = a->order[SUBX_FFT_PHYSICAL][i];
}

/* Choose the axes of the next pass among the axes that have no pass yet (`left`): as many as fit into a tile
 * of `bytes` bytes, and at least one. */
static int choose_axes(const sx_array *a, const char left[], ptrdiff_t bytes, char picked[])
{
    ptrdiff_t tile = sx_fused_get_unit(a) * (left[sx_fused_get_innermost(a)] ? 1 : SX_LEAST_PENCILS);
    int order[SUBX_NDIMS_MAX], count = 0;
    get_order(a, order);
    memset(picked, 0, SUBX_NDIMS_MAX);
    for (int k = 0; k < a->ndims; k++) {
        const int i = order[k];
        const ptrdiff_t n = a->axis[i].n;
        if (!left[i] || (count && tile > bytes / n))
            continue;
        tile = tile > bytes / n ? bytes : tile * n;
        picked[i] = 1;
        count++;
    }
    return count;
}

static void drop_axes(const sx_array *a, const char picked[], char left[])
{
    for (int i = 0; i < a->ndims; i++)
        left[i] = (char)(left[i] && !picked[i]);
}

static int count_passes(const sx_array *a, const char axes[], ptrdiff_t bytes)
{
    char left[SUBX_NDIMS_MAX], picked[SUBX_NDIMS_MAX];
    int count = 0;
    memcpy(left, axes, sizeof left);
    for (; choose_axes(a, left, bytes, picked); count++)
        drop_axes(a, picked, left);
    return count;
}

/* Add the passes for some axes. Tiles may be larger than the second-level cache if this saves a pass through
 * memory. */
static void add_passes(sx_stages *list, const sx_box *from, const char axes[])
{
    const sx_array *a = &list->choice->array;
    const ptrdiff_t small = list->choice->hints.cache_bytes, large = SX_CACHE_RATIO * small;
    const ptrdiff_t bytes = count_passes(a, axes, large) < count_passes(a, axes, small) ? large : small;
    char left[SUBX_NDIMS_MAX], picked[SUBX_NDIMS_MAX];
    memcpy(left, axes, sizeof left);
    while (choose_axes(a, left, bytes, picked)) {
        sx_stages_add_serial(list, from, picked);
        drop_axes(a, picked, left);
        from = sx_stages_get_last(list);
    }
}

/* Get the axis that is whole on the physical side and that the first exchange divides; -1 if there is no
 * exchange. */
static int get_first_divided(const sx_choice *c)
{
    for (int k = c->g - 1; k >= c->array.nfixed; k--)
        if (c->dims[k] > 1)
            return c->array.sequence[c->array.factored ? 0 : k + 1];
    return -1;
}

/* Query whether an axis has a pass of its own. Such a pass loops over all other axes, and can send slices of
 * one of them. The halved axis has no such pass, because a real transform must begin with this axis. */
static int is_apart(const sx_choice *c, const char axes[], int axis)
{
    const int sends = c->hints.overlap == SX_OVERLAP_SEND || c->hints.overlap == SX_OVERLAP_BOTH;
    int n = 0;
    for (int i = 0; i < c->array.ndims; i++)
        n += axes[i];
    return sends && axis >= 0 && axes[axis] && n > 1 && axis != c->array.halved;
}

void sx_fused_add_passes(sx_stages *list, const sx_box *from, const char axes[])
{
    static const char none[SUBX_NDIMS_MAX] = {0};
    char others[SUBX_NDIMS_MAX], alone[SUBX_NDIMS_MAX] = {0};
    const int v = get_first_divided(list->choice);
    if (memcmp(axes, none, sizeof none) == 0) {
        sx_stages_add_serial(list, from, none);
        return;
    }
    if (!is_apart(list->choice, axes, v)) {
        add_passes(list, from, axes);
        return;
    }
    memcpy(others, axes, sizeof others);
    others[v] = 0;
    alone[v] = 1;
    add_passes(list, from, others);
    sx_stages_add_serial(list, sx_stages_get_last(list), alone);
}
