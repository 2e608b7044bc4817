/* subx.h - subarrays in any storage order, process grids, and the exchanges built from them.
 *
 * Part of subarray_x. BSD-3-Clause; see LICENSE. From release 1.0 on this header is stable; before it, NEWS
 * lists every change. Redistribution between any boxes, and halos, are in subx_boxes.h.
 *
 * Conventions that hold for every function in this header:
 *
 *  - Each function returns MPI_SUCCESS or an MPI error code; MPI_Error_string gives its text,
 *    subx_error_get_kind its kind. The library never aborts, and prints nothing unless the hint subx_verbose
 *    (subx_tune.h) asks for it. A function that fails leaves its output arguments unchanged; but the handle
 *    of an object that it could not create becomes null.
 *  - "Collective" functions must be called by every rank of the communicator. If the creation of an object
 *    fails on one rank, all ranks return the same kind of error and nothing is left behind. An execution
 *    checks its arguments on each rank, but does not compare them between ranks, because a comparison would
 *    cost a reduction each time. A rank whose buffers are wrong takes part without them, and returns the
 *    error; its partners get SUBX_ERR_PEER. But if a rank executes another object, or another direction, than
 *    the other ranks, these may wait for ever, as in MPI. "Local" functions never communicate.
 *  - If an error of this library happens in the middle of an execution, the execution returns the error on
 *    the rank where it happened. That rank still takes part to the end, so that no other rank waits for ever.
 *    Its partners get correct data, or the error SUBX_ERR_PEER.
 *  - An error of MPI is returned as it is. MPI says nothing about its state after an error (MPI 3.1, section
 *    8.3): other ranks may wait for ever, and the object is good only for being freed.
 *  - MPI must be initialised and not finalised. Only the functions that say so need no MPI.
 *  - Handles are opaque pointers. The matching free sets the handle to its null value, and freeing a
 *    null handle is legal.
 *  - The library duplicates the caller's communicator, so that its messages never match messages of the
 *    caller. All objects on a communicator share one duplicate. The duplicate's error handler is
 *    MPI_ERRORS_RETURN, whatever handler the caller's communicator has. All ranks of a communicator must
 *    create, start and free its objects in the same order.
 *  - Threads: under MPI_THREAD_MULTIPLE, different threads may create, execute and free objects on different
 *    communicators at the same time. Only one thread at a time may use the objects on one communicator. Under
 *    a lower level of thread support, only threads that may call MPI may call our functions. There is one
 *    exception: at any level, any thread may call the functions of types, blocks and errors.
 *  - Hints are an MPI_Info, or MPI_INFO_NULL. A function ignores keys that are for other kinds of object. A
 *    key that begins with subx_ and is for none is an error (HINT), and the error's text has the nearest key.
 *    A wrong value is an error, too, and the error's text lists the right values. If a key is absent, the
 *    environment variable of the same name in capitals is read instead (key subx_engine, variable
 *    SUBX_ENGINE). A variable applies to all objects of a program. So its value may be meant for other kinds
 *    of object; an object ignores such a variable. A value that suits no kind of object is an error. All
 *    ranks must give equivalent hints; a difference is an error on all ranks.
 *  - The type of an integer depends on its meaning. Lengths, starts, strides and offsets are ptrdiff_t, in
 *    elements or bytes. Ranks, axes, flags, kinds, and counts of such things are int. Functions of types
 *    (subx_type_*) use the types of MPI's own functions: int, or MPI_Count and MPI_Aint. The size of a buffer
 *    for a text is a size_t, as in snprintf.
 *  - Some arguments mean the same everywhere. A comment has an entry for one only if there is more to say.
 *    The object that a function is for comes first, [in]; its free function gets its address, [in,out]. The
 *    object that a function creates is [out]; the caller owns it and frees it with the free function of its
 *    kind, such as subx_grid_free. comm [in] has the ranks, and is an intra-communicator. hints [in] are the
 *    hints, MPI_INFO_NULL for none. info [out] is a new info object; the caller frees it with MPI_Info_free.
 *    In functions that return a text, len [in] is the size of the buffer text, bytes; text [out] is the
 *    text, cut to len-1 bytes and always terminated, and may be NULL if len is 0; needed [out] is the length
 *    of the whole text without the terminator, bytes (may be NULL). In functions that list names, i [in]
 *    counts from 0, and name [out] is a constant string, or NULL if there are no more.
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

/* The version of this header. */
#define SUBX_VERSION_MAJOR 0
#define SUBX_VERSION_MINOR 8
#define SUBX_VERSION_PATCH 0

/* Get the version of the linked library. Local; needs no MPI.
 *   major, minor, patch  [out]  one int each
 * Errors: ARG. */
SUBX_EXPORT int subx_version_get(int *major, int *minor, int *patch);

