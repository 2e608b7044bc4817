/* subx.h - subarrays in any storage order, process grids, and the exchanges built from them.
 *
 * Part of subarray_x. BSD-3-Clause; see LICENSE. From release 1.0 on this header is stable; before it, NEWS lists every
 * change. Redistribution between any boxes, and halos, are in subx_boxes.h. Copies and pipes, for authors of libraries, are
 * in subx_lowlevel.h.
 *
 * Conventions that hold for every function in this header:
 *
 *  - Each returns MPI_SUCCESS or an MPI error code; MPI_Error_string gives its text, subx_error_get_kind
 *    its kind. Nothing is printed, nothing aborts. On failure output arguments are left as they were,
 *    except that a handle asked for is set to its null value.
 *  - "Collective" functions must be called by every rank of the communicator. If a create fails on one rank,
 *    all ranks return the same kind of error and nothing is left behind. Executions check their
 *    arguments on each rank but do not compare them, because that would cost a reduction every time: a wrong
 *    argument of one rank may leave others waiting, as in MPI. "Local" functions never communicate.
 *  - An error in the middle of an execution, such as one of MPI, comes back on the rank that had it. That rank goes
 *    on to the end, so that no other rank waits for ever. Its partners get their data, or SUBX_ERR_PEER. A call of MPI that
 *    fails without effect is made once more, and one that fails after it took part is not. If a call fails twice on one
 *    rank, or half-way, other ranks may wait.
 *  - MPI must be initialised and not finalised; the block functions alone also work without it.
 *  - Handles are opaque pointers. The matching free sets the handle to its null value, and freeing a
 *    null handle is legal.
 *  - A caller's communicator is duplicated, so that our messages never meet the caller's. All objects
 *    on a communicator share one duplicate. It returns errors, whatever error handler the caller's has. Objects
 *    on one communicator are created, started and freed in the same order on all its ranks.
 *  - Threads: under MPI_THREAD_MULTIPLE, objects on different communicators may be created, executed and freed at the
 *    same time by different threads. All objects on one communicator are used by one thread at a time. With a
 *    lower level, our functions may be called only where MPI may. Functions of types, blocks and errors may
 *    be called by any thread.
 *  - Hints are an MPI_Info, or MPI_INFO_NULL. Keys not known to a function are ignored, as MPI does; a
 *    value that is wrong is an error, whose text tells what is right. Where a key is absent, the environment variable of
 *    the same name in capitals counts (key subx_engine, variable SUBX_ENGINE). A variable is for all objects of a program:
 *    an object ignores a value that it cannot use, but that is right for another object; a value that is right for
 *    none is an error. Every rank must give hints that mean the same: a difference is noticed and is an error on all ranks.
 *  - An integer has one type per meaning. Lengths, starts, strides and offsets are ptrdiff_t, in elements or bytes. Ranks,
 *    axes, flags, kinds, and numbers of them or of things in a list are int. Functions of types (subx_type_*) have the types
 *    of MPI's own functions: int, or MPI_Count and MPI_Aint. The room for a text is a size_t, as in snprintf.
 *  - An array "in axis order" has one entry for each axis 0 .. ndims-1. An "order" is a permutation of
 *    the axes, innermost first: order[0] is the axis whose index changes fastest.
 */
#ifndef SUBX_H
#define SUBX_H

#include <mpi.h>
#include <stddef.h>

#if defined(__GNUC__)
#define SUBX_EXPORT __attribute__((visibility("default")))
#else
#define SUBX_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header, and that of the library that is linked. */
#define SUBX_VERSION_MAJOR 0
#define SUBX_VERSION_MINOR 8
#define SUBX_VERSION_PATCH 0

/* Get the version of the linked library. Local; needs no MPI.
 *   major, minor, patch  [out]  one int each */
SUBX_EXPORT int subx_version_get(int *major, int *minor, int *patch);

/* Most axes that an array, and most levels that a strided block, may have. */
#define SUBX_NDIMS_MAX 32

/* ------------------------------------------------------------------------------------- errors */

/* Kinds of error. The MPI error codes that stand for them are registered with MPI at run time, so use
 * subx_error_get_kind to compare; all belong to one error class of their own. Later releases may add kinds. */
