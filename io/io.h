/* io.h - what the files of libsubx_io share: elements, boxes, open files, formats. */
#ifndef SX_IO_H
#define SX_IO_H

#include "base/base.h"
#include <limits.h>
#include <stdint.h>
#include <subx_io.h>

/* ---- elements (elem.c) */

typedef struct sx_io_elem {
    char kind; /* f float, c complex, i and u integers: NumPy's letters; V: bytes of an unknown kind */
    int bytes; /* of the whole element */
    int swap;  /* the byte order is not that of the machine */
} sx_io_elem;

/* Most bytes of an element whose kind is known. */
enum { SX_IO_ELEM_MAX = 16 };

/* Get the element that an MPI datatype describes, and back. SUBX_ERR_TYPE if there is none. */
int sx_io_elem_parse(MPI_Datatype type, sx_io_elem *elem);
int sx_io_elem_get_type(const sx_io_elem *elem, MPI_Datatype *type);

/* 1 if the numbers of an element can become those of another. */
int sx_io_elem_converts(const sx_io_elem *from, const sx_io_elem *to);

/* Convert n elements within one buffer: they lie at its end, or if they get smaller at its beginning, and are written from
 * its beginning on. */
void sx_io_elem_convert(void *buffer, ptrdiff_t n, const sx_io_elem *from, const sx_io_elem *to);

/* ---- boxes (box.c) */

/* The array of a file: axis 0 is the slowest unless `fortran`. */
typedef struct sx_io_array {
    sx_io_elem elem;
    int ndims, fortran;
    ptrdiff_t sizes[SUBX_NDIMS_MAX];
    ptrdiff_t data; /* offset of the first element in the file, bytes */
} sx_io_array;

/* A rank's box, and how memory stores it: axis order[0] is fastest. */
typedef struct sx_io_box {
    int ndims;
    ptrdiff_t len[SUBX_NDIMS_MAX], start[SUBX_NDIMS_MAX];
    int order[SUBX_NDIMS_MAX];
} sx_io_box;

ptrdiff_t sx_io_box_volume(int ndims, const ptrdiff_t len[]);

/* Get the bytes of the array's elements, and its end in the file. SUBX_ERR_TOO_LARGE. */
int sx_io_array_get_bytes(const sx_io_array *array, ptrdiff_t *bytes, ptrdiff_t *end);

/* Reverse the axes. An array in Fortran order is one in C order with the axes reversed. */
void sx_io_reverse(sx_io_array *array, sx_io_box *box);

/* 1 if memory stores the box in C order. */
int sx_io_box_is_straight(const sx_io_box *box);

/* A box is moved in pieces: boxes whose elements follow each other in the box's C order. A piece has a chunk of one axis,
 * one index along the slower axes, and the faster axes whole. */
typedef struct sx_io_pieces {
    int axis;
    ptrdiff_t chunk; /* most indices of that axis in a piece */
    ptrdiff_t most;  /* most elements of a piece */
    int count;
} sx_io_pieces;

/* Cut a box into pieces of at most `most` elements, but of one at least. */
int sx_io_pieces_get(const sx_io_box *box, ptrdiff_t most, sx_io_pieces *pieces);

/* Get piece k, relative to the box; its order is the box's. It is empty for k >= count. */
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
    MPI_Comm comm; /* ours; it returns errors */
    int rank;
    const char *path; /* the caller's; while writing that of the new file */
    MPI_Info hints;
    sx_io_choices choices;
    const sx_io_format *format;
    sx_io_array array; /* in the file */
    MPI_File file;
    int side;                /* SX_FROM reads, SX_TO writes */
    int64_t last;            /* where this rank's part of a written file ends, bytes */
    int64_t hdf5, set;       /* the handles of an HDF5 file and a dataset of it */
    char beside[SX_IO_PATH]; /* the new file; "" if the one at the path is written (beside.c) */
    char target[SX_IO_PATH]; /* the file that it will be; on rank 0 */
} sx_io_file;

/* A format: a constant struct, listed in table.c. */
struct sx_io_format {
    const char *name;
    /* Look at an existing file, and fill f->array; raw keeps an array that is given. On rank 0 only. */
    int (*get)(sx_io_file *f);
    /* Open a file that exists, to move this rank's box of f->array. Collective and agreed. If it
     * fails nothing is open. */
    int (*open)(sx_io_file *f, const sx_io_box *box);
    /* Move a piece, contiguous in memory and in C order; `at` is its place in f->array. Pieces come in order. Collective, but
     * not agreed. */
    int (*read)(sx_io_file *f, const sx_io_box *at, void *buf);
    int (*write)(sx_io_file *f, const sx_io_box *at, const void *buf);
    /* Close what open has opened. Collective. */
    int (*close)(sx_io_file *f);
};

extern const sx_io_format sx_io_npy, sx_io_raw, sx_io_hdf5;

/* Get a format by its number, or by the suffix of the path; NULL if it was not built (table.c). */
const sx_io_format *sx_io_format_get(int format, const char *path);

/* Move a box between memory and an open file, in pieces (move.c). Collective; the outcome is agreed on. */
int sx_io_read(sx_io_file *f, const sx_io_box *box, const sx_io_elem *elem, void *buf);
int sx_io_write(sx_io_file *f, const sx_io_box *box, const void *buf);

/* ---- what rank 0 does with files by the system's calls (disk.c) */

/* Get MPI's error class for the last error of the system. */
int sx_io_disk_error(void);

/* Check that a path is a file: no folder, pipe or device, which might block whoever opens it. SUBX_ERR_FILE_KIND. */
int sx_io_disk_check(const char *path);

/* Get a file's length; SUBX_ERR_FILE_END if it is below `least`. */
int sx_io_disk_length(const char *path, ptrdiff_t least, ptrdiff_t *length);

/* Reserve disk space for a file that exists. It changes neither what the file holds nor its length. */
int sx_io_disk_reserve(const char *path, ptrdiff_t offset, ptrdiff_t bytes);

/* Set a file's length to `end` if it is below that, or if `cuts`. MPI_ERR_IO if it is below `least`: something that was
 * written is not there. */
int sx_io_disk_set_length(const char *path, ptrdiff_t least, ptrdiff_t end, int cuts);

/* ---- the file that is written (beside.c). Collective and agreed. */

/* Create a new file, and let f->path be its. Where the file at f->path is to keep something, it is written itself. */
int sx_io_beside_open(sx_io_file *f);

/* Put the new file in the old one's place if it is whole, else remove it. */
int sx_io_beside_close(sx_io_file *f, int is_whole);

/* ---- files by MPI-IO, with a view of this rank's box (view.c); as in sx_io_format */

/* When writing, rank 0 writes the header of `len` bytes; closing sets the file's length. */
int sx_io_view_open(sx_io_file *f, const sx_io_box *box, const char *header, int len);
int sx_io_view_read(sx_io_file *f, const sx_io_box *at, void *buf);
int sx_io_view_write(sx_io_file *f, const sx_io_box *at, const void *buf);
int sx_io_view_close(sx_io_file *f);

#endif
