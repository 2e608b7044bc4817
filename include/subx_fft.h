/* subx_fft.h - distributed transforms of arrays of one and more axes.
 * Part of subarray_x. BSD-3-Clause; see LICENSE. The conventions of subx.h hold here too.
 *
 * A transform has two sides. The PHYSICAL side holds the field u, the SPECTRAL side its transform U. For
 * complex axes
 *
 *     U[k0,..,kd-1] = sum over j0,..,jd-1 of u[j0,..,jd-1] exp(-2 pi i (k0 j0/N0 + .. + kd-1 jd-1/Nd-1)).
 *
 * FORWARD goes from the physical side to the spectral side, with the minus sign. BACKWARD goes back, with the
 * plus sign. One plan can execute both. Elements are real or complex, of the problem's precision. A complex
 * number is stored as its real part followed by its imaginary part, like C99's double _Complex and C++'s
 * std::complex<double>.
 *
 * A problem says what is transformed: the kind and the length of each axis, the precision, the number of
 * fields, and the storage of both sides. An axis of R2C or C2R with m modes (usually its length) has m/2+1
 * spectral entries only.
 *
 * Both sides are distributed on a process grid P0 x .. x Pg-1 (Dalcin, Mortensen & Keyes 2019, sections 3.5
 * and 3.6). Each dimension of the grid divides one axis into blocks; the other axes are whole on every rank.
 * The axes are put into a sequence: first the axes that are not transformed, then the others in ascending
 * order, the axis of R2C last. Grid dimension k divides axis k of the sequence on the physical side, and axis
 * k+1 on the spectral side. An axis that is not transformed stays divided by the same dimension. For example,
 * c2c:NxMxK on a grid 2x3:
 *
 *                       axis 0 (N)       axis 1 (M)       axis 2 (K)
 *     physical side     2 blocks         3 blocks         whole
 *     spectral side     whole            2 blocks         3 blocks
 *
 * The hint subx_sequence changes the sequence; physical boxes can change it, too (hint subx_grid). Blocks are
 * those of subx_block_get, unless the problem sets block sizes or boxes. Any sizes work on any number of
 * ranks. A rank may have no data: some of its lengths are then 0, and its starts are within 0 .. N.
 *
 * A transform of one axis on several ranks factors its length N into N0 x N1 (Bailey 1990), where N0 is the
 * largest factor of N up to sqrt(N). By default both sides have the blocks of subx_block_get in natural
 * order. With transposed output (hint subx_output_order) the frequency k0 + N0 k1 (0 <= k0 < N0, 0 <= k1 <
 * N1) is stored at index N1 k0 + k1.
 *
 * Executions of several plans can overlap (subx_fft_start), and messages of an execution its transforms. */
#ifndef SUBX_FFT_H
#define SUBX_FFT_H

#include <subx_boxes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of transform of an axis. C2R has the same sides and the same plan as R2C, but its problem names the
 * direction backward (subx_fft_problem_get_direction). The real-to-real kinds are the unscaled ones of FFTW
 * (its manual, section 4.8): DCT1 .. DCT4 are FFTW's REDFT00, REDFT10, REDFT01, REDFT11; DST1 .. DST4 are
 * RODFT00, RODFT10, RODFT01, RODFT11. Forward is the named transform; backward is its inverse times a factor:
 * DCT3 for DCT2, HC2R for R2HC. A real-to-real transform of complex data transforms the real and the
 * imaginary parts separately. NONE means that the axis is not transformed. */
enum {
    SUBX_FFT_NONE = 0,
    SUBX_FFT_C2C = 1,
    SUBX_FFT_R2C = 2,
    SUBX_FFT_C2R = 3,
    SUBX_FFT_DCT1 = 4,
    SUBX_FFT_DCT2 = 5,
    SUBX_FFT_DCT3 = 6,
    SUBX_FFT_DCT4 = 7,
    SUBX_FFT_DST1 = 8,
    SUBX_FFT_DST2 = 9,
    SUBX_FFT_DST3 = 10,
    SUBX_FFT_DST4 = 11,
    SUBX_FFT_DHT = 12,
    SUBX_FFT_R2HC = 13,
    SUBX_FFT_HC2R = 14
};

/* Precisions. QUAD is __float128, if the compiler has this type; it is slow if there is no FFTW for it. */
enum { SUBX_FFT_FLOAT = 1, SUBX_FFT_DOUBLE = 2, SUBX_FFT_LONG_DOUBLE = 3, SUBX_FFT_QUAD = 4 };

