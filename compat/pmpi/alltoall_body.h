/* alltoall_body.h - the functions for one type of counts. T is the type of a count, D the type of a
 * displacement, NAME(f) the name of MPI's function f with these types. alltoall.c includes it once per
 * type. */

#define SX_ARGS(a) (a)->buf, (T)(a)->n, (a)->type
#define SX_ARGS_V(a) (a)->buf, (a)->counts, (a)->displs, (a)->type
#define SX_ARGS_W(a) (a)->buf, (a)->counts, (a)->displs, (a)->types
#ifdef HAVE_MPI_ALLTOALLW_INIT
#define SX_INIT(init, ARGS)                                                                                  \
    if (c->mode == SX_PERSISTENT)                                                                            \
        return sx_pmpi_real.init(ARGS(a), (void *)ARGS(b), c->comm, c->info, c->request);
#else
#define SX_INIT(init, ARGS)
#endif

/* Define the function that calls MPI's own function: f, its nonblocking form, or its persistent form init. */
#define SX_REAL(name, f, nonblocking, init, ARGS)                                                            \
    static int name(const sx_pmpi_call *c)                                                                   \
    {                                                                                                        \
        const sx_args *a = &c->side[SX_FROM], *b = &c->side[SX_TO];                                          \
        if (c->mode == SX_BLOCKING)                                                                          \
            return sx_pmpi_real.f(ARGS(a), (void *)ARGS(b), c->comm);                                        \
        SX_INIT(init, ARGS)                                                                                  \
        return sx_pmpi_real.nonblocking(ARGS(a), (void *)ARGS(b), c->comm, c->request);                      \
    }
SX_REAL(NAME(real_alltoall), NAME(Alltoall), NAME(Ialltoall), NAME(Alltoall_init), SX_ARGS)
SX_REAL(NAME(real_alltoallv), NAME(Alltoallv), NAME(Ialltoallv), NAME(Alltoallv_init), SX_ARGS_V)
SX_REAL(NAME(real_alltoallw), NAME(Alltoallw), NAME(Ialltoallw), NAME(Alltoallw_init), SX_ARGS_W)

#undef SX_REAL
#undef SX_INIT
#undef SX_ARGS_W
#undef SX_ARGS_V
#undef SX_ARGS

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
