/* npy.c - the header of NumPy's .npy files: parse versions 1.0, 2.0 and 3.0, print version 1.0.
 *
 * The format is NumPy Enhancement Proposal 1: the six bytes \x93NUMPY; two bytes of version; the length of
 * the text (two bytes in version 1, else four, little-endian); then the text, a Python dictionary with the
 * keys descr, fortran_order and shape.
 */
#include "cli/cli.h"

#include <ctype.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";

enum { MAGIC_BYTES = 6, WORD_MAX = 32, DATA_ALIGN = 64 };
enum { SEEN_DESCR = 1, SEEN_FORTRAN = 2, SEEN_SHAPE = 4, SEEN_ALL = 7 };

static int is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static int damaged(const char *path, const char *what)
{
    return sx_cli_fail_set("%s: damaged .npy header: %s", path, what);
}

int sx_cli_npy_parse_start(const unsigned char bytes[], const char *path, ptrdiff_t *text, ptrdiff_t *data)
{
    int major = bytes[MAGIC_BYTES];
    int nbytes = major == 1 ? 2 : 4;
    ptrdiff_t len = 0;
    if (memcmp(bytes, magic, MAGIC_BYTES) != 0)
        return sx_cli_fail_set("%s: not a .npy file", path);
    if (major < 1 || major > 3)
        return sx_cli_fail_set("%s: version %d of the .npy format is not known", path, major);
    for (int i = nbytes - 1; i >= 0; i--)
        len = len * 256 + bytes[MAGIC_BYTES + 2 + i];
    if (len > SX_CLI_NPY_HEADER_MAX)
        return damaged(path, "its length is absurd");
    *text = MAGIC_BYTES + 2 + nbytes;
    *data = *text + len;
    return SX_CLI_OK;
}

static void skip_blanks(const char **c)
{
    while (isspace((unsigned char)**c))
        ++*c;
}

/* If the next character, after blanks, is this one, skip it. */
static int take(const char **c, char wanted)
{
    skip_blanks(c);
    if (**c != wanted)
        return 0;
    ++*c;
    return 1;
}

/* Parse a string in quotes of either kind. */
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

/* Parse a bare word, such as True. */
static void parse_word(const char **c, char word[WORD_MAX])
{
    int len = 0;
    skip_blanks(c);
    for (; isalpha((unsigned char)**c) && len < WORD_MAX - 1; ++*c)
        word[len++] = **c;
    word[len] = '\0';
}

/* A dtype: byte order, kind and width. */
static int parse_descr(const char **c, const char *path, struct sx_cli_npy *npy)
{
    static const char *const known[] = {"f4", "f8", "c8", "c16"};
    char word[WORD_MAX];
    int which = 0;
    skip_blanks(c);
    if (**c == '[')
        return sx_cli_fail_set(
            "%s: structured elements; float32, float64, complex64 or complex128 can be read", path);
    if (!parse_string(c, word))
        return damaged(path, "descr is not a string");
    while (which < 4 && (!word[0] || strcmp(word + 1, known[which]) != 0))
        which++;
    if (which == 4 || !strchr("<>=|", word[0]))
        return sx_cli_fail_set(
            "%s: elements of type \"%s\"; float32, float64, complex64 or complex128 can be read", path, word);
    npy->width = which % 2 ? 8 : 4;
    npy->reals = which < 2 ? 1 : 2;
    npy->swap = (word[0] == '<' && !is_little_endian()) || (word[0] == '>' && is_little_endian());
    return SX_CLI_OK;
}

static int parse_fortran(const char **c, const char *path, struct sx_cli_npy *npy)
{
    char word[WORD_MAX];
    parse_word(c, word);
    npy->fortran = strcmp(word, "True") == 0;
    if (!npy->fortran && strcmp(word, "False") != 0)
        return damaged(path, "fortran_order is neither True nor False");
    return SX_CLI_OK;
}

/* Parse one length; Python 2 wrote an L behind long ones. */
static int parse_length(const char **c, const char *path, ptrdiff_t *length)
{
    ptrdiff_t n = 0;
    skip_blanks(c);
    if (!isdigit((unsigned char)**c))
        return damaged(path, "shape is not a tuple of lengths");
    for (; isdigit((unsigned char)**c); ++*c) {
        ptrdiff_t digit = **c - '0';
        if (n > (PTRDIFF_MAX - digit) / 10)
            return damaged(path, "a length is too large");
        n = 10 * n + digit;
    }
    take(c, 'L');
    *length = n;
    return SX_CLI_OK;
}

