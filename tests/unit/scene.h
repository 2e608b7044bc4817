/* scene.h - a random pass for the unit tests: a problem, regions with memory, and the arrays that belong to
 * it. */
#ifndef TEST_SCENE_H
#define TEST_SCENE_H

#include "pass/inside.h"
#include "common/random.h"

enum { TEST_DIMS = 4, TEST_PIECES = 3, TEST_REGIONS = 81, TEST_PLACES = 3, TEST_ROOM = 1 << 15 };

/* How a side's array is cut into regions: into `pieces` along each axis, some of which are empty. */
typedef struct test_cuts {
    int pieces[TEST_DIMS];
    ptrdiff_t at[TEST_DIMS][TEST_PIECES + 1];
} test_cuts;

/* A problem, its regions, and the memory of their places; the same two arrays as a whole, in C order. */
typedef struct test_scene {
    sx_pass_problem p;
    test_cuts cut[2];
    sx_region region[2][TEST_REGIONS];
    double *place[2][TEST_PLACES];
    double *whole[2];
} test_scene;

/* Make a random problem of a kind, without memory. `k` numbers the cases, which make different choices. */
void test_scene_make(test_random *r, int kind, int direction, int k, test_scene *s);
void test_scene_make_choices(test_random *r, sx_pass_problem *p, int k);

/* Get a serial backend; k is taken modulo their number. */
const sx_serial *test_scene_get_backend(int k);

/* 1 if an axis is transformed. */
int test_scene_is_axis(const sx_pass_problem *p, int axis);

/* Get the number of elements of a side's array. */
ptrdiff_t test_scene_get_count(const test_scene *s, int side);

/* Create the pass of a scene. */
sx_pass test_scene_create(const test_scene *s);

/* Allocate and fill the arrays; both sides have the same memory if in place. */
void test_scene_begin(test_scene *s, test_random *r, int in_place);
void test_scene_fill_places(const test_scene *s, int side);

/* Execute a range with `times` pauses. */
void test_scene_execute(const test_scene *s, sx_pass pass, sx_range range, int times);

/* Execute all tiles at once, or the ranges along an axis that is not transformed, as either side is cut. */
void test_scene_execute_all(const test_scene *s, sx_pass pass, int k);

/* Check that the side written is right and that the side read is unchanged, and free all arrays. */
void test_scene_end(test_scene *s, int k);

#endif
