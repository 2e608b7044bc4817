/* alltoall_body.h - the functions for one type of counts. T is the type of a count, D the type of a
 * displacement, NAME(f) the name of MPI's function f with these types. alltoall.c includes it once per
 * type. */

#define SX_COUNTS(a) (a)->counts, (a)->displs

static int NAME(real_alltoall)(const sx_pmpi_call *c)
{
    const sx_args *a = &c->side[SX_FROM], *b = &c->side[SX_TO];
    if (c->mode == SX_BLOCKING)
        return sx_pmpi_real.NAME(Alltoall)(a->buf, (T)a->n, a->type, (void *)b->buf, (T)b->n, b->type,
                                           c->comm);
#ifdef HAVE_MPI_ALLTOALLW_INIT
    if (c->mode == SX_PERSISTENT)
        return sx_pmpi_real.NAME(Alltoall_init)(a->buf, (T)a->n, a->type, (void *)b->buf, (T)b->n, b->type,
                                                c->comm, c->info, c->request);
#endif
    return sx_pmpi_real.NAME(Ialltoall)(a->buf, (T)a->n, a->type, (void *)b->buf, (T)b->n, b->type, c->comm,
                                        c->request);
}

static int NAME(real_alltoallv)(const sx_pmpi_call *c)
{
    const sx_args *a = &c->side[SX_FROM], *b = &c->side[SX_TO];
    if (c->mode == SX_BLOCKING)
        return sx_pmpi_real.NAME(Alltoallv)(a->buf, SX_COUNTS(a), a->type, (void *)b->buf, SX_COUNTS(b),
                                            b->type, c->comm);
#ifdef HAVE_MPI_ALLTOALLW_INIT
    if (c->mode == SX_PERSISTENT)
        return sx_pmpi_real.NAME(Alltoallv_init)(a->buf, SX_COUNTS(a), a->type, (void *)b->buf, SX_COUNTS(b),
                                                 b->type, c->comm, c->info, c->request);
#endif
    return sx_pmpi_real.NAME(Ialltoallv)(a->buf, SX_COUNTS(a), a->type, (void *)b->buf, SX_COUNTS(b), b->type,
                                         c->comm, c->request);
}

static int NAME(real_alltoallw)(const sx_pmpi_call *c)
{
    const sx_args *a = &c->side[SX_FROM], *b = &c->side[SX_TO];
    if (c->mode == SX_BLOCKING)
        return sx_pmpi_real.NAME(Alltoallw)(a->buf, SX_COUNTS(a), a->types, (void *)b->buf, SX_COUNTS(b),
                                            b->types, c->comm);
#ifdef HAVE_MPI_ALLTOALLW_INIT
    if (c->mode == SX_PERSISTENT)
        return sx_pmpi_real.NAME(Alltoallw_init)(a->buf, SX_COUNTS(a), a->types, (void *)b->buf, SX_COUNTS(b),
                                                 b->types, c->comm, c->info, c->request);
#endif
    return sx_pmpi_real.NAME(Ialltoallw)(a->buf, SX_COUNTS(a), a->types, (void *)b->buf, SX_COUNTS(b),
                                         b->types, c->comm, c->request);
}

#undef SX_COUNTS

/* The body of an MPI function: describe the call, and execute it. f is the form of the call; `how` is
 * SX_BLOCKING, SX_NONBLOCKING or SX_PERSISTENT; SIDES is the macro below that initialises a side. */
#define SX_CALL(f, how, SIDES, ...)                                                                          \
    const sx_pmpi_call call = {.form = f,                                                                    \
                               .mode = how,                                                                  \
                               .is_large = IS_LARGE,                                                         \
                               .side = {SIDES(from, nfrom, dfrom, tfrom), SIDES(to, nto, dto, tto)},         \
                               .comm = comm,                                                                 \
                               __VA_ARGS__};                                                                 \
    return execute(&call)
