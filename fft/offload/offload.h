/* offload.h - the strategy device: executes plans on arrays in the memory of a device, such as a GPU. The device transforms
 * and reorders. Data that go to other ranks pass through the memory of the hosts.
 *
 *      from --transform--> work[0] ==exchange==> work[1] --transform--> work[1] ==exchange==> work[0] --transform--> to
 *
 *      an exchange, slice by slice; a slice is a part of every block
 *
 *      array --permute--> packed[0] --copy--> send area ==pipe==> receive area --copy--> packed[1] --permute--> array
 *      `---------------- stream 0 ---------------'                     `---------------- stream 1 ----------------'
 *
 * The areas, and the buffers `packed`, have room for two slices: while a slice is on its way, the next one is packed
 * and the one before is unpacked. A rank's block for itself stays on the device.
 *
 * Without a stream of the caller, a rank waits for its device at the end of each stage. With such a stream, the rank waits
 * only for the copies from and to the areas; events make both streams begin a stage after all work of the stage before. */
#ifndef SX_OFFLOAD_H
#define SX_OFFLOAD_H

#include "device/device.h"
#include "plan/plan.h"

enum { SX_OFFLOAD_DEPTH = 2 };

typedef struct sx_offload_stage {
    int nslices;       /* of an exchange */
    subx_pipe pipe[2]; /* of an exchange, for each direction */
    /* A serial stage has a transform per axis and direction. The SX_SERIAL_* in `place` tells whether the transform is
     * in place, or from input to output. naxes is 0 if the rank has no data. */
    int naxes[2], place[2][SUBX_NDIMS_MAX];
    void *transform[2][SUBX_NDIMS_MAX];
    struct sx_offload_wide *wide[2]; /* [direction]: for a wide stage (wide.c), instead of `transform` */
} sx_offload_stage;

typedef struct sx_offload {
    const sx_device *device;
    void *handle; /* of the open device */
    void *stream[2];
    void *event[2][SX_OFFLOAD_DEPTH]; /* [stream][slice % DEPTH]: the stream has copied this slice */
    void *caller;                     /* a stream of the caller; NULL for none */
    /* An event tells that a stream has ended its work so far: the caller's stream (begun), or stream[side] (ended[side]). */
    void *begun, *ended[2];
    /* memory of the device */
    char *work[2], *packed[2][SX_OFFLOAD_DEPTH];
    char *wide[2], *waves; /* waves: the tables of an operation with wavenumbers */
    ptrdiff_t array_bytes, packed_bytes, wide_bytes, waves_bytes;
    /* Memory of the host: the areas. All pipes share them, because only one pipe at a time is in an epoch. */
    void *area[2];
    int is_pinned[2];
    ptrdiff_t area_bytes[2];
    const void **block; /* the addresses of the blocks of a slice that has been received */
    sx_offload_stage stage[];
} sx_offload;

int sx_offload_create(subx_fft_plan plan, MPI_Info hints);
void sx_offload_free(subx_fft_plan plan);
int sx_offload_start(subx_fft_plan plan);
int sx_offload_execute(subx_fft_plan plan, int waits);
void sx_offload_progress(subx_fft_plan plan);
int sx_offload_set_stream(subx_fft_plan plan, void *stream);

/* Get the number of work arrays. */
int sx_offload_get_narrays(subx_fft_plan plan);

/* ---- a stream of the caller (execute.c). start: later work of the plan begins after the work that is in this stream now.
 * complete: later work of this stream begins after all work of the plan; without a stream of the caller, the rank waits for
 * all work of the plan. */
void sx_offload_complete_in_stream(const sx_offload *a, int *error);
void sx_offload_start_in_stream(const sx_offload *a, int *error);

/* ---- how a device transforms an axis (fold.c) */

/* A complex or real Fourier transform of length n, and the folds before it and after it, which have no rule if there is no
 * fold. The transform reads and writes length[side] elements of unit[side] reals. */
typedef struct sx_offload_recipe {
    int kind, unit[2];
    ptrdiff_t n, length[2];
    sx_device_fold before, after;
} sx_offload_recipe;

/* Get the recipe for a kind that is executed (sx_serial_get_kind), such as C2R or DCT3. n is the length of the axis. */
sx_offload_recipe sx_offload_get_recipe(int kind, ptrdiff_t n, int is_orthonormal);

/* ---- wide stages, whose axes are transformed in buffers (wide.c) */

typedef struct sx_offload_step {
    sx_device_fix copy;
    sx_serial_problem problem;
    void *transform;
    int is_in_place;
} sx_offload_step;

typedef struct sx_offload_wide {
    sx_device_fix last;
    int nsteps;
    sx_offload_step step[];
} sx_offload_wide;

/* create_wide: create stage i of a direction if it is a wide stage, and increase wide_bytes of the plan if this stage
 * needs more. create_wide_transforms: create the transforms of a wide stage, after the plan's memory has been
 * allocated. free_wide: free a wide stage; `w` may be NULL. Local. */
int sx_offload_create_wide(subx_fft_plan plan, int i, int d);
int sx_offload_create_wide_transforms(const sx_offload *a, sx_offload_wide *w);
void sx_offload_free_wide(const sx_offload *a, sx_offload_wide *w);

/* Execute a wide stage, and multiply its result by a factor. Returns a kind of error. */
int sx_offload_execute_wide(const sx_offload *a, const sx_offload_wide *w, const void *in, void *out,
                            double factor);

/* Multiply an array x by a factor, and leave its gaps as they are. Returns a kind of error. */
int sx_offload_scale_box(const sx_offload *a, int precision, const sx_box *b, void *x, double factor);

/* ---- operations (operate.c): apply an operation to the spectral array x of this rank, unless *error tells of an error. */
void sx_offload_execute_operation(subx_fft_plan plan, subx_fft_operation op, void *x, int *error);

/* ---- blocks (block.c) */

/* A part of a block: the nest that packs or unpacks it, and where it begins in the array. The packed bytes lie in the
 * order of the array that receives them. For the block that a rank keeps, the nest leads from array to array. */
typedef struct sx_offload_part {
    sx_device_nest nest;
    ptrdiff_t offset[2]; /* [side]: bytes from the beginning of the array; 0 on the packed side */
    ptrdiff_t bytes;
} sx_offload_part;

/* Get a slice of the block that exchange i sends to rank q (SX_FROM) or receives from it (SX_TO) in direction d. */
sx_offload_part sx_offload_get_part(subx_fft_plan plan, int i, int d, int side, int slice, int q);

/* Get the whole block that this rank keeps. */
sx_offload_part sx_offload_get_own(subx_fft_plan plan, int i, int d);

/* Get this rank's number among the ranks that take part in its exchange i. */
int sx_offload_get_rank(subx_fft_plan plan, int i);

/* ---- exchanges (exchange.c): execute exchange i in direction d. *error is the first error so far. After an error the device
 * gets no more work, but every slice is posted, started and completed, because partners wait for it. */
void sx_offload_execute_exchange(subx_fft_plan plan, int i, int d, const char *from, char *to, int *error);

#endif
