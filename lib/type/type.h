/* type.h - MPI datatypes: create subarray types, and decode any datatype into a layout or a tree. */
#ifndef SX_TYPE_H
#define SX_TYPE_H

#include "layout/layout.h"

/* ---- the description of a subarray type: the arguments that created it (attribute.c) */
typedef struct sx_subarray {
    int ndims, storage;
    ptrdiff_t sizes[SUBX_NDIMS_MAX], subsizes[SUBX_NDIMS_MAX], starts[SUBX_NDIMS_MAX];
    int order[SUBX_NDIMS_MAX];
    MPI_Datatype oldtype;
    int references; /* number of types with this description: a type and its duplicates */
} sx_subarray;

/* Attach a copy of a description to a type. The copy has a duplicate of the old type, and is freed when MPI
 * has destroyed the type and all its duplicates. SUBX_ERR_NO_MEM, and MPI's own errors. */
int sx_type_set_subarray(MPI_Datatype type, const sx_subarray *description);

/* Get the description that is attached to a type; NULL if there is none. The description belongs to the
 * type. */
int sx_type_get_subarray(MPI_Datatype type, const sx_subarray **description);

/* ---- levels of a subarray (subarray_levels.c) */

/* Get the loop nest of a subarray, with axis order[0] innermost, and the offset of the subarray's first
 * element. Strides and offset are in extents of the old type. */
int sx_type_get_levels(const sx_subarray *a, sx_layout *units, ptrdiff_t *offset);

/* ---- construction (hvectors.c) */

/* Create the type of a subarray from nested hvectors. `extent` is the extent of the old type, `full` the
 * extent of the array, bytes. */
int sx_type_create_nested(const sx_subarray *a, MPI_Aint extent, ptrdiff_t full, MPI_Datatype *newtype);

/* Create the type of a loop nest that is not empty. Strides and offset are in extents of the old type, which
 * are `extent` bytes. The bounds of the new type are the bounds of its elements. The caller frees the new
 * type. */
int sx_type_create_levels(const sx_layout *units, ptrdiff_t offset, MPI_Aint extent, MPI_Datatype oldtype,
                          MPI_Datatype *newtype);

/* ---- the contents of a type, as MPI returns them (contents.c) */

/* The results of MPI_Type_get_contents. They are listed as the int call lists them (MPI 4.1, section 5.1.13),
 * even if a call with MPI_Count has created the type. */
typedef struct sx_contents {
    int combiner;
    ptrdiff_t *i, *a; /* integers, addresses */
    ptrdiff_t nt;
    MPI_Datatype *t; /* nt types; the derived ones are freed with the contents */
} sx_contents;

int sx_type_contents_get(MPI_Datatype type, sx_contents *c);
void sx_type_contents_free(sx_contents *c);

/* *predefined becomes 1 if a type is predefined, else 0. A predefined type must not be freed. SUBX_ERR_TYPE
 * if the type is null. */
int sx_type_is_predefined(MPI_Datatype type, int *predefined);

/* ---- any datatype as a tree of repetitions (decode.c) */
typedef struct sx_node sx_node;

/* An entry: n repetitions of a child, `stride` bytes apart; the first one is at `disp` bytes. */
typedef struct sx_entry {
    MPI_Aint disp;
    MPI_Count n;
    MPI_Aint stride;
    const sx_node *child;
} sx_entry;

struct sx_node {
    MPI_Datatype basic; /* the predefined type of a leaf; MPI_DATATYPE_NULL if the node is not a leaf */
    ptrdiff_t bytes;    /* a leaf's size */
    int nentries;
    sx_entry *entry;
    MPI_Datatype uniform; /* the basic type of all leaves; MPI_DATATYPE_NULL if they differ, or if there are
                             none */
    MPI_Count count;      /* number of leaves */
    sx_node *next;        /* next node in the list of all nodes of the tree */
};

typedef struct sx_tree {
    const sx_node *root;
    sx_node *all;
} sx_tree;

/* Decode a type down to its predefined types. The caller frees the tree; after an error there is none.
 * SUBX_ERR_TYPE, SUBX_ERR_NO_MEM. */
int sx_type_parse(MPI_Datatype type, sx_tree *tree);
void sx_type_tree_free(sx_tree *tree);

/* ---- a datatype as a layout (layout.c) */

/* Get the layout of a type, from memory (is) to its packed form (os), and the offset of its first byte from
 * the buffer. `basic` becomes the basic type of all elements, or MPI_DATATYPE_NULL if they differ.
 * SUBX_ERR_NOT_STRIDED if the type has no layout. */
int sx_type_get_layout(MPI_Datatype type, sx_layout *layout, MPI_Aint *offset, MPI_Datatype *basic);

/* A chunk of a type: a strided block. In the packed form of the type, it has the `bytes` bytes from byte
 * `first` on. */
typedef struct sx_chunk {
    sx_layout layout; /* from memory to the packed form of the chunk */
    MPI_Aint offset;  /* bytes from the buffer to the first byte */
    ptrdiff_t first, bytes;
} sx_chunk;

/* Get the chunks of a type that may have no layout, in the order of its typemap. `chunk` has room for `most`
 * chunks; *n becomes their number. SUBX_ERR_NOT_STRIDED if there are more. */
int sx_type_get_chunks(MPI_Datatype type, int most, sx_chunk chunk[], int *n);

#endif
