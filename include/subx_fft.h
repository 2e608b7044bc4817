/* subx_fft.h - distributed transforms of arrays of one and more axes.
 * Part of subarray_x. BSD-3-Clause; see LICENSE. The conventions of subx.h hold here too.
 *
 * A transform has two sides: the PHYSICAL side holds the field u, the SPECTRAL side holds its transform, for complex
 * axes
 *
 *     U[k0,..,kd-1] = sum over j0,..,jd-1 of u[j0,..,jd-1] exp(-2 pi i (k0 j0/N0 + .. + kd-1 jd-1/Nd-1)).
 *
 * FORWARD goes from the physical side to the spectral side, with the minus sign. BACKWARD goes back, with the plus
 * sign. One plan serves both. Elements are real or complex, of the problem's precision. A complex number is its real
 * part and then its imaginary part, as in C99's double _Complex and C++'s std::complex<double>.
 *
 * A problem says what is transformed: it has a kind and a length per axis, the precision, the number of fields, and
 * how both sides are stored. The spectral side of the axis of R2C has only N/2+1 entries.
 *
 * Arrays are distributed on a process grid P0 x .. x Pg-1 (Dalcin, Mortensen & Keyes 2019, sections 3.5 and 3.6). Its
 * dimensions divide axes in a sequence: first the axes that are not transformed, then the others in ascending order,
 * the axis of R2C last (or the reverse of subx_sequence). On the physical side grid dimension m divides axis m of
 * the sequence, on the spectral side axis m+1; an axis that is not transformed stays divided. If the grid is that of
 * the problem's boxes on the physical side (subx_grid) and subx_sequence is auto, the sequence begins with the axes that
 * the boxes divide, in the order of the grid dimensions that divide them. Blocks are those of subx_block_get, unless the
 * problem has lengths of blocks, or boxes. A grid dimension of 1 rank divides nothing. Any sizes work on any number of
 * ranks: a rank may have no data; some of its lengths are then 0, and its starts are within 0 .. N.
 *
 * A transform of one axis on several ranks takes its length N as N0 x N1 (Bailey 1990). Both sides have the blocks of
 * subx_block_get. With transposed output the spectral side is scrambled instead: entry k0 + N0 k1 lies at N1 k0 +
 * k1, where N0 is the largest factor up to sqrt(N).
 */
#ifndef SUBX_FFT_H
#define SUBX_FFT_H

#include <subx_boxes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of transform of an axis. C2R has the same sides and the same plan as R2C. It exists so that a problem can say
 * that its proper direction is the one from the spectral to the physical side. The real-to-real kinds are those of
 * FFTW (its manual, section 4.8), unscaled: DCT1 .. DCT4 are its REDFT00, REDFT10, REDFT01, REDFT11; DST1 .. DST4 its
 * RODFT00, RODFT10, RODFT01, RODFT11. Forward is the named one; backward is its inverse times a factor, so DCT3 for
 * DCT2, HC2R for R2HC. On complex data they act on real and imaginary parts. NONE: the axis is not transformed. */
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

/* Precisions: float, double, long double, and __float128 where FFTW has it. */
enum { SUBX_FFT_FLOAT = 1, SUBX_FFT_DOUBLE = 2, SUBX_FFT_LONG_DOUBLE = 3, SUBX_FFT_QUAD = 4 };

/* Directions. Their value is the sign of the exponent. */
enum { SUBX_FFT_FORWARD = -1, SUBX_FFT_BACKWARD = 1 };

/* Sides. The spectral side of R2C and C2R has only Nd-1/2+1 entries along the last axis. */
enum { SUBX_FFT_PHYSICAL = 0, SUBX_FFT_SPECTRAL = 1 };

/* A plan: serial transforms and exchanges in turn, and the work space for them. */
typedef struct subx_fft_plan_s *subx_fft_plan;
#define SUBX_FFT_PLAN_NULL ((subx_fft_plan)0)

/* ----------------------------------------------------------------------------------- problems */