#define SX_SIDE(b, nb, db, tb)                                                                               \
    {                                                                                                        \
        .buf = b, .n = nb, .type = tb                                                                        \
    }
#define SX_SIDE_V(b, nb, db, tb)                                                                             \
    {                                                                                                        \
        .buf = b, .counts = nb, .displs = db, .type = tb                                                     \
    }
#define SX_SIDE_W(b, nb, db, tb)                                                                             \
    {                                                                                                        \
        .buf = b, .counts = nb, .displs = db, .types = tb                                                    \
    }

SUBX_EXPORT int PMPI(Alltoall)(SX_PMPI_ALLTOALL_PARAMS(T))
{
    SX_CALL(SX_ALLTOALL, SX_BLOCKING, SX_SIDE, .name = "MPI_Alltoall", .real = NAME(real_alltoall));
}

SUBX_EXPORT int PMPI(Alltoallv)(SX_PMPI_ALLTOALLV_PARAMS(T, D))
{
    SX_CALL(SX_ALLTOALLV, SX_BLOCKING, SX_SIDE_V, .name = "MPI_Alltoallv", .real = NAME(real_alltoallv));
}

SUBX_EXPORT int PMPI(Alltoallw)(SX_PMPI_ALLTOALLW_PARAMS(T, D))
{
    SX_CALL(SX_ALLTOALLW, SX_BLOCKING, SX_SIDE_W, .name = "MPI_Alltoallw", .real = NAME(real_alltoallw));
}

SUBX_EXPORT int PMPI(Ialltoall)(SX_PMPI_ALLTOALL_PARAMS(T), MPI_Request *request)
{
    SX_CALL(SX_ALLTOALL, SX_NONBLOCKING, SX_SIDE, .name = "MPI_Ialltoall", .real = NAME(real_alltoall),
            .request = request);
}

SUBX_EXPORT int PMPI(Ialltoallv)(SX_PMPI_ALLTOALLV_PARAMS(T, D), MPI_Request *request)
{
    SX_CALL(SX_ALLTOALLV, SX_NONBLOCKING, SX_SIDE_V, .name = "MPI_Ialltoallv", .real = NAME(real_alltoallv),
            .request = request);
}

SUBX_EXPORT int PMPI(Ialltoallw)(SX_PMPI_ALLTOALLW_PARAMS(T, D), MPI_Request *request)
{
    SX_CALL(SX_ALLTOALLW, SX_NONBLOCKING, SX_SIDE_W, .name = "MPI_Ialltoallw", .real = NAME(real_alltoallw),
            .request = request);
}

#ifdef HAVE_MPI_ALLTOALLW_INIT
SUBX_EXPORT int PMPI(Alltoall_init)(SX_PMPI_ALLTOALL_PARAMS(T), MPI_Info info, MPI_Request *request)
{
    SX_CALL(SX_ALLTOALL, SX_PERSISTENT, SX_SIDE, .name = "MPI_Alltoall_init", .real = NAME(real_alltoall),
            .info = info, .request = request);
}

SUBX_EXPORT int PMPI(Alltoallv_init)(SX_PMPI_ALLTOALLV_PARAMS(T, D), MPI_Info info, MPI_Request *request)
{
    SX_CALL(SX_ALLTOALLV, SX_PERSISTENT, SX_SIDE_V, .name = "MPI_Alltoallv_init",
            .real = NAME(real_alltoallv), .info = info, .request = request);
}

SUBX_EXPORT int PMPI(Alltoallw_init)(SX_PMPI_ALLTOALLW_PARAMS(T, D), MPI_Info info, MPI_Request *request)
{
    SX_CALL(SX_ALLTOALLW, SX_PERSISTENT, SX_SIDE_W, .name = "MPI_Alltoallw_init",
            .real = NAME(real_alltoallw), .info = info, .request = request);
}
#endif

#undef SX_SIDE_W
#undef SX_SIDE_V
#undef SX_SIDE
#undef SX_CALL
