/* plan.h - what a plan is made of: choices, boxes, and stages between them. */
#ifndef SX_PLAN_H
#define SX_PLAN_H

#include "pass/pass.h"

enum { SX_AUTO, SX_FUSED, SX_STRIDE1, SX_NATURAL };
enum { SX_PENCILS_AUTO, SX_PENCILS_CONTIGUOUS, SX_PENCILS_INTERLEAVED };
enum { SX_OVERLAP_AUTO, SX_OVERLAP_NONE, SX_OVERLAP_SEND, SX_OVERLAP_RECEIVE, SX_OVERLAP_BOTH };
enum { SX_OUTPUT_NATURAL = 0, SX_OUTPUT_TRANSPOSED = 1 };
enum { SX_SCALE_NONE = 0, SX_SCALE_FORWARD = 1, SX_SCALE_BACKWARD = 2, SX_SCALE_SYMMETRIC = 3 };

/* ---- problem (problem.c) */

/* Parse up to max lengths joined by x; returns 1 if the whole text is that. */
int sx_plan_parse_lengths(const char *text, int max, int *n, ptrdiff_t lengths[]);
int sx_plan_check_problem(int kind, int ndims, const ptrdiff_t sizes[]);

/* ---- choices (choice.c): the problem, and all that hints decide */
typedef struct sx_choice {
    int kind, ndims;
    ptrdiff_t sizes[SUBX_NDIMS_MAX];    /* of the physical side */
    ptrdiff_t spectral[SUBX_NDIMS_MAX]; /* of the spectral side */
    int g, dims[SUBX_NDIMS_MAX];
    int strategy, output, scaling, effort;
    const sx_serial *serial;
    char engine[SX_HINT_LEN];                        /* exchanges and pipes read the same hint */
    int permuting;                                   /* for the exchanges */
    int overlap, slices, progress, pencils, threads; /* these are for fused passes */
    ptrdiff_t width, cache_bytes;
    char passed[6]
               [SX_HINT_LEN]; /* hints that exchanges and pipes read themselves; empty where none was given */
    ptrdiff_t memory;         /* bytes of work space that a rank may have; 0 for any */
} sx_choice;

/* Check the problem and read the hints. Local. */
int sx_choice_set(sx_choice *c, int kind, int ndims, const ptrdiff_t sizes[], int nranks, MPI_Info hints);

/* Get how many ranks there are, and how many bytes each has of the spectral side: on average, and so the same
 * on all. */
int sx_choice_get_nranks(const sx_choice *c);
double sx_choice_get_share(const sx_choice *c);

/* Print it for people; and with all that ranks must have in common. */
void sx_choice_print(const sx_choice *c, sx_text *t);
void sx_choice_print_key(const sx_choice *c, sx_text *t);

/* Set all hints to what they are; `engine` is the one that was chosen. */
int sx_choice_export(const sx_choice *c, const char *engine, MPI_Info info);

/* ---- boxes (box.c): the array on all ranks between two stages */
typedef struct sx_box {
    int ndims, width;            /* width: doubles an element */
    ptrdiff_t n[SUBX_NDIMS_MAX]; /* global lengths */
    int dist[SUBX_NDIMS_MAX];    /* which grid dimension divides an axis, -1 for none */
    int order[SUBX_NDIMS_MAX];   /* of storage, innermost first */
    ptrdiff_t len[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX]; /* this rank's part */
    ptrdiff_t bytes;                                      /* of this rank's part */
} sx_box;

void sx_box_set_c_order(sx_box *b);
/* Make an axis the innermost one; the others keep their order. */
void sx_box_set_innermost(sx_box *b, int axis);
/* Compute this rank's part from n and dist. SUBX_ERR_TOO_LARGE. */
int sx_box_set_local(sx_box *b, const int dims[], const int coords[]);
/* Get strides in elements, by axis. */
void sx_box_get_strides(const sx_box *b, ptrdiff_t stride[]);

/* A tile of a pass holds at least this many pencils side by side, but of the last axis. */
enum { SX_LEAST_PENCILS = 4 };

/* ---- stages */
enum { SX_FORWARD = 0, SX_BACKWARD = 1 }; /* indices of what exists for both directions */

/* How a fused pass goes through slices: it waits for all and does all; it does one after the other as they
 * come, and sends all in the end; it waits for all, does what goes out slice by slice, and sends each; it
 * does and sends them as they come. */
enum { SX_SLICES_NONE, SX_SLICES_IN, SX_SLICES_OUT, SX_SLICES_THROUGH };