/* A problem: what is to be transformed, and how both sides are stored. It belongs to no communicator. A plan keeps a
 * copy of what it needs. Problems are created by subx_fft_problem_create with defaults and completed by setters, or
 * parsed from a text. A setter that fails leaves the problem as it was. Nothing in this section needs other ranks.
 *
 * The text of a problem, also called its key. It does not change between releases:
 *
 *   text     = [ HOWMANY "*" ] kinds [ "." precision ] ":" lengths [ "*" HOWMANY ] { "/" option }
 *   kinds    = kind { "," kind }
 *   kind     = "c2c" | "r2c" | "c2r" | "dct1" .. "dct4" | "dst1" .. "dst4" | "dht" | "r2hc" | "hc2r" | "-"
 *   precision= "f32" | "f64" | "long" | "f128"
 *   lengths  = SIZES | MODES ">" SIZES | MODES ">" SIZES ">" POINTS
 *   option   = "padded" | side "-order=" AXES | side "-block=" BLOCKS | "operation" | side "-strides" | side "-boxes"
 *   side     = "physical" | "spectral"
 *
 * SIZES, MODES, POINTS and BLOCKS are decimal numbers joined by x, one per axis; AXES are joined by commas.
 *
 *   c2c:256x256x256              SIZES are joined by x, axis 0 first: the lengths of the transforms
 *   r2c:7x11x13                  one kind for several axes: r2c and c2r are the last axis, and the others are c2c; any
 *                                other kind is all axes
 *   dct2,-,r2c:64x48x40          a list has one kind per axis; "-" is an axis that is not transformed
 *   c2r:7x11x13                  as r2c, but the proper direction is backward
 *   r2c.f32:64x64                single precision; f64 is the default
 *   3*c2c:128x128x128            three fields, one after the other in memory
 *   c2c:128x128x128*3            one field with three components that are adjacent in memory. Both forms read from the
 *                                outermost index to the innermost one
 *   c2c:64x64>96x96              64x64 modes are kept on the spectral side; the transforms have 96x96 points. The lists
 *                                read from the spectral to the physical side. For r2c, modes are counted before
 *                                halving
 *   c2c:96x96>96x96>64x64        only 64x64 points exist on the physical side; the others are zeros
 *   r2c:64x64/padded             the last axis is stored as by FFTW's transforms in place
 *   c2c:9x8/spectral-order=0,1   storage order of a side, innermost axis first, joined by commas
 *   c2c:9x8/physical-block=5x0   block sizes of a side; 0 for the blocks of subx_block_get
 *   c2c:64x64/operation          the plan supports operations on the spectral data
 *   c2c:64x64/spectral-boxes     strides or boxes were set. They are local, so the text only marks them: it is a key,
 *                                and subx_fft_problem_parse refuses it
 *
 * Options are printed in the order of the grammar, each at most once; the physical side precedes the spectral one.
 * They are read in any order. What is the default is not printed, and kinds have their short form. A shell needs
 * quotes around ">" and "*". */
typedef struct subx_fft_problem_s *subx_fft_problem;
#define SUBX_FFT_PROBLEM_NULL ((subx_fft_problem)0)

/* Create a problem in double precision: one field of the given sizes, all modes and points, stored as the plan
 * chooses. Local. With an axis of R2C or C2R, the physical side is real and the spectral side is complex. Without
 * one, both sides are complex if an axis is C2C, and real if not. A real-to-real transform of complex data is
 * therefore one of two interleaved components (subx_fft_problem_set_batch).
 *   ndims    [in]   number of axes, 1 .. SUBX_NDIMS_MAX - 2
 *   kinds    [in]   ndims kinds. At most one axis is R2C or C2R. C2R is stored as R2C; the proper direction is then
 *                   backward
 *   sizes    [in]   ndims lengths of the transforms, each > 0, of DCT1 > 1
 *   problem  [out]  the problem; the caller owns it and frees it with subx_fft_problem_free
 * Errors: NDIMS, ARG (also for kinds), SIZE, TOO_LARGE (the array exceeds 2^63-1 bytes), NO_MEM. */
SUBX_EXPORT int subx_fft_problem_create(int ndims, const int kinds[], const ptrdiff_t sizes[],
                                        subx_fft_problem *problem);

/* Create a copy of a problem, which the caller frees. Local.
 *   problem  [in]   the problem
 *   copy     [out]  the copy
 * Errors: ARG, NO_MEM. */
SUBX_EXPORT int subx_fft_problem_create_copy(subx_fft_problem problem, subx_fft_problem *copy);

/* Free a problem. Local. *problem becomes SUBX_FFT_PROBLEM_NULL.
 *   problem  [in,out]  the problem */
SUBX_EXPORT int subx_fft_problem_free(subx_fft_problem *problem);

/* Create a problem from its text. Local.
 *   text     [in]   see above
 *   problem  [out]  the problem; the caller owns it and frees it with subx_fft_problem_free
 * Errors: PROBLEM (the text is not of that form, has markers, or means a problem that does not exist, such as one with
 * an axis of length 0; MPI_Error_string then tells what is wrong), NO_MEM, ARG (an argument is NULL). */