static int parse_shape(const char **c, const char *path, struct sx_cli_npy *npy)
{
    int rc = SX_CLI_OK, comma = 1;
    if (!take(c, '('))
        return damaged(path, "shape is not a tuple");
    npy->ndims = 0;
    while (rc == SX_CLI_OK && !take(c, ')')) {
        if (!comma)
            return damaged(path, "shape is not a tuple of lengths");
        if (npy->ndims == SUBX_NDIMS_MAX)
            return sx_cli_fail_set("%s: more than %d axes", path, SUBX_NDIMS_MAX);
        rc = parse_length(c, path, &npy->shape[npy->ndims++]);
        comma = take(c, ',');
    }
    return rc;
}

/* Parse one key and its value; *seen collects SEEN_* bits. */
static int parse_entry(const char **c, const char *path, struct sx_cli_npy *npy, int *seen)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    static int (*const parse[])(const char **, const char *,
                                struct sx_cli_npy *) = {parse_descr, parse_fortran, parse_shape};
    char key[WORD_MAX];
    if (!parse_string(c, key) || !take(c, ':'))
        return damaged(path, "not a dictionary");
    for (int i = 0; i < 3; i++)
        if (strcmp(key, keys[i]) == 0 && !(*seen & (1 << i))) {
            *seen |= 1 << i;
            return parse[i](c, path, npy);
        }
    return damaged(path, "a key that is unknown or given twice");
}

/* Check that the array can be transformed, and that its size in bytes can be counted. */
static int check_shape(const char *path, const struct sx_cli_npy *npy)
{
    ptrdiff_t room = PTRDIFF_MAX - npy->data;
    if (npy->ndims < 2)
        return sx_cli_fail_set("%s: the array has %d ax%s; a distributed transform needs 2 or more", path,
                               npy->ndims, npy->ndims == 1 ? "is" : "es");
    room /= npy->width * npy->reals;
    for (int a = 0; a < npy->ndims; a++) {
        if (npy->shape[a] == 0)
            return sx_cli_fail_set("%s: axis %d has length 0", path, a);
        room /= npy->shape[a];
    }
    return room > 0 ? SX_CLI_OK : damaged(path, "the array is too large");
}

int sx_cli_npy_parse(const char *text, const char *path, struct sx_cli_npy *npy)
{
    const char *c = text;
    int rc = SX_CLI_OK, seen = 0, comma = 1;
    if (!take(&c, '{'))
        return damaged(path, "not a dictionary");
    while (rc == SX_CLI_OK && !take(&c, '}')) {
        if (!comma)
            return damaged(path, "not a dictionary");
        rc = parse_entry(&c, path, npy, &seen);
        comma = take(&c, ',');
    }
    if (rc == SX_CLI_OK && seen != SEEN_ALL)
        return damaged(path, "descr, fortran_order or shape is missing");
    return rc == SX_CLI_OK ? check_shape(path, npy) : rc;
}

size_t sx_cli_npy_print(const struct sx_cli_npy *npy, char header[SX_CLI_NPY_EXPORT_MAX])
{
    const size_t text = MAGIC_BYTES + 4;
    size_t used = text, room = SX_CLI_NPY_EXPORT_MAX, len;
    used += (size_t)snprintf(header + used, room - used, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                             npy->reals == 1 ? "<f8" : "<c16");
    for (int a = 0; a < npy->ndims; a++)
        used += (size_t)snprintf(header + used, room - used, "%s%td", a ? ", " : "", npy->shape[a]);
    used += (size_t)snprintf(header + used, room - used, "), }");
    /* Blanks and a newline pad the header, so that the data are aligned. */
    len = (used / DATA_ALIGN + 1) * DATA_ALIGN;
    memset(header + used, ' ', len - used - 1);
    header[len - 1] = '\n';
    memcpy(header, magic, MAGIC_BYTES);
    memcpy(header + MAGIC_BYTES, "\1\0", 2);
    header[MAGIC_BYTES + 2] = (char)((len - text) % 256);
    header[MAGIC_BYTES + 3] = (char)((len - text) / 256);
    return len;
}
