/* random.h - random numbers that are the same on every machine and rank for the same seed. */
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include "config.h"
#include <stddef.h>
#include <stdint.h>

typedef struct test_random {
    uint64_t state;
} test_random;

/* The seed of this run: SUBX_TEST_SEED, or a fixed one. */
uint64_t test_random_seed(void);

/* A stream of its own for each pair of seed and number. */
test_random test_random_stream(uint64_t seed, uint64_t number);

uint64_t test_random_bits(test_random *r);

/* An integer of lo .. hi, both included. */
int test_random_int(test_random *r, int lo, int hi);

/* A number in -1 .. 1. */
double test_random_double(test_random *r);

void test_random_permutation(test_random *r, int n, int order[]);
void test_random_fill(test_random *r, void *bytes, size_t n);

/* Set to permutation k of n things, 0 <= k < n!. */
void test_permutation(int n, int k, int order[]);

#endif
