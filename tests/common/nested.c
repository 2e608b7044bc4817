/* nested.c - create random derived types from vectors, subarrays, structs and the like around a predefined
 * type. */
#include "common/nested.h"
#include "common/traversal.h"

typedef MPI_Datatype create(test_random *r, const test_inner *t);

static MPI_Datatype create_contiguous(test_random *r, const test_inner *t)
{
    MPI_Datatype n;
    MPI_Type_contiguous(test_random_int(r, 0, 19) ? test_random_int(r, 1, 4) : 0, t->type, &n);
    return n;
}

static MPI_Datatype create_vector(test_random *r, const test_inner *t)
{
    MPI_Datatype n;
    int block = test_random_int(r, 1, 3);
    MPI_Type_vector(test_random_int(r, 1, 3), block, block + test_random_int(r, 0, 2), t->type, &n);
    return n;
}

static MPI_Datatype create_hvector(test_random *r, const test_inner *t)
{
    MPI_Datatype n;
    int block = test_random_int(r, 1, 2);
    MPI_Aint stride = block * t->extent + test_random_int(r, 0, 9);
    MPI_Type_create_hvector(test_random_int(r, 1, 3), block, test_random_int(r, 0, 3) ? stride : -stride,
                            t->type, &n);
    return n;
}

static MPI_Datatype create_dup(test_random *r, const test_inner *t)
{
    MPI_Datatype n;
    (void)r;
    MPI_Type_dup(t->type, &n);
    return n;
}

/* Give a type a random lower bound and a random extent. The extent is at least as long as the bytes that the
 * type occupies, because repetitions must not overlap. */
static MPI_Datatype create_resized(test_random *r, const test_inner *t)
{
    MPI_Datatype n;
    MPI_Type_create_resized(t->type, test_random_int(r, -8, 8), t->true_extent + test_random_int(r, 0, 11),
                            &n);
    return n;
}

static MPI_Datatype create_subarray(test_random *r, const test_inner *t)
{
    test_block b = test_block_random(r, 3, 3, 1);
    MPI_Datatype n = MPI_DATATYPE_NULL;
    test_block_type(&b, t->type, &n);
    return n;
}

static MPI_Datatype create_one_block(test_random *r, const test_inner *t)
{
    MPI_Datatype n;
    MPI_Aint disp = test_random_int(r, -9, 30);
    int block = test_random_int(r, 1, 3), at = test_random_int(r, 0, 3);
    switch (test_random_int(r, 0, 3)) {
    case 0:
        MPI_Type_create_hindexed_block(1, block, &disp, t->type, &n);
        break;
    case 1:
        MPI_Type_create_struct(1, &block, &disp, &t->type, &n);
        break;
    case 2:
        MPI_Type_create_hindexed(1, &block, &disp, t->type, &n);
        break;
    default:
        MPI_Type_indexed(1, &block, &at, t->type, &n);
    }
    return n;
}

static MPI_Datatype create_indexed(test_random *r, const test_inner *t)
{
    MPI_Datatype n;
    const int block[] = {test_random_int(r, 1, 2), 1, test_random_int(r, 0, 2)};
    int at[] = {3, 0, 6 + test_random_int(r, 0, 2)};
    MPI_Type_indexed(3, block, at, t->type, &n);
    return n;
}

static MPI_Datatype create_struct(test_random *r, const test_inner *t)
{
    MPI_Datatype n;
    const int block[] = {1, test_random_int(r, 1, 3)};
    MPI_Datatype parts[] = {t->type, MPI_SHORT};
    MPI_Aint disp[] = {0, t->true_lb + t->true_extent + test_random_int(r, 0, 5)};
    MPI_Type_create_struct(2, block, disp, parts, &n);
    return n;
}

static create *const constructors[] = {create_contiguous, create_vector,  create_hvector,
                                       create_dup,        create_resized, create_subarray,
                                       create_one_block,  create_indexed, create_struct};
enum { ALL = sizeof constructors / sizeof *constructors, STRIDED = ALL - 2 };

static MPI_Datatype pick_basic(test_random *r)
{
    const MPI_Datatype basic[] = {MPI_CHAR, MPI_SHORT, MPI_INT, MPI_DOUBLE, MPI_C_DOUBLE_COMPLEX, MPI_BYTE};
    return basic[test_random_int(r, 0, (int)(sizeof basic / sizeof *basic) - 1)];
}

/* Query whether repetitions of a type do not overlap. They overlap if its extent is shorter than the bytes
 * that it occupies. */
static int is_safe(const test_inner *t)
{
    return t->extent >= t->true_extent;
}

test_inner test_inner_get(MPI_Datatype type)
{
    test_inner t = {.type = type};
    MPI_Aint lb;
    MPI_Type_get_extent(type, &lb, &t.extent);
    MPI_Type_get_true_extent(type, &t.true_lb, &t.true_extent);
    return t;
}

static MPI_Datatype wrap(test_random *r, MPI_Datatype type, int strided)
{
    for (;;) {
        test_inner t = test_inner_get(type);
        MPI_Datatype n = constructors[test_random_int(r, 0, (strided ? STRIDED : ALL) - 1)](r, &t);
        test_inner around = test_inner_get(n);
        if (is_safe(&around)) {
            MPI_Type_free(&type);
            return n;
        }
        MPI_Type_free(&n);
    }
}

MPI_Datatype test_nested_create(test_random *r, int depth, int strided)
{
    MPI_Datatype type;
    MPI_Type_dup(pick_basic(r), &type);
    for (int i = test_random_int(r, 0, depth); i > 0; i--)
        type = wrap(r, type, strided);
    MPI_Type_commit(&type);
    return type;
}

void test_nested_span(MPI_Datatype type, int count, MPI_Aint *lowest, MPI_Aint *length)
{
    test_inner t = test_inner_get(type);
    const MPI_Aint last = count > 0 ? (count - 1) * t.extent : 0;
    *lowest = t.true_lb + (last < 0 ? last : 0);
    *length = count > 0 ? (last < 0 ? -last : last) + t.true_extent : 0;
}
