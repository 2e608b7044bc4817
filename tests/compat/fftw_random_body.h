/* fftw_random_body.h - random requests in one precision. A file that includes this one first defines REAL,
 * CALL(name), BODY(name), NAME and EPSILON. */

/* ---- calling */

#define FIND(type, what) ((type)test_fftw_find(NAME, "_mpi_" what, is_stock))
/* A function with and without the suffix _f03. `before`: the arguments before the communicator, `after`:
 * those behind it; with the types of both. */
#define LIST(...) __VA_ARGS__
#define CALLED(name, before, after, types_before, types_after)                                               \
    (is_f03 ? FIND(P(*)(LIST types_before, MPI_Fint, LIST types_after),                                      \
                   "plan_" name "_f03")(LIST before, MPI_Comm_c2f(comm), LIST after)                         \
            : FIND(P(*)(LIST types_before, MPI_Comm, LIST types_after), "plan_" name)(LIST before, comm,     \
                                                                                      LIST after))

/* Ask for the plan. */
static CALL(plan) BODY(plan)(const request *q, REAL *in, REAL *out, MPI_Comm comm, int is_stock)
{
    CALL(complex) *cin = (CALL(complex) *)in, *cout = (CALL(complex) *)out;
    const length *n = q->n;
    CALL(r2r_kind) kind[NDIMS];
    for (int i = 0; i < NDIMS; i++)
        kind[i] = (CALL(r2r_kind))q->kind[i];
    typedef CALL(complex) C;
    typedef CALL(plan) P;
    typedef CALL(r2r_kind) K;
    typedef length N;
    typedef const length *S;
    const int is_f03 = q->is_f03 && !is_stock;
    switch (is_stock ? guru[q->family] : q->planner) {
    case GURU_DFT:
        return FIND(P(*)(int, const dim *, N, C *, C *, MPI_Comm, int, unsigned),
                    "plan_guru_dft")(q->d, q->dim, q->howmany, cin, cout, comm, q->sign, q->flags);
    case MANY_DFT:
        return CALLED("many_dft", (q->d, n, q->howmany, q->block[0], q->block[1], cin, cout),
                      (q->sign, q->flags), (int, S, N, N, N, C *, C *), (int, unsigned));
    case PLAN_DFT:
        return CALLED("dft", (q->d, n, cin, cout), (q->sign, q->flags), (int, S, C *, C *), (int, unsigned));
    case DFT_1D:
        return CALLED("dft_1d", (n[0], cin, cout), (q->sign, q->flags), (N, C *, C *), (int, unsigned));
    case DFT_2D:
        return CALLED("dft_2d", (n[0], n[1], cin, cout), (q->sign, q->flags), (N, N, C *, C *),
                      (int, unsigned));
    case DFT_3D:
        return CALLED("dft_3d", (n[0], n[1], n[2], cin, cout), (q->sign, q->flags), (N, N, N, C *, C *),
                      (int, unsigned));
    case GURU_R2R:
        return FIND(P(*)(int, const dim *, N, REAL *, REAL *, MPI_Comm, const K *, unsigned),
                    "plan_guru_r2r")(q->d, q->dim, q->howmany, in, out, comm, kind, q->flags);
    case MANY_R2R:
        return CALLED("many_r2r", (q->d, n, q->howmany, q->block[0], q->block[1], in, out), (kind, q->flags),
                      (int, S, N, N, N, REAL *, REAL *), (const K *, unsigned));
    case PLAN_R2R:
        return CALLED("r2r", (q->d, n, in, out), (kind, q->flags), (int, S, REAL *, REAL *),
                      (const K *, unsigned));
    case R2R_2D:
        return CALLED("r2r_2d", (n[0], n[1], in, out), (kind[0], kind[1], q->flags), (N, N, REAL *, REAL *),
                      (K, K, unsigned));
    case R2R_3D:
        return CALLED("r2r_3d", (n[0], n[1], n[2], in, out), (kind[0], kind[1], kind[2], q->flags),
                      (N, N, N, REAL *, REAL *), (K, K, K, unsigned));
    case MANY_R2C:
        return CALLED("many_dft_r2c", (q->d, n, q->howmany, q->block[0], q->block[1], in, cout), (q->flags),
                      (int, S, N, N, N, REAL *, C *), (unsigned));
    case PLAN_R2C:
        return CALLED("dft_r2c", (q->d, n, in, cout), (q->flags), (int, S, REAL *, C *), (unsigned));
    case R2C_2D:
        return CALLED("dft_r2c_2d", (n[0], n[1], in, cout), (q->flags), (N, N, REAL *, C *), (unsigned));
    case R2C_3D:
        return CALLED("dft_r2c_3d", (n[0], n[1], n[2], in, cout), (q->flags), (N, N, N, REAL *, C *),
                      (unsigned));
    case MANY_C2R:
        return CALLED("many_dft_c2r", (q->d, n, q->howmany, q->block[0], q->block[1], cin, out), (q->flags),
                      (int, S, N, N, N, C *, REAL *), (unsigned));
    case PLAN_C2R:
        return CALLED("dft_c2r", (q->d, n, cin, out), (q->flags), (int, S, C *, REAL *), (unsigned));
    case C2R_2D:
        return CALLED("dft_c2r_2d", (n[0], n[1], cin, out), (q->flags), (N, N, C *, REAL *), (unsigned));
    case C2R_3D:
        return CALLED("dft_c2r_3d", (n[0], n[1], n[2], cin, out), (q->flags), (N, N, N, C *, REAL *),
                      (unsigned));
    case MANY_TRANSPOSE:
        return CALLED("many_transpose", (n[0], n[1], q->howmany, q->block[0], q->block[1], in, out),
                      (q->flags), (N, N, N, N, N, REAL *, REAL *), (unsigned));
    default:
        return CALLED("transpose", (n[0], n[1], in, out), (q->flags), (N, N, REAL *, REAL *), (unsigned));
    }
}

