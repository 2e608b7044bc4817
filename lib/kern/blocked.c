/* blocked.c - a kernel for permuting copies (kern.h) in plain C, patch by patch, for elements of any size and
 * any strides. */
#include "kern/transpose.h"
#include <stdint.h>
#include <string.h>

/* The number of rows that are read side by side. If the distance of rows in bytes is a power of two, they are
 * in one cache set, so there must not be more of them than the set has ways. */
enum { ROWS = SX_SET_WAYS };

static int suits(const sx_layout *l)
{
    return sx_kern_plane_suits(l, SX_PLANE_BLOCK);
}

/* Two elements of 4 bytes, loaded and stored together: this makes the copies a third faster. */
typedef struct pair {
    uint32_t at[2];
} pair;

SX_TRANSPOSE_INLINE pair load(const char *in)
{
    pair p;
    memcpy(&p, in, sizeof p);
    return p;
}

SX_TRANSPOSE_INLINE void microtile4(const char *in, const ptrdiff_t rows[], char *out, const ptrdiff_t cols[])
{
    for (int i = 0; i < ROWS; i += 2) {
        pair a = load(in + rows[i]), b = load(in + rows[i + 1]);
        pair c = {{a.at[0], b.at[0]}}, d = {{a.at[1], b.at[1]}};
        memcpy(out + cols[0] + 4 * i, &c, sizeof c);
        memcpy(out + cols[1] + 4 * i, &d, sizeof d);
    }
}

static void move4(const sx_patch *p, const char *in, char *out)
{
    sx_transpose(p, ROWS, 2, 4, microtile4, in, out);
}

static const sx_transposer microkernels[] = {{4, {ROWS, 2, move4}}, {0, {0, 0, NULL}}};

static void copy(const sx_layout *l, const char *in, char *out)
{
    sx_transpose_copy(l, microkernels, in, out);
}

const sx_kern sx_kern_blocked = {"blocked", suits, copy};