enum {
    SUBX_ERR_NONE = 0,         /* no error, or an error code of MPI's own                                  */
    SUBX_ERR_ARG = 1,          /* an argument is null or out of its range                                  */
    SUBX_ERR_NDIMS = 2,        /* a number of dimensions is out of its range                               */
    SUBX_ERR_SIZE = 3,         /* a size, subsize or start is negative, or the block leaves the array      */
    SUBX_ERR_ORDER = 4,        /* an order is not a permutation of the axes, or a storage is neither
                                  MPI_ORDER_C nor MPI_ORDER_FORTRAN                                        */
    SUBX_ERR_TYPE = 5,         /* a datatype is null or of a kind that cannot be used here                 */
    SUBX_ERR_NOT_STRIDED = 6,  /* the type is not a strided block                                          */
    SUBX_ERR_NOT_SUBARRAY = 7, /* the type was not made as a subarray                                      */
    SUBX_ERR_TRUNCATE = 8,     /* a buffer is too small                                                    */
    SUBX_ERR_TOO_LARGE = 9,    /* a count does not fit into the MPI below, or into 63 bits                 */
    SUBX_ERR_NO_MEM = 10,      /* no memory                                                                */
    SUBX_ERR_COMM = 11,        /* a communicator is null or an inter-communicator                          */
    SUBX_ERR_GRID = 12,        /* the process grid does not fit the number of ranks or of axes             */
    SUBX_ERR_HINT = 13,        /* a hint's value is wrong, or contradicts another hint                     */
    SUBX_ERR_UNAVAILABLE = 14, /* the engine, serial backend or file format asked for cannot serve here    */
    SUBX_ERR_DIFFERS = 15,     /* arguments or hints that must be equal are not, on different ranks or in
                                  one call                                                                 */
    SUBX_ERR_MISMATCH = 16,    /* one rank sends another amount than its peer expects                      */
    SUBX_ERR_ACTIVE = 17,      /* an exchange is in flight, or an epoch open, or none is where one was
                                  expected                                                                 */
    SUBX_ERR_ALIAS = 18,       /* two buffers are the same and must not be                                 */
    SUBX_ERR_PROBLEM = 19,     /* the text of a problem is wrong; the text of the error says why           */
    SUBX_ERR_SERIAL = 20,      /* the serial FFT library could not make a plan                             */
    SUBX_ERR_PEER = 21,        /* a peer's data did not arrive, or the peer failed before it sent them     */
    SUBX_ERR_GAP = 22,         /* nobody holds an element that is wanted; the text names both              */
    SUBX_ERR_OVERLAP = 23,     /* boxes overlap and must not; the text names the ranks and an element      */
    SUBX_ERR_FACTOR = 24,      /* the length of a 1-D transform on several ranks is prime                  */
    SUBX_ERR_FILE = 25,        /* a file is damaged, or of another format                                  */
    SUBX_ERR_FILE_END = 26,    /* a file ends before its data does                                         */
    SUBX_ERR_FILE_ARRAY = 27,  /* a file does not hold the array asked for: other sizes or elements, or no
                                  such dataset                                                             */
    SUBX_ERR_FILE_KIND = 28    /* a path is a folder, a pipe or a device, not a file                       */
};

/* Query which kind of error an error code stands for. Local.
 *   code  [in]  what a function of ours, or of MPI, returned
 * Returns the kind: SUBX_ERR_NONE if the code is not one of ours. */
SUBX_EXPORT int subx_error_get_kind(int code);

/* -------------------------------------------------------------------------------------- types */