/* Directions: the values of arguments `direction`. The value is the sign of the exponent. */
enum { SUBX_FFT_FORWARD = -1, SUBX_FFT_BACKWARD = 1 };

/* Sides: the values of arguments `side`. */
enum { SUBX_FFT_PHYSICAL = 0, SUBX_FFT_SPECTRAL = 1 };

/* A plan: serial transforms and exchanges that follow each other, and the work space for them. */
typedef struct subx_fft_plan_s *subx_fft_plan;
#define SUBX_FFT_PLAN_NULL ((subx_fft_plan)0)

/* -------------------------------------------------------------------------------------- plans */

/* Create a plan. Collective on comm. The plan may be executed any number of times, on any arrays.
 *
 * Hints, each also as an environment variable in capitals (subx.h says when a plan ignores one). A search
 * never changes a hint that the caller gives; "auto" leaves the choice to the library. subx_fft_plan_print
 * lists hints without effect:
 *   subx_grid      the process grid, such as "4" (slabs), "2x3" (pencils) or "2x2x2": 1 to ndims dimensions.
 *                  The library chooses dimensions that are given as 0. With ndims dimensions ("bricks") both
 *                  sides are divided along all axes; an execution redistributes the array to a grid that the
 *                  library chooses, and back. "auto" (default) is the first of these grids that exists:
 *                    1  the grid whose blocks are the problem's physical boxes
 *                    2  a grid that the cost model, wisdom or measurement finds clearly faster than grid 3
 *                    3  a grid with the fewest dimensions that gives all ranks data; if no grid does, a grid
 *                       of ndims-1 dimensions
 *   subx_output_order   how the spectral side is stored: "natural" (default), in C order; or "transposed": an
 *                  axis becomes the innermost one when an exchange makes it whole. subx_fft_plan_get_local
 *                  tells the order. Strategy natural has natural output only. The hint has no effect if the
 *                  problem sets the order, strides or boxes of the spectral side
 *   subx_scaling   "none" (default): backward after forward multiplies by N, which is the product of the
 *                  lengths of all axes. For real-to-real axes of n elements the factor is 2n, 2(n-1), 2(n+1)
 *                  or n instead, as in FFTW's manual; for axes that are not transformed it is 1.
 *                  "forward": 1/N in forward; "backward": 1/N in backward; "symmetric": 1/sqrt(N) in both;
 *                  "orthonormal": symmetric, and weights at the ends of DCTs and DSTs make these orthogonal
 *   subx_effort    the effort of the search for the fastest values of all hints that the caller leaves open:
 *                  "estimate" (default), "measure" or "patient"; subx_tune.h tells what each of them executes
 *   subx_wisdom    the file that remembers results of searches: "auto" (default), "none", or a path; see
 *                  subx_tune.h. If the file has a plan for the problem, from the same or a higher effort, the
 *                  library takes this plan
 *   subx_threads   threads of each rank, as for subx_exch_create (subx.h). With fused they work on tiles,
 *                  else on copies in exchanges
 *   subx_tune      words for experts with their values, such as "strategy stride1, slices 8". Releases may
 *                  change them
 * subx_tune.h explains these words, and has further hints.
 *
 *   kind   [in]   the kind of all axes; SUBX_FFT_R2C and SUBX_FFT_C2R apply to the last axis, and the other
 *                 axes are SUBX_FFT_C2C
 *   ndims  [in]   number of axes, 1 .. SUBX_NDIMS_MAX - 2
 *   sizes  [in]   ndims lengths of the transforms and of the physical side, each > 0, the same on all ranks
 *   hints  [in]   see above; the same values on all ranks, also of hints that the strategy does not read;
 *                 MPI_INFO_NULL for none
 * Errors: COMM, NDIMS, SIZE, GRID, HINT, DIFFERS, UNAVAILABLE, SERIAL, TOO_LARGE, NO_MEM, DEVICE, ARG. NO_MEM
 * also if a plan needs more memory or threads than are free on a node or in the control groups of a process;
 * the library then takes none of them. */
SUBX_EXPORT int subx_fft_plan_create(MPI_Comm comm, int kind, int ndims, const ptrdiff_t sizes[],
                                     MPI_Info hints, subx_fft_plan *plan);