/* Largest number of axes of an array, and of levels of a strided block. */
#define SUBX_NDIMS_MAX 32

/* ------------------------------------------------------------------------------------- errors */

/* Kinds of error. Each kind has an MPI error code, which is registered with MPI at run time; all these codes
 * belong to one error class. To compare, convert a code into its kind by subx_error_get_kind. Later releases
 * may add kinds. */
enum {
    SUBX_ERR_NONE = 0,         /* no error, or an error code of MPI's own                                  */
    SUBX_ERR_ARG = 1,          /* an argument is null or out of its range                                  */
    SUBX_ERR_NDIMS = 2,        /* a number of dimensions is out of its range                               */
    SUBX_ERR_SIZE = 3,         /* a size, subsize or start is negative, or a block is not inside the array */
    SUBX_ERR_ORDER = 4,        /* an order is not a permutation of the axes, or a storage is neither
                                  MPI_ORDER_C nor MPI_ORDER_FORTRAN                                        */
    SUBX_ERR_TYPE = 5,         /* a datatype is null or of a kind that cannot be used here                 */
    SUBX_ERR_NOT_STRIDED = 6,  /* the type is not a strided block                                          */
    SUBX_ERR_NOT_SUBARRAY = 7, /* the type was not made as a subarray                                      */
    SUBX_ERR_TRUNCATE = 8,     /* a buffer is too small                                                    */
    SUBX_ERR_TOO_LARGE = 9,    /* a count is too large for MPI's functions, or for 63 bits                 */
    SUBX_ERR_NO_MEM = 10,      /* no memory                                                                */
    SUBX_ERR_COMM = 11,        /* a communicator is null or an inter-communicator                          */
    SUBX_ERR_GRID = 12,        /* the process grid does not fit the number of ranks or of axes             */
    SUBX_ERR_HINT = 13,        /* a hint's value is wrong, or contradicts another hint                     */
    SUBX_ERR_UNAVAILABLE = 14, /* the engine, serial backend or file format asked for cannot be used here  */
    SUBX_ERR_DIFFERS = 15,     /* arguments or hints differ, between ranks or within one call, although they
                                  must be equal                                                            */
    SUBX_ERR_MISMATCH = 16,    /* a rank sends another number of bytes than the receiver expects           */
    SUBX_ERR_ACTIVE = 17,      /* the call is allowed only while the exchange or plan is in flight, or the
                                  epoch is open; or only while it is not                                   */
    SUBX_ERR_ALIAS = 18,       /* two buffers are the same and must not be                                 */
    SUBX_ERR_PROBLEM = 19,     /* the text of a problem is wrong; the text of the error says why           */
    SUBX_ERR_SERIAL = 20,      /* the serial FFT library could not make a plan                             */
    SUBX_ERR_PEER = 21,        /* another rank's data did not arrive, or is known to be wrong              */
    SUBX_ERR_GAP = 22,         /* no rank holds an element that a rank wants; the text names the element   */
    SUBX_ERR_OVERLAP = 23,     /* boxes overlap and must not; the text names the ranks and an element      */
    SUBX_ERR_FACTOR = 24,      /* the length of a 1-D transform on several ranks is prime                  */
    SUBX_ERR_FILE = 25,        /* a file is damaged, or of another format                                  */
    SUBX_ERR_FILE_END = 26,    /* a file ends before its data does                                         */
    SUBX_ERR_FILE_ARRAY = 27,  /* a file does not hold the array asked for: other sizes or elements, or no
                                  such dataset                                                             */
    SUBX_ERR_FILE_KIND = 28,   /* a path is a folder, a pipe or a device, not a file                       */
    SUBX_ERR_DEVICE = 29       /* a GPU, or the library that drives it, has failed                         */
};

/* Query which kind of error an error code stands for. Local.
 *   code  [in]  what a function of ours, or of MPI, returned
 * Returns the kind: SUBX_ERR_NONE if the code is not one of ours. Errors: none. */
SUBX_EXPORT int subx_error_get_kind(int code);

/* Get the MPI error code for an error that has just happened. Its text is the text of the kind again: a text
 * with more detail belonged to an earlier error. To compare codes, use subx_error_get_kind. Local.
 *   kind  [in]  one of SUBX_ERR_*
 * Returns the code: MPI_SUCCESS for SUBX_ERR_NONE, and for a number that is no kind. Errors: none. */
SUBX_EXPORT int subx_error_get_code(int kind);

/* -------------------------------------------------------------------------------------- types */

