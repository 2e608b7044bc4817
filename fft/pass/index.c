/* index.c - a table that tells which regions a tile meets. A plan for a thousand ranks has thousands of
 * regions, but a tile meets few of them. */
#include "pass/inside.h"

/* Set interval[i] to the number of the interval in which index i of an axis is: mark all boundaries, then add
 * up the marks. Returns the number of intervals. */
static ptrdiff_t number_intervals(const sx_index *index, const sx_pass_side *side, int axis, int interval[])
{
    int count = 0;
    for (int i = 0; i < side->nregions; i++) {
        const sx_region *region = &side->region[i];
        if (!sx_base_is_empty(index->ndims, region->len))
            interval[region->start[axis]] = interval[region->start[axis] + region->len[axis]] = 1;
    }
    interval[0] = 0;
    for (ptrdiff_t i = 0; i < side->len[axis]; i++)
        interval[i] = count += interval[i];
    return count + 1;
}

/* Set the table of an axis. The axis needs no table if no boundary of regions divides it. */
static int set_intervals(sx_index *index, const sx_pass_side *side, int axis)
{
    int *interval = sx_base_alloc(side->len[axis] + 1, sizeof *interval);
    if (!interval)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    index->nintervals[axis] = number_intervals(index, side, axis, interval);
    if (index->nintervals[axis] > 1)
        index->interval[axis] = interval;
    else
        sx_base_free(interval);
    return MPI_SUCCESS;
}

static int get_interval(const sx_index *index, int axis, ptrdiff_t i)
{
    return index->interval[axis] ? index->interval[axis][i] : 0;
}

/* Add region i to the list of each group that the region meets. If the regions are a regular grid, each
 * region meets one group. The function calls itself, axis after axis; `group` is the part of the group's
 * index that the axes before `axis` have determined. While the lists have no memory, the function only counts
 * their lengths. */
static void add_region(sx_index *index, const sx_pass_side *side, int i, int axis, ptrdiff_t group)
{
    const sx_region *region = &side->region[i];
    if (axis == index->ndims) {
        if (index->region)
            index->region[--index->first[group]] = i;
        else
            index->first[group]++;
        return;
    }
    int first = get_interval(index, axis, region->start[axis]),
        last = get_interval(index, axis, region->start[axis] + region->len[axis] - 1);
    for (int k = first; k <= last; k++)
        add_region(index, side, i, axis + 1, group * index->nintervals[axis] + k);
}

/* Add all regions, from the last one to the first one: each list is filled from its end, so its regions are
 * in ascending order. */
static void add_regions(sx_index *index, const sx_pass_side *side)
{
    for (int i = side->nregions - 1; i >= 0; i--)
        if (!sx_base_is_empty(index->ndims, side->region[i].len))
            add_region(index, side, i, 0, 0);
}

/* Make the lists of all groups, one after the other in one array. The first call of add_regions counts the
 * regions of each group; the sums of these counts are the ends of the lists, in first[group]. The second call
 * fills each list from its end, which moves first[group] down to the beginning of the list. */
static int set_groups(sx_index *index, const sx_pass_side *side)
{
    ptrdiff_t ngroups = 1;
    int rc = MPI_SUCCESS;
    for (int a = 0; a < index->ndims && !rc; a++)
        rc = sx_base_mul(ngroups, index->nintervals[a], &ngroups);
    if (rc)
        return rc;
    index->first = sx_base_alloc(ngroups + 1, sizeof *index->first);
    if (!index->first)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    add_regions(index, side);
    for (ptrdiff_t group = 1; group <= ngroups; group++)
        index->first[group] += index->first[group - 1];
    index->region = sx_base_alloc(index->first[ngroups], sizeof *index->region);
    if (!index->region)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    add_regions(index, side);
    return MPI_SUCCESS;
}

int sx_pass_index_create(sx_pass pass, int side, sx_index *index)
{
    int rc = MPI_SUCCESS;
    *index = (sx_index){.ndims = pass->p.ndims};
    for (int a = 0; a < index->ndims && !rc; a++) {
        index->nintervals[a] = 1;
        if (!pass->is_whole[a])
            rc = set_intervals(index, &pass->p.side[side], a);
    }
    return rc ? rc : set_groups(index, &pass->p.side[side]);
}

void sx_pass_index_free(sx_index *index)
{
    sx_base_free(index->region);
    sx_base_free(index->first);
    for (int a = 0; a < index->ndims; a++)
        sx_base_free(index->interval[a]);
}

const int *sx_pass_index_find(const sx_index *index, const ptrdiff_t lo[], int *count)
{
    ptrdiff_t group = 0;
    for (int a = 0; a < index->ndims; a++)
        if (index->interval[a])
            group = group * index->nintervals[a] + index->interval[a][lo[a]];
    *count = sx_base_fit(index->first[group + 1] - index->first[group]);
    return index->region + index->first[group];
}

/* Along a whole axis the region is a part of the tile. Along all other axes the tile is a part of the
 * region. */
char *sx_pass_get_region_memory(sx_pass pass, int side, const sx_region *region, const sx_tile *t, char *base)
{
    ptrdiff_t elements = 0;
    for (int a = 0; a < pass->p.ndims; a++)
        if (!pass->is_whole[a])
            elements += (t->lo[a] - region->start[a]) * region->stride[a];
    return base + region->offset + elements * sx_pass_get_element(pass, side);
}
