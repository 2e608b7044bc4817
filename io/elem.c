/* elem.c - types of elements: MPI's datatypes, their names in files, and conversions. */
#include "io/io.h"
#include <string.h>

/* ---- datatypes */

typedef struct row {
    MPI_Datatype type;
    char kind;
    size_t bytes;
} row;

/* Find the first row of the table of types for which `fits` returns 1; SUBX_ERR_TYPE if there is none.
 * Several types may have the same kind and length; only the first of them is ever found. The table is built
 * anew in each search, because MPI need not define the handles of types as constants. */
static int find(int (*fits)(const row *, const void *), const void *key, row *found)
{
    const row table[] = {
        {MPI_FLOAT, 'f', sizeof(float)},
        {MPI_DOUBLE, 'f', sizeof(double)},
        {MPI_C_FLOAT_COMPLEX, 'c', 2 * sizeof(float)},
        {MPI_C_DOUBLE_COMPLEX, 'c', 2 * sizeof(double)},
        {MPI_INT8_T, 'i', 1},
        {MPI_INT16_T, 'i', 2},
        {MPI_INT32_T, 'i', 4},
        {MPI_INT64_T, 'i', 8},
        {MPI_UINT8_T, 'u', 1},
        {MPI_UINT16_T, 'u', 2},
        {MPI_UINT32_T, 'u', 4},
        {MPI_UINT64_T, 'u', 8},
        {MPI_SIGNED_CHAR, 'i', sizeof(signed char)},
        {MPI_SHORT, 'i', sizeof(short)},
        {MPI_INT, 'i', sizeof(int)},
        {MPI_LONG, 'i', sizeof(long)},
        {MPI_LONG_LONG, 'i', sizeof(long long)},
        {MPI_UNSIGNED_CHAR, 'u', sizeof(unsigned char)},
        {MPI_UNSIGNED_SHORT, 'u', sizeof(unsigned short)},
        {MPI_UNSIGNED, 'u', sizeof(unsigned)},
        {MPI_UNSIGNED_LONG, 'u', sizeof(unsigned long)},
        {MPI_UNSIGNED_LONG_LONG, 'u', sizeof(unsigned long long)},
        {MPI_BYTE, 'u', 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (fits(&table[i], key)) {
            *found = table[i];
            return MPI_SUCCESS;
        }
    return subx_error_get_code(SUBX_ERR_TYPE);
}

static int has_type(const row *r, const void *type)
{
    return r->type == *(const MPI_Datatype *)type;
}

static int has_elem(const row *r, const void *elem)
{
    const sx_io_elem *e = elem;
    return r->kind == e->kind && r->bytes == (size_t)e->bytes;
}

/* Get the kind of a basic type of Fortran: 'f', 'c' or 'i'; 0 for other types. The length of MPI_REAL and
 * others depends on the Fortran compiler, so the caller asks MPI for it. */
static char get_fortran_kind(MPI_Datatype type)
{
    const MPI_Datatype reals[] = {MPI_REAL, MPI_DOUBLE_PRECISION, MPI_REAL4, MPI_REAL8};
    const MPI_Datatype complexes[] = {MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_COMPLEX8, MPI_COMPLEX16};
    const MPI_Datatype integers[] = {MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8};
    char kind = 0;

    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        kind = type == reals[i] ? 'f' : kind;
    for (size_t i = 0; i < sizeof complexes / sizeof *complexes; i++)
        kind = type == complexes[i] ? 'c' : kind;
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        kind = type == integers[i] ? 'i' : kind;
    return kind;
}

/* Query whether a type is a basic type of Fortran, and the table has a row of the same kind and length. If
 * so, set *elem. */
static int is_fortran(MPI_Datatype type, sx_io_elem *elem)
{
    row found;
    int size;
    const char kind = get_fortran_kind(type);

    if (!kind || MPI_Type_size(type, &size))
        return 0;
    *elem = (sx_io_elem){.kind = kind, .bytes = size};
    return find(has_elem, elem, &found) == MPI_SUCCESS;
}

/* Describe a predefined type that is not in the table: its elements are treated as bytes (kind V).
 * SUBX_ERR_TYPE if the type has gaps, or is not predefined. */
static int parse_unknown(MPI_Datatype type, sx_io_elem *elem)
{
    int nints, naddresses, ntypes, combiner, size;
    MPI_Aint lb, extent;
    int rc = MPI_Type_get_envelope(type, &nints, &naddresses, &ntypes, &combiner);
    if (!rc)
        rc = MPI_Type_size(type, &size);
    if (!rc)
        rc = MPI_Type_get_extent(type, &lb, &extent);
    if (!rc && (combiner != MPI_COMBINER_NAMED || size < 1 || extent != size || lb))
        rc = subx_error_get_code(SUBX_ERR_TYPE);
    if (!rc)
        *elem = (sx_io_elem){.kind = 'V', .bytes = size};
    return rc;
}

int sx_io_elem_parse(MPI_Datatype type, sx_io_elem *elem)
{
    row found;
    if (type == MPI_DATATYPE_NULL)
        return subx_error_get_code(SUBX_ERR_TYPE);
    if (is_fortran(type, elem))
        return MPI_SUCCESS;
    if (find(has_type, &type, &found))
        return parse_unknown(type, elem);
    *elem = (sx_io_elem){.kind = found.kind, .bytes = sx_base_fit((ptrdiff_t)found.bytes)};
    return MPI_SUCCESS;
}

int sx_io_elem_get_type(const sx_io_elem *elem, MPI_Datatype *type)
{
    row found;
    int rc = find(has_elem, elem, &found);
    if (!rc)
        *type = found.type;
    return rc;
}

/* ---- conversions */

int sx_io_elem_converts(const sx_io_elem *from, const sx_io_elem *to)
{
    if (from->kind == to->kind && from->bytes == to->bytes)
        return 1;
    return (from->kind == 'f' && (to->kind == 'f' || to->kind == 'c')) ||
           (from->kind == 'c' && to->kind == 'c');
}

static int get_numbers(const sx_io_elem *e)
{
    return e->kind == 'c' ? 2 : 1;
}

static void reverse_bytes(unsigned char *bytes, int n)
{
    for (int i = 0; i < n / 2; i++) {
        unsigned char other = bytes[n - 1 - i];
        bytes[n - 1 - i] = bytes[i];
        bytes[i] = other;
    }
}

static void convert_number(const unsigned char *in, int in_bytes, unsigned char *out, int out_bytes)
{
    float narrow;
    double wide;
    if (in_bytes == out_bytes) {
        memcpy(out, in, (size_t)out_bytes);
    } else if (in_bytes < out_bytes) {
        memcpy(&narrow, in, sizeof narrow);
        wide = (double)narrow;
        memcpy(out, &wide, sizeof wide);
    } else {
        memcpy(&wide, in, sizeof wide);
        narrow = (float)wide;
        memcpy(out, &narrow, sizeof narrow);
    }
}

/* Convert in place, from the first element to the last. An element is copied before its result is written,
 * because the result may overlap the element. The result never overlaps the elements that follow. */
void sx_io_elem_convert(void *buffer, ptrdiff_t n, const sx_io_elem *from, const sx_io_elem *to)
{
    int in_count = get_numbers(from), in_bytes = from->bytes / in_count;
    int out_count = get_numbers(to), out_bytes = to->bytes / out_count;
    ptrdiff_t shift = from->bytes < to->bytes ? n * (to->bytes - from->bytes) : 0;
    unsigned char *out = buffer, *in = out + shift;
    for (ptrdiff_t i = 0; i < n; i++, in += from->bytes) {
        unsigned char element[SX_IO_ELEM_MAX] = {0};
        memcpy(element, in, (size_t)from->bytes);
        for (int k = 0; k < out_count; k++, out += out_bytes) {
            if (k < in_count && from->swap)
                reverse_bytes(element + k * in_bytes, in_bytes);
            if (k < in_count)
                convert_number(element + k * in_bytes, in_bytes, out, out_bytes);
            else
                memset(out, 0, (size_t)out_bytes);
        }
    }
}