/* Get the local array of one side on this rank. Local; any output may be NULL. If this rank has several
 * boxes, the function describes the first one.
 *   shape        [out]  ndims local lengths, elements, in axis order
 *   start        [out]  ndims global indices of the first element, in axis order
 *   order        [out]  ndims axes, innermost first: how the local array is stored. C order is (ndims-1, ..,
 *                       0). There are gaps only if the problem is padded or has strides. With strides, the
 *                       axis of the smallest stride is first. Several fields lie one after the other, or are
 *                       interleaved, as the problem says
 *   alloc_bytes  [out]  bytes that an array must have: up to its last element, gaps included; never 0
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_get_local(subx_fft_plan plan, int side, ptrdiff_t shape[], ptrdiff_t start[],
                                        int order[], ptrdiff_t *alloc_bytes);

/* Execute a plan. Collective; only idle ranks (subx_ranks) may leave the call out. Allocates no memory.
 *   plan       [in]   the plan; one execution at a time
 *   from       [in]   the array of the side that the direction starts at. Left unchanged, unless it is also
 *                     `to`, or subx_input_array is destroy and the direction is backward
 *   to         [out]  the array of the other side. If `to` and `from` are the same address, the array must
 *                     have the larger alloc_bytes of the two sides. Else they must not overlap. Gaps may be
 *                     overwritten
 * On a rank whose shape on a side contains a 0, the array of this side may be NULL. Any alignment works; 16
 * bytes are best. But arrays of quads must be aligned to 16 bytes (ARG), and arrays in the memory of a GPU as
 * complex numbers of the precision.
 *
 * If MPI fails on a rank, that rank takes part in the execution to its end and then returns the first error;
 * `to` is undefined on all ranks. The plan can then be executed again, or freed.
 * Errors: ARG (of wrong arrays: other ranks get PEER), ACTIVE (the plan is in flight), ALIAS, PEER, DEVICE,
 * and MPI's own. With the engine alltoallw, a rank does not notice that another rank's data is wrong. */
SUBX_EXPORT int subx_fft_execute(subx_fft_plan plan, int direction, const void *from, void *to);

/* Start an execution: until subx_fft_wait returns, the plan is in flight. Collective. The call computes until
 * it would have to wait for another rank. Until subx_fft_wait returns, `from` must not be written, and `to`
 * must be neither read nor written. Results are as by subx_fft_execute. All ranks must start the same plans
 * in the same order; each rank may test them and wait for them in any order. An execution makes progress only
 * inside subx_fft_start, subx_fft_test and subx_fft_wait; subx_fft_test and subx_fft_wait work on all plans
 * in flight. If one rank makes another call that waits for ranks, such as MPI_Barrier, before it waits for a
 * plan, then all ranks must make that call before they wait for the plan. With the engine alltoallw or on a
 * device, subx_fft_start is such a call.
 *   plan, direction, from  [in]   as for subx_fft_execute
 *   to                     [out]  as for subx_fft_execute
 * Errors: ARG (the plan is null, or the direction is wrong), ACTIVE (the plan is in flight already), ALIAS;
 * subx_fft_wait returns all others, also ARG of wrong arrays. */
SUBX_EXPORT int subx_fft_start(subx_fft_plan plan, int direction, const void *from, void *to);

/* Test whether an execution is complete. First computes for all plans in flight, without waiting. Local.
 *   plan  [in]   the plan, in flight; any thread may test it and wait for it
 *   flag  [out]  1 if only subx_fft_wait is left, which then returns at once; else 0
 * Errors: ARG, ACTIVE (the plan is not in flight); subx_fft_wait returns all others. */
SUBX_EXPORT int subx_fft_test(subx_fft_plan plan, int *flag);

/* Wait for an execution that was started. The call is also needed after subx_fft_test has found it complete.
 * Collective.
 * Errors: ARG, ACTIVE (the plan is not in flight), PEER, DEVICE, and MPI's own: the first error of the
 * execution. */
SUBX_EXPORT int subx_fft_wait(subx_fft_plan plan);

/* Free a plan, or keep it (subx_keep in subx_tune.h). Collective. *plan becomes SUBX_FFT_PLAN_NULL.
 * Errors: ACTIVE (the plan is in flight; it is not freed), and MPI's own. */
SUBX_EXPORT int subx_fft_plan_free(subx_fft_plan *plan);

/* Get the hints of subx_fft_plan_create with the values in effect, also the values that the library chose.
 * The hints of exchanges and pipes are included only if the caller gave them. Local.
 *
 * If the plan lacks features, there is one more key, subx_lost. Its value is a list of words:
 *   sharing     ranks of a node could not share memory, and use messages instead
 *   huge_pages  work space (from 4 MiB on; private: from 128 KiB on) has small pages
 *   threads     the caller asked for several threads, but the library was built without OpenMP
 *
 * Errors: ARG, and MPI's own. */
