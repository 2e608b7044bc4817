/* decode.c - decode a datatype into a tree of repetitions, whose leaves are predefined types. */
#include "type/type.h"

static int build(MPI_Datatype type, sx_tree *tree, const sx_node **out);

/* ---- nodes */

/* Add a node with memory for its entries to the tree. Several entries may share a child, so all nodes are
 * also in a list, by which each node is freed once. */
static sx_node *add_node(sx_tree *tree, ptrdiff_t nentries)
{
    sx_node *node = sx_base_alloc(1, sizeof *node);
    if (!node)
        return NULL;
    node->entry = sx_base_alloc(nentries, sizeof *node->entry);
    if (!node->entry || sx_base_int(nentries, &node->nentries)) {
        sx_base_free(node->entry);
        sx_base_free(node);
        return NULL;
    }
    node->basic = node->uniform = MPI_DATATYPE_NULL;
    node->next = tree->all;
    tree->all = node;
    return node;
}

void sx_type_tree_free(sx_tree *tree)
{
    while (tree->all) {
        sx_node *next = tree->all->next;
        sx_base_free(tree->all->entry);
        sx_base_free(tree->all);
        tree->all = next;
    }
    tree->root = NULL;
}

/* Set `count` and `uniform` of a node from its entries, which must be complete. */
static void sum_up(sx_node *node)
{
    int mixed = 0;
    for (int i = 0; i < node->nentries; i++) {
        const sx_entry *e = &node->entry[i];
        MPI_Count leaves = e->n * e->child->count;
        if (leaves == 0)
            continue;
        if (node->count == 0)
            node->uniform = e->child->uniform;
        mixed |= e->child->uniform == MPI_DATATYPE_NULL || e->child->uniform != node->uniform;
        node->count += leaves;
    }
    if (mixed)
        node->uniform = MPI_DATATYPE_NULL;
}

/* ---- predefined types */

/* The size of a predefined type always fits an int. */
static sx_node *add_leaf(sx_tree *tree, MPI_Datatype basic)
{
    int size = 0;
    sx_node *node = add_node(tree, 0);
    if (node && MPI_Type_size(basic, &size) == MPI_SUCCESS) {
        node->basic = node->uniform = basic;
        node->bytes = size;
        node->count = 1;
    }
    return node;
}

/* Some types have two names, which must be treated as equal. */
static MPI_Datatype get_canonical(MPI_Datatype basic)
{
    if (basic == MPI_C_FLOAT_COMPLEX)
        return MPI_C_COMPLEX;
    if (basic == MPI_LONG_LONG)
        return MPI_LONG_LONG_INT;
    return basic;
}

typedef struct pair_float_int {
    float a;
    int b;
} pair_float_int;
typedef struct pair_double_int {
    double a;
    int b;
} pair_double_int;
typedef struct pair_long_int {
    long a;
    int b;
} pair_long_int;
typedef struct pair_short_int {
    short a;
    int b;
} pair_short_int;
typedef struct pair_long_double_int {
    long double a;
    int b;
} pair_long_double_int;

/* The pair types for MPI_MAXLOC are predefined, but consist of two basic types (MPI 4.1, section 6.9.4). */
static int get_pair(MPI_Datatype type, MPI_Datatype *first, MPI_Aint *disp)
{
    const struct {
        MPI_Datatype pair, first;
        size_t disp;
    } pairs[] = {
        {MPI_FLOAT_INT, MPI_FLOAT, offsetof(pair_float_int, b)},
        {MPI_DOUBLE_INT, MPI_DOUBLE, offsetof(pair_double_int, b)},
        {MPI_LONG_INT, MPI_LONG, offsetof(pair_long_int, b)},
        {MPI_SHORT_INT, MPI_SHORT, offsetof(pair_short_int, b)},
        {MPI_LONG_DOUBLE_INT, MPI_LONG_DOUBLE, offsetof(pair_long_double_int, b)},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (type == pairs[i].pair) {
            *first = pairs[i].first;
            *disp = (MPI_Aint)pairs[i].disp;
            return 1;
        }
    }
    return 0;
}

/* Get the basic type of a pair type that is this basic type twice, without a gap; MPI_DATATYPE_NULL for all
 * other types. */
static MPI_Datatype get_twin(MPI_Datatype type)
{
    const MPI_Datatype twins[][2] = {{MPI_2INT, MPI_INT},
                                     {MPI_2REAL, MPI_REAL},
                                     {MPI_2DOUBLE_PRECISION, MPI_DOUBLE_PRECISION},
                                     {MPI_2INTEGER, MPI_INTEGER}};
    for (size_t i = 0; i < sizeof twins / sizeof twins[0]; i++)
        if (type == twins[i][0])
            return twins[i][1];
    return MPI_DATATYPE_NULL;
}