SUBX_EXPORT int subx_fft_problem_parse(const char *text, subx_fft_problem *problem);

/* Print the canonical text of a problem. Local. Problems that differ only in strides or boxes have the same text.
 *   problem  [in]   the problem
 *   len      [in]   room in text, bytes
 *   text     [out]  the text, cut to len-1 bytes and always terminated; may be NULL if len is 0
 *   needed   [out]  bytes of the whole text without the terminator (may be NULL)
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_problem_print(subx_fft_problem problem, size_t len, char *text, size_t *needed);

/* Query whether two problems are equal in everything, also in strides and boxes. Local.
 *   a, b   [in]   the problems
 *   equal  [out]  1 or 0
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_problem_query_equal(subx_fft_problem a, subx_fft_problem b, int *equal);

/* Set the precision, SUBX_FFT_FLOAT .. SUBX_FFT_QUAD. Local.
 *   problem    [in]  the problem
 *   precision  [in]  SUBX_FFT_FLOAT .. SUBX_FFT_QUAD
 * Errors: ARG, TOO_LARGE. */
SUBX_EXPORT int subx_fft_problem_set_precision(subx_fft_problem problem, int precision);

/* Set the number of fields that are transformed together. Local.
 *   problem      [in]  the problem
 *   howmany      [in]  the number, >= 1
 *   interleaved  [in]  0: one field after the other; 1: the howmany components of an element are adjacent in memory
 * Errors: ARG, SIZE, TOO_LARGE. */
SUBX_EXPORT int subx_fft_problem_set_batch(subx_fft_problem problem, ptrdiff_t howmany, int interleaved);

/* Set how many modes are kept on the spectral side: those with the lowest frequencies. Forward drops the others,
 * backward takes them as zeros; they do not travel. With modes = 2/3 sizes this is the 3/2 rule against aliasing. Of
 * m < n modes, C2C, DHT and R2HC keep the entries 0 .. (m-1)/2 and the (m-1)/2 last ones, and R2C 0 .. m/2. For an
 * even m the entry m/2 of these kinds stands for the frequencies m/2 and -m/2: forward adds both (of R2C and R2HC it
 * doubles the one there is), backward gives half to each. So backward is the trigonometric interpolation of the
 * transform of m points, and forward its inverse. DCTs and DSTs keep the first m entries. Local.
 *   problem  [in]  the problem
 *   modes    [in]  ndims lengths before halving, 1 .. sizes[i]; sizes[i] for NONE and HC2R. NULL for sizes
 * Errors: ARG, SIZE (also if the side has boxes of an array of other lengths). */
SUBX_EXPORT int subx_fft_problem_set_modes(subx_fft_problem problem, const ptrdiff_t modes[]);

/* Set how many points exist on the physical side; the transforms see zeros for the others. Local.
 *   problem  [in]  the problem
 *   points   [in]  ndims lengths, 1 .. sizes[i]; sizes[i] for NONE and HC2R. NULL for sizes
 * Errors: as for subx_fft_problem_set_modes. */
SUBX_EXPORT int subx_fft_problem_set_points(subx_fft_problem problem, const ptrdiff_t points[]);

/* Set the storage order of a side. Local.
 *   problem  [in]  the problem
 *   side     [in]  SUBX_FFT_PHYSICAL or SUBX_FFT_SPECTRAL
 *   order    [in]  ndims axes, innermost first; NULL to let the plan choose
 * Errors: ARG (also if the side has strides or boxes, or its padded axis would not be innermost), ORDER. */
SUBX_EXPORT int subx_fft_problem_set_order(subx_fft_problem problem, int side, const int order[]);

/* Set whether the physical side is padded as for FFTW's transforms in place: its innermost axis, which must be the
 * one of R2C, is stored as 2 * (n / 2 + 1) reals. Local.
 *   problem  [in]  the problem
 *   padded   [in]  1 if it is padded, else 0
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_problem_set_padded(subx_fft_problem problem, int padded);

/* Set the strides of this rank's array on a side. Local.
 *   problem   [in]  the problem
 *   side      [in]  SUBX_FFT_PHYSICAL or SUBX_FFT_SPECTRAL
 *   strides   [in]  ndims strides, elements of that side, each > 0, in axis order; NULL to let the plan choose
 *   distance  [in]  elements between fields, > 0 if howmany > 1, else >= 0
 * Errors: ARG (also if the side has an order, is padded, or has several boxes), SIZE. */
SUBX_EXPORT int subx_fft_problem_set_strides(subx_fft_problem problem, int side, const ptrdiff_t strides[],
                                             ptrdiff_t distance);