/* Execute a plan on other arrays: by the function of FFTW's MPI library or of its serial library. */
static void BODY(execute)(const request *q, CALL(plan) plan, REAL *in, REAL *out, int is_mpi)
{
    enum { is_stock = 0 };
    CALL(complex) *cin = (CALL(complex) *)in, *cout = (CALL(complex) *)out;
    if (q->family == DFT && is_mpi)
        FIND(void (*)(CALL(plan), CALL(complex) *, CALL(complex) *), "execute_dft")(plan, cin, cout);
    else if (q->family == DFT)
        CALL(execute_dft)(plan, cin, cout);
    else if (q->family == R2C && is_mpi)
        FIND(void (*)(CALL(plan), REAL *, CALL(complex) *), "execute_dft_r2c")(plan, in, cout);
    else if (q->family == R2C)
        CALL(execute_dft_r2c)(plan, in, cout);
    else if (q->family == C2R && is_mpi)
        FIND(void (*)(CALL(plan), CALL(complex) *, REAL *), "execute_dft_c2r")(plan, cin, out);
    else if (q->family == C2R)
        CALL(execute_dft_c2r)(plan, cin, out);
    else if (is_mpi)
        FIND(void (*)(CALL(plan), REAL *, REAL *), "execute_r2r")(plan, in, out);
    else
        CALL(execute_r2r)(plan, in, out);
}

/* ---- arrays with guards */

typedef struct BODY(array) {
    REAL *memory, *data;
    length reals;
} BODY(array);

enum { BODY(GUARD) = 16 };

static BODY(array) BODY(alloc)(length reals, int shift)
{
    BODY(array) a = {.reals = reals};
    a.memory = CALL(alloc_real)((size_t)(reals + 3 * BODY(GUARD)));
    a.data = a.memory + BODY(GUARD) + shift;
    for (length i = 0; i < reals + 3 * BODY(GUARD); i++)
        a.memory[i] = 12345;
    return a;
}

static int BODY(is_kept)(const BODY(array) * a)
{
    const length from = a->data - a->memory;
    for (length i = 0; i < a->reals + 3 * BODY(GUARD); i++)
        if ((i < from || i >= from + a->reals) && a->memory[i] != 12345)
            return 0;
    return 1;
}

/* ---- right results, by the serial library */

typedef struct BODY(global) {
    length reals;
    REAL *in, *out, most;
} BODY(global);