/* Create the datatype of a subarray that is traversed in any order of its axes. Local.
 *
 * The arguments are those of MPI_Type_create_subarray plus the order. The type's signature lists the
 * block's elements with axis order[0] fastest, whatever the memory storage is. What a sender
 * traverses as order[i] therefore lands on what the receiver traverses as order[i]: sending (1,2,0) and
 * receiving (2,0,1) takes x to the place of y, y to that of z, z to that of x (Y. Yan, "Improved MPI
 * Collectives for 3D-FFT"). MPI cannot notice a wrong pair, because the signatures match all the same.
 *
 *   ndims     [in]   number of axes, 1 .. SUBX_NDIMS_MAX
 *   sizes     [in]   ndims lengths of the full array, elements, each >= 0
 *   subsizes  [in]   ndims lengths of the block, elements, 0 <= subsizes[i] <= sizes[i]. A length of 0
 *                    makes a type of size 0 (MPI's own call forbids it; ranks without data need it)
 *   starts    [in]   ndims offsets of the block, elements, 0 <= starts[i] <= sizes[i] - subsizes[i]
 *   storage   [in]   MPI_ORDER_C (last axis fastest in memory) or MPI_ORDER_FORTRAN (axis 0 fastest)
 *   order     [in]   ndims axes, innermost first, or NULL for the storage's own: (ndims-1, .., 0) for
 *                    C and (0, .., ndims-1) for Fortran, which give exactly MPI's type
 *   oldtype   [in]   type of an element: any datatype, also derived; its extent is the element's pitch
 *   newtype   [out]  the type: lower bound 0, extent that of the full array. Not yet committed; the
 *                    caller owns it and frees it with MPI_Type_free
 * Errors: NDIMS, SIZE, ORDER, TYPE, TOO_LARGE (the full array exceeds 2^63-1 bytes). */
SUBX_EXPORT int subx_type_create_subarray(int ndims, const int sizes[], const int subsizes[],
                                          const int starts[], int storage, const int order[],
                                          MPI_Datatype oldtype, MPI_Datatype *newtype);

/* The same with 64-bit lengths. Local. Works on any MPI: counts above 2^31-1 are composed from smaller ones,
 * so that neither the array nor an axis of it is limited to what an int holds.
 *   ndims                    [in]   number of axes, 1 .. SUBX_NDIMS_MAX
 *   sizes, subsizes, starts  [in]   ndims lengths and offsets each, elements, as for subx_type_create_subarray
 *   storage, order           [in]   as for subx_type_create_subarray
 *   oldtype                  [in]   type of an element
 *   newtype                  [out]  the type, not yet committed; the caller frees it with MPI_Type_free */
SUBX_EXPORT int subx_type_create_subarray_c(int ndims, const MPI_Count sizes[], const MPI_Count subsizes[],
                                            const MPI_Count starts[], int storage, const int order[],
                                            MPI_Datatype oldtype, MPI_Datatype *newtype);

/* Get back what made a subarray type, be it ours or MPI_Type_create_subarray's, or a dup of either. Local.
 *   type      [in]   the datatype
 *   maxdims   [in]   how many entries the arrays have room for
 *   ndims     [out]  number of axes
 *   sizes, subsizes, starts  [out]  ndims lengths each, elements, in axis order (any may be NULL)
 *   storage   [out]  MPI_ORDER_C or MPI_ORDER_FORTRAN (may be NULL)
 *   order     [out]  ndims axes, innermost first (may be NULL)
 *   oldtype   [out]  the element's type (may be NULL); if it is not a predefined type, the caller
 *                    frees it with MPI_Type_free, as after MPI_Type_get_contents
 * Errors: NOT_SUBARRAY, TYPE, TRUNCATE (maxdims < ndims), ARG. */
SUBX_EXPORT int subx_type_get_subarray(MPI_Datatype type, int maxdims, int *ndims, MPI_Count sizes[],
                                       MPI_Count subsizes[], MPI_Count starts[], int *storage, int order[],
                                       MPI_Datatype *oldtype);

/* Get the strided block that a type describes. Local.
 *
 * Subarrays of ours, and any nest of contiguous, vector, hvector, subarray, resized, dup, darray in blocks, and of
 * indexed or struct types with a single block, are strided blocks: `block_bytes` contiguous bytes, repeated over
 * `ndims` levels, the first level innermost. Levels of length 1 are dropped, and levels that
 * continue each other are fused, so that equal typemaps give equal answers.
 *   type         [in]   the datatype
 *   maxdims      [in]   how many entries the arrays have room for; SUBX_NDIMS_MAX is always enough
 *   ndims        [out]  number of levels, 0 if the block is contiguous or empty
 *   n            [out]  ndims lengths, in traversal order, innermost first
 *   stride       [out]  ndims strides, bytes
 *   block_bytes  [out]  contiguous bytes at each place; 0 if the type is empty
 *   offset       [out]  bytes from the buffer's address to the first byte
 * Errors: NOT_STRIDED (the type still works everywhere, through MPI's own engine), TRUNCATE, TYPE, ARG. */