/* Create the datatype of a subarray that is traversed in any order of its axes. Local.
 *
 * The arguments are the same as for MPI_Type_create_subarray, and an order. The type's signature lists the
 * block's elements with axis order[0] fastest, whatever the storage in memory is. If the sender's type has
 * the order s and the receiver's type the order r, axis s[i] of the sender becomes axis r[i] of the receiver.
 * For example, with s = (1,2,0) and r = (2,0,1), axis 1 of the sender becomes axis 2 of the receiver, 2
 * becomes 0, and 0 becomes 1 (Y. Yan, "Improved MPI Collectives for 3D-FFT"). MPI cannot notice a wrong pair
 * of orders: types of all orders have matching signatures.
 *
 *   ndims     [in]   number of axes, 1 .. SUBX_NDIMS_MAX
 *   sizes     [in]   ndims lengths of the full array, elements, each >= 0
 *   subsizes  [in]   ndims lengths of the block, elements, 0 <= subsizes[i] <= sizes[i]. A length of 0
 *                    makes a type of size 0 (MPI's own call forbids it; ranks without data need it)
 *   starts    [in]   ndims offsets of the block, elements, 0 <= starts[i] <= sizes[i] - subsizes[i]
 *   storage   [in]   MPI_ORDER_C (last axis fastest in memory) or MPI_ORDER_FORTRAN (axis 0 fastest)
 *   order     [in]   ndims axes, innermost first, or NULL for the order of the storage: (ndims-1, .., 0) for
 *                    C and (0, .., ndims-1) for Fortran. With these two orders the type is exactly MPI's
 *   oldtype   [in]   type of an element: any datatype, also derived; two adjacent elements are its extent
 *                    apart
 *   newtype   [out]  the type. Its lower bound is 0, its extent is the extent of the full array. Not yet
 *                    committed; the caller owns it and frees it with MPI_Type_free
 * Errors: NDIMS, SIZE, ORDER, TYPE, TOO_LARGE (the full array exceeds 2^63-1 bytes), NO_MEM,
 * ARG. */
SUBX_EXPORT int subx_type_create_subarray(int ndims, const int sizes[], const int subsizes[],
                                          const int starts[], int storage, const int order[],
                                          MPI_Datatype oldtype, MPI_Datatype *newtype);

/* Create the datatype of subx_type_create_subarray with 64-bit lengths. Local. Works with any MPI: types with
 * counts above 2^31-1 are composed from types with smaller counts, so the array and each of its axes may
 * exceed an int.
 *   ndims                    [in]   number of axes, 1 .. SUBX_NDIMS_MAX
 *   sizes, subsizes, starts  [in]   ndims lengths and offsets each, elements, as for
 *                                   subx_type_create_subarray
 *   storage, order           [in]   as for subx_type_create_subarray
 *   oldtype                  [in]   type of an element
 *   newtype                  [out]  the type, not yet committed; the caller frees it with MPI_Type_free
 * Errors: NDIMS, SIZE, ORDER, TYPE, TOO_LARGE, NO_MEM, ARG. */
SUBX_EXPORT int subx_type_create_subarray_c(int ndims, const MPI_Count sizes[], const MPI_Count subsizes[],
                                            const MPI_Count starts[], int storage, const int order[],
                                            MPI_Datatype oldtype, MPI_Datatype *newtype);

/* Get the arguments with which a subarray type was created. The type may be from a function of ours or from
 * MPI_Type_create_subarray, or be a duplicate of such a type. Local.
 *   type      [in]   the datatype
 *   maxdims   [in]   number of entries that each array has room for
 *   ndims     [out]  number of axes
 *   sizes, subsizes, starts  [out]  ndims lengths or offsets each, elements, in axis order (any may be NULL)
 *   storage   [out]  MPI_ORDER_C or MPI_ORDER_FORTRAN (may be NULL)
 *   order     [out]  ndims axes, innermost first (may be NULL)
 *   oldtype   [out]  the element's type (may be NULL); if it is not a predefined type, the caller
 *                    frees it with MPI_Type_free, as after MPI_Type_get_contents
 * Errors: NOT_SUBARRAY, TYPE, TRUNCATE (maxdims < ndims, and an array is not NULL), ARG. */
SUBX_EXPORT int subx_type_get_subarray(MPI_Datatype type, int maxdims, int *ndims, MPI_Count sizes[],
                                       MPI_Count subsizes[], MPI_Count starts[], int *storage, int order[],
                                       MPI_Datatype *oldtype);

