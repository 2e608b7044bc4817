/* io.h - elements, boxes, open files and formats, for the files of libsubx_io. */
#ifndef SX_IO_H
#define SX_IO_H

#include "base/base.h"
#include <limits.h>
#include <stdint.h>
#include <subx_io.h>

/* ---- elements (elem.c) */

typedef struct sx_io_elem {
    char kind; /* NumPy's letters: f float, c complex, i and u integers; V: bytes of an unknown kind */
    int bytes; /* bytes of the whole element */
    int swap;  /* 1 if the byte order differs from the machine's */
} sx_io_elem;

/* The largest number of bytes of an element whose kind is known. */
enum { SX_IO_ELEM_MAX = 16 };

/* Get the element that an MPI datatype describes; get the datatype of an element. SUBX_ERR_TYPE if there is none. */
int sx_io_elem_parse(MPI_Datatype type, sx_io_elem *elem);
int sx_io_elem_get_type(const sx_io_elem *elem, MPI_Datatype *type);

/* 1 if elements of one type can be converted to the other type. */
int sx_io_elem_converts(const sx_io_elem *from, const sx_io_elem *to);

/* Convert n elements within one buffer. The source elements are at the end of the buffer, or, if elements become
 * smaller, at its beginning. The results begin at the beginning of the buffer. */
void sx_io_elem_convert(void *buffer, ptrdiff_t n, const sx_io_elem *from, const sx_io_elem *to);

/* ---- boxes (box.c) */

/* The array in a file. Axis 0 is the slowest, or the fastest if `fortran`. */
typedef struct sx_io_array {
    sx_io_elem elem;
    int ndims, fortran;
    ptrdiff_t sizes[SUBX_NDIMS_MAX];
    ptrdiff_t data; /* bytes from the beginning of the file to the first element */
} sx_io_array;

/* A rank's box, and its order in memory: axis order[0] is fastest. */
typedef struct sx_io_box {
    int ndims;
    ptrdiff_t len[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX];
    int order[SUBX_NDIMS_MAX];
} sx_io_box;

ptrdiff_t sx_io_box_volume(int ndims, const ptrdiff_t len[]);

/* Get the bytes of the array's elements, and the position of its end in the file. SUBX_ERR_TOO_LARGE. */
int sx_io_array_get_bytes(const sx_io_array *array, ptrdiff_t *bytes, ptrdiff_t *end);

/* Reverse the axes: an array in Fortran order becomes an array in C order. */
void sx_io_reverse(sx_io_array *array, sx_io_box *box);

/* 1 if memory stores the box in C order. */
int sx_io_box_is_straight(const sx_io_box *box);

/* A box is moved in pieces. A piece is a box: it has a range (chunk) of one axis, one index of each slower axis, and
 * the whole of each faster axis. So its elements are consecutive in the box's C order. */
typedef struct sx_io_pieces {
    int axis;
    ptrdiff_t chunk; /* largest number of indices of this axis in a piece */
    ptrdiff_t most;  /* largest number of elements of a piece */
    int count;
} sx_io_pieces;

/* Cut a box into pieces of at most `most` elements; a piece has at least one element. */
int sx_io_pieces_get(const sx_io_box *box, ptrdiff_t most, sx_io_pieces *pieces);

/* Get piece k, relative to the box, in the order of the box. The piece is empty if k >= count. */
void sx_io_piece_get(const sx_io_box *box, const sx_io_pieces *pieces, int k, sx_io_box *piece);

/* ---- open files */

/* Room for a path. */
enum { SX_IO_PATH = PATH_MAX };

enum { SX_IO_AUTO, SX_IO_NPY, SX_IO_RAW, SX_IO_HDF5 };

typedef struct sx_io_choices {
    int format, keep;
    ptrdiff_t offset, bytes;
    char dataset[SX_HINT_LEN];
} sx_io_choices;

typedef struct sx_io_format sx_io_format;