SUBX_EXPORT int subx_type_get_layout(MPI_Datatype type, int maxdims, int *ndims, MPI_Count n[],
                                     MPI_Aint stride[], MPI_Count *block_bytes, MPI_Aint *offset);

/* Print a type for people: what made it, its strided block, its size and extent, in one line. Local.
 *   type    [in]   the datatype
 *   len     [in]   room in text, bytes
 *   text    [out]  the line, cut to len-1 bytes and always terminated; may be NULL if len is 0
 *   needed  [out]  bytes of the whole line without the terminator (may be NULL)
 * Errors: TYPE, NO_MEM, ARG. */
SUBX_EXPORT int subx_type_print(MPI_Datatype type, size_t len, char *text, size_t *needed);

/* Query whether two types, each taken once, have the same signature: the same sequence of basic types
 * (MPI 4.1, section 3.3.1). Local. Time grows with the number of runs of equal basic types.
 *   a, b    [in]   the datatypes
 *   match   [out]  1 if the signatures are equal, else 0
 *   first   [out]  if they differ, the index of the first basic element that does (may be NULL)
 *   basic_a, basic_b  [out]  if they differ, the predefined types there, MPI_DATATYPE_NULL for a
 *                    signature that has ended (may be NULL); not to be freed
 * Errors: TYPE, NO_MEM, ARG. */
SUBX_EXPORT int subx_type_query_match(MPI_Datatype a, MPI_Datatype b, int *match, MPI_Count *first,
                                      MPI_Datatype *basic_a, MPI_Datatype *basic_b);

/* Query whether a type may be the filetype of a file view: displacements not negative, never
 * decreasing, and no two elements on the same bytes (MPI 4.1, section 14.3). Local. A subarray
 * traversed in another order than its storage may not, but is a legal memory type for the same access.
 *   type  [in]   the datatype
 *   ok    [out]  1 if it may, else 0
 * Errors: TYPE, NO_MEM, ARG. */
SUBX_EXPORT int subx_type_query_fileview(MPI_Datatype type, int *ok);

/* Pack `count` elements of a type. Local. The bytes are those that MPI_Pack writes on MPI_COMM_SELF.
 *   inbuf      [in]      where the type's displacements count from
 *   count      [in]      how many of the type, >= 0, one extent apart
 *   type       [in]      the datatype; it must be committed if it is not a strided block
 *   outbuf     [out]     room for outsize bytes
 *   outsize    [in]      bytes
 *   position   [in,out]  where in outbuf to write, bytes; advanced past what was written
 * Errors: TYPE, TRUNCATE, ARG, NO_MEM, TOO_LARGE (not a strided block, and beyond MPI_Pack's int). */
SUBX_EXPORT int subx_type_pack(const void *inbuf, MPI_Count count, MPI_Datatype type, void *outbuf,
                               MPI_Count outsize, MPI_Count *position);

/* Unpack `count` elements of a type from packed bytes. Local. The inverse of subx_type_pack.
 *   inbuf        [in]      insize bytes, as packed by subx_type_pack or MPI_Pack
 *   insize       [in]      bytes
 *   position     [in,out]  where in inbuf to read, bytes; advanced past what was read
 *   outbuf       [out]     where the type's displacements count from
 *   count, type  [in]      as for subx_type_pack
 * Errors: TYPE, TRUNCATE, ARG, NO_MEM, TOO_LARGE. */
SUBX_EXPORT int subx_type_unpack(const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf,
                                 MPI_Count count, MPI_Datatype type);

/* ------------------------------------------------------------------------------------- blocks */