/* Get the strided block that a type describes. Local.
 *
 * A strided block is `block_bytes` contiguous bytes, repeated over `ndims` levels, the first level innermost.
 * Strided blocks are our subarrays, and any nest of these types of MPI: contiguous, vector, hvector,
 * subarray, resized, dup, darray distributed in blocks, and indexed and struct types with a single block.
 * Levels of length 1 are left out, and two levels that one level can describe are joined, so that equal
 * typemaps give equal answers.
 *   type         [in]   the datatype
 *   maxdims      [in]   number of entries that each array has room for; SUBX_NDIMS_MAX is always enough
 *   ndims        [out]  number of levels, 0 if the block is contiguous or empty
 *   n            [out]  ndims lengths, in traversal order, innermost first
 *   stride       [out]  ndims strides, bytes
 *   block_bytes  [out]  contiguous bytes at each place; 0 if the type is empty
 *   offset       [out]  bytes from the buffer's address to the first byte
 * Errors: NOT_STRIDED (the type still works everywhere, through MPI's own engine), TRUNCATE, TYPE, ARG. */
SUBX_EXPORT int subx_type_get_layout(MPI_Datatype type, int maxdims, int *ndims, MPI_Count n[],
                                     MPI_Aint stride[], MPI_Count *block_bytes, MPI_Aint *offset);

/* Print a description of a type in one line: its constructor, strided block, size and extent. Local.
 *   type    [in]   the datatype
 * Errors: TYPE, NO_MEM, ARG. */
SUBX_EXPORT int subx_type_print(MPI_Datatype type, size_t len, char *text, size_t *needed);

/* Query whether two types, each taken once, have the same signature: the same sequence of basic types
 * (MPI 4.1, section 3.3.1). Local. Time grows with the number of runs of equal basic types.
 *   a, b    [in]   the datatypes
 *   match   [out]  1 if the signatures are equal, else 0
 *   first   [out]  if they differ, the index of the first basic element at which they differ (may be NULL)
 *   basic_a, basic_b  [out]  if they differ, the predefined types at this index, MPI_DATATYPE_NULL if the
 *                    signature is shorter (may be NULL); not to be freed
 * Errors: TYPE, NO_MEM, ARG. */
SUBX_EXPORT int subx_type_query_match(MPI_Datatype a, MPI_Datatype b, int *match, MPI_Count *first,
                                      MPI_Datatype *basic_a, MPI_Datatype *basic_b);

/* Query whether a type may be the filetype of a file view: displacements are not negative and never
 * decrease, and no two elements share bytes (MPI 4.1, section 14.3). Local. A subarray traversed in another
 * order than its storage is no filetype, but it may be the type of the memory buffer in a read or write of a
 * file.
 *   type  [in]   the datatype
 *   ok    [out]  1 if it may, else 0
 * Errors: TYPE, NO_MEM, ARG. */
SUBX_EXPORT int subx_type_query_fileview(MPI_Datatype type, int *ok);

/* Pack `count` elements of a type. Local. The bytes are the ones that MPI_Pack writes on MPI_COMM_SELF.
 *   inbuf      [in]      the address that the type's displacements count from
 *   count      [in]      number of elements, >= 0, one extent apart
 *   type       [in]      the datatype; it must be committed if it is not a strided block
 *   outbuf     [out]     room for outsize bytes
 *   outsize    [in]      bytes
 *   position   [in,out]  where in outbuf to write, bytes; becomes the end of the bytes that were written
 * Errors: TYPE, TRUNCATE, ARG, NO_MEM, TOO_LARGE (the type is not a strided block, and has more bytes than
 * the int of MPI_Pack can count). */
SUBX_EXPORT int subx_type_pack(const void *inbuf, MPI_Count count, MPI_Datatype type, void *outbuf,
                               MPI_Count outsize, MPI_Count *position);

/* Unpack `count` elements of a type from packed bytes. Local. The inverse of subx_type_pack.
 *   inbuf        [in]      insize bytes, as packed by subx_type_pack or MPI_Pack
 *   insize       [in]      bytes
 *   position     [in,out]  where in inbuf to read, bytes; becomes the end of the bytes that were read
 *   outbuf       [out]     the address that the type's displacements count from
 *   count, type  [in]      as for subx_type_pack
 * Errors: TYPE, TRUNCATE, ARG, NO_MEM, TOO_LARGE. */
SUBX_EXPORT int subx_type_unpack(const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf,
                                 MPI_Count count, MPI_Datatype type);

/* ------------------------------------------------------------------------------------- blocks */

/* Get part r of n elements that are divided into p contiguous parts of nearly equal length: the first n mod p
 * parts have one element more (Dalcin, Mortensen & Keyes 2019, eq. 9). Local; needs no MPI.
 *   n      [in]   number of elements, >= 0
 *   p      [in]   number of parts, > 0
 *   r      [in]   which part, 0 <= r < p
 *   len    [out]  number of elements of the part; 0 for parts beyond the n-th
 *   start  [out]  index of the first element of the part, always within 0 .. n
 * Errors: ARG. */
SUBX_EXPORT int subx_block_get(ptrdiff_t n, int p, int r, ptrdiff_t *len, ptrdiff_t *start);