static int BODY(transform)(const request *q, int family, REAL *in, REAL *out)
{
    const int h = (int)q->howmany;
    CALL(complex) *cin = (CALL(complex) *)in, *cout = (CALL(complex) *)out;
    CALL(r2r_kind) kind[NDIMS];
    CALL(plan) plan;
    int n[NDIMS];
    for (int i = 0; i < q->d; i++) {
        n[i] = (int)q->n[i];
        kind[i] = (CALL(r2r_kind))q->kind[i];
    }
    const unsigned flags = FFTW_ESTIMATE;
    if (family == DFT)
        plan = CALL(plan_many_dft)(q->d, n, h, cin, NULL, h, 1, cout, NULL, h, 1, q->sign, flags);
    else if (family == R2C)
        plan = CALL(plan_many_dft_r2c)(q->d, n, h, in, NULL, h, 1, cout, NULL, h, 1, flags);
    else if (family == C2R)
        plan = CALL(plan_many_dft_c2r)(q->d, n, h, cin, NULL, h, 1, out, NULL, h, 1, flags);
    else
        plan = CALL(plan_many_r2r)(q->d, n, h, in, NULL, h, 1, out, NULL, h, 1, kind, flags);
    if (plan)
        CALL(execute)(plan);
    CALL(destroy_plan)(plan);
    return plan != NULL;
}

/* Returns 0 if the serial library has no such transform. */
static int BODY(set_global)(const request *q, test_random *r, BODY(global) * g)
{
    int ok = 1;
    g->reals = 2 * q->howmany;
    for (int i = 0; i < q->d; i++)
        g->reals *= q->n[i] + 2;
    const size_t bytes = (size_t)g->reals * sizeof(REAL);
    g->in = CALL(malloc)(bytes);
    g->out = CALL(malloc)(bytes);
    REAL *spare = CALL(malloc)(bytes);
    memset(g->out, 0, bytes);
    for (length i = 0; i < g->reals; i++)
        spare[i] = (REAL)test_random_double(r);
    if (q->family == C2R)
        (void)BODY(transform)(q, R2C, spare, g->in);
    else
        memcpy(g->in, spare, bytes);
    memcpy(q->family == TRANSPOSE ? g->out : spare, g->in, bytes);
    if (q->family != TRANSPOSE)
        ok = BODY(transform)(q, q->family, spare, g->out);
    CALL(free)(spare);
    g->most = 1;
    for (length i = 0; i < g->reals; i++)
        g->most = g->out[i] > g->most ? g->out[i] : -g->out[i] > g->most ? -g->out[i] : g->most;
    return ok;
}

/* If `sets`, copy this rank's part of a global array to the local array. Otherwise return the largest
 * difference between the two. */
static REAL BODY(move)(const share *s, const REAL *global, REAL *local, int sets)
{
    length count = 1, x[NDIMS];
    REAL most = 0;
    for (int i = 0; i < s->d; i++)
        count *= s->len[i];
    for (length at = 0; at < count; at++) {
        length left = at, there = 0, here = 0;
        for (int i = s->d - 1; i >= 0; i--) {
            x[i] = left % s->len[i];
            left /= s->len[i];
        }
        for (int i = 0; i < s->d; i++) {
            there = there * s->n[i] + x[i] + s->start[i];
            here = here * s->stored[s->order[i]] + x[s->order[i]];
        }
        for (length k = here * s->width; k < (here + 1) * s->width; k++) {
            const REAL right = global[there * s->width + k - here * s->width];
            if (sets)
                local[k] = right;
            const REAL off = local[k] > right ? local[k] - right : right - local[k];
            most = off <= most ? most : off == off ? off : HUGE_VALF;
        }
    }
    return most;
}

/* ---- a request */

static int BODY(is_right)(const BODY(global) * g, REAL off)
{
    return off <= (REAL)(4000 * EPSILON) * g->most;
}

/* The arrays of a plan, and what must be in them. */
typedef struct BODY(scene) {
    const request *q;
    share side[2];
    length reals;
    BODY(global) global;
    BODY(array) in, out;
} BODY(scene);

static void BODY(alloc_arrays)(BODY(scene) * s, int shift)
{
    s->in = BODY(alloc)(s->reals, shift);
    s->out = s->q->is_in_place ? s->in : BODY(alloc)(s->reals, shift);
}

static void BODY(free_arrays)(BODY(scene) * s)
{
    if (!s->q->is_in_place)
        CALL(free)(s->out.memory);
    CALL(free)(s->in.memory);
}

