/* subx.c - the library's copy: pack the type of the whole array, traversed in the given order. */
#include "kern/kern.h"

#include <stdlib.h>

struct plan {
    struct sx_perf_kern_copy copy;
    MPI_Datatype element, type;
};

/* Create the type of an element: a copy of MPI_FLOAT, MPI_DOUBLE or MPI_C_DOUBLE_COMPLEX. An element of 32 bytes is two
 * MPI_C_DOUBLE_COMPLEX. */
static MPI_Datatype create_element(ptrdiff_t bytes)
{
    const MPI_Datatype of = bytes == 4 ? MPI_FLOAT : bytes == 8 ? MPI_DOUBLE : MPI_C_DOUBLE_COMPLEX;
    MPI_Datatype element;
    if (bytes <= 16)
        MPI_Type_dup(of, &element);
    else
        MPI_Type_contiguous((int)bytes / 16, of, &element);
    return element;
}

static void *create(const struct sx_perf_kern_copy *copy)
{
    const struct sx_perf_shape *shape = &copy->shape;
    struct plan *plan = sx_perf_memory_create_small(1, sizeof *plan);
    MPI_Count n[SX_PERF_KERN_NDIMS_MAX], starts[SX_PERF_KERN_NDIMS_MAX] = {0};
    int code;
    for (int a = 0; a < shape->ndims; a++)
        n[a] = shape->n[a];
    plan->copy = *copy;
    plan->element = create_element(copy->element_bytes);
    code = subx_type_create_subarray_c(shape->ndims, n, n, starts, MPI_ORDER_C, copy->order, plan->element,
                                       &plan->type);
    if (code != MPI_SUCCESS)
        sx_perf_program_abort(code, "no subarray type");
    MPI_Type_commit(&plan->type);
    return plan;
}

static int execute(void *plan)
{
    const struct plan *p = plan;
    MPI_Count position = 0;
    return subx_type_pack(p->copy.in, 1, p->type, p->copy.out, p->copy.bytes, &position);
}

static void free_plan(void *plan)
{
    struct plan *p = plan;
    MPI_Type_free(&p->type);
    MPI_Type_free(&p->element);
    free(p);
}

const struct sx_perf_kern_library sx_perf_kern_subx = {"subx", create, execute, free_plan};
