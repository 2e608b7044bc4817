/* subx_fft.h - distributed Fourier transforms of arrays of two and more axes.
 *
 * Part of subarray_x. BSD-3-Clause; see LICENSE. The conventions of subx.h hold here too.
 *
 * A transform has two sides. On the PHYSICAL side lives the field u, on the SPECTRAL side its transform
 *
 *     U[k0,..,kd-1] = sum over j0,..,jd-1 of u[j0,..,jd-1] exp(-2 pi i (k0 j0/N0 + .. + kd-1 jd-1/Nd-1)).
 *
 * FORWARD goes from the physical side to the spectral side, with the minus sign; BACKWARD goes back, with the
 * plus sign. Both come from one plan. Elements are double (the physical side of real transforms) or double
 * complex: two doubles, real part first, as C99's double _Complex and C++'s std::complex<double>.
 *
 * How arrays are distributed, on a process grid P0 x .. x Pg-1 (Dalcin, Mortensen & Keyes 2019, sections
 * 3.5 and 3.6): on the physical side grid dimension m divides axis m, on the spectral side axis m+1; all
 * blocks are subx_block_get's. A grid dimension of 1 rank divides nothing. Any sizes work on any number
 * of ranks: a rank may be left without data; its lengths are then 0 and its starts within 0 .. N.
 */
#ifndef SUBX_FFT_H
#define SUBX_FFT_H

#include <subx.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of transform. C2R is R2C named from its other end: the same sides, the same plan. It exists so
 * that a problem can say which of the two is the transform proper. */
enum { SUBX_FFT_C2C = 1, SUBX_FFT_R2C = 2, SUBX_FFT_C2R = 3 };

/* Directions, with the sign of the exponent as their value. */
enum { SUBX_FFT_FORWARD = -1, SUBX_FFT_BACKWARD = 1 };

/* Sides. The spectral side of R2C and C2R has only Nd-1/2+1 entries along the last axis. */
enum { SUBX_FFT_PHYSICAL = 0, SUBX_FFT_SPECTRAL = 1 };

/* A plan: an alternating list of serial transforms and exchanges, and the work space for it. */
typedef struct subx_fft_plan_s *subx_fft_plan;
#define SUBX_FFT_PLAN_NULL ((subx_fft_plan)0)

/* ----------------------------------------------------------------------------------- problems */

/* Parse the spelling of a problem, such as "c2c:42x127x256" or "r2c:7x11x13": the kind, a colon, and the
 * lengths of the physical side joined by x, axis 0 first. Local.
 *   text   [in]   the spelling
 *   kind   [out]  SUBX_FFT_C2C, SUBX_FFT_R2C or SUBX_FFT_C2R
 *   ndims  [out]  number of axes, 2 .. SUBX_NDIMS_MAX
 *   sizes  [out]  room for SUBX_NDIMS_MAX lengths, elements, each > 0
 * Errors: PROBLEM, ARG. */
SUBX_EXPORT int subx_fft_problem_parse(const char *text, int *kind, int *ndims, ptrdiff_t sizes[]);

/* Print the canonical spelling of a problem, which subx_fft_problem_parse reads. Local.
 *   kind, ndims, sizes  [in]  as in subx_fft_plan_create
 *   len     [in]   room in text, bytes
 *   text    [out]  the spelling, cut to len-1 bytes and always terminated; may be NULL if len is 0
 *   needed  [out]  bytes of the whole spelling without the terminator (may be NULL)
 * Errors: PROBLEM, ARG. */
SUBX_EXPORT int subx_fft_problem_print(int kind, int ndims, const ptrdiff_t sizes[], size_t len, char *text,
                                       size_t *needed);

/* -------------------------------------------------------------------------------------- plans */