/* Get part r of n elements dealt to p parts in balanced contiguous blocks: the first n mod p parts have
 * one element more (Dalcin, Mortensen & Keyes 2019, eq. 9). Local; needs no MPI.
 *   n      [in]   number of elements, >= 0
 *   p      [in]   number of parts, > 0
 *   r      [in]   which part, 0 <= r < p
 *   len    [out]  elements in the part, 0 for parts beyond the n-th
 *   start  [out]  index of its first element, always within 0 .. n
 * Errors: ARG. */
SUBX_EXPORT int subx_block_get(ptrdiff_t n, int p, int r, ptrdiff_t *len, ptrdiff_t *start);

/* Get the part that owns element i, the inverse of subx_block_get. Local; needs no MPI.
 *   n, p   [in]   as above
 *   i      [in]   which element, 0 <= i < n
 *   r      [out]  its part, 0 .. p-1
 * Errors: ARG. */
SUBX_EXPORT int subx_block_get_owner(ptrdiff_t n, int p, ptrdiff_t i, int *r);

/* -------------------------------------------------------------------------------------- grids */

/* A Cartesian grid of the ranks of a communicator, last dimension fastest, with one sub-communicator per
 * dimension (Dalcin, Mortensen & Keyes 2019, section 3.4). Grids of
 * the same dimensions on one communicator share their sub-communicators, since MPI has few of them. */
typedef struct subx_grid_s *subx_grid;
#define SUBX_GRID_NULL ((subx_grid)0)

/* Get the dimensions of a good process grid for an array. Local; every rank computes the same.
 *
 * Entries of dims that are positive are kept; those that are 0 are chosen so that the product is nranks.
 * Choices that leave no rank without data come before others, in all alignments that a transform passes
 * through (axes 0 .. g-1 distributed first, axes 1 .. g last). Of these the one with the smallest largest
 * local block is taken; of equals the one whose dimensions are most alike, and of those the one with the
 * smaller dimensions first.
 *   nranks  [in]      number of ranks, > 0
 *   g       [in]      grid dimensions, 1 .. ndims. A grid that divides every axis has one alignment
 *   ndims   [in]      axes of the array, 1 .. SUBX_NDIMS_MAX
 *   sizes   [in]      ndims global lengths, elements, each > 0
 *   dims    [in,out]  g numbers of ranks
 * Errors: NDIMS, SIZE, ARG, GRID (the given entries do not divide nranks). */
SUBX_EXPORT int subx_grid_get_dims(int nranks, int g, int ndims, const ptrdiff_t sizes[], int dims[]);

/* Create a process grid. Collective on comm.
 *   comm   [in]   the ranks; an intra-communicator
 *   g      [in]   grid dimensions, 1 .. SUBX_NDIMS_MAX
 *   dims   [in]   g numbers of ranks, the product being the size of comm, the same on all ranks
 *   grid   [out]  the grid; the caller owns it and frees it with subx_grid_free
 * Errors: COMM, NDIMS, GRID, DIFFERS, NO_MEM, ARG. */
SUBX_EXPORT int subx_grid_create(MPI_Comm comm, int g, const int dims[], subx_grid *grid);

/* Get a grid's shape and the place of this rank in it. Local.
 *   grid    [in]   the grid
 *   maxdims [in]   how many entries the arrays have room for
 *   g       [out]  grid dimensions
 *   dims    [out]  g numbers of ranks (may be NULL)
 *   coords  [out]  g coordinates of this rank (may be NULL)
 * Errors: ARG, TRUNCATE. */
SUBX_EXPORT int subx_grid_get(subx_grid grid, int maxdims, int *g, int dims[], int coords[]);

/* Get a communicator of a grid. Local.
 *   grid   [in]   the grid
 *   dim    [in]   0 .. g-1 for the ranks that differ from this one in that coordinate only, ordered by
 *                 it; -1 for all ranks of the grid, in the order of the communicator it was made on
 *   comm   [out]  the communicator. It returns errors. It belongs to the grid, and exchanges that are made on it send
 *                 their messages on it: a caller that wants to send messages of its own duplicates it first.
 *                 Dimensions with the same ranks share one communicator
 * Errors: ARG. */
SUBX_EXPORT int subx_grid_get_comm(subx_grid grid, int dim, MPI_Comm *comm);

