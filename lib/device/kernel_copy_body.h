/* kernel_copy_body.h - how a permuting copy is divided among the threads of a device. Two things cost time on
 * a GPU: accesses of adjacent threads to addresses that are far apart, and threads with too few bytes in
 * flight. So
 *   - elements are copied in words as long as strides and addresses allow, up to 16 bytes
 *     (sx_device_get_words);
 *   - if another axis is contiguous where elements are read than where they are written, blocks of threads
 *     copy tiles (sx_device_get_tiles). A block reads a tile along the one axis to memory that its threads
 *     share, and writes it along the other one:
 *
 *         read along level 1                        written along level 0
 *         thread 0 1 2 ... 31                       thread 0 1 2 ... 31
 *                -----------> level 1                      -----------> level 0
 *              | 0 1 2 ...          ==tile==>            | 0 p 2p ...
 *      level 0 | p ...                           level 1 | 1 p+1 ...
 *
 * p: words of a row of the tile.
 *
 * The host plans a copy by these functions, and the kernels, or `fake`, use the others. */
/* A tile has SX_TILE x SX_TILE words. The rows of the shared memory are a word longer, so that the words of a
 * column are in different banks. */
enum { SX_TILE = 32, SX_TILE_PITCH = SX_TILE + 1, SX_TILE_WORDS = SX_TILE * SX_TILE_PITCH };

/* ---- words */

/* Query whether words of so many bytes suit the addresses of a side, and all strides but that of level 0. */
SX_DEVICE_HOST int sx_device_suits(const sx_device_nest *nest, int side, ptrdiff_t word, const void *address)
{
    ptrdiff_t all = (ptrdiff_t)((size_t)address % 16) - nest->skip[side];
    for (int k = 1; k < nest->nlevels; k++)
        all |= sx_base_get_stride(nest->level[k], side);
    return all % word == 0;
}

/* Let level 0 of a nest be a run of words of so many bytes. */
SX_DEVICE_HOST void sx_device_set_word(sx_device_nest *nest, ptrdiff_t word)
{
    nest->level[0].n = nest->level[0].n * nest->element / word;
    nest->first = nest->first * nest->element / word;
    nest->count = nest->count * nest->element / word;
    nest->level[0].is = nest->level[0].os = nest->element = word;
}

/* Add an innermost level of one element, which then can be divided into words. */
SX_DEVICE_HOST void sx_device_set_innermost(sx_device_nest *nest)
{
    const sx_dim one = {1, nest->element, nest->element};
    for (int k = nest->nlevels++; k > 0; k--)
        nest->level[k] = nest->level[k - 1];
    nest->level[0] = one;
}

/* Get the same copy with elements that are single words of 16, 8, 4, 2 or 1 bytes. A nest whose levels are
 * all in use may keep longer elements. Nests that convert stay as they are. */
SX_DEVICE_HOST sx_device_nest sx_device_get_words(const sx_device_nest *nest, const void *from,
                                                  const void *to)
{
    sx_device_nest w = *nest;
    ptrdiff_t word = 16;
    if (nest->converts)
        return w;
    if ((w.nlevels == 0 || w.level[0].is != w.element || w.level[0].os != w.element) &&
        w.nlevels < SX_DEVICE_NLEVELS_MAX)
        sx_device_set_innermost(&w);
    if (w.nlevels == 0 || w.level[0].is != w.element || w.level[0].os != w.element)
        return w;
    const ptrdiff_t run = w.level[0].n * w.element, begin = w.first * w.element, bytes = w.count * w.element;
    while ((run | begin | bytes) % word != 0 || !sx_device_suits(&w, SX_FROM, word, from) ||
           !sx_device_suits(&w, SX_TO, word, to))
        word /= 2;
    sx_device_set_word(&w, word);
    if (w.level[0].n > 1)
        return w;
    w.nlevels--;
    for (int k = 0; k < w.nlevels; k++)
        w.level[k] = w.level[k + 1];
    return w;
}

/* ---- tiles. In a nest that is copied by tiles, level 0 is contiguous where words are written. Level 1 is
 * contiguous where they are read; or level 0 is contiguous there, too, and the tile needs no shared memory:
 * it only saves threads the search for each single word. */

/* Find the level at which the words of a side are adjacent; -1 if there is none, or if it is short. */
SX_DEVICE_HOST int sx_device_find_contiguous(const sx_device_nest *nest, int side)
{
    for (int k = 0; k < nest->nlevels; k++)
        if (sx_base_get_stride(nest->level[k], side) == nest->element)
            return nest->level[k].n >= SX_TILE_LEAST ? k : -1;
    return -1;
}

SX_DEVICE_HOST void sx_device_swap_levels(sx_device_nest *nest, int a, int b)
{
    const sx_dim other = nest->level[a];
    nest->level[a] = nest->level[b];
    nest->level[b] = other;
}

SX_DEVICE_HOST ptrdiff_t sx_device_count_tiles(const sx_device_nest *nest, int level)
{
    return (nest->level[level].n + SX_TILE - 1) / SX_TILE;
}

/* Find the first level behind level 0 that is long enough for a tile; -1 if there is none. */
SX_DEVICE_HOST int sx_device_find_long(const sx_device_nest *nest)
{
    for (int k = 1; k < nest->nlevels; k++)
        if (nest->level[k].n >= SX_TILE_LEAST)
            return k;
    return -1;
}

