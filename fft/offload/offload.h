/* offload.h - the strategies device and device_natural: they execute plans on arrays in the memory of a
 * device, such as a GPU. The device transforms; exchanges on the device's memory (subx_exch with the hint
 * subx_memory_kind) reorder and move the data.
 *
 *      from --transform--> work[0] ==exchange==> work[1] --transform--> work[1] ==exchange==> work[0]
 *      work[0] --transform--> to
 *
 * If a side of the plan has an edge (array.h), an exchange reads or writes the caller's array there:
 *
 *      from ==exchange==> work[0] --transform--> work[0] ==exchange==> work[1] --transform--> to
 *
 * All work of the plan is in one stream, and the exchanges follow it (subx_exch_set_stream). Without a stream
 * of the caller, a rank waits for its device at the end of each stage. With such a stream, the rank waits
 * only inside exchanges. */
#ifndef SX_OFFLOAD_H
#define SX_OFFLOAD_H

#include "device/device.h"
#include "plan/plan.h"
#include "limits/limits.h"

typedef struct sx_offload_stage {
    /* An exchange: for each direction, the exchanges of its layers, one after the other (exchange.c). */
    int nlayers, nslices, is_narrow; /* is_narrow: 1 if all blocks travel as floats (wire.c) */
    subx_exch *exch[2];
    /* A serial stage has transforms of one axis each, or of several axes at once (group.c), for each
     * direction. The SX_SERIAL_* in `place` tells whether a transform is in place, or from input to output.
     * ntransforms is 0 if the rank has no data. */
    int ntransforms[2], place[2][SUBX_NDIMS_MAX];
    int way[2]; /* SX_OFFLOAD_* below */
    sx_device_nest copy[2];
    void *transform[2][SUBX_NDIMS_MAX];
    struct sx_offload_wide *wide[2]; /* [direction]: for a wide stage (wide.c), instead of `transform` */
} sx_offload_stage;

typedef struct sx_offload {
    const sx_device *device;
    void *handle; /* of the open device */
    void *stream;
    void *caller;        /* a stream of the caller; NULL for none */
    int is_broken;       /* 1 if the device has failed, so that the plan must not be used again */
    void *begun, *ended; /* events: the caller's stream, or the plan's, has ended its work so far */
    /* Memory of the device. `memory` is from subx_mem_alloc, so that partners of this node may read it. It
     * has the plan's work arrays, and the work space of the exchanges. All exchanges share this work space,
     * because one at a time is executed. */
    void *memory;
    char *exch_work, *wide[2], *waves; /* waves: the tables of an operation with wavenumbers */
    ptrdiff_t array_bytes, exch_work_bytes, wide_bytes[2], waves_bytes;
    /* memory of the host: the work space of the exchanges */
    void *host_work;
    int is_pinned;
    ptrdiff_t host_bytes;
    sx_offload_stage stage[];
} sx_offload;

int sx_offload_create(subx_fft_plan plan, MPI_Info hints);
void sx_offload_free(subx_fft_plan plan);
void sx_offload_list(subx_fft_plan plan, int d, sx_list *list);
void sx_offload_execute(subx_fft_plan plan, const sx_event *e);
int sx_offload_set_stream(subx_fft_plan plan, void *stream);
void sx_offload_drop_caller(subx_fft_plan plan);
int sx_offload_may_be_given(subx_fft_plan plan);

/* get_narrays: get the number of work arrays. reads_copy: query whether an execution in a direction must read
 * a copy of its input in a work array; is_in_place: the caller gives the same array for input and output
 * (execute.c). is_in_place: query whether a stage is a transform in place. is_stored_alike: query whether a
 * stage has the same elements and strides on both sides. */
int sx_offload_get_narrays(subx_fft_plan plan);
int sx_offload_reads_copy(subx_fft_plan plan, int d, int is_in_place);
int sx_offload_is_in_place(subx_fft_plan plan, int i, int d);
int sx_offload_is_stored_alike(const sx_stage *s);

/* ---- streams (stream.c). set_error: set the error of an execution to the code of a kind, unless it has one.
 * wait: wait for all work of the plan. start: later work of the plan begins after the work that is in
 * this stream now. complete: later work of this stream begins after all work of the plan; without a stream of
 * the caller, the rank waits for all work of the plan. */
void sx_offload_set_error(int *error, int kind);
void sx_offload_wait(const sx_offload *a, int *error);
void sx_offload_complete_in_stream(const sx_offload *a, int *error);
void sx_offload_start_in_stream(const sx_offload *a, int *error);

/* ---- exchanges (exchange.c). create_layers: count the layers of all exchanges; collective, and the outcome
 * is agreed on. create_exchange: create the exchanges of all layers of stage i in direction d. A rank that
 * has failed (rc) takes part, and the creation fails on all its ranks. Collective. print_ways: append how
 * data travel between the ranks of the plan's exchanges, and why not in another way. get_ways: see
 * sx_strategy. */
int sx_offload_create_layers(subx_fft_plan plan);
int sx_offload_create_exchange(subx_fft_plan plan, int i, int d, int rc, MPI_Info hints);
void sx_offload_free_exchanges(sx_offload_stage *s);
void sx_offload_print_ways(subx_fft_plan plan, sx_text *t);
void sx_offload_get_ways(subx_fft_plan plan, sx_ways *w);

/* Create the exchanges of all stages, which get the plan's stream, and set the bytes of their work space
 * (wire.c). Collective; the outcome is agreed on. */
int sx_offload_create_exchanges(subx_fft_plan plan, MPI_Info hints);

