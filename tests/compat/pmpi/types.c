/* types.c - build random types. Each is a basic type inside constructors; a constructor repeats the type
 * inside it a given number of times. */
#include "compat/pmpi/types.h"
#include <subx.h>

/* A function that creates a type of n copies of `t`. */
typedef MPI_Datatype create(test_random *r, int n, const test_inner *t);

static int draw_divisor(test_random *r, int n)
{
    int divisors[64], found = 0;
    for (int d = 1; d <= n && found < 64; d++)
        if (n % d == 0)
            divisors[found++] = d;
    return divisors[test_random_int(r, 0, found - 1)];
}

/* Write n as the product of three lengths. */
static void split(test_random *r, int n, int lengths[3])
{
    lengths[0] = draw_divisor(r, n);
    lengths[1] = draw_divisor(r, n / lengths[0]);
    lengths[2] = n / lengths[0] / lengths[1];
}

static MPI_Datatype create_contiguous(test_random *r, int n, const test_inner *t)
{
    MPI_Datatype u;
    (void)r;
    MPI_Type_contiguous(n, t->type, &u);
    return u;
}

/* Draw the sign of a stride. -1 byte is left out: Open MPI 4.1 takes it as no stride, and uses the extent of
 * the old type. */
static int draw_sign(test_random *r, MPI_Aint stride_bytes)
{
    return test_random_int(r, 0, 3) || stride_bytes == 1 ? 1 : -1;
}

static MPI_Datatype create_vector(test_random *r, int n, const test_inner *t)
{
    MPI_Datatype u;
    const int block = draw_divisor(r, n), stride = block + test_random_int(r, 0, 3);
    MPI_Type_vector(n / block, block, draw_sign(r, stride * t->extent) * stride, t->type, &u);
    return u;
}

static MPI_Datatype create_hvector(test_random *r, int n, const test_inner *t)
{
    MPI_Datatype u;
    const int block = draw_divisor(r, n);
    const MPI_Aint stride = block * t->extent + test_random_int(r, 0, 9) * test_random_int(r, 0, 8);
    MPI_Type_create_hvector(n / block, block, draw_sign(r, stride) * stride, t->type, &u);
    return u;
}