SX_DEVICE_HOST int sx_device_is_whole(const sx_device_nest *nest)
{
    ptrdiff_t count = 1;
    for (int k = 0; k < nest->nlevels; k++)
        count *= nest->level[k].n;
    return nest->first == 0 && nest->count == count;
}

/* Order the levels of a nest of words for tiles. Returns the number of tiles; 0 if the copy does not suit
 * tiles, or if it is a part of a nest. */
SX_DEVICE_HOST ptrdiff_t sx_device_get_tiles(sx_device_nest *nest)
{
    const int written = sx_device_find_contiguous(nest, SX_TO),
              read = sx_device_find_contiguous(nest, SX_FROM);
    if (nest->converts || nest->element < 4 || written < 0 || read < 0 || !sx_device_is_whole(nest))
        return 0;
    sx_device_nest t = *nest;
    sx_device_swap_levels(&t, 0, written);
    const int second = written == read ? sx_device_find_long(&t) : read == 0 ? written : read;
    if (second < 0)
        return 0;
    sx_device_swap_levels(&t, 1, second);
    *nest = t;
    return t.count / (t.level[0].n * t.level[1].n) * sx_device_count_tiles(&t, 0) *
           sx_device_count_tiles(&t, 1);
}

/* Query whether level 0 of a nest for tiles is contiguous on both sides. */
SX_DEVICE_HOST int sx_device_is_straight(const sx_device_nest *nest)
{
    return nest->level[0].is == nest->element;
}

/* One tile: the addresses of its first word, and how many words it has along levels 0 and 1. */
typedef struct sx_device_tile {
    const char *from;
    char *to;
    ptrdiff_t n[2];
} sx_device_tile;

/* Find tile i. Adjacent tiles are adjacent where they are written. */
SX_DEVICE_BODY sx_device_tile sx_device_find_tile(const sx_device_nest *nest, ptrdiff_t i, const char *from,
                                                  char *to)
{
    sx_device_tile t = {from - nest->skip[SX_FROM], to - nest->skip[SX_TO], {0, 0}};
    for (int k = 0; k < nest->nlevels; k++) {
        const ptrdiff_t n = k < 2 ? (nest->level[k].n + SX_TILE - 1) / SX_TILE : nest->level[k].n;
        const ptrdiff_t rest = sx_device_get_quotient(i, n), at = (i - rest * n) * (k < 2 ? SX_TILE : 1);
        if (k < 2)
            t.n[k] = nest->level[k].n - at < SX_TILE ? nest->level[k].n - at : SX_TILE;
        t.from += at * nest->level[k].is;
        t.to += at * nest->level[k].os;
        i = rest;
    }
    return t;
}

/* Query whether a tile has a word at the indices i and j of levels 0 and 1. */
SX_DEVICE_BODY int sx_device_is_in_tile(const sx_device_tile *t, int i, int j)
{
    return i < t->n[0] && j < t->n[1];
}

/* Get the place of this word: in the shared memory, counted in words; where it is read; where it is
 * written. */
SX_DEVICE_BODY int sx_device_get_place(int i, int j)
{
    return i * SX_TILE_PITCH + j;
}

SX_DEVICE_BODY const char *sx_device_get_read(const sx_device_nest *nest, const sx_device_tile *t, int i,
                                              int j)
{
    return t->from + i * nest->level[0].is + j * nest->level[1].is;
}

SX_DEVICE_BODY char *sx_device_get_written(const sx_device_nest *nest, const sx_device_tile *t, int i, int j)
{
    return t->to + i * nest->level[0].os + j * nest->level[1].os;
}

/* ---- copies without tiles */

/* Order the levels of a nest of words that is copied without tiles. Where interleaved fields are read, words
 * of other fields lie between the words of level 0. These other words are then read soon after them:
 *
 *     read       a b c a b c a b c a b c ..       before   all a, all b, all c
 *     written    a a a a .. b b b b .. c c c ..   after    1024 a, 1024 b, 1024 c, 1024 a, ..
 *
 * So they are still in a cache, and memory is read once instead of once per field. */
SX_DEVICE_HOST void sx_device_gather_reads(sx_device_nest *nest)
{
    ptrdiff_t run = SX_DEVICE_RUN;
    int last = 0;
    for (int k = 1; k < nest->nlevels; k++)
        last = nest->level[k].is < nest->level[0].is ? k : last;
    while (run > SX_DEVICE_LEAST_RUN && nest->level[0].n % run != 0)
        run /= 2;
    if (last == 0 || nest->nlevels == SX_DEVICE_NLEVELS_MAX || nest->level[0].n % run != 0 ||
        nest->converts || !sx_device_is_whole(nest))
        return;
    /* What is left of level 0 becomes the level after the last one that lies between its words. */
    for (int k = nest->nlevels++; k > last + 1; k--)
        sx_device_swap_levels(nest, k, k - 1);
    nest->level[last + 1].n = nest->level[0].n / run;
    nest->level[last + 1].is = nest->level[0].is * run;
    nest->level[last + 1].os = nest->level[0].os * run;
    nest->level[0].n = run;
}