/* Replace *out by a node that repeats *out. */
static int repeat(sx_tree *tree, const sx_node **out, MPI_Count n, MPI_Aint stride, MPI_Aint disp)
{
    sx_node *node = add_node(tree, 1);
    if (!node)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    node->entry[0] = (sx_entry){disp, n, stride, *out};
    sum_up(node);
    *out = node;
    return MPI_SUCCESS;
}

static int build_predefined(MPI_Datatype type, sx_tree *tree, const sx_node **out)
{
    MPI_Datatype first, twin = get_twin(type);
    MPI_Aint disp;
    if (!get_pair(type, &first, &disp)) {
        *out = add_leaf(tree, get_canonical(twin == MPI_DATATYPE_NULL ? type : twin));
        if (!*out)
            return subx_error_get_code(SUBX_ERR_NO_MEM);
        return twin == MPI_DATATYPE_NULL ? MPI_SUCCESS : repeat(tree, out, 2, (*out)->bytes, 0);
    }
    sx_node *node = add_node(tree, 2), *a = add_leaf(tree, first), *b = add_leaf(tree, MPI_INT);
    if (!node || !a || !b)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    node->entry[0] = (sx_entry){0, 1, 0, a};
    node->entry[1] = (sx_entry){disp, 1, 0, b};
    sum_up(node);
    *out = node;
    return MPI_SUCCESS;
}

/* ---- derived types. `pitch` is the extent of the old type */

static int get_pitch(MPI_Datatype type, MPI_Aint *pitch)
{
    MPI_Count lb, extent;
    int rc = MPI_Type_get_extent_x(type, &lb, &extent);
    *pitch = (MPI_Aint)extent;
    return rc;
}

/* A vector has two levels: the elements of a block, and the blocks. */
static int build_vector(const sx_contents *c, sx_tree *tree, MPI_Aint pitch, const sx_node **out)
{
    MPI_Aint stride = c->combiner == MPI_COMBINER_VECTOR ? c->i[2] * pitch : c->a[0];
    int rc = repeat(tree, out, c->i[1], pitch, 0);
    return rc ? rc : repeat(tree, out, c->i[0], stride, 0);
}

/* A subarray has a level per axis, with the fastest axis innermost. */
static int build_subarray(const sx_contents *c, sx_tree *tree, MPI_Aint pitch, const sx_node **out)
{
    ptrdiff_t nd = c->i[0], *sizes = c->i + 1, *subsizes = sizes + nd, *starts = subsizes + nd;
    MPI_Aint stride = pitch;
    int rc = MPI_SUCCESS;
    for (ptrdiff_t k = 0; k < nd && !rc; k++) {
        ptrdiff_t axis = c->i[3 * nd + 1] == MPI_ORDER_FORTRAN ? k : nd - 1 - k;
        rc = repeat(tree, out, subsizes[axis], stride, starts[axis] * stride);
        stride *= sizes[axis];
    }
    return rc;
}

/* The four indexed constructors have i[0] blocks of one old type. They differ in where lengths and
 * displacements are listed, and in the unit of displacements. */
static int build_indexed(const sx_contents *c, sx_tree *tree, MPI_Aint pitch, const sx_node **out)
{
    int same_length = c->combiner == MPI_COMBINER_INDEXED_BLOCK || c->combiner == MPI_COMBINER_HINDEXED_BLOCK;
    int in_bytes = c->combiner == MPI_COMBINER_HINDEXED || c->combiner == MPI_COMBINER_HINDEXED_BLOCK;
    const ptrdiff_t *length = c->i + 1, *disp = in_bytes ? c->a : length + (same_length ? 1 : c->i[0]);
    sx_node *node = add_node(tree, c->i[0]);
    if (!node)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int k = 0; k < node->nentries; k++)
        node->entry[k] =
            (sx_entry){in_bytes ? disp[k] : disp[k] * pitch, length[same_length ? 0 : k], pitch, *out};
    sum_up(node);
    *out = node;
    return MPI_SUCCESS;
}

static int build_struct(const sx_contents *c, sx_tree *tree, const sx_node **out)
{
    int rc = MPI_SUCCESS;
    sx_node *node = add_node(tree, c->i[0]);
    if (!node)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int k = 0; k < node->nentries && !rc; k++) {
        sx_entry *e = &node->entry[k];
        e->disp = c->a[k];
        e->n = c->i[1 + k];
        rc = get_pitch(c->t[k], &e->stride);
        /* Consecutive equal types are decoded once. Otherwise the time for nested structs would be
         * exponential in their depth. */
        if (!rc && k > 0 && c->t[k] == c->t[k - 1])
            e->child = e[-1].child;
        else if (!rc)
            rc = build(c->t[k], tree, &e->child);
    }
    if (!rc)
        sum_up(node);
    *out = node;
    return rc;
}