typedef struct sx_stage {
    int kind; /* SUBX_FFT_STAGE_* */
    char name[96];
    sx_box from, to;                 /* as forward sees them */
    int naxes, axes[SUBX_NDIMS_MAX]; /* serial: what is transformed, ascending */
    int dim, whole, divided; /* exchange: over which grid dimension; `whole` before, `divided` before */
    void *serial[2];         /* states of the backend; NULL where a rank has no data */
    subx_exch exch[2];
    sx_pass pass[2];            /* fused: instead of serial */
    subx_pipe pipe[2];          /* fused: instead of exch */
    int nslices, slice_axis[2]; /* of a pipe, and along which axis; for each direction */
    int area[2];                /* of a pipe, that it sends from */
    int slices[2];              /* of a pass: SX_SLICES_* */
    double last[2], total[2];   /* seconds */
} sx_stage;

/* A plan alternates serial stages and exchanges, beginning and ending with a serial one; a scaling stage may
 * follow. Where stages are fused, several serial ones may follow each other, one for each pass. */
enum { SX_NSTAGES_MAX = 2 * SUBX_NDIMS_MAX };

/* The memory of fused passes. Pipes send from the two areas in turn, so that one is written while peers
 * still read from the other. */
typedef struct sx_areas {
    void *send[2], *recv[2];
    void *local; /* between two passes without an exchange, where the caller's array is no place for it */
    ptrdiff_t send_bytes[2], recv_bytes[2], local_bytes;
    const void **block; /* what a pipe gives to read */
    subx_pipe busy[2];  /* whose run the send area was last used in; awaited before it is used again */
    int far;            /* some rank gets messages */
} sx_areas;

struct subx_fft_plan_s {
    sx_choice choice;
    subx_grid grid;
    int nstages;
    sx_stage stage[SX_NSTAGES_MAX];
    sx_stage scale;
    double factor[2];
    /* Data moves from one work array to the other with each exchange; only the first and last stages touch
     * the caller's. Owned by the plan, so that they can live in memory that ranks share. */
    void *work[2];
    ptrdiff_t array_bytes; /* of each work array */
    char *exch_work;       /* shared by all exchanges, of which one at a time is in flight */
    ptrdiff_t exch_bytes;
    sx_areas areas;
};

/* Lay out boxes and stages, without any resources. Local (stages.c). */
int sx_plan_set_stages(subx_fft_plan plan);

/* Copy the caller's hints, with one more of the plan's own. The caller of this frees the copy, also after an
 * error, if it is not MPI_INFO_NULL. */
int sx_plan_add_hint(MPI_Info hints, const char *key, const char *value, MPI_Info *info);

/* Create a plan whose choice is made and agreed on. Collective (plan.c). */
int sx_plan_create(const sx_choice *choice, MPI_Comm all, MPI_Info hints, subx_fft_plan *plan);

/* The same where the strategy is left to be measured (try.c). */
int sx_plan_try(const sx_choice *choice, MPI_Comm all, MPI_Info hints, subx_fft_plan *plan);

/* Lay out passes and pipes, and what they need. Collective on all ranks of the plan (fuse.c). */
int sx_plan_fuse(subx_fft_plan plan, MPI_Comm all, MPI_Info hints);
void sx_plan_free_fused(subx_fft_plan plan);

/* Get the bytes of all buffers for tiles. */
ptrdiff_t sx_plan_get_tile_bytes(subx_fft_plan plan);

/* Run the passes of a direction; the times that this rank waited go to the exchanges (fused.c). */
int sx_plan_run_fused(subx_fft_plan plan, int d, const void *from, void *to);

/* The boxes that a stage goes from and to in a direction. */
static inline const sx_box *sx_stage_get_box(const sx_stage *s, int d, int side)
{
    return (d == SX_FORWARD) == (side == SX_FROM) ? &s->from : &s->to;
}

static inline int sx_stage_is_exchange(const sx_stage *s)
{
    return s->kind == SUBX_FFT_STAGE_EXCHANGE;
}

/* What a serial stage does to its axes: the halved one is the last. */
static inline int sx_stage_get_kind(const sx_stage *s, int d)
{
    if (s->from.width == s->to.width)
        return SUBX_FFT_C2C;
    return d == SX_FORWARD ? SUBX_FFT_R2C : SUBX_FFT_C2R;
}

/* The axis that an exchange makes whole in a direction, and the one that it divides. */
static inline int sx_stage_get_whole(const sx_stage *e, int d)
{
    return d == SX_FORWARD ? e->divided : e->whole;
}

static inline int sx_stage_get_divided(const sx_stage *e, int d)
{
    return d == SX_FORWARD ? e->whole : e->divided;
}

/* The ranks that take part in an exchange. */
static inline int sx_plan_get_ranks(subx_fft_plan plan, const sx_stage *e)
{
    return plan->choice.dims[e->dim];
}

/* Get the stage that comes i-th in a direction; NULL if there are fewer. */
sx_stage *sx_plan_get_stage(subx_fft_plan plan, int d, int i);

/* The direction's index, or -1. */
int sx_plan_get_index(int direction);

#endif