/* Get the part that contains element i: the inverse of subx_block_get. Local; needs no MPI.
 *   n, p   [in]   as for subx_block_get
 *   i      [in]   which element, 0 <= i < n
 *   r      [out]  the part, 0 .. p-1
 * Errors: ARG. */
SUBX_EXPORT int subx_block_get_owner(ptrdiff_t n, int p, ptrdiff_t i, int *r);

/* -------------------------------------------------------------------------------------- grids */

/* A Cartesian grid of the ranks of a communicator, last dimension fastest, with one sub-communicator per
 * dimension (Dalcin, Mortensen & Keyes 2019, section 3.4). MPI has a limited number of communicators, so
 * grids of the same dimensions on one communicator share their sub-communicators. */
typedef struct subx_grid_s *subx_grid;
#define SUBX_GRID_NULL ((subx_grid)0)

/* Get the dimensions of a good process grid for an array. Local; every rank computes the same.
 *
 * Positive entries of dims are kept; entries that are 0 are chosen so that the product is nranks. A transform
 * begins with axes 0 .. g-1 divided and ends with axes 1 .. g divided. The function prefers grids that give
 * every rank data in all distributions of the transform. Among these grids it takes the grid whose largest
 * block is smallest. If several grids are left, it takes the one with the most similar dimensions, then the
 * one whose smaller dimensions come first.
 *   nranks  [in]      number of ranks, > 0
 *   g       [in]      grid dimensions, 1 .. ndims. With ndims dimensions there is only one distribution: all
 *                     axes are divided
 *   ndims   [in]      axes of the array, 1 .. SUBX_NDIMS_MAX
 *   sizes   [in]      ndims global lengths, elements, each > 0
 *   dims    [in,out]  g numbers of ranks
 * Errors: NDIMS, SIZE, ARG, GRID (the given entries do not divide nranks). */
SUBX_EXPORT int subx_grid_get_dims(int nranks, int g, int ndims, const ptrdiff_t sizes[], int dims[]);

/* Create a process grid. Collective on comm.
 *   g      [in]   grid dimensions, 1 .. SUBX_NDIMS_MAX
 *   dims   [in]   g numbers of ranks, whose product is the size of comm; the same on all ranks
 * Errors: COMM, NDIMS, GRID, DIFFERS, NO_MEM, ARG. */
SUBX_EXPORT int subx_grid_create(MPI_Comm comm, int g, const int dims[], subx_grid *grid);

/* Get a grid's dimensions and the coordinates of this rank. Local.
 *   maxdims [in]   number of entries that each array has room for
 *   g       [out]  grid dimensions
 *   dims    [out]  g numbers of ranks (may be NULL)
 *   coords  [out]  g coordinates of this rank (may be NULL)
 * Errors: ARG, TRUNCATE. */
SUBX_EXPORT int subx_grid_get(subx_grid grid, int maxdims, int *g, int dims[], int coords[]);

/* Get a communicator of a grid. Local.
 *   dim    [in]   0 .. g-1 for the ranks that differ from this one in coordinate dim only, ordered by this
 *                 coordinate; -1 for all ranks of the grid, in the order of the communicator of
 *                 subx_grid_create
 *   comm   [out]  the communicator. Its error handler is MPI_ERRORS_RETURN. It belongs to the grid. Exchanges
 *                 that are created on it send their messages on it, so a caller who wants to send other
 *                 messages must duplicate it first. Dimensions with the same ranks share one communicator
 * Errors: ARG. */
SUBX_EXPORT int subx_grid_get_comm(subx_grid grid, int dim, MPI_Comm *comm);

/* Free a grid and its communicators. Collective on the grid. Errors: MPI's own. */
SUBX_EXPORT int subx_grid_free(subx_grid *grid);

/* ------------------------------------------------------------------------------------- memory */

/* Allocate memory that the ranks of a node can read directly: the engine "shm" then moves data with one
 * read and one write. A rank that is alone on its node gets private memory. If sharing fails on a node, all
 * its ranks get private memory (see subx_mem_get_info). The memory is zeroed, and aligned to at least 64
 * bytes. Collective on comm.
 *
 * Hints:
 *   subx_tune        "node_ranks 4": pretend that nodes have at most 4 ranks: the ranks of MPI_COMM_WORLD, in
 *                    their order, are divided into groups of this size, and each group is treated as a node.
 *                    0 (default): no limit
 *   subx_memory_kind "system" (default), the host's memory; "cuda:device" or "cuda:managed", memory of the
 *                    GPU that is current. It is not zeroed; only work on a GPU, also of other ranks of the
 *                    node, may read it. This hint has no environment variable
 *
 *   comm   [in]   the ranks that are to share; an intra-communicator. An exchange reads the memory directly
 *                 if comm contains all ranks of the exchange on this node. The program's largest communicator
 *                 is a good choice
 *   bytes  [in]   length of this rank's piece, bytes, >= 0; may differ between ranks
 *   mem    [out]  this rank's piece; the caller owns it and frees it with subx_mem_free. If no other rank
 *                 shares it, and it has 128 KiB or more, it is on huge pages, and may take up to 2 MiB more
 * Errors: COMM, SIZE, HINT, DIFFERS, NO_MEM (also if the ranks of a node together ask for more memory than is
 * free; then nothing is allocated), UNAVAILABLE (there is no GPU), DEVICE, ARG. */
