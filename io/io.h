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

/* parse: get the element that an MPI datatype describes. get_type: get the first datatype in the table of
 * elem.c that describes an element. Both: SUBX_ERR_TYPE if there is none. */
int sx_io_elem_parse(MPI_Datatype type, sx_io_elem *elem);
int sx_io_elem_get_type(const sx_io_elem *elem, MPI_Datatype *type);

/* Query whether elements of type `from` can be converted to type `to`; equal types can. */
int sx_io_elem_converts(const sx_io_elem *from, const sx_io_elem *to);

/* Convert n elements within one buffer, which has room for n elements of the longer type. Before the call,
 * the elements are at the beginning of the buffer, or, if the conversion makes them longer, at its end. After
 * the call, they are at the beginning. */
void sx_io_elem_convert(void *buffer, ptrdiff_t n, const sx_io_elem *from, const sx_io_elem *to);

/* ---- errors (fail.c). They return the code of a kind of error, and set its text. The texts do not name the
 * path: only the caller knows how he calls the file. */

/* The text is "subx: " and what `format` says. */
int sx_io_fail(int kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A format has no elements of a type, such as "NumPy's type <f2": SUBX_ERR_TYPE. */
int sx_io_fail_type(const char *type);

/* The array in a file has too few or too many axes: SUBX_ERR_NDIMS. */
int sx_io_fail_ndims(int ndims);

/* ---- boxes (box.c) */

/* The array in a file. Axis 0 is the slowest axis, or the fastest one if `fortran` is 1. */
typedef struct sx_io_array {
    sx_io_elem elem;
    int ndims, fortran;
    ptrdiff_t sizes[SUBX_NDIMS_MAX];
    ptrdiff_t data; /* bytes from the beginning of the file to the first element */
} sx_io_array;

/* The file has another array than the caller wants: SUBX_ERR_FILE_ARRAY. `cure` ends the text: what the
 * caller can do (fail.c). */
int sx_io_fail_array(const sx_io_array *have, const sx_io_array *want, const char *cure);

/* A rank's index box of the array, and how memory stores it: axis order[0] is fastest. */
typedef struct sx_io_box {
    int ndims;
    ptrdiff_t len[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX];
    int order[SUBX_NDIMS_MAX];
} sx_io_box;

/* Get the bytes of all elements, and the position in the file where the last element ends. SUBX_ERR_TOO_LARGE
 * if one of the two overflows. */
int sx_io_array_get_bytes(const sx_io_array *array, ptrdiff_t *bytes, ptrdiff_t *end);

/* Reverse the axes of an array and of a box of it: an array in Fortran order becomes an array in C order, and
 * vice versa. */
void sx_io_reverse(sx_io_array *array, sx_io_box *box);

/* Query whether memory stores the box in C order. */
int sx_io_box_is_straight(const sx_io_box *box);

/* A box is moved in pieces. A piece is a box, too: it has a range of indices (chunk) of one axis, one index
 * of each slower axis, and the whole of each faster axis. So the elements of a piece are consecutive in the
 * box's C order. */
typedef struct sx_io_pieces {
    int axis;
    ptrdiff_t chunk; /* largest number of indices along `axis` in a piece */
    ptrdiff_t most;  /* largest number of elements of a piece */
    int count;
} sx_io_pieces;

/* Cut a box into pieces of at most `most` elements, but of at least one. An empty box has no pieces. */
int sx_io_pieces_get(const sx_io_box *box, ptrdiff_t most, sx_io_pieces *pieces);

/* Get piece k < count; its start is relative to the start of the box. */
void sx_io_piece_get(const sx_io_box *box, const sx_io_pieces *pieces, int k, sx_io_box *piece);

/* ---- open files */

enum { SX_IO_PATH = PATH_MAX };

enum { SX_IO_AUTO, SX_IO_NPY, SX_IO_RAW, SX_IO_HDF5 };

/* What writing keeps of an existing file. AUTO means YES for HDF5, and NO for raw files. */
enum { SX_IO_APPEND_AUTO, SX_IO_APPEND_NO, SX_IO_APPEND_YES, SX_IO_APPEND_REPLACE };

/* The values of the caller's hints (subx_io.h). */
typedef struct sx_io_choices {
    int format, append;
    ptrdiff_t offset, bytes;
    char dataset[SX_HINT_LEN];
} sx_io_choices;

typedef struct sx_io_format sx_io_format;

typedef struct sx_io_file {
    MPI_Comm comm; /* our duplicate of the caller's communicator; its error handler is MPI_ERRORS_RETURN */
    int rank;
    const char *path; /* the caller's path; while writing, the path of the new file */
    MPI_Info hints;
    sx_io_choices choices;
    const sx_io_format *format;
    sx_io_array array; /* the array in the file */
    MPI_File file;
    int side;                /* SX_FROM: the file is read; SX_TO: it is written */
    int64_t last;            /* only when writing: the end of this rank's box in the file, bytes */
    int64_t hdf5, set;       /* handles of an HDF5 file and of a dataset */
    char beside[SX_IO_PATH]; /* the path of the new file; "" if the older file is written (replace.c) */
    char target[SX_IO_PATH]; /* the path of the file that the new file will replace; on rank 0 */
} sx_io_file;

/* A format: a constant struct, listed in table.c. */
struct sx_io_format {
    const char *name;
    /* Read the description of the array in an existing file, and set f->array. Raw files have no description:
     * for them, f->array keeps its type and lengths if they are already set. Only rank 0 calls this. */
    int (*get)(sx_io_file *f);
    /* Open the file at f->path, to move this rank's box of f->array. Collective; the outcome is agreed on,
     * that is, all ranks return success, or all return an error. `close` is not called after an error. */
    int (*open)(sx_io_file *f, const sx_io_box *box);
    /* Move a piece between `buf` and the file; the box `at` says where the piece is in f->array. In `buf` the
     * elements of the piece are contiguous, in C order. `at` is empty if this rank has no more pieces. Pieces
     * come in ascending order. Collective; the outcome is not agreed on. */
    int (*read)(sx_io_file *f, const sx_io_box *at, void *buf);
    int (*write)(sx_io_file *f, const sx_io_box *at, const void *buf);
    /* Close what `open` has opened. Collective. */
    int (*close)(sx_io_file *f);
    int has_one_array; /* 1 if a file has nothing but one array: a write replaces all of it */
};

extern const sx_io_format sx_io_npy, sx_io_raw, sx_io_hdf5;

/* Get a format by its number, or, for SX_IO_AUTO, by the suffix of the path; NULL if this format is not built
 * (table.c). */
const sx_io_format *sx_io_format_get(int format, const char *path);

/* Move a box between memory and an open file, in pieces (move.c). `elem` describes the elements in memory;
 * sx_io_write does not convert. Collective; the outcome is agreed on. */
int sx_io_read(sx_io_file *f, const sx_io_box *box, const sx_io_elem *elem, void *buf);
int sx_io_write(sx_io_file *f, const sx_io_box *box, const void *buf);

/* ---- system calls about files, for rank 0 (disk.c) */

/* Get MPI's error class for the last error of the system. */
int sx_io_disk_error(void);

/* Check that a path is a regular file, before the path is opened: opening a pipe or a device might block.
 * SUBX_ERR_FILE_KIND if it is something else; the class of the system's error if the path cannot be
 * examined. */
int sx_io_disk_check(const char *path);

/* Get the length of a file, bytes; SUBX_ERR_FILE_END if it is less than `least`. */
int sx_io_disk_length(const char *path, ptrdiff_t least, ptrdiff_t *length);

/* Reserve disk space for an existing file. The contents and the length of the file do not change. */
int sx_io_disk_reserve(const char *path, ptrdiff_t offset, ptrdiff_t bytes);

/* Set the length of a file to `end`; a file that is longer is cut only if `cuts` is 1. MPI_ERR_IO if the file
 * is shorter than `least`, because written data is missing then. */
int sx_io_disk_set_length(const char *path, ptrdiff_t least, ptrdiff_t end, int cuts);

/* ---- writing to a new file (replace.c). Collective; the outcomes are agreed on */

/* Create a new file, and set f->path to the path of the new file. If data of the older file at f->path must
 * be kept, no new file is created, and the older file itself is written. */
int sx_io_beside_open(sx_io_file *f);

/* If is_whole is 1, the new file is complete: rename it, so that it replaces the older file. Else remove the
 * new file. Does nothing if there is no new file. */
int sx_io_beside_close(sx_io_file *f, int is_whole);

/* ---- files by MPI-IO, with a view of this rank's box (view.c). These functions do what the comments in
 * sx_io_format say about open, read, write and close */

/* If f->side is SX_TO, rank 0 writes the header of `len` bytes in sx_io_view_open, and sets the length of the
 * file in sx_io_view_close. */
int sx_io_view_open(sx_io_file *f, const sx_io_box *box, const char *header, int len);
int sx_io_view_read(sx_io_file *f, const sx_io_box *at, void *buf);
int sx_io_view_write(sx_io_file *f, const sx_io_box *at, const void *buf);
int sx_io_view_close(sx_io_file *f);

#endif