/* Set the block size of an axis of a side: rank r of those that divide the axis has the indices r * block ..
 * min((r+1) * block, n) - 1, as in FFTW's and PFFT's distributions. Local.
 *   problem  [in]  the problem
 *   side     [in]  SUBX_FFT_PHYSICAL or SUBX_FFT_SPECTRAL
 *   axis     [in]  0 .. ndims-1
 *   block    [in]  the size, elements; 0 for the blocks of subx_block_get
 * Errors: ARG (also if the side has boxes), SIZE. */
SUBX_EXPORT int subx_fft_problem_set_block(subx_fft_problem problem, int side, int axis, ptrdiff_t block);

/* Set the boxes that this rank has on a side. Local. The problem keeps a copy.
 *
 * Several fields: if no box was added by subx_boxes_add_strided, each box has all its fields together, one after the other
 * or interleaved, and boxes lie one after the other. If one was, `boxes` says where the first field lies.
 *   problem   [in]  the problem
 *   side      [in]  SUBX_FFT_PHYSICAL or SUBX_FFT_SPECTRAL
 *   boxes     [in]  the boxes, perhaps none. Their array has the lengths of this side: the points, or the modes, of which an
 *                   axis of R2C has modes/2+1. SUBX_BOXES_NULL to let the library distribute
 *   distance  [in]  elements between fields, > 0 if there are several and a box was added by subx_boxes_add_strided; else
 *                   it is not read
 * Errors: ARG (also if the side has an order or block sizes, is padded, or has strides and would get several boxes or
 * one with strides), NDIMS, SIZE (also if the lengths of the array are not those of the side), NO_MEM. */
SUBX_EXPORT int subx_fft_problem_set_boxes(subx_fft_problem problem, int side, subx_boxes boxes,
                                           ptrdiff_t distance);

/* Set whether the plan is to support operations on the spectral data, such as convolutions. Local.
 *   problem        [in]  the problem
 *   has_operation  [in]  1 if it is, else 0
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_problem_set_operation(subx_fft_problem problem, int has_operation);

/* Get the axes of a problem. Local; any output may be NULL.
 *   problem  [in]   the problem
 *   ndims    [out]  number of axes, at most SUBX_NDIMS_MAX - 2
 *   kinds    [out]  ndims kinds; never SUBX_FFT_C2R
 *   sizes    [out]  ndims lengths of the transforms
 *   modes    [out]  ndims lengths of the spectral side before halving
 *   points   [out]  ndims lengths of the physical side
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_problem_get(subx_fft_problem problem, int *ndims, int kinds[], ptrdiff_t sizes[],
                                     ptrdiff_t modes[], ptrdiff_t points[]);

/* Get the precision. Local.
 *   problem    [in]   the problem
 *   precision  [out]  SUBX_FFT_FLOAT .. SUBX_FFT_QUAD
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_problem_get_precision(subx_fft_problem problem, int *precision);

/* Get the number of fields, and whether they are interleaved. Local; either output may be NULL.
 *   problem               [in]   the problem
 *   howmany, interleaved  [out]  as for subx_fft_problem_set_batch
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_problem_get_batch(subx_fft_problem problem, ptrdiff_t *howmany, int *interleaved);

/* Get the proper direction: SUBX_FFT_BACKWARD for problems of C2R, else SUBX_FFT_FORWARD. Local.
 *   problem    [in]   the problem
 *   direction  [out]  the direction
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_problem_get_direction(subx_fft_problem problem, int *direction);

/* -------------------------------------------------------------------------------------- plans */