static MPI_Datatype create_subarray(test_random *r, int n, const test_inner *t)
{
    MPI_Datatype u;
    int sizes[3], subsizes[3], starts[3], order[3];
    split(r, n, subsizes);
    for (int i = 0; i < 3; i++) {
        sizes[i] = subsizes[i] + test_random_int(r, 0, 2);
        starts[i] = test_random_int(r, 0, sizes[i] - subsizes[i]);
    }
    const int storage = test_random_int(r, 0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    if (test_random_int(r, 0, 1)) {
        MPI_Type_create_subarray(3, sizes, subsizes, starts, storage, t->type, &u);
    } else {
        test_random_permutation(r, 3, order);
        subx_type_create_subarray(3, sizes, subsizes, starts, storage, order, t->type, &u);
    }
    return u;
}

static MPI_Datatype create_one_block(test_random *r, int n, const test_inner *t)
{
    MPI_Datatype u, type = t->type;
    const MPI_Aint disp = test_random_int(r, -9, 30);
    const int at = test_random_int(r, 0, 3);
    switch (test_random_int(r, 0, 3)) {
    case 0:
        MPI_Type_create_hindexed_block(1, n, &disp, type, &u);
        break;
    case 1:
        MPI_Type_create_struct(1, &n, &disp, &type, &u);
        break;
    case 2:
        MPI_Type_create_hindexed(1, &n, &disp, type, &u);
        break;
    default:
        MPI_Type_indexed(1, &n, &at, type, &u);
    }
    return u;
}

/* Blocks of any lengths. The order of the blocks in memory differs from their order in the type. */
static MPI_Datatype create_blocks(test_random *r, int n, const test_inner *t)
{
    enum { MOST = 5 };
    MPI_Datatype u, types[MOST];
    int lengths[MOST], order[MOST], left = n, end = 0, disps[MOST];
    MPI_Aint bytes[MOST];
    const int blocks = test_random_int(r, 1, MOST);
    for (int i = 0; i < blocks; i++) {
        lengths[i] = i == blocks - 1 ? left : test_random_int(r, 0, left);
        left -= lengths[i];
        types[i] = t->type;
    }
    test_random_permutation(r, blocks, order);
    for (int i = 0; i < blocks; i++) {
        disps[order[i]] = end;
        bytes[order[i]] = end * t->extent;
        end += lengths[order[i]] + test_random_int(r, 0, 2);
    }
    switch (test_random_int(r, 0, 2)) {
    case 0:
        MPI_Type_indexed(blocks, lengths, disps, t->type, &u);
        break;
    case 1:
        MPI_Type_create_hindexed(blocks, lengths, bytes, t->type, &u);
        break;
    default:
        MPI_Type_create_struct(blocks, lengths, bytes, types, &u);
    }
    return u;
}

static MPI_Datatype create_equal_blocks(test_random *r, int n, const test_inner *t)
{
    enum { MOST = 8 };
    MPI_Datatype u;
    int disps[MOST], end = test_random_int(r, 0, 2), block = draw_divisor(r, n);
    if (n / block > MOST)
        block = n;
    for (int i = 0; i < n / block; i++) {
        disps[i] = end;
        end += block + test_random_int(r, 0, 2);
    }
    MPI_Type_create_indexed_block(n / block, block, disps, t->type, &u);
    return u;
}

static MPI_Datatype create_overlapping(test_random *r, int n, const test_inner *t)
{
    MPI_Datatype u;
    const MPI_Aint stride = test_random_int(r, 0, 1) ? test_random_int(r, 0, 2) * (t->extent / 2)
                                                     : test_random_int(r, 0, (int)t->extent);
    MPI_Type_create_hvector(n, 1, draw_sign(r, stride) * stride, t->type, &u);
    return u;
}

static create *const constructors[] = {
    create_contiguous, create_vector,   create_vector,    create_hvector, create_hvector,
    create_subarray,   create_subarray, create_one_block, create_blocks,  create_equal_blocks};
enum { NCONSTRUCTORS = sizeof constructors / sizeof *constructors };

/* Free *type, and set it to `by`, a type that was made from it. */
static void replace(MPI_Datatype *type, MPI_Datatype by)
{
    MPI_Type_free(type);
    *type = by;
}

/* Set the bounds of a type so that copies of the type do not overlap. Types whose bounds are too narrow
 * always get new bounds, other types sometimes. */
static void bound(test_random *r, MPI_Datatype *type)
{
    MPI_Datatype u;
    const test_inner t = test_inner_get(*type);
    if (t.extent >= t.true_extent && test_random_int(r, 0, 5) > 0)
        return;
    MPI_Type_create_resized(*type, test_random_int(r, 0, 1) ? t.true_lb : test_random_int(r, -8, 8),
                            t.true_extent + test_random_int(r, 0, 3) * test_random_int(r, 0, 5), &u);
    replace(type, u);
}

/* Set an extent with which elements that follow one another overlap, or a negative one. */
static void narrow(test_random *r, MPI_Datatype *type)
{
    MPI_Datatype u;
    const MPI_Aint length = test_inner_get(*type).true_extent;
    const MPI_Aint extents[] = {0, length / 2, length / 3, 8, -8, -2 - length / 2, -length, -length - 5};
    MPI_Type_create_resized(*type, test_random_int(r, -8, 8), extents[test_random_int(r, 0, 7)], &u);
    replace(type, u);
}

static void wrap(test_random *r, MPI_Datatype *type, int n, int overlaps)
{
    const test_inner t = test_inner_get(*type);
    create *const wrapper =
        overlaps ? create_overlapping : constructors[test_random_int(r, 0, NCONSTRUCTORS - 1)];
    replace(type, wrapper(r, n, &t));
    bound(r, type);
    if (test_random_int(r, 0, 9) == 0) {
        MPI_Datatype u;
        MPI_Type_dup(*type, &u);
        replace(type, u);
    }
}

/* Create a type without elements, in one of the ways that MPI has. */
static MPI_Datatype create_empty(test_random *r, MPI_Datatype basic)
{
    MPI_Datatype u;
    const int none = 0, at = 4;
    switch (test_random_int(r, 0, 3)) {
    case 0:
        MPI_Type_contiguous(0, basic, &u);
        break;
    case 1:
        MPI_Type_vector(0, 2, 3, basic, &u);
        break;
    case 2:
        MPI_Type_vector(3, 0, 3, basic, &u);
        break;
    default:
        MPI_Type_indexed(1, &none, &at, basic, &u);
    }
    return u;
}

MPI_Datatype types_basic(test_random *r)
{
    const MPI_Datatype basic[] = {MPI_CHAR,  MPI_SHORT, MPI_INT,  MPI_DOUBLE,          MPI_C_DOUBLE_COMPLEX,
                                  MPI_BYTE,  MPI_FLOAT, MPI_LONG, MPI_C_FLOAT_COMPLEX, MPI_UINT64_T,
                                  MPI_DOUBLE};
    return basic[test_random_int(r, 0, (int)(sizeof basic / sizeof *basic) - 1)];
}

int types_elements(test_random *r, int most)
{
    static const int factors[] = {1, 2, 2, 3, 3, 4, 5, 7, 8, 11, 16, 24, 32, 64};
    int n = 1, factor;
    if (test_random_int(r, 0, 39) == 0)
        return 0;
    for (int i = test_random_int(r, 1, 5); i > 0; i--)
        if (n * (factor = factors[test_random_int(r, 0, 13)]) <= most)
            n *= factor;
    return n;
}

MPI_Datatype types_draw(test_random *r, MPI_Datatype basic, int n, types_lie lie)
{
    MPI_Datatype type;
    const int overlaps = lie != TYPES_APART && test_random_int(r, 0, 2) > 0;
    if (n == 0)
        return create_empty(r, basic);
    MPI_Type_dup(basic, &type);
    for (int level = 0; n > 1 || level == 0; level++) {
        const int factor = level < 3 ? draw_divisor(r, n) : n;
        wrap(r, &type, factor, overlaps && test_random_int(r, 0, 1));
        n /= factor;
    }
    if (overlaps && lie == TYPES_ANY && test_random_int(r, 0, 1))
        narrow(r, &type);
    return type;
}