typedef struct sx_io_file {
    MPI_Comm comm; /* our duplicate; it returns errors */
    int rank;
    const char *path; /* the caller's path; while writing, the path of the new file */
    MPI_Info hints;
    sx_io_choices choices;
    const sx_io_format *format;
    sx_io_array array; /* the array in the file */
    MPI_File file;
    int side;                /* SX_FROM reads, SX_TO writes */
    int64_t last;            /* the end of this rank's part of a written file, bytes */
    int64_t hdf5, set;       /* handles of an HDF5 file and of a dataset */
    char beside[SX_IO_PATH]; /* the new file; "" if the file at the path itself is written (replace.c) */
    char target[SX_IO_PATH]; /* the path of the file that the new file will replace; on rank 0 */
} sx_io_file;

/* A format: a constant struct, listed in table.c. */
struct sx_io_format {
    const char *name;
    /* Look at an existing file, and set f->array; raw leaves an array that is already set. On rank 0 only. */
    int (*get)(sx_io_file *f);
    /* Open an existing file, to move this rank's box of f->array. Collective; the outcome is agreed on. After an error
     * nothing is open. */
    int (*open)(sx_io_file *f, const sx_io_box *box);
    /* Move a piece, which is contiguous in memory and in C order; `at` is its place in f->array. Pieces come in
     * ascending order. Collective; the outcome is not agreed on. */
    int (*read)(sx_io_file *f, const sx_io_box *at, void *buf);
    int (*write)(sx_io_file *f, const sx_io_box *at, const void *buf);
    /* Close what `open` has opened. Collective. */
    int (*close)(sx_io_file *f);
};

extern const sx_io_format sx_io_npy, sx_io_raw, sx_io_hdf5;

/* Get a format by its number, or by the suffix of the path; NULL if it is not built (table.c). */
const sx_io_format *sx_io_format_get(int format, const char *path);

/* Move a box between memory and an open file, in pieces (move.c). Collective; the outcome is agreed on. */
int sx_io_read(sx_io_file *f, const sx_io_box *box, const sx_io_elem *elem, void *buf);
int sx_io_write(sx_io_file *f, const sx_io_box *box, const void *buf);

/* ---- system calls about files, for rank 0 (disk.c) */

/* Get MPI's error class for the last error of the system. */
int sx_io_disk_error(void);

/* Check that a path is a file. Opening a pipe or a device might block. SUBX_ERR_FILE_KIND. */
int sx_io_disk_check(const char *path);

/* Get the length of a file; SUBX_ERR_FILE_END if it is less than `least`. */
int sx_io_disk_length(const char *path, ptrdiff_t least, ptrdiff_t *length);

/* Reserve disk space for an existing file. The contents and the length of the file do not change. */
int sx_io_disk_reserve(const char *path, ptrdiff_t offset, ptrdiff_t bytes);

/* Set the length of a file to `end` if it is less, or in any case if `cuts`. MPI_ERR_IO if it is less than `least`:
 * written data is missing. */
int sx_io_disk_set_length(const char *path, ptrdiff_t least, ptrdiff_t end, int cuts);

/* ---- writing to a new file (replace.c). Collective; the outcomes are agreed on */

/* Create a new file, and set f->path to its path. If data of the older file at f->path must be kept, no new file is
 * created, and the older one is written. */
int sx_io_beside_open(sx_io_file *f);

/* If the new file is complete (is_whole), rename it to the older file's path; else remove it. */
int sx_io_beside_close(sx_io_file *f, int is_whole);

/* ---- files by MPI-IO, with a view of this rank's box (view.c); as in sx_io_format */

/* When writing, rank 0 also writes the header of `len` bytes. Closing sets the length of the file. */
int sx_io_view_open(sx_io_file *f, const sx_io_box *box, const char *header, int len);
int sx_io_view_read(sx_io_file *f, const sx_io_box *at, void *buf);
int sx_io_view_write(sx_io_file *f, const sx_io_box *at, const void *buf);
int sx_io_view_close(sx_io_file *f);

#endif