/* Create a plan. Collective on comm. The plan may be executed any number of times, on any arrays.
 *
 * Hints (each also as an environment variable in capitals):
 *   subx_grid      the process grid, such as "4" (slabs), "2x3" (pencils) or "2x2x2", 1 to ndims-1
 *                  dimensions; a 0 in it is chosen. "auto" (default): one dimension if no rank is then
 *                  left without data, else the fewest dimensions for which none is, else ndims-1
 *   subx_strategy  how axes are transformed and exchanged:
 *                    fused     tile by tile: what is transformed next is gathered from where peers have it,
 *                              or from where messages brought it, transformed in the caches, and written once
 *                    stride1   exchanges reorder the axes in flight so that what is transformed next is
 *                              contiguous (Yan)
 *                    natural   the axes stay in C order and serial transforms stride through memory (Dalcin,
 *                              Mortensen & Keyes 2019)
 *                  "auto" (default): fused, or stride1 with an engine that only exchanges have; with an
 *                  effort above estimate and the engine left to choice, the fastest of the three, measured
 *                  here, natural also with MPI's own engine (types, alltoallw): for arrays that are not far
 *                  beyond the caches, and any on one rank; two more arrays are needed for that moment
 *   subx_output    how the spectral side is stored: "natural" (default), in C order; or "transposed": in C
 *                  order, but that each exchange makes the axis innermost that it makes whole, which
 *                  subx_fft_plan_get_local tells. Strategy natural knows natural only
 *   subx_scaling   "none" (default): backward after forward multiplies by N = N0 .. Nd-1; "forward":
 *                  1/N in forward; "backward": 1/N in backward; "symmetric": 1/sqrt(N) in both
 *   subx_serial    the serial backend: "fftw3" (default where it was built in) or "naive"
 *   subx_effort    how hard the serial backend searches: "estimate" (default), "measure", "patient"; see
 *                  subx_strategy too
 *   subx_engine, subx_between, subx_window, subx_node_ranks   for fused as for subx_pipe_create, else as for
 *                  subx_exch_create_realign
 *   subx_threads   threads of each rank, >= 1 (default 1), where built with OpenMP: for the tiles of fused,
 *                  else for copies in exchanges. More than one needs MPI_THREAD_FUNNELED, else UNAVAILABLE;
 *                  our threads call no MPI. Backend naive has one
 *   subx_memory    bytes of work space (subx_fft_plan_get_work) that each rank may have; 0 (default) for any.
 *                  If fused needs more, it does without overlap; what needs more even so is NO_MEM. While a
 *                  plan is being made it may have more for a moment
 *   subx_tile, subx_radix, subx_check, subx_permute   for stride1 and natural, as for
 *                  subx_exch_create_realign
 *
 * and for fused
 *   subx_overlap   where messages travel, whether transforms go on meanwhile, slice by slice:
 *                    none      they do not: a slice is all (Song & Hollingsworth 2014: NEW-0, TH-0)
 *                    send      what is transformed is sent slice by slice, what comes is awaited (their TH,
 *                              after Hoefler)
 *                    receive   all is sent, and what comes is transformed slice by slice
 *                    both      both, at the price of another pass through memory on slabs (their NEW)
 *                  "auto" (default): as both, where that needs no other pass, else as receive
 *   subx_slices    slices of an exchange, 0 .. 1024; 0 (default) for up to 4, of messages of 64 KiB at least
 *   subx_progress  how often in a slice, or in all if there is but one, messages are helped on, >= 0 (default
 *                  16)
 *   subx_width     pencils side by side in a tile, at most, and up to half as many more at the end of an
 *                  axis; >= 0, 0 (default) for a choice
 *   subx_pencils   how they lie in the tile: "contiguous", "interleaved", or "auto" (default)
 *   subx_cache     bytes that a tile may take, >= 1 (default 1310720, about a second-level cache); up to four
 *                  times that where it saves a pass through memory
 *
 *   comm   [in]   the ranks; an intra-communicator
 *   kind   [in]   SUBX_FFT_C2C, SUBX_FFT_R2C or SUBX_FFT_C2R
 *   ndims  [in]   number of axes, 2 .. SUBX_NDIMS_MAX
 *   sizes  [in]   ndims lengths of the physical side, each > 0, the same on all ranks
 *   hints  [in]   see above, the same values on all ranks, also of hints that the strategy has no use for;
 *                 MPI_INFO_NULL for none
 *   plan   [out]  the plan; the caller owns it and frees it with subx_fft_plan_free
 * Errors: COMM, NDIMS, SIZE, GRID, HINT, DIFFERS, UNAVAILABLE, SERIAL, TOO_LARGE, NO_MEM, ARG. */
SUBX_EXPORT int subx_fft_plan_create(MPI_Comm comm, int kind, int ndims, const ptrdiff_t sizes[],
                                     MPI_Info hints, subx_fft_plan *plan);