/* Free a grid and its communicators. Collective on the grid. *grid becomes SUBX_GRID_NULL.
 *   grid  [in,out]  the grid */
SUBX_EXPORT int subx_grid_free(subx_grid *grid);

/* ------------------------------------------------------------------------------------- memory */

/* Allocate memory that the ranks of a node can read directly, which lets the engine "shm" move data with one
 * read and one write. A rank that is alone on its node gets private memory; so do all ranks of a node on
 * which sharing fails (see subx_mem_get_info). Aligned to 64 bytes at least, zeroed. Collective on comm.
 *
 * Hints:
 *   subx_node_ranks  pretend that nodes have at most this many ranks: those of MPI_COMM_WORLD are taken in
 *                    groups of this many, in their order. 0 (default) for no such limit
 *
 *   comm   [in]   the ranks that are to share; an intra-communicator. An exchange reads memory directly if
 *                 all its ranks on the node were in it, so that the largest of a program is a good choice
 *   bytes  [in]   length of this rank's piece, bytes, >= 0; may differ between ranks
 *   hints  [in]   see above; MPI_INFO_NULL for none
 *   mem    [out]  this rank's piece; the caller owns it and frees it with subx_mem_free
 * Errors: COMM, SIZE, HINT, DIFFERS, NO_MEM (also, at once, if the ranks of a node ask for more than it has free), ARG. */
SUBX_EXPORT int subx_mem_alloc(MPI_Comm comm, ptrdiff_t bytes, MPI_Info hints, void **mem);

/* Free memory of subx_mem_alloc. Local, but after this call other ranks must not use their memory of the same allocation in exchanges with this rank. *mem
 * becomes NULL.
 *   mem  [in,out]  the address that subx_mem_alloc gave
 * Errors: ARG (it is not such memory). */
SUBX_EXPORT int subx_mem_free(void **mem);

/* Get how this rank's memory is shared, as an MPI_Info. Local.
 *   subx_sharing     "yes": other ranks of the node read it directly; "no": it is private, although there are
 *                    other ranks on the node; "alone": it is private, and there are none
 *   subx_huge_pages  whether it is long enough for huge pages (4 MiB) and the system gives them: "yes", "no"
 *   subx_lost        what could not be had: "sharing", "huge_pages", or both; no such key if nothing is lost
 *
 *   mem   [in]   memory of subx_mem_alloc, or any address inside it
 *   info  [out]  the keys above; the caller owns it and frees it with MPI_Info_free
 * Errors: ARG (it is not such memory). */
SUBX_EXPORT int subx_mem_get_info(const void *mem, MPI_Info *info);

/* ---------------------------------------------------------------------------------- exchanges */

/* A generalised all-to-all between fixed types, to be executed many times on any buffers. */
typedef struct subx_exch_s *subx_exch;
#define SUBX_EXCH_NULL ((subx_exch)0)

