/* scene.h - a random pass for the unit tests: its problem, its regions with their memory, and the whole
 * arrays to compare with. */
#ifndef TEST_SCENE_H
#define TEST_SCENE_H

#include "pass/inside.h"
#include "common/random.h"
#include <complex.h>

enum { TEST_DIMS = 4, TEST_PIECES = 3, TEST_REGIONS = 81, TEST_PLACES = 3, TEST_ROOM = 1 << 15 };

/* Features of a random problem. Without any, a pass makes complex transforms of all elements, in double
 * precision and C order. */
enum {
    TEST_HALF = 1,       /* the first axis is R2C */
    TEST_REAL = 2,       /* all axes are real-to-real; with TEST_HALF, some axes after the first */
    TEST_GAPS = 4,       /* some points and modes do not exist */
    TEST_ENDS = 8,       /* orthonormal transforms */
    TEST_OPERATION = 16, /* the pass calls an operation */
    TEST_ROUND = 32,     /* forward and backward in one pass */
    TEST_ORDER = 64,     /* any storage order; any axes, in any order, or none; some others are whole */
    TEST_PRECISION = 128 /* any precision */
};

/* An element of a whole array. Whole arrays are in C order. */
typedef long double _Complex test_number;

/* How a side's array is cut into regions: along each axis into `pieces` parts, of which some may be empty. */
typedef struct test_cuts {
    int pieces[TEST_DIMS];
    ptrdiff_t at[TEST_DIMS][TEST_PIECES + 1];
} test_cuts;

/* A problem, its regions, the buffers in which they lie (places), and both arrays as a whole. */
typedef struct test_scene {
    sx_pass_problem p;
    int operates;
    test_cuts cut[2];
    sx_region region[2][TEST_REGIONS];
    ptrdiff_t arrays[2][TEST_REGIONS][3][TEST_DIMS]; /* [side][region]: start, len, stride */
    char *place[2][TEST_PLACES];                     /* [side]: buffers of TEST_ROOM reals */
    test_number *whole[2];
} test_scene;

/* Draw a problem and its regions, without memory. Case k uses the serial backend test_scene_get_backend(k).
 * test_scene_make_choices draws only what does not depend on the axes, such as the width of tiles and the
 * number of threads. */
void test_scene_make(test_random *r, int features, int direction, int k, test_scene *s);
void test_scene_make_choices(test_random *r, int k, test_scene *s);

/* Make the problem point to the scene's regions, and the regions to the scene's arrays of numbers. Needed for
 * a new scene, and again for a copy of a scene. */
void test_scene_bind(test_scene *s);

/* Get the k-th serial backend that transforms doubles. After the last backend, k starts over with the
 * first. */
const sx_serial *test_scene_get_backend(int k);

/* test_scene_is_axis returns 1 if the axis is transformed. test_scene_is_whole returns 1 if a tile has all of
 * the axis. */
int test_scene_is_axis(const sx_pass_problem *p, int axis);
int test_scene_is_whole(const sx_pass_problem *p, int axis);

/* Get the number of elements of an array. */
ptrdiff_t test_scene_get_count(int ndims, const ptrdiff_t len[]);

/* Create the pass of a scene. */
sx_pass test_scene_create(const test_scene *s);

/* Allocate and fill the arrays. If in_place, both sides have the same memory. test_scene_fill_places sets all
 * memory of a side to the value that marks memory outside of all regions. */
void test_scene_begin(test_scene *s, test_random *r, int in_place);
void test_scene_fill_places(const test_scene *s, int side);

/* Execute a range of tiles, with at most `times` pauses. */
void test_scene_execute(const test_scene *s, sx_pass pass, sx_range range, int times);

/* Execute all tiles in one range, or in several ranges along an axis that is not transformed. `k` selects the
 * way. */
void test_scene_execute_all(const test_scene *s, sx_pass pass, int k);

/* Check that the output is right and that, unless in place, the input is unchanged. Frees all arrays. k is
 * the number of the case, which messages show. */
void test_scene_end(test_scene *s, int k);

/* ---- the definition (scene_whole.c) */

/* Allocate both whole arrays: a random input, and the result that the pass must give. */
void test_scene_make_whole(test_random *r, test_scene *s);

/* Get the operation of all scenes: it multiplies the element at an index by a and adds b. The spectrum of
 * real data remains the spectrum of real data. */
void test_scene_get_operation(const sx_pass_problem *p, const ptrdiff_t at[], double *a, double *b);

#endif