SUBX_EXPORT int subx_fft_plan_get_info(subx_fft_plan plan, MPI_Info *info);

/* Print a plan for people, in several lines: the problem, the hints in effect, a GPU and the versions of its
 * software, the stages with their storage orders and engines, the memory and traffic of this rank, and
 * missing features (subx_lost). Local.
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_print(subx_fft_plan plan, size_t len, char *text, size_t *needed);

/* Get the length of the work space that a plan has allocated on this rank: send and receive areas, arrays
 * between stages, and buffers for tiles. The memory of MPI and of the serial backend is not included. Local.
 *   bytes  [out]  bytes
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_get_work(subx_fft_plan plan, ptrdiff_t *bytes);

/* Get the integer frequencies of this rank's part of an axis on the spectral side: entry i of the array
 * belongs to frequencies[i]. Local.
 *
 *   C2C                0, 1, .., modes/2, then the negative ones up to -1. With an even number of modes, the
 *                      entry modes/2 stands for both +modes/2 and -modes/2
 *   R2C, C2R           0, 1, .., modes/2
 *   DHT, R2HC          as C2C: of the two entries of a frequency, the second one counts as negative
 *   DCT1, DCT2         0, 1, ..: the number of half periods along the axis
 *   DST1, DST2         1, 2, ..: the number of half periods along the axis
 *   NONE               0
 *
 *   axis         [in]   0 .. ndims-1
 *   frequencies  [out]  as many entries as this rank has along the axis (shape of subx_fft_plan_get_local).
 *                       If this rank has several boxes, the frequencies are of the first one
 * Errors: ARG, UNAVAILABLE (DCT3, DCT4, DST3, DST4, HC2R; the transposed output of one axis on several
 * ranks). */
SUBX_EXPORT int subx_fft_plan_get_frequencies(subx_fft_plan plan, int axis, ptrdiff_t frequencies[]);

/* ----------------------------------------------------------------------------------- problems */

/* A problem: what is to be transformed, and how both sides are stored. It belongs to no communicator. A plan
 * keeps a copy of its problem. Problems are created by subx_fft_problem_create with defaults and completed by
 * setters, or parsed from a text. A setter that fails leaves the problem as it was. Nothing in this section
 * needs other ranks.
 *
 * The text of a problem, also called its key. It does not change between releases:
 *
 *   text     = [ HOWMANY "*" ] kinds [ "." precision ] ":" lengths [ "*" HOWMANY ] { "/" option }
 *   kinds    = kind { "," kind }
 *   kind     = "c2c" | "r2c" | "c2r" | "dct1" .. "dct4" | "dst1" .. "dst4" | "dht" | "r2hc" | "hc2r" | "-"
 *   precision= "f32" | "f64" | "long" | "f128"
 *   lengths  = SIZES | MODES ">" SIZES | MODES ">" SIZES ">" POINTS
 *   option   = "padded" | side "-order=" AXES | side "-block=" BLOCKS | "operation" | side "-strides" | side
 *            "-boxes"
 *   side     = "physical" | "spectral"
 *
 * SIZES, MODES, POINTS and BLOCKS are decimal numbers joined by x, one per axis; AXES are joined by commas.
 *
 *   c2c:256x256x256              SIZES are joined by x, axis 0 first: the lengths of the transforms
 *   r2c:7x11x13                  one kind for several axes: r2c and c2r apply to the last axis, and the
 *                                others are c2c; any other kind applies to all axes
 *   dct2,-,r2c:64x48x40          a list has one kind per axis; "-" is an axis that is not transformed
 *   c2r:7x11x13                  as r2c, but the direction that the text names is backward
 *   r2c.f32:64x64                single precision; f64 is the default
 *   3*c2c:128x128x128            three fields, one after the other in memory
 *   c2c:128x128x128*3            one field with three components that are adjacent in memory
 *   c2c:64x64>96x96              64x64 modes are kept on the spectral side; the transforms have 96x96 points.
 *                                Along an axis of r2c, m modes are stored as m/2+1 entries
 *   c2c:96x96>96x96>64x64        only 64x64 points exist on the physical side; the transforms see zeros for
 *                                the others. The lists are modes, lengths of the transforms, points
 *   r2c:64x64/padded             the last axis is stored as for FFTW's transforms in place
 *   c2c:9x8/spectral-order=0,1   storage order of a side, innermost axis first, joined by commas
 *   c2c:9x8/physical-block=5x0   block sizes of a side; 0 for the blocks of subx_block_get
 *   c2c:64x64/operation          the plan supports operations on the spectral data
 *   c2c:64x64/spectral-boxes     strides or boxes, which are local: a key only, which parse refuses
 *
 * Options may be given in any order. They are printed in the order of the grammar, physical side first,
 * without defaults; equal kinds are printed once. A shell needs quotes for > and *. */