/* Create a plan. Collective on comm. The plan may be executed any number of times, on any arrays.
 *
 * Hints, each also as an environment variable in capitals (subx.h says when a plan ignores one). A search never changes what a
 * hint says; "auto" leaves the choice to the library. The text of a plan tells which hints have no effect on it:
 *   subx_grid      the process grid, such as "4" (slabs), "2x3" (pencils) or "2x2x2": 1 to ndims dimensions. A 0 in it is
 *                  chosen by the library. With ndims dimensions ("bricks") both sides are divided along all axes, and the
 *                  library redistributes them to a grid of its own and back. "auto" (default): the grid of the problem's
 *                  physical boxes, if a grid has such boxes (with the caller's subx_sequence, or else with one that begins
 *                  with the axes that they divide); else the fewest dimensions that give all ranks data, or ndims-1 if no
 *                  grid does, unless the cost model, wisdom or measurement finds another one clearly faster
 *   subx_ranks     how many ranks of comm the plan works on: "all" (default); a number of 1 .. size; or "auto": fewer, if
 *                  the cost model predicts a clear gain (Guarrasi and others, CINECA) or, with an effort above estimate, if
 *                  they are measured to be faster (not where the single axis of a problem is divided). The first ranks then
 *                  have a grid of that many; the others are idle: they have no data, and calls for the plan do nothing
 *                  there. Such a plan has a communicator of its own, of which MPI has few. UNAVAILABLE with boxes
 *   subx_strategy  how axes are transformed and exchanged:
 *                    fused     in tiles that fit into the caches: a tile is gathered from where peers have it or
 *                              where messages brought it, transformed, and written once
 *                    stride1   exchanges reorder the axes in flight, so that the next axis to transform is contiguous
 *                              (Yan)
 *                    natural   the axes stay in C order, and serial transforms stride through memory (Dalcin,
 *                              Mortensen & Keyes 2019)
 *                  Strategies stride1 and natural transform all points and modes, and know no boxes, lengths of blocks,
 *                  strides, bricks, operations, orthonormal scaling, or division of a single axis; they are UNAVAILABLE
 *                  then.
 *                  "auto" (default): fused, or stride1 if only exchanges have the engine; see subx_effort
 *   subx_output_order   how the spectral side is stored: "natural" (default), in C order; or "transposed": each
 *                  exchange makes the axis innermost that it makes whole. subx_fft_plan_get_local tells the order. Strategy
 *                  natural has natural output only. It has no effect where the problem sets the order, strides or
 *                  boxes of the spectral side
 *   subx_scaling   "none" (default): backward after forward multiplies by N = N0 .. Nd-1, where a real-to-real axis of n
 *                  elements counts as FFTW says (2n, 2(n-1), 2(n+1), n) and one that is not transformed as 1;
 *                  "forward": 1/N in forward; "backward": 1/N in backward; "symmetric": 1/sqrt(N) in both;
 *                  "orthonormal": symmetric, and the ends of DCTs and DSTs have weights that make them orthogonal
 *   subx_input_array    "preserve" (default): executions leave their input unchanged; "destroy": backward may destroy
 *                  it, which saves an array in some plans of real data. Such a plan does not execute in place (ALIAS),
 *                  unless the physical side is padded
 *   subx_effort    how hard the fastest plan is searched for among what the caller does not give:
 *                    estimate    (default) by a cost model; nothing is executed
 *                    measure     strategies, engines, serial backends and the best grids of the cost model are executed, about
 *                                a hundred times altogether. Of arrays that are much larger than the caches, only fused is
 *                                tried
 *                    patient     more grids, all engines, fewer threads; then the engine of each exchange; then slices, widths,
 *                                cache sizes and what else has an effect, by the method of Nelder and Mead (Song &
 *                                Hollingsworth 2014)
 *                    exhaustive  all of these with each other; minutes, or as long as subx_time_limit says
 *                  Above estimate, two more arrays and another plan are needed for a while
 *   subx_wisdom    the file that remembers what was found: "auto" (default), "none", or a path; see subx_tune.h. A plan
 *                  that it has, of the same effort or a higher one, is created without measuring
 *   subx_threads   threads of each rank, >= 1 (default 1), where built with OpenMP: for the tiles of fused, else for
 *                  copies in exchanges. More than one needs MPI_THREAD_FUNNELED, else UNAVAILABLE; these threads do
 *                  not call MPI
 *   subx_memory    bytes of work space (subx_fft_plan_get_work) that each rank may have; 0 (default) for no limit. If
 *                  fused needs more, it does without overlap. If a plan still needs more, the error is NO_MEM. During
 *                  creation a plan may have more for a moment
 *   subx_verbose   "yes": rank 0 of comm writes the text of subx_fft_plan_print to stderr, once, when the plan has
 *                  been created. "progress": it also shows how far the search is, if it takes longer than a second and stderr
 *                  is a terminal. "no" (default): nothing. The library never prints anything else
 * subx_tune.h has further hints, for experts.
 *
 *   comm   [in]   the ranks; an intra-communicator
 *   kind   [in]   the kind of all axes; SUBX_FFT_R2C and SUBX_FFT_C2R are that of the last axis, and the others
 *                 are SUBX_FFT_C2C
 *   ndims  [in]   number of axes, 1 .. SUBX_NDIMS_MAX - 2
 *   sizes  [in]   ndims lengths of the physical side, each > 0, the same on all ranks
 *   hints  [in]   see above; the same values on all ranks, also of hints that the strategy does not read;
 *                 MPI_INFO_NULL for none
 *   plan   [out]  the plan; the caller owns it and frees it with subx_fft_plan_free
 * Errors: COMM, NDIMS, SIZE, GRID, HINT, DIFFERS, UNAVAILABLE, SERIAL, TOO_LARGE, NO_MEM, ARG. A plan that needs more
 * memory than a node or its control groups have free, or more threads, is NO_MEM at once, before any of it is taken. */