/* Create an exchange: every rank sends one stype[q] to each rank q and receives one rtype[r] from each
 * rank r. Collective on comm.
 *
 * A rank's partners are the ranks that it sends to or receives from. A partner is local if it is on the same node and
 * lets this rank read its memory, else remote.
 *
 * Hints:
 *   subx_engine      the engine that moves the data, one of subx_exch_query_engine's names, or "auto" (default): the
 *                    first of these that can serve and that suits the types of all ranks.
 *                      shm         all partners are local: each rank reads its partners' memory and reorders the
 *                                  data in the same copy. Data that is not in memory of subx_mem_alloc is packed
 *                                  into shared work space first
 *                      node        local partners as shm; remote ones by the carrier that subx_between names
 *                      alltoallv   carrier: pack, MPI_Alltoallv or MPI_Ialltoallv, unpack
 *                      pairwise    carrier: pack, send point to point, unpack
 *                      kway        carrier: packed blocks are forwarded in rounds of a few partners, for many ranks
 *                                  and small blocks
 *                      persistent  carrier: alltoallv by a persistent collective, where MPI has one; slow in Open MPI 5
 *                                  (subx_exch_query_warning in subx_lowlevel.h), where "auto" takes it last
 *                      types       MPI's own engine works on the types, point to point
 *                      alltoallw   MPI's own engine works on the types, by MPI_Alltoallw
 *                    With the engines from alltoallv on, all partners are treated as remote
 *   subx_between     for node: alltoallv (default; "auto" is the same), pairwise, kway or persistent
 *   subx_slices      blocks are cut into this many slices, which are packed, sent and unpacked one after the other;
 *                    0 .. 65536, 0 (default) for a choice: messages of 256 KiB with pairwise and
 *                    alltoallv, else one slice
 *   subx_window      slices in flight, >= 1 (default 4). The work space has room for no more. For types: messages
 *                    in flight in each direction
 *   subx_radix       for kway: most partners of a round, this rank included, where the number of ranks has such
 *                    divisors; all of them at once if it is prime. >= 2 (default 4)
 *   subx_node_ranks  as for subx_mem_alloc
 *   subx_threads     threads that copy in each rank, >= 1 (default 1), where built with OpenMP. More than one
 *                    needs MPI_THREAD_FUNNELED, else UNAVAILABLE; our threads call no MPI
 *   subx_check       whether an engine is first tried with these types on memory of its own, and dropped if
 *                    the data that arrives is not the data that was sent: "auto" (default) if that takes at most
 *                    64 MiB on every rank, "yes", "no"
 *
 *   comm   [in]   the ranks; an intra-communicator
 *   stype  [in]   one datatype for each rank of comm; MPI_DATATYPE_NULL, or a type of size 0, for
 *                 nothing. Displacements count from the send buffer's address. Need not be
 *                 committed; the caller may free them as soon as this call returns
 *   rtype  [in]   the same for receiving. The bytes that they cover must not overlap
 *   hints  [in]   see above; MPI_INFO_NULL for none
 *   ex     [out]  the exchange; the caller owns it and frees it with subx_exch_free
 * Errors: COMM, TYPE, MISMATCH, HINT, DIFFERS, UNAVAILABLE (the engine asked for cannot serve, or is wrong
 * here), TOO_LARGE, NO_MEM, ARG. */
SUBX_EXPORT int subx_exch_create(MPI_Comm comm, const MPI_Datatype stype[], const MPI_Datatype rtype[],
                                 MPI_Info hints, subx_exch *ex);

/* Create the exchange that realigns a distributed array from axis v to axis w: before, each rank of comm
 * has axis v whole and a block of axis w; afterwards axis w whole and a block of axis v. Collective on comm.
 * This is EXCHANGE of Dalcin, Mortensen & Keyes 2019 (algorithm 3), with any storage order on either
 * side: axes are reordered in flight. Blocks are subx_block_get's, in the rank order of comm.
 *
 * Hints: those of subx_exch_create, and
 *   subx_permute  which side strides through memory when the two orders differ: "send" (the data travels in
 *                 the receiver's order) or "recv" (default; it travels in the sender's)
 *
 *   comm     [in]   the ranks that share axes v and w, often a grid's sub-communicator
 *   ndims    [in]   axes of the array, 2 .. SUBX_NDIMS_MAX
 *   sizes    [in]   ndims lengths, elements, >= 0: of axes v and w the global ones, of all others
 *                   the local ones. The same on all ranks of comm
 *   v, w     [in]   the axis that is whole before and the one that is whole afterwards, v != w
 *   sorder   [in]   ndims axes, innermost first: how the send array is stored; NULL for C order
 *   rorder   [in]   the same for the receive array
 *   elemtype [in]   type of an element; any datatype
 *   hints    [in]   see above; MPI_INFO_NULL for none
 *   ex       [out]  the exchange; the caller owns it and frees it with subx_exch_free
 * Errors: those of subx_exch_create, and NDIMS, SIZE, ORDER. */
SUBX_EXPORT int subx_exch_create_realign(MPI_Comm comm, int ndims, const ptrdiff_t sizes[], int v, int w,
                                         const int sorder[], const int rorder[], MPI_Datatype elemtype,
                                         MPI_Info hints, subx_exch *ex);