typedef struct subx_fft_problem_s *subx_fft_problem;
#define SUBX_FFT_PROBLEM_NULL ((subx_fft_problem)0)

/* Create a problem in double precision: one field of the given sizes, with all modes and points; the plan
 * chooses the storage. Local. If an axis is R2C or C2R, the physical side is real and the spectral side is
 * complex. Else both sides are complex if an axis is C2C, and real if no axis is C2C. To transform complex
 * data by real-to-real kinds alone, set two interleaved components (subx_fft_problem_set_batch).
 *   ndims    [in]   number of axes, 1 .. SUBX_NDIMS_MAX - 2
 *   kinds    [in]   ndims kinds. At most one axis is R2C or C2R. The problem keeps C2R as R2C and the
 *                   direction backward
 *   sizes    [in]   ndims lengths of the transforms, each > 0, for DCT1 > 1; also the numbers of modes and of
 *                   points, unless subx_fft_problem_set_modes or subx_fft_problem_set_points sets others
 * Errors: NDIMS, ARG (also for kinds), SIZE, TOO_LARGE (the array exceeds 2^63-1 bytes), NO_MEM. */
SUBX_EXPORT int subx_fft_problem_create(int ndims, const int kinds[], const ptrdiff_t sizes[],
                                        subx_fft_problem *problem);

/* Create a copy of a problem, which the caller frees. Local.
 *   copy     [out]  the copy
 * Errors: ARG, NO_MEM. */
SUBX_EXPORT int subx_fft_problem_create_copy(subx_fft_problem problem, subx_fft_problem *copy);

/* Free a problem. Local. Errors: none. */
SUBX_EXPORT int subx_fft_problem_free(subx_fft_problem *problem);

/* Create a problem from its text. Local.
 *   text     [in]   the text, in the grammar of subx_fft_problem
 * Errors: PROBLEM (the text does not follow the grammar, names strides or boxes, or describes an impossible
 * problem, such as an axis of length 0; MPI_Error_string then tells what is wrong), NO_MEM, ARG. */
SUBX_EXPORT int subx_fft_problem_parse(const char *text, subx_fft_problem *problem);

/* Print the canonical text of a problem. Local. Problems that differ only in strides or boxes have one text.
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_problem_print(subx_fft_problem problem, size_t len, char *text, size_t *needed);

/* Query whether two problems are equal, also in strides and boxes. Local.
 *   a, b   [in]   the problems
 *   equal  [out]  1 if they are equal, else 0
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_problem_query_equal(subx_fft_problem a, subx_fft_problem b, int *equal);

/* Set the precision, SUBX_FFT_FLOAT .. SUBX_FFT_QUAD. Local.
 *   precision  [in]  SUBX_FFT_FLOAT .. SUBX_FFT_QUAD
 * Errors: ARG, TOO_LARGE. */
SUBX_EXPORT int subx_fft_problem_set_precision(subx_fft_problem problem, int precision);

/* Set the number of fields that are transformed together. Local.
 *   howmany      [in]  the number, >= 1
 *   interleaved  [in]  0: the fields lie one after the other; 1: the howmany components of an element are
 *                      adjacent
 * Errors: ARG, SIZE, TOO_LARGE. */
SUBX_EXPORT int subx_fft_problem_set_batch(subx_fft_problem problem, ptrdiff_t howmany, int interleaved);

/* Set how many modes are kept on the spectral side. The modes with the lowest frequencies are kept. Forward
 * drops all others, and backward takes them as zeros; they are not sent. With modes = 2/3 sizes this is the
 * 3/2 rule against aliasing. Local.
 *
 * If m < n modes are kept (/ is the integer division): C2C, DHT and R2HC keep the frequencies 0 .. (m-1)/2
 * and -(m-1)/2 .. -1, R2C keeps 0 .. (m-1)/2. If m is even, there is one more entry for the frequencies m/2
 * and -m/2. Forward stores their sum there (R2C and R2HC, which have only one of the two, store twice its
 * value). Backward gives half of the entry to each. Thus the m entries are the spectrum of a field on m
 * points, which backward interpolates at n points; forward undoes this. For example, the spectral side of C2C
 * with m = 4 modes of n = 6 holds the frequencies 0, 1, +-2, -1; its entry 2 is the sum of the entries 2 and
 * 4 of the full transform. DCTs and DSTs keep the first m entries.
 *   modes    [in]  ndims numbers of modes, 1 .. sizes[i]; sizes[i] for NONE and HC2R. Along an axis of R2C, m
 *                  modes are stored as m/2+1 entries. NULL: all are sizes[i]
 * Errors: ARG, SIZE (also if boxes were set for this side, and their array has other lengths). */