SUBX_EXPORT int subx_fft_plan_create(MPI_Comm comm, int kind, int ndims, const ptrdiff_t sizes[],
                                     MPI_Info hints, subx_fft_plan *plan);

/* Create a plan for a problem. Collective on comm.
 *   comm     [in]   the ranks; an intra-communicator
 *   problem  [in]   the problem; the plan keeps a copy. The same on all ranks but for strides and boxes
 *   hints    [in]   as for subx_fft_plan_create
 *   plan     [out]  the plan; the caller owns it and frees it with subx_fft_plan_free
 * Errors: those of subx_fft_plan_create; OVERLAP, GAP (boxes); FACTOR (the length of a transform of one axis on
 * several ranks is prime); UNAVAILABLE (see subx_strategy). */
SUBX_EXPORT int subx_fft_plan_create_problem(MPI_Comm comm, subx_fft_problem problem, MPI_Info hints,
                                             subx_fft_plan *plan);

/* Get the local array of one side on this rank. Local; any output may be NULL. With several boxes, the first one is
 * told.
 *   plan         [in]   the plan
 *   side         [in]   SUBX_FFT_PHYSICAL or SUBX_FFT_SPECTRAL
 *   shape        [out]  ndims local lengths, elements, in axis order
 *   start        [out]  ndims global indices of the first element, in axis order
 *   order        [out]  ndims axes, innermost first: how the local array is stored, without gaps unless the problem
 *                       is padded or has strides. C order is (ndims-1, .., 0). With strides: the axes by their strides,
 *                       the smallest first. Several fields lie one after the other, or are interleaved, as the problem
 *                       says
 *   alloc_bytes  [out]  bytes an array must have, up to the end of its last element, with all gaps before it; never 0
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_get_local(subx_fft_plan plan, int side, ptrdiff_t shape[], ptrdiff_t start[],
                                        int order[], ptrdiff_t *alloc_bytes);

/* Get the integer frequencies of this rank's part of an axis on the spectral side: entry i of the array belongs to
 * frequencies[i]. Local.
 *
 *   C2C                0, 1, .., modes/2, then the negative ones up to -1. With an even number of modes, the entry
 *                      modes/2 stands for both +modes/2 and -modes/2
 *   R2C                0, 1, .., modes/2
 *   DHT, R2HC          as C2C: of a pair of entries, the second one has the negative frequency
 *   DCT1, DCT2         0, 1, ..: half periods
 *   DST1, DST2         1, 2, ..: half periods
 *   NONE               0
 *
 *   plan         [in]   the plan
 *   axis         [in]   0 .. ndims-1
 *   frequencies  [out]  as many as the shape of the axis, which subx_fft_plan_get_local tells. If this rank has several
 *                       boxes, the first one counts
 * Errors: ARG, UNAVAILABLE (other kinds; the transposed output of one axis on several ranks). */
SUBX_EXPORT int subx_fft_plan_get_frequencies(subx_fft_plan plan, int axis, ptrdiff_t frequencies[]);

