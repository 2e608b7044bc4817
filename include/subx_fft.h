/* subx_fft.h - distributed Fourier transforms of arrays of two and more axes.
 *
 * Part of subarray_x. BSD-3-Clause; see LICENSE. The conventions of subx.h hold here too.
 *
 * A transform has two sides: the PHYSICAL side holds the field u, the SPECTRAL side holds its transform
 *
 *     U[k0,..,kd-1] = sum over j0,..,jd-1 of u[j0,..,jd-1] exp(-2 pi i (k0 j0/N0 + .. + kd-1 jd-1/Nd-1)).
 *
 * FORWARD goes from the physical side to the spectral side, with the minus sign. BACKWARD goes back, with the plus
 * sign. One plan serves both. Elements are double (the physical side of real transforms) or double complex: two
 * doubles, real part first, as in C99's double _Complex and C++'s std::complex<double>.
 *
 * Arrays are distributed on a process grid P0 x .. x Pg-1 (Dalcin, Mortensen & Keyes 2019, sections 3.5 and 3.6). On
 * the physical side grid dimension m divides axis m, on the spectral side it divides axis m+1. All blocks are those
 * of subx_block_get. A grid dimension of 1 rank divides nothing. Any sizes work on any number of ranks: a rank may
 * have no data; some of its lengths are then 0, and its starts are within 0 .. N.
 *
 * Threads of the caller: under MPI_THREAD_MULTIPLE, plans of different communicators may be created, executed and
 * freed at the same time from different threads. All plans on one communicator are used by one thread at a time. With a lower level of
 * MPI's thread support, all calls come from one thread.
 */
#ifndef SUBX_FFT_H
#define SUBX_FFT_H

#include <subx.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of transform. C2R has the same sides and the same plan as R2C. It exists so that a problem can say that its
 * proper direction is the one from the spectral to the physical side. */
enum { SUBX_FFT_C2C = 1, SUBX_FFT_R2C = 2, SUBX_FFT_C2R = 3 };

/* Directions. Their value is the sign of the exponent. */
enum { SUBX_FFT_FORWARD = -1, SUBX_FFT_BACKWARD = 1 };

/* Sides. The spectral side of R2C and C2R has only Nd-1/2+1 entries along the last axis. */
enum { SUBX_FFT_PHYSICAL = 0, SUBX_FFT_SPECTRAL = 1 };

/* A plan: serial transforms and exchanges in turn, and the work space for them. */
typedef struct subx_fft_plan_s *subx_fft_plan;
#define SUBX_FFT_PLAN_NULL ((subx_fft_plan)0)

/* ----------------------------------------------------------------------------------- problems */

/* Parse the spelling of a problem, such as "c2c:42x127x256" or "r2c:7x11x13": the kind, a colon, and the lengths of
 * the physical side joined by x, axis 0 first. Local.
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
 *   subx_grid      the process grid, such as "4" (slabs), "2x3" (pencils) or "2x2x2": 1 to ndims-1 dimensions. A 0 in
 *                  it is chosen by the library. "auto" (default): the fewest dimensions that give all ranks data, or
 *                  ndims-1 if no grid does
 *   subx_strategy  how axes are transformed and exchanged:
 *                    fused     in tiles that fit into the caches: a tile is gathered from where peers have it or
 *                              where messages brought it, transformed, and written once
 *                    stride1   exchanges reorder the axes in flight, so that the next axis to transform is contiguous
 *                              (Yan)
 *                    natural   the axes stay in C order, and serial transforms stride through memory (Dalcin,
 *                              Mortensen & Keyes 2019)
 *                  "auto" (default): fused, or stride1 if only exchanges have the engine. With an effort above
 *                  estimate and the engine left to choice, the library measures all strategies here, natural also
 *                  with MPI's own engine (types, alltoallw), and takes the fastest. It does so for arrays that are not
 *                  much larger than the caches, and for any array on one rank. The measurement needs two more
 *                  arrays
 *   subx_output    how the spectral side is stored: "natural" (default), in C order; or "transposed": each exchange
 *                  makes the axis innermost that it makes whole. subx_fft_plan_get_local tells the order. Strategy
 *                  natural has natural output only
 *   subx_scaling   "none" (default): backward after forward multiplies by N = N0 .. Nd-1; "forward": 1/N in forward;
 *                  "backward": 1/N in backward; "symmetric": 1/sqrt(N) in both
 *   subx_serial    the serial backend: "fftw3" (default where it was built in) or "naive"
 *   subx_effort    how hard the serial backend searches: "estimate" (default), "measure", "patient"; see
 *                  subx_strategy too
 *   subx_engine, subx_between, subx_window, subx_node_ranks   for fused as for subx_pipe_create (subx_lowlevel.h),
 *                  else as for subx_exch_create_realign (subx.h)
 *   subx_threads   threads of each rank, >= 1 (default 1), where built with OpenMP: for the tiles of fused, else for
 *                  copies in exchanges. More than one needs MPI_THREAD_FUNNELED, else UNAVAILABLE; these threads do
 *                  not call MPI. Backend naive has one thread
 *   subx_memory    bytes of work space (subx_fft_plan_get_work) that each rank may have; 0 (default) for no limit. If
 *                  fused needs more, it does without overlap. If a plan still needs more, the error is NO_MEM. During
 *                  creation a plan may have more for a moment
 *   subx_verbose   "yes": rank 0 of comm writes the text of subx_fft_plan_print to stderr, once, when the plan has
 *                  been created. "no" (default): nothing. The library never prints anything else
 *   subx_radix, subx_check, subx_permute   for stride1 and natural, as for subx_exch_create_realign
 *
 * and for fused
 *   subx_overlap   where messages travel, whether transforms go on at the same time, slice by slice:
 *                    none      they do not: there is one slice (Song & Hollingsworth 2014: NEW-0, TH-0)
 *                    send      each slice is sent as soon as it is transformed; received slices are waited for (their
 *                              TH, after Hoefler)
 *                    receive   all slices are sent; each is transformed as soon as it has come
 *                    both      both, at the price of another pass through memory on slabs (their NEW)
 *                  "auto" (default): as both where that needs no other pass, else as receive
 *   subx_slices    slices of an exchange, 0 .. 1024; 0 (default) for up to 4, of messages of at least 64 KiB;
 *                  for stride1 and natural as for subx_exch_create
 *   subx_progress  how often per slice messages are given time to make progress, >= 0 (default 16)
 *   subx_width     most pencils side by side in a tile, and up to half as many more at the end of an axis; >= 0, 0
 *                  (default) for a choice
 *   subx_pencils   how pencils lie in a tile: "contiguous", "interleaved", or "auto" (default)
 *   subx_cache     bytes that a tile may take, >= 1 (default 1310720, about a second-level cache); up to four times
 *                  that where it saves a pass through memory
 *
 *   comm   [in]   the ranks; an intra-communicator
 *   kind   [in]   SUBX_FFT_C2C, SUBX_FFT_R2C or SUBX_FFT_C2R
 *   ndims  [in]   number of axes, 2 .. SUBX_NDIMS_MAX
 *   sizes  [in]   ndims lengths of the physical side, each > 0, the same on all ranks
 *   hints  [in]   see above; the same values on all ranks, also of hints that the strategy does not read;
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

/* Get the problem that a plan solves and the grid that it works on. Local; any output may be NULL.
 *   plan   [in]   the plan
 *   kind   [out]  SUBX_FFT_C2C, SUBX_FFT_R2C or SUBX_FFT_C2R
 *   ndims  [out]  number of axes
 *   sizes  [out]  ndims lengths of the physical side
 *   g      [out]  grid dimensions
 *   dims   [out]  g numbers of ranks (room for ndims-1)
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_get(subx_fft_plan plan, int *kind, int *ndims, ptrdiff_t sizes[], int *g,
                                  int dims[]);

/* Get the hints of subx_fft_plan_create with the values that are in effect, also of those that the library chose.
 * Hints that exchanges and pipes read themselves are there only if the caller gave them. Local.
 *
 * There is one key more, subx_lost, if the plan has to do without something. Its value is a list of words:
 *   sharing     ranks of a node could not share memory, and use messages instead
 *   huge_pages  shared memory of a few MiB or more has small pages, because the system gives it no huge ones
 *   threads     more threads were asked for than the build or the serial backend has
 *
 *   plan  [in]   the plan
 *   info  [out]  a new info object; the caller frees it with MPI_Info_free
 * Errors: ARG, and MPI's own. */
