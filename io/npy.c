/* npy.c - NumPy's .npy files: the header is parsed in versions 1.0, 2.0 and 3.0, and printed in version 1.0.
 *
 * The format is NumPy Enhancement Proposal 1: the six bytes \x93NUMPY; two bytes of version; the length of
 * the text (two bytes in version 1, else four, little-endian); then the text, a Python dictionary with the
 * keys descr, fortran_order and shape.
 */
#include "io/io.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";

enum {
    MAGIC_BYTES = 6,
    START_BYTES = 12,
    HEADER_MAX = 1 << 20,
    WORD_MAX = 32,
    DATA_ALIGN = 64,
    PRINTED_MAX = 2048
};
enum { SEEN_ALL = 7 };

static int is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static int refuse_damaged(void)
{
    return subx_error_get_code(SUBX_ERR_FILE);
}

/* ---- the text */

static void skip_blanks(const char **c)
{
    while (isspace((unsigned char)**c))
        ++*c;
}

/* If the next character after blanks is `wanted`, skip it and return 1, else return 0. */
static int take(const char **c, char wanted)
{
    skip_blanks(c);
    if (**c != wanted)
        return 0;
    ++*c;
    return 1;
}

/* Parse a string in single or double quotes. */
static int parse_string(const char **c, char word[WORD_MAX])
{
    char quote = take(c, '\'') ? '\'' : '"';
    const char *end;
    if (quote == '"' && !take(c, '"'))
        return 0;
    end = strchr(*c, quote);
    if (!end || end - *c >= WORD_MAX)
        return 0;
    memcpy(word, *c, (size_t)(end - *c));
    word[end - *c] = '\0';
    *c = end + 1;
    return 1;
}

/* Parse a dtype: byte order, kind and width. A list describes a structure, which is not supported. */
static int parse_descr(const char **c, sx_io_array *array)
{
    char word[WORD_MAX], *end, name[WORD_MAX + 16];
    sx_text t = {.at = name, .room = sizeof name};
    MPI_Datatype type;
    skip_blanks(c);
    if (**c == '[')
        return sx_io_fail_type("a NumPy structure");
    if (!parse_string(c, word) || !*word || !strchr("<>=|", word[0]) || !word[1])
        return refuse_damaged();
    const long bytes = strtol(word + 2, &end, 10);
    array->elem = (sx_io_elem){.kind = word[1], .bytes = sx_base_fit(bytes)};
    array->elem.swap = word[0] == (is_little_endian() ? '>' : '<');
    if (!*end && bytes >= 1 && bytes <= SX_IO_ELEM_MAX && !sx_io_elem_get_type(&array->elem, &type))
        return MPI_SUCCESS;
    sx_base_print(&t, "NumPy's type %s", word);
    return sx_io_fail_type(name);
}

static int parse_fortran(const char **c, sx_io_array *array)
{
    skip_blanks(c);
    array->fortran = strncmp(*c, "True", 4) == 0;
    if (!array->fortran && strncmp(*c, "False", 5) != 0)
        return refuse_damaged();
    *c += array->fortran ? 4 : 5;
    return MPI_SUCCESS;
}

/* Parse a length. Python 2 wrote an L behind long integers. */
static int parse_length(const char **c, ptrdiff_t *length)
{
    ptrdiff_t n = 0;
    int rc = MPI_SUCCESS;
    skip_blanks(c);
    if (!isdigit((unsigned char)**c))
        return refuse_damaged();
    for (; isdigit((unsigned char)**c) && !rc; ++*c) {
        rc = sx_base_mul(n, 10, &n);
        if (!rc)
            rc = sx_base_add(n, **c - '0', &n);
    }
    take(c, 'L');
    *length = n;
    return rc ? refuse_damaged() : MPI_SUCCESS;
}

static int parse_shape(const char **c, sx_io_array *array)
{
    int rc = MPI_SUCCESS, comma = 1;
    if (!take(c, '('))
        return refuse_damaged();
    array->ndims = 0;
    while (!rc && !take(c, ')')) {
        if (!comma)
            return refuse_damaged();
        if (array->ndims == SUBX_NDIMS_MAX)
            return sx_io_fail_ndims(SUBX_NDIMS_MAX + 1);
        rc = parse_length(c, &array->sizes[array->ndims++]);
        comma = take(c, ',');
    }
    return rc;
}

/* Parse a key and its value, and set the bit of the key in *seen. It is an error if this bit is set
 * already. */
static int parse_entry(const char **c, sx_io_array *array, int *seen)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    static int (*const parse[])(const char **, sx_io_array *) = {parse_descr, parse_fortran, parse_shape};
    char key[WORD_MAX];
    if (!parse_string(c, key) || !take(c, ':'))
        return refuse_damaged();
    for (int i = 0; i < 3; i++)
        if (strcmp(key, keys[i]) == 0 && !(*seen & (1 << i))) {
            *seen |= 1 << i;
            return parse[i](c, array);
        }
    return refuse_damaged();
}