/* Get the local array of one side on this rank. Local; any output may be NULL.
 *   plan         [in]   the plan
 *   side         [in]   SUBX_FFT_PHYSICAL or SUBX_FFT_SPECTRAL
 *   shape        [out]  ndims local lengths, elements, in axis order
 *   start        [out]  ndims global indices of the first element, in axis order
 *   order        [out]  ndims axes, innermost first: how the local array is stored, without gaps. C order is
 *                       (ndims-1, .., 0)
 *   alloc_bytes  [out]  bytes an array must have, never 0
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_get_local(subx_fft_plan plan, int side, ptrdiff_t shape[], ptrdiff_t start[],
                                        int order[], ptrdiff_t *alloc_bytes);

/* Get the problem that a plan solves and the grid it works on. Local; any output may be NULL.
 *   plan   [in]   the plan
 *   kind   [out]  SUBX_FFT_C2C, SUBX_FFT_R2C or SUBX_FFT_C2R
 *   ndims  [out]  number of axes
 *   sizes  [out]  ndims lengths of the physical side
 *   g      [out]  grid dimensions
 *   dims   [out]  g numbers of ranks (room for ndims-1)
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_get(subx_fft_plan plan, int *kind, int *ndims, ptrdiff_t sizes[], int *g,
                                  int dims[]);

/* Get the hints that a plan works by, those left to choice included: the keys of subx_fft_plan_create, with
 * the values in effect; of those for exchanges and pipes alone, the ones that were given. Local.
 *   plan  [in]   the plan
 *   info  [out]  a new info object; the caller frees it with MPI_Info_free
 * Errors: ARG, and MPI's own. */
SUBX_EXPORT int subx_fft_plan_get_info(subx_fft_plan plan, MPI_Info *info);

/* Get the work space that a plan has allocated on this rank: memory to send from and to receive in, arrays
 * between stages, buffers for tiles; not what MPI and the serial backend have. Local.
 *   plan   [in]   the plan
 *   bytes  [out]  bytes
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_get_work(subx_fft_plan plan, MPI_Count *bytes);

/* Print a plan for people: problem, grid, choices, the stages with their storage orders and engines, and the
 * memory and traffic of this rank, in several lines. Local. Arguments and errors as for subx_type_print. */
SUBX_EXPORT int subx_fft_plan_print(subx_fft_plan plan, size_t len, char *text, size_t *needed);

/* Execute a plan. Collective. Allocates nothing.
 *   plan       [in]   the plan; one execution at a time
 *   direction  [in]   SUBX_FFT_FORWARD or SUBX_FFT_BACKWARD
 *   from       [in]   the array of the side the direction starts at; left unchanged
 *   to         [out]  the array of the other side. It may be the same address as `from`, the array then
 *                     having the larger alloc_bytes of the two sides; it must not overlap it otherwise
 * Either may be NULL on a rank whose shape on that side has a 0. Any alignment works; 16 bytes is fastest.
 * Errors: ARG, and MPI's own. */
SUBX_EXPORT int subx_fft_execute(subx_fft_plan plan, int direction, const void *from, void *to);

/* What a stage does. */
enum { SUBX_FFT_STAGE_SERIAL = 1, SUBX_FFT_STAGE_EXCHANGE = 2, SUBX_FFT_STAGE_SCALE = 3 };

/* Get how many stages a direction has. Local.
 *   count  [out]  the number of stages
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_get_nstages(subx_fft_plan plan, int direction, int *count);

/* Get a stage and the time that it took on this rank. Local; any output may be NULL.
 *   plan       [in]   the plan
 *   direction  [in]   SUBX_FFT_FORWARD or SUBX_FFT_BACKWARD
 *   i          [in]   which stage in order of execution, from 0
 *   kind       [out]  SUBX_FFT_STAGE_*
 *   name       [out]  what it does, for people; the string belongs to the plan
 *   last       [out]  seconds that it took in the latest execution, 0 if there was none
 *   total      [out]  seconds over all executions since the plan was made or its times were reset
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_get_stage(subx_fft_plan plan, int direction, int i, int *kind,
                                        const char **name, double *last, double *total);

/* Set the times of all stages back to 0. Local. Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_set_times_zero(subx_fft_plan plan);

/* Query the names of the serial backends. Local.
 *   i     [in]   which, from 0
 *   name  [out]  its name, a constant string, or NULL if there are no more
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_query_serial(int i, const char **name);

/* Free a plan. Collective. *plan becomes SUBX_FFT_PLAN_NULL. */
SUBX_EXPORT int subx_fft_plan_free(subx_fft_plan *plan);

#ifdef __cplusplus
}
#endif

#endif /* SUBX_FFT_H */