SUBX_EXPORT int subx_fft_plan_get_info(subx_fft_plan plan, MPI_Info *info);

/* Get the work space that a plan has allocated on this rank: memory to send from and to receive in, arrays between
 * stages, and buffers for tiles. The memory of MPI and of the serial backend is not included. Local.
 *   plan   [in]   the plan
 *   bytes  [out]  bytes
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_get_work(subx_fft_plan plan, MPI_Count *bytes);

/* Print a plan for people, in several lines: the problem, the hints in effect, the stages with their storage orders
 * and engines, the memory and traffic of this rank, and what the plan has to do without. Local. Arguments and errors
 * are those of subx_type_print. */
SUBX_EXPORT int subx_fft_plan_print(subx_fft_plan plan, size_t len, char *text, size_t *needed);

/* Execute a plan. Collective. Allocates nothing.
 *   plan       [in]   the plan; one execution at a time
 *   direction  [in]   SUBX_FFT_FORWARD or SUBX_FFT_BACKWARD
 *   from       [in]   the array of the side that the direction starts at; left unchanged
 *   to         [out]  the array of the other side. It may be the same address as `from`; the array must then have the
 *                     larger alloc_bytes of the two sides. It must not overlap `from` otherwise
 * Either may be NULL on a rank whose shape on that side has a 0. Any alignment works; 16 bytes is fastest.
 *
 * If MPI fails on a rank, that rank takes part in the execution to its end and then returns the first error; `to` is
 * undefined on all ranks. The plan can then be executed again, or freed.
 * Errors: ARG (on this rank alone: the others may wait for it, as in MPI), PEER, and MPI's own. With engine alltoallw
 * a rank cannot be told that the data of another one is wrong. */
SUBX_EXPORT int subx_fft_execute(subx_fft_plan plan, int direction, const void *from, void *to);

/* What a stage does. */
enum { SUBX_FFT_STAGE_SERIAL = 1, SUBX_FFT_STAGE_EXCHANGE = 2, SUBX_FFT_STAGE_SCALE = 3 };

/* Get the number of stages of a direction. Local.
 *   count  [out]  the number of stages
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_get_nstages(subx_fft_plan plan, int direction, int *count);

/* Get a stage and the time that it took on this rank. Local; any output may be NULL.
 *   plan       [in]   the plan
 *   direction  [in]   SUBX_FFT_FORWARD or SUBX_FFT_BACKWARD
 *   i          [in]   which stage, in order of execution, from 0
 *   kind       [out]  SUBX_FFT_STAGE_*
 *   name       [out]  what it does, for people; the string belongs to the plan
 *   last       [out]  seconds that it took in the latest execution, 0 if there was none
 *   total      [out]  seconds over all executions since the plan was created or its times were set to 0
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
