/* 04_taylor_green.c - writes a component of a Taylor-Green vortex to a NumPy .npy file, which subx-fft can
 * transform.
 *
 * The field is u = sin x0 cos x1 .. cos xd-1 on (0,2pi)^d, d >= 2, with N0 x .. x Nd-1 points. Complex types
 * have the second component, v = -cos x0 sin x1 cos x2 .. cos xd-1, as their imaginary part. Serial, without
 * MPI.
 *
 * mpicc 04_taylor_green.c $(pkg-config --cflags --libs subx_fft) -lm -o 04_taylor_green
 * ./04_taylor_green tg.npy 64x64x64 f8 C
 *
 * The file format is NumPy's "NEP 1 - a simple file format for NumPy arrays", version 1.0.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NDIMS_MAX = 32, FAILED = 2 };

static const char USAGE[] = "usage: 04_taylor_green FILE SHAPE [f4|f8|c8|c16] [C|F]\n"
                            "  SHAPE  lengths of 2 to 32 axes, such as 64x64x64\n"
                            "  type   real (f) or complex (c) and bytes of an element; default f8\n"
                            "  order  C (last axis fastest, default) or F (first axis fastest)\n";

struct field {
    int ndims;
    ptrdiff_t n[NDIMS_MAX];
    char type[4];                                /* f4, f8, c8 or c16 */
    int fortran;                                 /* 1: axis 0 is fastest, 0: the last axis is */
    double *sine[NDIMS_MAX], *cosine[NDIMS_MAX]; /* for each axis, of its n[axis] coordinates */
};

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "04_taylor_green: %s: %s\n", what, why);
    return FAILED;
}

/* Parse lengths joined by x. A field of these lengths must not exceed PTRDIFF_MAX bytes, with 16 bytes per
 * element. */
static int parse_shape(const char *text, struct field *f)
{
    const char *p = text;
    ptrdiff_t total = 1;

    for (;;) {
        char *end = NULL;
        errno = 0;
        long long n = isdigit((unsigned char)*p) ? strtoll(p, &end, 10) : 0;
        if (n <= 0 || errno || n > PTRDIFF_MAX / 16 / total)
            return fail(text, "a length is missing, not positive or too large");
        if (f->ndims == NDIMS_MAX)
            return fail(text, "more than 32 axes");
        total *= (ptrdiff_t)n;
        f->n[f->ndims++] = (ptrdiff_t)n;
        if (*end != 'x')
            return *end == '\0' && f->ndims >= 2 ? 0 : fail(text, "not a shape such as 64x64x64");
        p = end + 1;
    }
}

static int parse(int argc, char **argv, struct field *f)
{
    const char *type = argc > 3 ? argv[3] : "f8", *order = argc > 4 ? argv[4] : "C";

    if (strcmp(type, "f4") && strcmp(type, "f8") && strcmp(type, "c8") && strcmp(type, "c16"))
        return fail(type, "not a type: f4, f8, c8 or c16");
    if (strcmp(order, "C") && strcmp(order, "F"))
        return fail(order, "not an order: C or F");
    strcpy(f->type, type);
    f->fortran = *order == 'F';
    return parse_shape(argv[2], f);
}

static int tabulate(struct field *f)
{
    const double two_pi = 2 * acos(-1.0);

    for (int axis = 0; axis < f->ndims; axis++) {
        ptrdiff_t n = f->n[axis];
        f->sine[axis] = malloc((size_t)n * sizeof(double));
        f->cosine[axis] = malloc((size_t)n * sizeof(double));
        if (!f->sine[axis] || !f->cosine[axis])
            return fail("no memory for an axis of that length", "give a smaller shape");
        for (ptrdiff_t i = 0; i < n; i++) {
            f->sine[axis][i] = sin(two_pi * (double)i / (double)n);
            f->cosine[axis][i] = cos(two_pi * (double)i / (double)n);
        }
    }
    return 0;
}

static void free_tables(struct field *f)
{
    for (int axis = 0; axis < NDIMS_MAX; axis++) {
        free(f->sine[axis]);
        free(f->cosine[axis]);
    }
}

/* Write the header: magic, version, length, and a Python dictionary. The header is padded, so that the data
 * behind it begins at a multiple of 64 bytes. */
static void write_header(const struct field *f, FILE *file)
{
    const uint16_t probe = 1;
    const char byteorder = *(const unsigned char *)&probe ? '<' : '>';
    char dict[1024]; /* 32 lengths of at most 19 digits fit well */
    int len = sprintf(dict, "{'descr': '%c%s', 'fortran_order': %s, 'shape': (", byteorder, f->type,
                      f->fortran ? "True" : "False");

    for (int axis = 0; axis < f->ndims; axis++)
        len += sprintf(dict + len, axis ? ", %td" : "%td", f->n[axis]);
    len += sprintf(dict + len, "), }");

    const int before = 10, padded = (before + len + 1 + 63) / 64 * 64 - before;
    const unsigned char head[10] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)(padded % 256), (unsigned char)(padded / 256)};
    fwrite(head, 1, sizeof head, file);
    fprintf(file, "%s%*s\n", dict, padded - len - 1, "");
}

/* Return u (component 0) or v (component 1) at index i. */
static double velocity(const struct field *f, const ptrdiff_t i[], int component)
{
    double value = component ? -1 : 1;

    for (int axis = 0; axis < f->ndims; axis++)
        value *= axis == component ? f->sine[axis][i[axis]] : f->cosine[axis][i[axis]];
    return value;
}

static void write_element(const struct field *f, const ptrdiff_t i[], FILE *file)
{
    const int parts = f->type[0] == 'c' ? 2 : 1;
    const int single = !strcmp(f->type, "f4") || !strcmp(f->type, "c8");

    for (int component = 0; component < parts; component++) {
        const double value = velocity(f, i, component);
        const float rounded = (float)value;
        if (single)
            fwrite(&rounded, sizeof rounded, 1, file);
        else
            fwrite(&value, sizeof value, 1, file);
    }
}

/* Write all elements, counting the index up like an odometer whose fastest wheel is the fastest axis. */
static void write_data(const struct field *f, FILE *file)
{
    ptrdiff_t i[NDIMS_MAX] = {0};
    int wheel = 0;

    while (wheel < f->ndims && !ferror(file)) {
        write_element(f, i, file);
        for (wheel = 0; wheel < f->ndims; wheel++) {
            int axis = f->fortran ? wheel : f->ndims - 1 - wheel;
            if (++i[axis] < f->n[axis])
                break;
            i[axis] = 0;
        }
    }
}

static int write_file(const struct field *f, const char *path)
{
    FILE *file = fopen(path, "wb");

    if (!file)
        return fail(path, strerror(errno));
    write_header(f, file);
    write_data(f, file);
    int failed = ferror(file);
    failed |= fclose(file);
    return failed ? fail(path, "could not be written in full") : 0;
}

int main(int argc, char **argv)
{
    struct field f = {0};
    int failed;

    if (argc == 2 && !strcmp(argv[1], "-h"))
        return fputs(USAGE, stdout) < 0 ? FAILED : 0;
    if (argc < 3 || argc > 5) {
        fputs(USAGE, stderr);
        return FAILED;
    }
    failed = parse(argc, argv, &f);
    if (!failed)
        failed = tabulate(&f);
    if (!failed)
        failed = write_file(&f, argv[1]);
    free_tables(&f);
    return failed;
}