/* Execute an exchange: start and wait in one. Collective. Allocates nothing, but for staging memory of about 1/2 MiB that a
 * thread gets when it first makes a copy beyond the caches, and keeps until it ends; a thread that gets none copies more
 * slowly.
 *   ex       [in]   the exchange, not in flight
 *   sendbuf  [in]   where the send types' displacements count from (may be NULL if nothing is sent)
 *   recvbuf  [out]  where the receive types' displacements count from; another address than sendbuf, and
 *                   what is received must not overlap what is sent
 * All ranks must use execute, or all start and wait. The outcome of a failed exchange is MPI's error code; the buffers are
 * then undefined. If MPI_Alltoallw fails on a rank without a block for itself, that rank gets PEER later; others may wait.
 * Errors: ARG, ACTIVE, ALIAS, PEER, and MPI's own. */
SUBX_EXPORT int subx_exch_execute(subx_exch ex, const void *sendbuf, void *recvbuf);

/* Start an exchange. Collective; may or may not wait for other ranks, depending on the engine. Until
 * subx_exch_wait returns, sendbuf must not be written and recvbuf not be touched. An exchange may need other
 * ranks to be in subx_exch_test or subx_exch_wait of it before it ends here: several in flight must be
 * awaited in the same order by all ranks, or tested in turn. Arguments are those of subx_exch_execute.
 *   ex, sendbuf  [in]   as for subx_exch_execute
 *   recvbuf      [out]  as for subx_exch_execute
 * Errors: ARG, ACTIVE, ALIAS; others are returned by subx_exch_wait. */
SUBX_EXPORT int subx_exch_start(subx_exch ex, const void *sendbuf, void *recvbuf);

/* Test how far a started exchange is, and let it go on without waiting for others. Local. An engine with data
 * in flight often needs this to make progress while the caller computes.
 *   ex    [in]   the exchange, in flight
 *   flag  [out]  1 if nothing is left but subx_exch_wait, which must still be called; else 0
 * Errors: ARG, ACTIVE (none was started); others are returned by subx_exch_wait. */
SUBX_EXPORT int subx_exch_test(subx_exch ex, int *flag);

/* Wait for a started exchange to complete. Collective. An error that happened in subx_exch_start or subx_exch_test, after
 * their arguments were found right, is returned here.
 *   ex  [in]  the exchange, in flight
 * Errors: ARG, ACTIVE (none was started), PEER, and MPI's own. */
SUBX_EXPORT int subx_exch_wait(subx_exch ex);

/* Get what is known of an exchange. Local; any output may be NULL.
 *   ex          [in]   the exchange
 *   engine      [out]  the name of the engine that serves it; a constant string, not to be freed
 *   send_bytes  [out]  bytes that this rank sends in one execution, itself included
 *   recv_bytes  [out]  bytes that it receives, itself included
 *   work_bytes  [out]  bytes of work space that this rank's engine needs
 * Errors: ARG. */
SUBX_EXPORT int subx_exch_get(subx_exch ex, const char **engine, ptrdiff_t *send_bytes, ptrdiff_t *recv_bytes,
                              ptrdiff_t *work_bytes);

/* Get the hints that an exchange works by, those left to choice included: all keys of subx_exch_create, and
 * as subx_dropped, if there are any, the names of engines that were tried before and could not serve or did
 * not pass the check. Local.
 *   ex    [in]   the exchange
 *   info  [out]  a new info object; the caller frees it with MPI_Info_free
 * Errors: ARG, and MPI's own. */
SUBX_EXPORT int subx_exch_get_info(subx_exch ex, MPI_Info *info);

/* Query the names of the engines. Local.
 *   i     [in]   which, from 0
 *   name  [out]  its name, a constant string, or NULL if there are no more
 * Errors: ARG. */
SUBX_EXPORT int subx_exch_query_engine(int i, const char **name);

/* Free an exchange. Collective. *ex becomes SUBX_EXCH_NULL.
 *   ex  [in,out]  the exchange, not in flight
 * Errors: ACTIVE (it is in flight). */
SUBX_EXPORT int subx_exch_free(subx_exch *ex);

#ifdef __cplusplus
}
#endif

#endif /* SUBX_H */