/* Execute a plan once, on new arrays or on its own, and check the results. */
static outcome BODY(try_once)(const BODY(scene) * planned, CALL(plan) plan, int way)
{
    BODY(scene) s = *planned;
    const request *q = s.q;
    if (way)
        BODY(alloc_arrays)(&s, q->new_shift);
    (void)BODY(move)(&s.side[0], s.global.in, s.in.data, 1);
    if (way)
        BODY(execute)(q, plan, s.in.data, s.out.data, way % 2);
    else
        CALL(execute)(plan);
    int right = BODY(is_right)(&s.global, BODY(move)(&s.side[1], s.global.out, s.out.data, 0));
    if (keeps_input(q))
        right = right && BODY(move)(&s.side[0], s.global.in, s.in.data, 0) == 0;
    const int kept = BODY(is_kept)(&s.in) && BODY(is_kept)(&s.out);
    if (way)
        BODY(free_arrays)(&s);
    return !kept ? OVERWRITTEN : right ? RIGHT : WRONG;
}

/* Scrambled data has no defined order: the plan and its inverse together must multiply the data by n. */
static outcome BODY(try_scrambled)(const BODY(scene) * s, CALL(plan) plan, MPI_Comm comm, int is_stock)
{
    const request back = test_fftw_get_inverse(s->q);
    CALL(plan) inverse = BODY(plan)(&back, s->out.data, s->in.data, comm, is_stock);
    if (!inverse)
        return MADE;
    (void)BODY(move)(&s->side[0], s->global.in, s->in.data, 1);
    CALL(execute)(plan);
    CALL(execute)(inverse);
    CALL(destroy_plan)(inverse);
    const length count = s->side[0].len[0] * s->side[0].width;
    for (length i = 0; i < count; i++)
        s->in.data[i] /= (REAL)s->q->n[0];
    if (!BODY(is_kept)(&s->in) || !BODY(is_kept)(&s->out))
        return OVERWRITTEN;
    return BODY(is_right)(&s->global, BODY(move)(&s->side[0], s->global.in, s->in.data, 0)) ? RIGHT : WRONG;
}

static outcome BODY(use)(BODY(scene) * s, CALL(plan) plan, test_random *r, MPI_Comm comm, int is_stock)
{
    outcome all = RIGHT;
    if (s->q->is_strange || !BODY(set_global)(s->q, r, &s->global))
        return MADE;
    if (is_scrambled(s->q))
        return BODY(try_scrambled)(s, plan, comm, is_stock);
    for (int i = 0; i < s->q->executions; i++) {
        const outcome one = BODY(try_once)(s, plan, i % (is_stock ? 2 : 3));
        all = one > all ? one : all;
    }
    return all;
}

/* Query whether no element of an array was written. */
static int BODY(is_new)(const BODY(array) * a)
{
    for (length i = 0; i < a->reals; i++)
        if (a->data[i] != 12345)
            return 0;
    return BODY(is_kept)(a);
}

/* Plan and execute a request. The communicator of the plan is freed before the execution. Collective over the
 * ranks of comm. */
static outcome BODY(run)(const request *q, test_random *r, MPI_Comm comm, int is_stock)
{
    BODY(scene) s = {.q = q};
    s.reals = get_shares(q, comm, s.side);
    BODY(alloc_arrays)(&s, q->shift);
    if (q->flags & FFTW_WISDOM_ONLY) {
        request first = *q;
        first.flags &= ~FFTW_WISDOM_ONLY;
        CALL(destroy_plan)(BODY(plan)(&first, s.in.data, s.out.data, comm, is_stock));
    }
    MPI_Comm own;
    MPI_Comm_dup(comm, &own);
    CALL(plan) plan = BODY(plan)(q, s.in.data, s.out.data, own, is_stock);
    MPI_Comm_free(&own);
    const int is_new = q->flags & (FFTW_ESTIMATE) ? BODY(is_new)(&s.in) && BODY(is_new)(&s.out) : 1;
    outcome result = plan ? BODY(use)(&s, plan, r, comm, is_stock) : NONE;
    if (!is_new || !BODY(is_kept)(&s.in) || !BODY(is_kept)(&s.out))
        result = OVERWRITTEN;
    CALL(destroy_plan)(plan);
    CALL(free)(s.global.in);
    CALL(free)(s.global.out);
    BODY(free_arrays)(&s);
    return result;
}

/* Query whether FFTW's own library has a plan. */
static int BODY(has_stock_plan)(const request *q, MPI_Comm comm)
{
    BODY(scene) s = {.q = q};
    s.reals = get_shares(q, comm, s.side);
    BODY(alloc_arrays)(&s, q->shift);
    CALL(plan) plan = BODY(plan)(q, s.in.data, s.out.data, comm, 1);
    CALL(destroy_plan)(plan);
    BODY(free_arrays)(&s);
    return plan != NULL;
}