/* ---- blocks (blocks.c). A block that this rank sends to a partner, or receives from it. */
typedef struct sx_offload_block {
    sx_edge_box box;           /* offset: of its first element in the array of this rank */
    int order[SUBX_NDIMS_MAX]; /* the axes in the order in which elements are sent, innermost first */
} sx_offload_block;

/* get_block: get block number `which`, counted from 0, that this rank has for a partner (SX_FROM) or gets
 * from it (SX_TO) in the exchange of stage i in direction d. Returns 0 if there is no such block; a block is
 * not empty. create_type: create the datatype of a block, whose elements have `bytes` bytes. Returns an MPI
 * error code. */
int sx_offload_get_block(subx_fft_plan plan, int i, int d, int side, int partner, int which,
                         sx_offload_block *b);
int sx_offload_create_type(int ndims, const sx_offload_block *b, MPI_Datatype element, MPI_Aint bytes,
                           MPI_Datatype *type);

/* ---- transforms. get_problem: get the problem of the axes of a stage in a direction, if no axis needs a
 * buffer (transform.c). has_aligned_calls: query whether all calls for such a problem read and write at
 * addresses that are aligned as complex numbers are, if the arrays are aligned so: cuFFT refuses other
 * addresses, also those of reals (group.c). is_aligned: the same for axes that are transformed at once
 * (transform.c). get_group: get the next axes of a problem that the device transforms at once, after `done`
 * axes; *place becomes where this transform reads and writes (SX_SERIAL_*). Returns the number of axes
 * (group.c). count_calls: count the calls of the vendor's library that a transform takes. create_transform:
 * create the device's transform of such axes. Returns a kind of error (transform.c). */
int sx_offload_get_group(const sx_serial_problem *p, int done, sx_serial_problem *group, int *place);
int sx_offload_is_aligned(const sx_serial_problem *p);
ptrdiff_t sx_offload_count_calls(const sx_serial_problem *p);
sx_serial_problem sx_offload_get_problem(subx_fft_plan plan, int i, int d);
int sx_offload_has_aligned_calls(const sx_serial_problem *p);
int sx_offload_create_transform(const sx_offload *a, const sx_serial_problem *p, int is_in_place,
                                void **transform);

/* ---- ways from input to output (group.c). get_way: get the way that needs the least time. `inside` becomes
 * the problem of its transforms; not for BUFFERS. is_in_place: the input is the output, so copies between
 * them are out of the question. get_copy: get the copy from the input to the output of a problem of complex
 * numbers. Its levels are in the order of the output: adjacent threads write adjacent elements. */
enum { SX_OFFLOAD_DIRECT, SX_OFFLOAD_COPY_BEFORE, SX_OFFLOAD_COPY_AFTER, SX_OFFLOAD_BUFFERS };
int sx_offload_get_way(const sx_serial_problem *p, int is_in_place, sx_serial_problem *inside);
sx_device_nest sx_offload_get_copy(const sx_serial_problem *p);

/* ---- how a device transforms an axis (fold.c) */

/* A complex or real Fourier transform of length n, and the folds before it and after it, which have no rule
 * if there is no fold. The transform reads and writes length[side] elements of unit[side] reals. */
typedef struct sx_offload_recipe {
    int kind, unit[2];
    ptrdiff_t n, length[2];
    sx_device_fold before, after;
} sx_offload_recipe;

/* Get the recipe for a kind that is executed (sx_serial_get_kind), such as C2R or DCT3. n is the length of
 * the axis. */
sx_offload_recipe sx_offload_get_recipe(int kind, ptrdiff_t n, int is_orthonormal);

/* ---- wide stages, whose axes are transformed in buffers (wide.c) */

/* A copy to a buffer, and a transform in this buffer (is_in_place), or from it to the other buffer. */
typedef struct sx_offload_step {
    sx_device_fix copy;
    sx_serial_problem problem;
    void *transform;
    int is_in_place;
} sx_offload_step;

typedef struct sx_offload_wide {
    sx_device_fix last;
    int nsteps, nbuffers;
    sx_offload_step step[];
} sx_offload_wide;

/* Query whether a transform reads or writes the caller's array of a side, and the caller has given its
 * strides. */
int sx_offload_has_strides(subx_fft_plan plan, int side);

/* create_wide: create stage i of a direction if it is a wide stage, and increase wide_bytes of the plan if
 * this stage needs more. create_wide_transforms: create the transforms of a wide stage, after the plan's
 * memory has been allocated. free_wide: free a wide stage; `w` may be NULL. Local. */
int sx_offload_create_wide(subx_fft_plan plan, int i, int d);
int sx_offload_create_wide_transforms(const sx_offload *a, sx_offload_wide *w);
void sx_offload_free_wide(const sx_offload *a, sx_offload_wide *w);

/* Execute a wide stage, and multiply its result by a factor. Returns a kind of error. */
int sx_offload_execute_wide(const sx_offload *a, const sx_offload_wide *w, const void *in, void *out,
                            double factor);

/* Multiply an array x by a factor, and leave its gaps as they are. Returns a kind of error. */
int sx_offload_scale_box(const sx_offload *a, int real_bytes, const sx_box *b, void *x, double factor);

/* ---- a factored axis (factored_axis.c). has: query whether the result of stage i forward, and so its input
 * backward, is multiplied by twiddle factors. multiply: multiply such an array x. Returns a kind of error. */
int sx_offload_has_twiddles(subx_fft_plan plan, int i);
int sx_offload_multiply_twiddles(subx_fft_plan plan, int i, int d, void *x);

/* ---- operations (operate.c): apply an operation to the spectral array x of this rank, unless *error tells
 * of an error. */
void sx_offload_execute_operation(subx_fft_plan plan, const sx_box *box, subx_fft_operation op, void *x,
                                  int *error);

#endif