/* Build an axis of a block-cyclic array: whole blocks, then the incomplete block at the end of the axis if
 * `rank` has it. */
static int build_cyclic(sx_tree *tree, ptrdiff_t size, ptrdiff_t block, ptrdiff_t nranks, ptrdiff_t rank,
                        MPI_Aint stride, const sx_node **out)
{
    const ptrdiff_t cycle = block * nranks, start = block * rank;
    const ptrdiff_t whole = size - start >= block ? (size - start - block) / cycle + 1 : 0;
    const ptrdiff_t behind = start + whole * cycle;
    const sx_node *blocks = *out;
    sx_node *node = add_node(tree, 2);
    int rc = node ? repeat(tree, &blocks, block, stride, 0) : subx_error_get_code(SUBX_ERR_NO_MEM);
    if (rc)
        return rc;
    node->entry[0] = (sx_entry){start * stride, whole, cycle * stride, blocks};
    node->entry[1] = (sx_entry){behind * stride, behind < size ? size - behind : 0, stride, *out};
    sum_up(node);
    *out = node;
    return MPI_SUCCESS;
}

/* Get the length of the blocks of an axis (MPI 4.1, section 5.1.4). */
static ptrdiff_t get_darray_block(ptrdiff_t distribution, ptrdiff_t argument, ptrdiff_t size,
                                  ptrdiff_t nranks)
{
    if (distribution == MPI_DISTRIBUTE_NONE)
        return size;
    if (argument != MPI_DISTRIBUTE_DFLT_DARG)
        return argument;
    return distribution == MPI_DISTRIBUTE_BLOCK ? (size + nranks - 1) / nranks : 1;
}

/* A distributed array has a level per axis, with the fastest axis innermost. The grid of ranks is in C order
 * for both orders of the array. */
static int build_darray(const sx_contents *c, sx_tree *tree, MPI_Aint pitch, const sx_node **out)
{
    const ptrdiff_t nd = c->i[2], *sizes = c->i + 3, *distributions = sizes + nd;
    const ptrdiff_t *arguments = distributions + nd, *grid = arguments + nd;
    ptrdiff_t rank = c->i[1], coord[SUBX_NDIMS_MAX];
    MPI_Aint stride = pitch;
    int rc = nd <= SUBX_NDIMS_MAX ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_TYPE);
    for (ptrdiff_t axis = nd - 1; axis >= 0 && !rc; axis--) {
        coord[axis] = rank % grid[axis];
        rank /= grid[axis];
    }
    for (ptrdiff_t k = 0; k < nd && !rc; k++) {
        ptrdiff_t axis = grid[nd] == MPI_ORDER_FORTRAN ? k : nd - 1 - k;
        ptrdiff_t block = get_darray_block(distributions[axis], arguments[axis], sizes[axis], grid[axis]);
        rc = build_cyclic(tree, sizes[axis], block, grid[axis], coord[axis], stride, out);
        stride *= sizes[axis];
    }
    return rc;
}

/* A resized type gets the node of its old type: extents are not part of nodes, because a function that
 * repeats a type asks MPI for its extent. */
static int build_derived(const sx_contents *c, sx_tree *tree, const sx_node **out)
{
    MPI_Aint pitch;
    if (c->combiner == MPI_COMBINER_STRUCT)
        return build_struct(c, tree, out);
    if (c->nt == 0)
        return subx_error_get_code(SUBX_ERR_TYPE);
    int rc = build(c->t[0], tree, out);
    if (!rc)
        rc = get_pitch(c->t[0], &pitch);
    if (rc)
        return rc;
    switch (c->combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        return MPI_SUCCESS;
    case MPI_COMBINER_CONTIGUOUS:
        return repeat(tree, out, c->i[0], pitch, 0);
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
        return build_vector(c, tree, pitch, out);
    case MPI_COMBINER_SUBARRAY:
        return build_subarray(c, tree, pitch, out);
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
        return build_indexed(c, tree, pitch, out);
    case MPI_COMBINER_DARRAY:
        return build_darray(c, tree, pitch, out);
    default:
        return subx_error_get_code(SUBX_ERR_TYPE);
    }
}

static int build(MPI_Datatype type, sx_tree *tree, const sx_node **out)
{
    sx_contents c;
    int predefined, rc = sx_type_is_predefined(type, &predefined);
    if (rc)
        return rc;
    if (predefined)
        return build_predefined(type, tree, out);
    rc = sx_type_contents_get(type, &c);
    if (rc)
        return rc;
    rc = build_derived(&c, tree, out);
    sx_type_contents_free(&c);
    return rc;
}

int sx_type_parse(MPI_Datatype type, sx_tree *tree)
{
    tree->all = NULL;
    tree->root = NULL;
    int rc = build(type, tree, &tree->root);
    if (rc)
        sx_type_tree_free(tree);
    return rc;
}
