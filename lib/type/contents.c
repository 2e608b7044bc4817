/* contents.c - the envelope and contents of an MPI datatype, whichever MPI call created it. */
#include "type/type.h"

typedef struct envelope {
    int combiner;
    ptrdiff_t ni, na, nc, nt; /* numbers of integers, addresses, large counts, types */
} envelope;

/* The call with int counts fails for types that were created with large counts. The call with the suffix _c
 * works for all types, but not all MPIs have it. */
#ifdef HAVE_MPI_TYPE_GET_CONTENTS_C

static int get_envelope(MPI_Datatype type, envelope *e)
{
    MPI_Count ni = 0, na = 0, nc = 0, nt = 0;
    int rc = MPI_Type_get_envelope_c(type, &ni, &na, &nc, &nt, &e->combiner);
    e->ni = ni;
    e->na = na;
    e->nc = nc;
    e->nt = nt;
    return rc;
}

static int get_raw(MPI_Datatype type, const envelope *e, int *i, MPI_Aint *a, MPI_Count *c, MPI_Datatype *t)
{
    return MPI_Type_get_contents_c(type, e->ni, e->na, e->nc, e->nt, i, a, c, t);
}

#else

static int get_envelope(MPI_Datatype type, envelope *e)
{
    int ni = 0, na = 0, nt = 0;
    int rc = MPI_Type_get_envelope(type, &ni, &na, &nt, &e->combiner);
    e->ni = ni;
    e->na = na;
    e->nc = 0;
    e->nt = nt;
    return rc;
}

static int get_raw(MPI_Datatype type, const envelope *e, int *i, MPI_Aint *a, MPI_Count *c, MPI_Datatype *t)
{
    (void)c;
    return MPI_Type_get_contents(type, sx_base_fit(e->ni), sx_base_fit(e->na), sx_base_fit(e->nt), i, a, t);
}

#endif

static int is_predefined(int combiner)
{
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

int sx_type_is_predefined(MPI_Datatype type, int *predefined)
{
    envelope e;
    if (type == MPI_DATATYPE_NULL)
        return subx_error_get_code(SUBX_ERR_TYPE);
    int rc = get_envelope(type, &e);
    if (!rc)
        *predefined = is_predefined(e.combiner);
    return rc;
}

/* Count the large counts that the int call would return as addresses. They are the last of the large
 * counts. */
static ptrdiff_t count_addresses(int combiner, const MPI_Count *c)
{
    switch (combiner) {
    case MPI_COMBINER_HVECTOR:
        return 1;
    case MPI_COMBINER_RESIZED:
        return 2;
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_HINDEXED_BLOCK:
    case MPI_COMBINER_STRUCT:
        return (ptrdiff_t)c[0];
    default:
        return 0;
    }
}

/* Merge integers and large counts into the order of the int call. A subarray and a darray have large counts,
 * which are the lengths of axes, between their integers. All other constructors have either integers or large
 * counts. */
static void merge(const envelope *e, const int *i, const MPI_Aint *a, const MPI_Count *c, sx_contents *out)
{
    ptrdiff_t lead = e->nc == 0 ? e->ni : e->combiner == MPI_COMBINER_DARRAY ? 3 : e->ni > 0, n = 0;
    ptrdiff_t addresses = e->nc ? count_addresses(e->combiner, c) : 0;
    for (ptrdiff_t k = 0; k < lead; k++)
        out->i[n++] = i[k];
    for (ptrdiff_t k = 0; k < e->nc - addresses; k++)
        out->i[n++] = (ptrdiff_t)c[k];
    for (ptrdiff_t k = lead; k < e->ni; k++)
        out->i[n++] = i[k];
    for (ptrdiff_t k = 0; k < e->na; k++)
        out->a[k] = a[k];
    for (ptrdiff_t k = 0; k < addresses; k++)
        out->a[e->na + k] = (ptrdiff_t)c[e->nc - addresses + k];
}

static int get_merged(MPI_Datatype type, const envelope *e, sx_contents *out)
{
    int *i = sx_base_alloc(e->ni, sizeof *i);
    MPI_Aint *a = sx_base_alloc(e->na, sizeof *a);
    MPI_Count *c = sx_base_alloc(e->nc, sizeof *c);
    int rc = i && a && c ? get_raw(type, e, i, a, c, out->t) : subx_error_get_code(SUBX_ERR_NO_MEM);
    if (!rc) {
        out->nt = e->nt;
        merge(e, i, a, c, out);
    }
    sx_base_free(c);
    sx_base_free(a);
    sx_base_free(i);
    return rc;
}

int sx_type_contents_get(MPI_Datatype type, sx_contents *c)
{
    envelope e;
    *c = (sx_contents){0};
    if (type == MPI_DATATYPE_NULL)
        return subx_error_get_code(SUBX_ERR_TYPE);
    int rc = get_envelope(type, &e);
    if (rc)
        return rc;
    c->combiner = e.combiner;
    if (is_predefined(e.combiner)) /* MPI forbids MPI_Type_get_contents for predefined types */
        return MPI_SUCCESS;
    c->i = sx_base_alloc(e.ni + e.nc, sizeof *c->i);
    c->a = sx_base_alloc(e.na + e.nc, sizeof *c->a);
    c->t = sx_base_alloc(e.nt, sizeof *c->t);
    rc = c->i && c->a && c->t ? get_merged(type, &e, c) : subx_error_get_code(SUBX_ERR_NO_MEM);
    if (rc)
        sx_type_contents_free(c);
    return rc;
}

void sx_type_contents_free(sx_contents *c)
{
    for (ptrdiff_t k = 0; k < c->nt; k++) {
        int predefined = 1;
        sx_type_is_predefined(c->t[k], &predefined);
        if (!predefined)
            MPI_Type_free(&c->t[k]);
    }
    sx_base_free(c->t);
    sx_base_free(c->a);
    sx_base_free(c->i);
    *c = (sx_contents){0};
}