/* Get the problem that a plan solves and the grid that it works on. Local; any output may be NULL.
 *   plan     [in]   the plan
 *   problem  [out]  the plan's copy of the problem, which it frees
 *   g        [out]  grid dimensions
 *   dims     [out]  g numbers of ranks (room for the axes of the problem)
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_get(subx_fft_plan plan, subx_fft_problem *problem, int *g, int dims[]);

/* Get the hints of subx_fft_plan_create with the values that are in effect, also of those that the library chose.
 * Hints that exchanges and pipes read themselves are there only if the caller gave them. Local.
 *
 * There is one key more, subx_lost, if the plan has to do without something. Its value is a list of words:
 *   sharing     ranks of a node could not share memory, and use messages instead
 *   huge_pages  shared memory of a few MiB or more has small pages, because the system gives it no huge ones
 *   threads     more threads were asked for than the build has
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
SUBX_EXPORT int subx_fft_plan_get_work(subx_fft_plan plan, ptrdiff_t *bytes);

/* Print a plan for people, in several lines: the problem, the hints in effect, the stages with their storage orders
 * and engines, the memory and traffic of this rank, and what the plan has to do without. Local.
 *   plan    [in]   the plan
 *   len     [in]   room in text, bytes
 *   text    [out]  the text, cut to len-1 bytes and always terminated; may be NULL if len is 0
 *   needed  [out]  bytes of the whole text without the terminator (may be NULL)
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_print(subx_fft_plan plan, size_t len, char *text, size_t *needed);

/* Execute a plan. Collective, but for idle ranks (subx_ranks), which may leave the call out. Allocates nothing, but for
 * staging memory of about 1/2 MiB that a thread gets when it first makes a copy beyond the caches, and keeps until it ends;
 * a thread that gets none copies more slowly.
 *   plan       [in]   the plan; one execution at a time
 *   direction  [in]   SUBX_FFT_FORWARD or SUBX_FFT_BACKWARD
 *   from       [in]   the array of the side that the direction starts at; left unchanged
 *   to         [out]  the array of the other side. It may be the same address as `from`; the array must then have the
 *                     larger alloc_bytes of the two sides. It must not overlap `from` otherwise. Of an array with gaps, the
 *                     gaps may be written
 * Either may be NULL on a rank whose shape on that side has a 0. Any alignment works; 16 bytes is fastest.
 *
 * If MPI fails on a rank, that rank takes part in the execution to its end and then returns the first error; `to` is
 * undefined on all ranks. The plan can then be executed again, or freed.
 * Errors: ARG (on this rank alone: the others may wait for it, as in MPI), ALIAS, PEER, and MPI's own. With engine
 * alltoallw a rank cannot be told that the data of another one is wrong. */
SUBX_EXPORT int subx_fft_execute(subx_fft_plan plan, int direction, const void *from, void *to);

/* ---------------------------------------------------------------------------------- operations */

/* An operation on spectral data. A pass applies it to tiles while they are in the caches. The problem of the plan
 * must have been told of operations by subx_fft_problem_set_operation. An operation may be used any number of times.
 * It is freed after its last execution; the plan may be freed before it. */
typedef struct subx_fft_operation_s *subx_fft_operation;
#define SUBX_FFT_OPERATION_NULL ((subx_fft_operation)0)

/* A function of the caller that gets all spectral data of this rank, one box after the other. It changes `data` in
 * place. Several threads may call it at the same time, if subx_threads is more than 1. It must not call MPI. The
 * boxes are those of the rank that has the data while it is in the caches: the same as those of the spectral array,
 * unless the caller named boxes or bricks for it.
 *   context  [in]      that of the operation
 *   ndims    [in]      axes of the problem, and one more for the fields if there are several; it is the last one
 *   start    [in]      ndims global indices of the first element, on the spectral side
 *   n        [in]      ndims lengths
 *   stride   [in]      ndims strides, elements. An element is real or complex, of the precision of the problem
 *   data     [in,out]  the first element */
typedef void (*subx_fft_operation_function)(void *context, int ndims, const ptrdiff_t start[],
                                            const ptrdiff_t n[], const ptrdiff_t stride[], void *data);

/* Create an operation that calls a function. Local. It serves all plans with operations.
 *   function   [in]   the function
 *   context    [in]   what it gets as its first argument; it belongs to the caller
 *   operation  [out]  the operation; the caller owns it and frees it with subx_fft_operation_free
 * Errors: ARG, NO_MEM. */
SUBX_EXPORT int subx_fft_operation_create_function(subx_fft_operation_function function, void *context,
                                                   subx_fft_operation *operation);

/* Create an operation that multiplies by a table, element by element. Local. The circular convolution of two fields
 * is a transform of one of them into a table, by subx_fft_execute, and a convolution of the other one with it, by
 * subx_fft_execute_convolution; with the conjugate table it is their correlation. Use subx_scaling = backward.
 *   plan          [in]   the plan that it is for
 *   factors       [in]   the table: elements, layout and bytes are those of this rank's spectral array. It is read in
 *                        each execution, and belongs to the caller. NULL where the rank has no data
 *   is_conjugate  [in]   1: multiply by the complex conjugates
 *   operation     [out]  the operation; the caller owns it and frees it with subx_fft_operation_free
 * Errors: ARG (also if the plan has no operations), UNAVAILABLE (boxes or a grid of all axes on the spectral side),
 * NO_MEM. */
SUBX_EXPORT int subx_fft_operation_create_table(subx_fft_plan plan, const void *factors, int is_conjugate,
                                                subx_fft_operation *operation);

