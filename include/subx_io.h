/* subx_io.h - reading and writing distributed arrays in parallel: NumPy's .npy files, raw files, HDF5.
 *
 * Part of subarray_x. BSD-3-Clause; see LICENSE. The conventions of subx.h hold here too.
 *
 * A file holds one global array in C order. It is the same for any number of ranks, and for any way in which
 * the ranks divide and store the array. Each rank gives its box of the array:
 *
 *       0          starts[1]                     sizes[1]
 *       +----------------------------------------+
 *       |          .                             |
 *       |. . . . . +----------------+            |  starts[0]
 *       |          |  this rank's   |            |
 *       |          |  subsizes[0]   |            |
 *       |          |  x subsizes[1] |            |
 *       |          +----------------+            |
 *       +----------------------------------------+  sizes[0]
 *
 * Threads: no two threads of a process may be in functions of this header at the same time if one of them
 * uses HDF5.
 *
 * Hints of all functions; every rank must give the same hints. They are also passed to MPI_File_open, which
 * may know further keys:
 *   subx_format   npy, raw, hdf5, or auto (default). With auto the suffix of the path decides: .npy is npy,
 *                 .h5 and .hdf5 are hdf5, all others are raw
 *                   npy   NumPy's format. Version 1.0 is written, versions 1 to 3 are read
 *                   raw   the elements alone, in the byte order of the machine
 *                   hdf5  a dataset of an HDF5 file, if the library was built with HDF5. Complex elements are
 *                         compounds with the members r and i, as in h5py
 *   subx_dataset  hdf5: the name of the dataset, such as u or /step1/u; missing groups are created. At most
 *                 255 bytes. Default: "data" for writing; the only dataset of the file's root group for
 *                 reading
 *   subx_offset   raw: the byte of the file where the array begins, >= 0 (default 0)
 *   subx_append   what writing keeps of an existing file: auto (default; yes with hdf5, no with raw), no,
 *                 yes, replace. With hdf5, yes keeps all other datasets; a dataset of the same name is
 *                 written again if it has the same sizes and elements, else the error is FILE_ARRAY. replace
 *                 keeps all other datasets, too, but replaces such a dataset by a new one; the file does not
 *                 become smaller. no replaces the whole file. With raw, the bytes before the array are always
 *                 kept; yes and replace also keep the bytes behind the array. An .npy file holds no other
 *                 data
 *   subx_bytes    largest number of bytes that a rank moves in one call of MPI or HDF5, 1 .. 2^30, default
 *                 2^26. A rank that reorders or converts elements needs work space of this size
 */
#ifndef SUBX_IO_H
#define SUBX_IO_H

#include <subx.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Write a distributed array to a file. Collective on comm.
 *
 * The array is written to a new file <path>.tmp.N in the same folder, N = 0 or another number; a name of more
 * than 200 bytes is cut before .tmp. If the path is a symbolic link, the file is the link's target. When the
 * new file is complete, it replaces an older file at <path>. If writing fails, the new file is removed and
 * the older file is unchanged. If the program is interrupted, <path>.tmp.N remains. There is one exception:
 * if other data of the older file must be kept (subx_append; raw with a subx_offset), the older file is
 * changed in place, and after a failure its contents are undefined.
 *   path      [in]  the file, the same on all ranks; created if it does not exist, else see subx_append
 *   ndims     [in]  number of axes, 1 .. SUBX_NDIMS_MAX
 *   sizes     [in]  ndims lengths of the global array, elements, each >= 0, the same on all ranks
 *   subsizes  [in]  ndims lengths of this rank's box, elements; the box is empty if a length is 0. The boxes
 *                   of all ranks must not overlap; elements that are in no box are undefined in the file
 *   starts    [in]  ndims offsets of the box, elements, 0 <= starts[a] <= sizes[a] - subsizes[a]
 *   order     [in]  ndims axes, innermost first: how buf stores the box; NULL for C order. The file is the
 *                   same for all orders
 *   elemtype  [in]  type of an element, the same on all ranks: MPI_FLOAT, MPI_DOUBLE, MPI_C_FLOAT_COMPLEX,
 *                   MPI_C_DOUBLE_COMPLEX, an integer type of C (MPI_INT, MPI_UINT64_T, ..), or a Fortran type
 *                   of the same length as one of these (MPI_REAL, MPI_DOUBLE_PRECISION, MPI_COMPLEX,
 *                   MPI_DOUBLE_COMPLEX, MPI_INTEGER, MPI_REAL8, ..). With raw also any other predefined type
 *                   without gaps, such as MPI_LONG_DOUBLE
 *   buf       [in]  the elements of the box, without gaps; may be NULL if the box is empty
 * Errors: COMM, NDIMS, SIZE, ORDER, TYPE, HINT, DIFFERS, TOO_LARGE, NO_MEM, UNAVAILABLE (the library was
 * built without HDF5), FILE (a dataset is added: not an HDF5 file), FILE_ARRAY (the dataset exists, and has
 * other sizes or elements), FILE_KIND (the path is a folder, a pipe or a device), ARG, and MPI's own, such as
 * the class MPI_ERR_NO_SUCH_FILE for a missing folder. */