SUBX_EXPORT int subx_fft_problem_set_modes(subx_fft_problem problem, const ptrdiff_t modes[]);

/* Set how many points exist on the physical side: the first points[i] of axis i; others are zeros. Local.
 *   points   [in]  ndims lengths, each 1 .. sizes[i]; sizes[i] for an axis of kind NONE or HC2R. NULL: sizes
 * Errors: as for subx_fft_problem_set_modes. */
SUBX_EXPORT int subx_fft_problem_set_points(subx_fft_problem problem, const ptrdiff_t points[]);

/* Set the storage order of a side. Local.
 *   order    [in]  ndims axes, innermost first; NULL to let the plan choose
 * Errors: ARG (also if the side has strides or boxes, or its padded axis would not be innermost), ORDER. */
SUBX_EXPORT int subx_fft_problem_set_order(subx_fft_problem problem, int side, const int order[]);

/* Set whether the physical side is padded as for FFTW's transforms in place: its innermost axis, which must
 * be the axis of R2C, is stored as 2 * (n / 2 + 1) reals. Local.
 *   padded   [in]  1 if it is padded, else 0
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_problem_set_padded(subx_fft_problem problem, int padded);

/* Set the strides of this rank's array on a side. Local.
 *   strides   [in]  ndims strides, elements of this side, each > 0, in axis order; NULL for a choice
 *   distance  [in]  elements between fields, > 0 if howmany > 1, else >= 0
 * Errors: ARG (also if the side has an order, is padded, or has several boxes), SIZE. */
SUBX_EXPORT int subx_fft_problem_set_strides(subx_fft_problem problem, int side, const ptrdiff_t strides[],
                                             ptrdiff_t distance);

/* Set the block size of an axis of a side. Along the axis, the r-th rank of the grid dimension that divides
 * the axis has the indices r * block .. min((r+1) * block, n) - 1, as FFTW and PFFT distribute. Local.
 *   axis     [in]  0 .. ndims-1
 *   block    [in]  the size, elements; 0 for the blocks of subx_block_get
 * Errors: ARG (also if the side has boxes), SIZE. */
SUBX_EXPORT int subx_fft_problem_set_block(subx_fft_problem problem, int side, int axis, ptrdiff_t block);

/* Set the boxes that this rank has on a side. Local. The problem keeps a copy.
 *
 * If there are several fields, and no box was added by subx_boxes_add_strided, the boxes lie one after the
 * other, and each box contains all fields, one after the other or interleaved. If a box was added by
 * subx_boxes_add_strided, `boxes` gives the places of field 0, and field k lies k * distance behind it.
 *   boxes     [in]  the boxes (their number may be 0). Their array has the lengths of this side: points on
 *                   the physical side, modes on the spectral side, modes/2+1 along an axis of R2C.
 *                   SUBX_BOXES_NULL to let the library distribute the array
 *   distance  [in]  elements between fields, > 0; read only if there are several fields and a box was added
 *                   by subx_boxes_add_strided
 * Errors: ARG (also if the side has an order or block sizes, or is padded; or if it has strides, and there
 * are several boxes, or a box with strides), NDIMS, SIZE (also if the array of the boxes has other lengths
 * than the side), NO_MEM. */
SUBX_EXPORT int subx_fft_problem_set_boxes(subx_fft_problem problem, int side, subx_boxes boxes,
                                           ptrdiff_t distance);