/* Create an operation that differentiates: the spectrum is multiplied by the product over all axes of (i k)^order.
 * Local. The wavenumber is k = 2 pi f / length on axes of C2C, R2C, DHT and R2HC, and k = pi f / length on axes of
 * DCT1, DCT2, DST1 and DST2, where f are the frequencies of subx_fft_plan_get_frequencies. With cosines (DCT) normal
 * derivatives are 0 at both ends of the domain, with sines (DST) the function is.
 *
 * Odd derivatives set the entry modes/2 of an even number of modes to 0. A gradient is one execution forward, and
 * one execution backward per axis, each with a derivative of order 1 along that axis.
 *   plan       [in]   the plan that it is for
 *   lengths    [in]   ndims lengths of the domain, > 0; not read for NONE. NULL if k = f: lengths 2 pi of periodic
 *                     axes, pi of the others
 *   orders     [in]   ndims orders, >= 0; 0 for NONE
 *   operation  [out]  the operation; the caller owns it and frees it with subx_fft_operation_free
 * Errors: ARG (also if the plan has no operations), UNAVAILABLE (DCT and DST of types 3 and 4, HC2R; an odd order of
 * a kind other than C2C and R2C), NO_MEM. */
SUBX_EXPORT int subx_fft_operation_create_derivative(subx_fft_plan plan, const double lengths[],
                                                     const int orders[], subx_fft_operation *operation);

/* Create an operation that applies a power of the Laplacian: the spectrum is multiplied by (-|k|^2)^power. Local. The
 * square is the sum over all axes; k is that of subx_fft_operation_create_derivative.
 *   plan       [in]   the plan that it is for
 *   lengths    [in]   as for subx_fft_operation_create_derivative
 *   power      [in]   1 for the Laplacian, 2 for the biharmonic operator, -1 for the solution of Poisson's equation, and
 *                     so on. Negative powers set what belongs to k = 0 to 0
 *   operation  [out]  the operation; the caller owns it and frees it with subx_fft_operation_free
 * Errors: ARG (also if the plan has no operations), UNAVAILABLE (DCT and DST of types 3 and 4, HC2R), NO_MEM. */
SUBX_EXPORT int subx_fft_operation_create_laplacian(subx_fft_plan plan, const double lengths[], int power,
                                                    subx_fft_operation *operation);

/* Free an operation. Local. *operation becomes SUBX_FFT_OPERATION_NULL.
 *   operation  [in,out]  the operation */
SUBX_EXPORT int subx_fft_operation_free(subx_fft_operation *operation);

/* Execute a plan with an operation on the spectral data: forward after the transform, backward before it. Collective.
 *   plan, direction, from  [in]   as for subx_fft_execute
 *   to                     [out]  as for subx_fft_execute
 *   operation              [in]   the operation, SUBX_FFT_OPERATION_NULL for none
 * All else is as for subx_fft_execute. */
SUBX_EXPORT int subx_fft_execute_operation(subx_fft_plan plan, int direction, const void *from, void *to,
                                           subx_fft_operation operation);

/* Execute a convolution: forward, an operation, backward. The spectral data never is in memory as a whole: on slabs,
 * three passes take the place of four and of reading and writing the spectrum. Collective.
 *   plan       [in]   the plan
 *   from       [in]   a physical array; left unchanged
 *   to         [out]  the other physical array. It may be the same address as `from`
 *   operation  [in]   the operation. It sees data that is not scaled yet
 * Errors: as for subx_fft_execute. */
SUBX_EXPORT int subx_fft_execute_convolution(subx_fft_plan plan, const void *from, void *to,
                                             subx_fft_operation operation);

/* What a stage does. */
enum { SUBX_FFT_STAGE_SERIAL = 1, SUBX_FFT_STAGE_EXCHANGE = 2, SUBX_FFT_STAGE_SCALE = 3 };

/* Get the number of stages of a direction. Local.
 *   plan       [in]   the plan
 *   direction  [in]   SUBX_FFT_FORWARD or SUBX_FFT_BACKWARD
 *   count      [out]  the number of stages
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

/* Set the times of all stages back to 0. Local.
 *   plan  [in]  the plan
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_plan_set_times_zero(subx_fft_plan plan);

/* Query the names of the serial backends. Local.
 *   i     [in]   which, from 0
 *   name  [out]  its name, a constant string, or NULL if there are no more
 * Errors: ARG. */
SUBX_EXPORT int subx_fft_query_serial(int i, const char **name);

/* Free a plan. Collective. *plan becomes SUBX_FFT_PLAN_NULL.
 *   plan  [in,out]  the plan */
SUBX_EXPORT int subx_fft_plan_free(subx_fft_plan *plan);

#ifdef __cplusplus
}
#endif
#endif /* SUBX_FFT_H */