SUBX_EXPORT int subx_mem_alloc(MPI_Comm comm, ptrdiff_t bytes, MPI_Info hints, void **mem);

/* Free this rank's piece of memory of subx_mem_alloc. Local; but on a GPU's memory collective on the ranks of
 * subx_mem_alloc. Afterwards, exchanges and pipes between this rank and another rank must use neither this
 * piece, nor the piece that the other rank got from the same call of subx_mem_alloc. *mem becomes NULL.
 *   mem  [in,out]  the address that subx_mem_alloc gave
 * Errors: ARG (it is not such memory). */
SUBX_EXPORT int subx_mem_free(void **mem);

/* Get how this rank's memory is shared, as an MPI_Info. Local.
 *   subx_sharing     "yes": other ranks of the node read the memory directly; "no": it is private, although
 *                    there are other ranks on the node; "alone": it is private, because there are no other
 *                    ranks on the node
 *   subx_huge_pages  "yes" if the memory is long enough for huge pages and the system gives them, else "no".
 *                    Memory that other ranks read needs 4 MiB, private memory 128 KiB
 *   subx_lost        missing features: "sharing", "huge_pages", or both; the key is absent if nothing is
 *                    missing
 *   subx_device      if the memory is a GPU's: the name of the GPU, and the versions of the software that
 *                    drives it
 *
 *   mem   [in]   memory of subx_mem_alloc, or any address inside it
 *   info  [out]  the keys above; the caller owns it and frees it with MPI_Info_free
 * Errors: ARG (it is not such memory). */
SUBX_EXPORT int subx_mem_get_info(const void *mem, MPI_Info *info);

/* ---------------------------------------------------------------------------------- exchanges */

/* A generalised all-to-all between fixed types. It can be executed many times, on any buffers. */
typedef struct subx_exch_s *subx_exch;
#define SUBX_EXCH_NULL ((subx_exch)0)