static int parse(const char *text, sx_io_array *array)
{
    const char *c = text;
    int rc = MPI_SUCCESS, seen = 0, comma = 1;
    if (!take(&c, '{'))
        return refuse_damaged();
    while (!rc && !take(&c, '}')) {
        if (!comma)
            return refuse_damaged();
        rc = parse_entry(&c, array, &seen);
        comma = take(&c, ',');
    }
    if (!rc && seen != SEEN_ALL)
        return refuse_damaged();
    return !rc && array->ndims == 0 ? sx_io_fail_ndims(0) : rc;
}

/* ---- reading */

/* Parse the fixed beginning of the header: get where the text begins, and where the elements begin. */
static int parse_start(const unsigned char bytes[], ptrdiff_t *text, ptrdiff_t *data)
{
    int major = bytes[MAGIC_BYTES], nbytes = major == 1 ? 2 : 4;
    ptrdiff_t len = 0;
    if (memcmp(bytes, magic, MAGIC_BYTES) != 0 || major < 1 || major > 3)
        return refuse_damaged();
    for (int i = nbytes - 1; i >= 0; i--)
        len = len * 256 + bytes[MAGIC_BYTES + 2 + i];
    *text = MAGIC_BYTES + 2 + nbytes;
    *data = *text + len;
    return len > HEADER_MAX ? refuse_damaged() : MPI_SUCCESS;
}

static int read_header(FILE *file, sx_io_array *array)
{
    unsigned char start[START_BYTES];
    ptrdiff_t begin = 0;
    char *text;
    int rc = fread(start, 1, sizeof start, file) == sizeof start ? MPI_SUCCESS : refuse_damaged();
    if (!rc)
        rc = parse_start(start, &begin, &array->data);
    if (rc)
        return ferror(file) ? sx_io_disk_error() : rc;
    text = sx_base_alloc(array->data - begin + 1, 1);
    if (!text)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    size_t len = (size_t)(array->data - begin);
    if (fseek(file, (long)begin, SEEK_SET) || fread(text, 1, len, file) != len)
        rc = subx_error_get_code(SUBX_ERR_FILE_END);
    else
        rc = parse(text, array);
    sx_base_free(text);
    return rc;
}

/* Read the header. If the file is shorter than the header says, the error is SUBX_ERR_FILE_END. Further bytes
 * at the end of the file are ignored, as in NumPy. */
static int get(sx_io_file *f)
{
    ptrdiff_t bytes, end, length;
    FILE *file = fopen(f->path, "rb");
    int rc;
    if (!file)
        return sx_io_disk_error();
    rc = read_header(file, &f->array);
    fclose(file);
    if (!rc && sx_io_array_get_bytes(&f->array, &bytes, &end))
        return refuse_damaged();
    return rc ? rc : sx_io_disk_length(f->path, end, &length);
}

/* ---- writing */

/* Print the header; returns its length. Blanks and a newline at its end align the data. The shape is a Python
 * tuple, which needs a comma if it has one length only. */
static int print(const sx_io_array *array, char header[PRINTED_MAX])
{
    const size_t text = MAGIC_BYTES + 4;
    char order = array->elem.bytes == 1 ? '|' : is_little_endian() ? '<' : '>';
    sx_text t = {.at = header, .room = PRINTED_MAX, .used = text};
    sx_base_print(&t, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (", order, array->elem.kind,
                  array->elem.bytes);
    for (int a = 0; a < array->ndims; a++)
        sx_base_print(&t, "%s%td", a ? ", " : "", array->sizes[a]);
    sx_base_print(&t, "%s), }", array->ndims == 1 ? "," : "");
    size_t len = (t.used / DATA_ALIGN + 1) * DATA_ALIGN;
    memset(header + t.used, ' ', len - t.used - 1);
    header[len - 1] = '\n';
    memcpy(header, magic, MAGIC_BYTES);
    memcpy(header + MAGIC_BYTES, "\1\0", 2);
    header[MAGIC_BYTES + 2] = (char)((len - text) % 256);
    header[MAGIC_BYTES + 3] = (char)((len - text) / 256);
    return sx_base_fit((ptrdiff_t)len);
}

static int open_view(sx_io_file *f, const sx_io_box *box)
{
    char header[PRINTED_MAX];
    int len = 0;
    if (f->side == SX_TO)
        f->array.data = len = print(&f->array, header);
    return sx_io_view_open(f, box, header, len);
}

const sx_io_format sx_io_npy = {"npy", get, open_view, sx_io_view_read, sx_io_view_write, sx_io_view_close,
                                1};
