/* fftw.c - libraries with FFTW's interface, loaded at run time, so that several of them can be compared. Declarations
 * of fftw3.h are repeated here, because the program can be built without it. */
#include "serial/pencils.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#ifndef RTLD_DEEPBIND
#define RTLD_DEEPBIND 0
#endif

/* The flags of fftw3.h; FFTW_MEASURE is 0. */
enum { DESTROY_INPUT = 1 << 0, PATIENT = 1 << 5, ESTIMATE = 1 << 6 };

typedef void *plan_complex(int rank, const sx_serial_dim *axis, int nloops, const sx_serial_dim *loop,
                           void *in, void *out, int sign, unsigned flags);
typedef void *plan_real(int rank, const sx_serial_dim *axis, int nloops, const sx_serial_dim *loop, void *in,
                        void *out, unsigned flags);

/* FFTW's functions for one precision. An fftw_iodim64 has the same members as an sx_serial_dim. */
struct calls {
    plan_complex *c2c;
    plan_real *r2c, *c2r;
    void (*execute)(void *plan);
    void (*destroy)(void *plan);
};

struct fftw {
    struct calls calls[SUBX_FFT_DOUBLE + 1]; /* by precision; functions are NULL if missing */
    const char *version;
};

/* -------------------------------------------------------------------------------- loading */

/* Store the address of a function; ISO C cannot convert an object pointer to a function pointer. Returns 0 if the
 * function is missing. */
static int find(void *handle, const char *prefix, const char *name, void *function)
{
    char symbol[SX_PERF_TEXT_MAX];
    snprintf(symbol, sizeof symbol, "%s_%s", prefix, name);
    void *address = dlsym(handle, symbol);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

static int find_calls(void *handle, const char *prefix, struct calls *calls)
{
    struct calls found;
    if (!find(handle, prefix, "plan_guru64_dft", &found.c2c) ||
        !find(handle, prefix, "plan_guru64_dft_r2c", &found.r2c) ||
        !find(handle, prefix, "plan_guru64_dft_c2r", &found.c2r) ||
        !find(handle, prefix, "execute", &found.execute) ||
        !find(handle, prefix, "destroy_plan", &found.destroy))
        return 0;
    *calls = found;
    return 1;
}

/* RTLD_DEEPBIND: the library calls its own functions, not the functions of the FFTW that the program is linked with. */
static void load(struct fftw *fftw, const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!handle)
        sx_perf_program_exit(MPI_SUCCESS, "--fftw: %.400s", dlerror());
    const int has_float = find_calls(handle, "fftwf", &fftw->calls[SUBX_FFT_FLOAT]),
              has_double = find_calls(handle, "fftw", &fftw->calls[SUBX_FFT_DOUBLE]);
    if (!has_float && !has_double)
        sx_perf_program_exit(MPI_SUCCESS, "--fftw: %.200s has no functions of FFTW", path);
    if (!find(handle, "fftw", "version", &fftw->version) && !fftw->version)
        find(handle, "fftwf", "version", &fftw->version);
}

const void *sx_perf_serial_fftw_create(const struct sx_perf_serial_files *files, const char *name)
{
    struct fftw *fftw = sx_perf_memory_create_small(1, sizeof *fftw);
    /* MKL reads this variable when it is loaded; without it, MKL would start threads. */
    setenv("MKL_THREADING_LAYER", "SEQUENTIAL", 0);
    for (int i = 0; i < files->n; i++)
        if (strcmp(files->name[i], name) == 0)
            load(fftw, files->path[i]);
    return fftw;
}

void sx_perf_serial_fftw_print(const struct sx_perf_serial_job *job, size_t len, char *text)
{
    const char *linked = dlsym(RTLD_DEFAULT, "fftw_version");
    size_t used = (size_t)snprintf(text, len, "fftw3 %s", linked ? linked : "none");
    for (int i = 0; i < job->ncandidates && used < len; i++) {
        const struct fftw *fftw = job->candidate[i].which;
        if (job->candidate[i].library == &sx_perf_serial_fftw)
            used += (size_t)snprintf(text + used, len - used, ", %s %s", job->candidate[i].name,
                                     fftw->version ? fftw->version : "of another library");
    }
}

/* ---------------------------------------------------------------------------------- plans */

struct plan {
    const struct calls *calls;
    void *plan;
};

static int serves(const void *which, int precision)
{
    const struct fftw *fftw = which;
    return precision <= SUBX_FFT_DOUBLE && fftw->calls[precision].c2c;
}

static void *create(const void *which, const struct sx_perf_serial_tile *tile, int effort)
{
    static const unsigned efforts[] = {ESTIMATE, 0, PATIENT};
    const struct fftw *fftw = which;
    const sx_serial_problem *p = &tile->problem;
    const struct calls *calls = &fftw->calls[p->precision];
    const unsigned flags = efforts[effort] | DESTROY_INPUT;
    /* Not every library with this interface has real-to-real transforms. */
    if (sx_serial_is_r2r(p->kind))
        return NULL;
    struct plan *plan = sx_perf_memory_create_small(1, sizeof *plan);
    plan->calls = calls;
    if (p->kind == SUBX_FFT_C2C)
        plan->plan = calls->c2c(1, p->axis, 1, p->loop, tile->in, tile->out, p->direction, flags);
    else
        plan->plan = (p->kind == SUBX_FFT_R2C ? calls->r2c : calls->c2r)(1, p->axis, 1, p->loop, tile->in,
                                                                         tile->out, flags);
    if (plan->plan)
        return plan;
    free(plan);
    return NULL;
}

static int execute(void *opaque)
{
    const struct plan *plan = opaque;
    plan->calls->execute(plan->plan);
    return MPI_SUCCESS;
}

static void free_plan(void *opaque)
{
    struct plan *plan = opaque;
    plan->calls->destroy(plan->plan);
    free(plan);
}

const struct sx_perf_serial_library sx_perf_serial_fftw = {serves, create, execute, free_plan};