SUBX_EXPORT int subx_file_write(MPI_Comm comm, const char *path, int ndims, const ptrdiff_t sizes[],
                                const ptrdiff_t subsizes[], const ptrdiff_t starts[], const int order[],
                                MPI_Datatype elemtype, const void *buf, MPI_Info hints);

/* Query whether subx_file_write could write a file, for instance before a long computation of the array.
 * Collective on comm. The function creates a temporary file in the same folder, and removes it. But if
 * subx_file_write would change an existing file in place, the function only checks the permission to write.
 *   comm, path, hints  [in]  as for subx_file_write
 * Errors: those of subx_file_write. */
SUBX_EXPORT int subx_file_query_writable(MPI_Comm comm, const char *path, MPI_Info hints);

/* Read a distributed array from a file. Collective on comm.
 *
 * The file says which type and byte order its elements have, and whether axis 0 or the last axis is fastest.
 * A raw file does not say this: its elements are of elemtype, in the machine's byte order, in C order. The
 * function converts the elements to elemtype and order: float to double or the reverse, and real to complex;
 * integers are not converted to other types.
 *   path              [in]   the file, the same on all ranks
 *   ndims, sizes      [in]   the global array, as for subx_file_write
 *   subsizes, starts  [in]   as in subx_file_write, but boxes may overlap, and need not cover the array
 *   order             [in]   how buf stores the box, as for subx_file_write
 *   elemtype          [in]   type of an element of buf
 *   buf               [out]  room for the elements of the box; undefined after an error
 * Errors: those of subx_file_write, FILE (damaged, or of another format), FILE_END (too short for the array),
 * FILE_ARRAY (the file holds an array of other sizes or elements, or does not hold the dataset), TYPE (also
 * if the file's elements are of no type above, or their byte order is neither little nor big), UNAVAILABLE
 * (also if HDF5 lacks a filter of the dataset, or its elements are in other files). */
SUBX_EXPORT int subx_file_read(MPI_Comm comm, const char *path, int ndims, const ptrdiff_t sizes[],
                               const ptrdiff_t subsizes[], const ptrdiff_t starts[], const int order[],
                               MPI_Datatype elemtype, void *buf, MPI_Info hints);

/* Get the sizes, the storage and the element type of the array in a file. Collective on comm. Any output may
 * be NULL.
 *   path      [in]   the file, the same on all ranks
 *   maxdims   [in]   number of entries that sizes has room for, the same on all ranks
 *   ndims     [out]  number of axes; 1 for raw
 *   sizes     [out]  ndims lengths, elements; for raw the number of bytes from subx_offset on
 *   storage   [out]  MPI_ORDER_C, or MPI_ORDER_FORTRAN if axis 0 is fastest in the file (npy only). Reading
 *                    in the file's own order is fastest
 *   elemtype  [out]  type of an element, a predefined type: for integers MPI_INT32_T and so on, for raw
 *                    MPI_BYTE
 * Errors: COMM, HINT, DIFFERS, UNAVAILABLE, FILE, FILE_END, FILE_ARRAY (the file does not hold the dataset),
 * FILE_KIND, NDIMS (no axes, or more than SUBX_NDIMS_MAX), TYPE (elements of a type that is not in
 * subx_file_write's list), TRUNCATE (maxdims < ndims), ARG, and MPI's own, such as the class
 * MPI_ERR_NO_SUCH_FILE. */
SUBX_EXPORT int subx_file_get(MPI_Comm comm, const char *path, MPI_Info hints, int maxdims, int *ndims,
                              ptrdiff_t sizes[], int *storage, MPI_Datatype *elemtype);

/* Query the names of the formats that the library was built with. Local.
 * Errors: ARG. */
SUBX_EXPORT int subx_file_query_format(int i, const char **name);

#ifdef __cplusplus
}
#endif

#endif /* SUBX_IO_H */