/* Create an exchange: every rank sends one stype[q] to each rank q and receives one rtype[r] from each
 * rank r. Collective on comm.
 *
 * A rank's partners are the ranks that it sends to or receives from. A partner is local if it is on the same
 * node and lets this rank read its memory, else remote.
 *
 * Hints:
 *   subx_engine      the engine that moves the data, one of subx_exch_query_engine's names, or "auto"
 *                    (default): the first one in this list that works here and suits the types of all ranks.
 *                      shm         all partners are local: each rank reads its partners' memory and reorders
 *                                  the data in the same copy. Data that is not in memory of subx_mem_alloc is
 *                                  packed into shared work space first
 *                      node        local partners as shm; remote ones by the carrier that the word between
 *                                  names
 *                      alltoallv   carrier: pack, MPI_Alltoallv or MPI_Ialltoallv, unpack
 *                      pairwise    carrier: pack, send point to point, unpack
 *                      kway        carrier: packed blocks are forwarded in several rounds, in each of which a
 *                                  rank exchanges with few ranks; for many ranks and small blocks
 *                      persistent  carrier: as alltoallv, by a persistent collective, where MPI has one; slow
 *                                  in Open MPI 5
 *                      types       MPI's own engine works on the types, point to point
 *                      alltoallw   MPI's own engine works on the types, by MPI_Alltoallw
 *                    With alltoallv and all engines after it in this list, all partners are treated as remote
 *   subx_memory_kind where the buffers of executions are, in MPI 4.1's words: "system" (default), in the
 *                    host's memory; "cuda:device" and "cuda:managed", in the memory of a GPU (doc/gpu). All
 *                    types must be strided blocks (subx_type_get_layout), or lists of at most 256 of them.
 *                    The engines types and alltoallw are unavailable, and between is pairwise by default. If
 *                    a buffer of a rank is in other memory, its execution returns ARG and launches nothing;
 *                    ranks that need its data get PEER. subx_exch_start executes the whole exchange. An
 *                    execution begins after the work that is in the default stream, and returns when the
 *                    result is complete. The GPU that is current when the exchange is created must be current
 *                    when it is executed. This hint has no environment variable, because only the program
 *                    knows where its buffers are
 *   subx_wire        for memory of GPUs: "full" (default), or "float": each double is rounded to a float
 *                    once, and blocks that are packed have floats, half the bytes. All elements must be real
 *                    or complex doubles (UNAVAILABLE), in buffers that are aligned as doubles (ARG). Values
 *                    above 3.4e38 become infinite, values below 1.2e-38 lose digits. This hint has no
 *                    environment variable, because it changes data
 *   subx_threads     threads that copy in each rank, >= 1 (default 1), if the library was built with OpenMP.
 *                    More than one needs MPI_THREAD_FUNNELED, else the error is UNAVAILABLE; our threads do
 *                    not call MPI
 *   subx_tune        words for experts with their values, such as "slices 8, window 2". Releases may change
 *                    them:
 *   between          for node: alltoallv (default; "auto" is the same) or another carrier
 *   slices           blocks are cut into this many slices, which are packed, sent and unpacked one after the
 *                    other; 0 .. 65536. 0 (default): the library chooses; with pairwise and alltoallv slices
 *                    of about 256 KiB, else one slice
 *   window           largest number of slices in flight, >= 1 (default 4); the work space has room for this
 *                    many. For types: largest number of messages in flight in each direction
 *   radix            for kway: the largest number of ranks that exchange with each other in a round, this
 *                    rank included, >= 2 (default 4). If the number of ranks has a larger prime factor, then
 *                    in one round that many ranks exchange with each other
 *   node_ranks       as for subx_mem_alloc
 *   check            whether the library first tries an engine with these types on temporary memory, and
 *                    rejects the engine if wrong data arrives: "yes"; "no"; or "auto" (default), which is yes
 *                    if the trial takes at most 64 MiB on every rank
 *   device_carrier   for memory of GPUs: how data travel that no rank reads in another rank's memory
 *                      messages  packed on the GPU, and sent and received there by MPI, point to point, if
 *                                MPI says that it takes addresses of GPUs, and a trial at creation shows it
 *                                (doc/gpu). The engine must be auto, node or pairwise, and between auto or
 *                                pairwise; else the word is refused (UNAVAILABLE)
 *                      staged    through pinned memory of the hosts, by any engine
 *                    "auto" (default): the first of messages and staged that works on all ranks
 *   device_reader    for memory of GPUs: what reads blocks in another rank's send buffer: "kernel", the
 *                    kernel that permutes; "copies", the copy engine, for blocks that are up to 64 groups of
 *                    equally spaced rows of 64 bytes or more, in the same order on both sides, and the kernel
 *                    for other blocks; "auto" (default): the kernel
 *
 *   stype  [in]   one datatype for each rank of comm; MPI_DATATYPE_NULL, or a type of size 0, if nothing is
 *                 sent to the rank. Displacements count from the send buffer's address. The types need not be
 *                 committed; the caller may free them as soon as this call returns
 *   rtype  [in]   the datatypes to receive, one for each rank, as for stype. The bytes that these types cover
 *                 must not overlap
 * Errors: COMM, TYPE, MISMATCH, HINT, DIFFERS, UNAVAILABLE (the engine or the memory asked for cannot be used
 * here, or the engine moves data wrongly), TOO_LARGE, NO_MEM, ARG, DEVICE. */
SUBX_EXPORT int subx_exch_create(MPI_Comm comm, const MPI_Datatype stype[], const MPI_Datatype rtype[],
                                 MPI_Info hints, subx_exch *ex);

/* Create the exchange that realigns a distributed array from axis v to axis w. Before the exchange, each rank
 * of comm has the whole of axis v and a block of axis w. Afterwards each rank has the whole of axis w and a
 * block of axis v. Collective on comm. This is EXCHANGE of Dalcin, Mortensen & Keyes 2019 (algorithm 3), with
 * any storage order of the arrays before and after: the exchange also reorders the axes. The blocks are those
 * of subx_block_get.
 *
 * Hints: those of subx_exch_create, and the word of subx_tune
 *   permute       who strides through memory when the two orders differ: "send", the sender (the data is sent
 *                 in the receiver's order), or "recv" (default), the receiver (the data is sent in the
 *                 sender's order)
 *
 *   comm     [in]   the ranks that share axes v and w, often a grid's sub-communicator
 *   ndims    [in]   axes of the array, 2 .. SUBX_NDIMS_MAX
 *   sizes    [in]   ndims lengths, elements, >= 0: global lengths for axes v and w, local lengths for all
 *                   other axes. The same on all ranks of comm
 *   v, w     [in]   v is whole before the exchange, w is whole afterwards; v != w
 *   sorder   [in]   ndims axes, innermost first: how the send array is stored; NULL for C order
 *   rorder   [in]   the same for the receive array
 *   elemtype [in]   type of an element; any datatype
 * Errors: those of subx_exch_create, and NDIMS, SIZE, ORDER. */