/* Set whether the plan must support operations on the spectral data, such as convolutions. Local.
 *   has_operation  [in]  1 if it must, else 0
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_problem_set_operation(subx_fft_problem problem, int has_operation);

/* Get the axes of a problem. Local; any output may be NULL.
 *   ndims    [out]  number of axes, at most SUBX_NDIMS_MAX - 2
 *   kinds    [out]  ndims kinds; never SUBX_FFT_C2R
 *   sizes    [out]  ndims lengths of the transforms
 *   modes    [out]  ndims numbers of modes on the spectral side; for R2C, m modes are stored as m/2+1 entries
 *   points   [out]  ndims lengths of the physical side
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_problem_get(subx_fft_problem problem, int *ndims, int kinds[], ptrdiff_t sizes[],
                                     ptrdiff_t modes[], ptrdiff_t points[]);

/* Get the precision. Local.
 *   precision  [out]  SUBX_FFT_FLOAT .. SUBX_FFT_QUAD
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_problem_get_precision(subx_fft_problem problem, int *precision);

/* Get the number of fields, and whether they are interleaved. Local; either output may be NULL.
 *   howmany, interleaved  [out]  as for subx_fft_problem_set_batch
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_problem_get_batch(subx_fft_problem problem, ptrdiff_t *howmany, int *interleaved);

/* Get the direction that the kinds of a problem name: SUBX_FFT_BACKWARD if a kind was given as C2R, else
 * SUBX_FFT_FORWARD. A plan executes both directions. Local.
 *   direction  [out]  the direction
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_problem_get_direction(subx_fft_problem problem, int *direction);

/* Create a plan for a problem. Collective on comm.
 *   problem  [in]   the problem; the plan keeps a copy. Strides and boxes may differ between ranks, all else
 *                   is the same on all ranks
 *   hints    [in]   as for subx_fft_plan_create
 * Errors: those of subx_fft_plan_create; OVERLAP, GAP (boxes); FACTOR (the problem has one axis only, several
 * ranks share it, and its length is prime); UNAVAILABLE (strategies). */
SUBX_EXPORT int subx_fft_plan_create_problem(MPI_Comm comm, subx_fft_problem problem, MPI_Info hints,
                                             subx_fft_plan *plan);

/* Get the problem that a plan solves and the grid that it works on. Local; any output may be NULL.
 *   problem  [out]  the plan's copy of the problem, which belongs to the plan
 *   g        [out]  grid dimensions
 *   dims     [out]  g numbers of ranks; room for one number per axis of the problem is always enough
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_get(subx_fft_plan plan, subx_fft_problem *problem, int *g, int dims[]);

/* ---------------------------------------------------------------------------------- operations */

/* An operation on spectral data. A plan applies the operation to parts of the data while they are in the
 * caches. The plan's problem must have operations (subx_fft_problem_set_operation). An operation may be used
 * any number of times, and must exist until its last execution is complete; the plan may be freed before. */
typedef struct subx_fft_operation_s *subx_fft_operation;
#define SUBX_FFT_OPERATION_NULL ((subx_fft_operation)0)

/* A function of the caller that gets all spectral data of this rank, one box after the other, and changes it
 * in place. On a device, `data` is in the memory of the device (doc/gpu). If subx_threads exceeds 1, several
 * threads may call the function at a time. It must not call MPI. Together, the boxes of all calls are this
 * rank's spectral array. But if the problem has boxes or bricks on the spectral side, the function gets the
 * data that this rank has during the last forward transform.
 *   context  [in]      the context of the operation
 *   ndims    [in]      number of axes of the problem; with several fields, one more: the last axis counts the
 *                      fields
 *   start    [in]      ndims global indices of the first element, on the spectral side
 *   n        [in]      ndims lengths
 *   stride   [in]      ndims strides, elements. An element is real or complex, of the precision of the
 *                      problem
 *   data     [in,out]  the first element */
typedef void (*subx_fft_operation_function)(void *context, int ndims, const ptrdiff_t start[],
                                            const ptrdiff_t n[], const ptrdiff_t stride[], void *data);

/* Create an operation that calls a function. Local. It serves all plans with operations.
 *   function   [in]   the function
 *   context    [in]   the first argument of the function; it belongs to the caller
 * Errors: ARG, NO_MEM. */
SUBX_EXPORT int subx_fft_operation_create_function(subx_fft_operation_function function, void *context,
                                                   subx_fft_operation *operation);

/* Create an operation that multiplies by a table, element by element. Local. For the circular convolution of
 * two fields, transform one of them into a table by subx_fft_execute, and give the other one to
 * subx_fft_execute_convolution; conjugate factors give the correlation. Use subx_scaling = backward.
 *   factors       [in]   the table, stored as this rank's spectral array, and in the same kind of memory.
 *                        Each execution reads it; it belongs to the caller. NULL if the rank has no data
 *   is_conjugate  [in]   1: multiply by the complex conjugates
 * Errors: ARG (also if the plan has no operations), UNAVAILABLE (boxes or a grid of all axes on the spectral
 * side), NO_MEM. */
SUBX_EXPORT int subx_fft_operation_create_table(subx_fft_plan plan, const void *factors, int is_conjugate,
                                                subx_fft_operation *operation);

