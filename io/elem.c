/* elem.c - types of elements: MPI's datatypes, their names in files, and conversions. */
#include "io/io.h"
#include <string.h>

/* ---- datatypes */

typedef struct entry {
    MPI_Datatype type;
    sx_io_elem elem;
} entry;

enum { NKINDS = 4, NTYPES = 14, NENTRIES = NKINDS * NTYPES };

/* List the types whose elements have a known kind; returns their number. Several types may have the same
 * element; the first of them is the one that sx_io_elem_get_type gets. The list is made anew in each search,
 * because MPI need not define the handles of types as constants. MPI tells the lengths, because those of
 * MPI_REAL and others depend on the Fortran compiler. */
static int get_entries(entry entries[NENTRIES])
{
    static const char kinds[] = "fciu";
    const MPI_Datatype types[NKINDS][NTYPES] = {
        {MPI_FLOAT, MPI_DOUBLE, MPI_REAL, MPI_DOUBLE_PRECISION, MPI_REAL4, MPI_REAL8},
        {MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_COMPLEX8,
         MPI_COMPLEX16},
        {MPI_INT8_T, MPI_INT16_T, MPI_INT32_T, MPI_INT64_T, MPI_SIGNED_CHAR, MPI_SHORT, MPI_INT, MPI_LONG,
         MPI_LONG_LONG, MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8},
        {MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T, MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT,
         MPI_UNSIGNED, MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG, MPI_BYTE}};
    int n = 0;
    for (int k = 0; k < NKINDS; k++) {
        const int most = kinds[k] == 'c' ? SX_IO_ELEM_MAX : SX_IO_ELEM_MAX / 2;
        for (int i = 0, bytes; i < NTYPES && types[k][i]; i++) /* no handle is 0 */
            if (types[k][i] != MPI_DATATYPE_NULL && !MPI_Type_size(types[k][i], &bytes) && bytes <= most)
                entries[n++] = (entry){types[k][i], {.kind = kinds[k], .bytes = bytes}};
    }
    return n;
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
    entry entries[NENTRIES];
    if (type == MPI_DATATYPE_NULL)
        return subx_error_get_code(SUBX_ERR_TYPE);
    for (int i = 0, n = get_entries(entries); i < n; i++)
        if (entries[i].type == type) {
            *elem = entries[i].elem;
            return MPI_SUCCESS;
        }
    return parse_unknown(type, elem);
}

int sx_io_elem_get_type(const sx_io_elem *elem, MPI_Datatype *type)
{
    entry entries[NENTRIES];
    for (int i = 0, n = get_entries(entries); i < n; i++)
        if (entries[i].elem.kind == elem->kind && entries[i].elem.bytes == elem->bytes) {
            *type = entries[i].type;
            return MPI_SUCCESS;
        }
    return subx_error_get_code(SUBX_ERR_TYPE);
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