SUBX_EXPORT int subx_exch_create_realign(MPI_Comm comm, int ndims, const ptrdiff_t sizes[], int v, int w,
                                         const int sorder[], const int rorder[], MPI_Datatype elemtype,
                                         MPI_Info hints, subx_exch *ex);

/* Execute an exchange: start and wait in one call. Collective. Allocates no memory.
 *   ex       [in]   the exchange, not in flight
 *   sendbuf  [in]   the address that the send types' displacements count from (may be NULL if nothing is
 *                   sent)
 *   recvbuf  [out]  the address that the receive types' displacements count from; not sendbuf. The received
 *                   bytes must not overlap the sent bytes
 * Either all ranks call execute, or all ranks call start and wait. If an execution fails, recvbuf is
 * undefined. If a buffer is wrong, memory of the exchange stands in for both buffers until the execution
 * ends. With the engine alltoallw: if MPI_Alltoallw fails on a rank that sends nothing to itself, later
 * executions of this exchange return PEER on that rank, and other ranks may wait for ever.
 * Errors: ARG, ACTIVE, ALIAS, PEER, DEVICE, and MPI's own. */
SUBX_EXPORT int subx_exch_execute(subx_exch ex, const void *sendbuf, void *recvbuf);

/* Start an exchange. Collective; whether the call waits for other ranks depends on the engine. Until
 * subx_exch_wait returns, sendbuf must not be written, and recvbuf must be neither read nor written. An
 * exchange may need calls of subx_exch_test or subx_exch_wait on other ranks before it can complete on this
 * rank. Therefore, if several exchanges are in flight, all ranks must wait for them in the same order, or
 * test them in turns until all are complete.
 *   ex, sendbuf  [in]   as for subx_exch_execute
 *   recvbuf      [out]  as for subx_exch_execute
 * Errors: ARG (the exchange is null), ACTIVE; subx_exch_wait returns all other errors, also those of wrong
 * buffers. */
SUBX_EXPORT int subx_exch_start(subx_exch ex, const void *sendbuf, void *recvbuf);

/* Test whether a started exchange is complete, and let it make progress, without waiting for other ranks.
 * Local. Many engines make progress only during such calls: call this function from time to time while you
 * compute.
 *   flag  [out]  1 if only the call of subx_exch_wait is left; else 0
 * Errors: ARG, ACTIVE (the exchange was not started); subx_exch_wait returns all other errors. */
SUBX_EXPORT int subx_exch_test(subx_exch ex, int *flag);

/* Wait for a started exchange to complete. Collective. This function also returns errors that happened while
 * subx_exch_start or subx_exch_test moved data.
 * Errors: ARG, ALIAS, ACTIVE (the exchange was not started), PEER, DEVICE, and MPI's own. */
SUBX_EXPORT int subx_exch_wait(subx_exch ex);

/* Get the engine and the sizes of an exchange. Local; any output may be NULL.
 *   engine      [out]  the name of its engine; a constant string, not to be freed
 *   send_bytes  [out]  bytes that this rank sends in one execution, also to itself
 *   recv_bytes  [out]  bytes that this rank receives in one execution, also from itself
 *   work_bytes  [out]  bytes of work space that the engine needs on this rank
 * Errors: ARG. */
SUBX_EXPORT int subx_exch_get(subx_exch ex, const char **engine, ptrdiff_t *send_bytes, ptrdiff_t *recv_bytes,
                              ptrdiff_t *work_bytes);

/* Get the hints in effect for an exchange: all keys of subx_exch_create, but words of subx_tune with their
 * default are left out. subx_engine and between have the values that the library chose; so has
 * device_carrier, but "auto" if no data need a carrier, and device_reader, but "auto" if this rank reads no
 * block that the copy engine could read. Local. There may be three more keys:
 *   subx_dropped     the engines that the library tried and rejected, because they do not work here or failed
 *                    the check; "ipc" if the ranks of a node cannot read each other's memory on their GPUs;
 *                    "messages" if messages between GPUs do not arrive right
 *   subx_device_carriers  for memory of GPUs: the values of device_carrier that the exchange could have,
 *                    joined by blanks. The library tries a carrier only when it needs it
 *   subx_device_why  for memory of GPUs: why data do not travel in a way that is mostly faster, as text for
 *                    people
 *
 * Errors: ARG, and MPI's own. */
SUBX_EXPORT int subx_exch_get_info(subx_exch ex, MPI_Info *info);

/* Query the names of the engines. Local.
 * Errors: ARG. */
SUBX_EXPORT int subx_exch_query_engine(int i, const char **name);

/* Free an exchange. Collective. Errors: ACTIVE (it is in flight). */
SUBX_EXPORT int subx_exch_free(subx_exch *ex);

#ifdef __cplusplus
}
#endif

#endif /* SUBX_H */