/* Create an operation that differentiates: the spectrum is multiplied by the product over all axes of (i
 * k)^order. Local. The wavenumber is k = 2 pi f / length on axes of C2C, R2C, DHT and R2HC, and k = pi f /
 * length on axes of DCT1, DCT2, DST1 and DST2. Here f is the frequency of subx_fft_plan_get_frequencies. With
 * cosines (DCT) the derivative along the axis is 0 at both ends of the domain, with sines (DST) the function
 * is 0 there.
 *
 * If the number of modes is even, odd derivatives set the entry modes/2 to 0. For a gradient, execute forward
 * once, and backward once per axis, each time with a derivative of order 1 along this axis.
 *   lengths    [in]   ndims lengths of the domain, > 0; not read for NONE. NULL if k = f, which means a
 *                     length of 2 pi for C2C, R2C, DHT and R2HC, and of pi for DCTs and DSTs
 *   orders     [in]   ndims orders, >= 0; 0 for NONE
 * Errors: ARG (also if the plan has no operations), UNAVAILABLE (DCT and DST of types 3 and 4, HC2R; an odd
 * order of a kind other than C2C and R2C), NO_MEM. */
SUBX_EXPORT int subx_fft_operation_create_derivative(subx_fft_plan plan, const double lengths[],
                                                     const int orders[], subx_fft_operation *operation);

/* Create an operation that applies a power of the Laplacian: the spectrum is multiplied by (-|k|^2)^power.
 * Local. |k|^2 is the sum of k^2 over all axes, with the wavenumbers k of
 * subx_fft_operation_create_derivative.
 *   lengths    [in]   as for subx_fft_operation_create_derivative
 *   power      [in]   1 for the Laplacian, 2 for the biharmonic operator, -1 for the solution of Poisson's
 *                     equation, and so on. Negative powers set the entry of k = 0 to 0
 * Errors: ARG (also if the plan has no operations), UNAVAILABLE (DCT and DST of types 3 and 4, HC2R),
 * NO_MEM. */
SUBX_EXPORT int subx_fft_operation_create_laplacian(subx_fft_plan plan, const double lengths[], int power,
                                                    subx_fft_operation *operation);

/* Free an operation. Local. Errors: none. */
SUBX_EXPORT int subx_fft_operation_free(subx_fft_operation *operation);

/* Execute a plan with an operation on spectral data, which follows a forward transform or precedes a backward
 * one. Collective.
 *   plan, direction, from  [in]   as for subx_fft_execute
 *   to                     [out]  as for subx_fft_execute
 *   operation              [in]   the operation, SUBX_FFT_OPERATION_NULL for none
 * All else is as for subx_fft_execute.
 * Errors: ARG (also if there is an operation, and the plan's problem has no operations), ALIAS, PEER, and
 * MPI's own. */
SUBX_EXPORT int subx_fft_execute_operation(subx_fft_plan plan, int direction, const void *from, void *to,
                                           subx_fft_operation operation);

/* Execute a convolution: forward, an operation, backward. Collective. The spectrum is not written to memory:
 * with a grid of one dimension there are three passes through memory instead of four.
 *   from       [in]   a physical array; left unchanged, unless it is also `to`
 *   to         [out]  the physical array of the result, which may have the same address as `from`
 *   operation  [in]   the operation, not null. It gets data that is not scaled yet
 * Errors: as for subx_fft_execute; ARG also if the plan's problem has no operations. */
SUBX_EXPORT int subx_fft_execute_convolution(subx_fft_plan plan, const void *from, void *to,
                                             subx_fft_operation operation);

/* Start an execution of subx_fft_execute_operation, as subx_fft_start does. Collective.
 *   plan, direction, from, operation  [in]   as for subx_fft_execute_operation
 *   to                                [out]  as for subx_fft_execute_operation
 * Errors: as for subx_fft_start; subx_fft_wait returns ARG also if the plan's problem has no operations. */
SUBX_EXPORT int subx_fft_start_operation(subx_fft_plan plan, int direction, const void *from, void *to,
                                         subx_fft_operation operation);

/* Start an execution of subx_fft_execute_convolution, as subx_fft_start does. Collective.
 *   plan, from, operation  [in]   as for subx_fft_execute_convolution
 *   to                     [out]  as for subx_fft_execute_convolution
 * Errors: as for subx_fft_start; ARG also if the plan's problem has no operations. */
SUBX_EXPORT int subx_fft_start_convolution(subx_fft_plan plan, const void *from, void *to,
                                           subx_fft_operation operation);

#ifdef __cplusplus
}
#endif
#endif /* SUBX_FFT_H */
