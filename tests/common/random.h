/* random.h - random numbers that depend only on the seed: they are the same on every machine and rank. */
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include "config.h"
#include <stddef.h>
#include <stdint.h>

typedef struct test_random {
    uint64_t state;
} test_random;

/* The seed of this run: the variable SUBX_TEST_SEED, or a constant if it is not set. */
uint64_t test_random_seed(void);

/* Get stream `number` of a seed. Streams with other numbers or seeds have other random numbers. */
test_random test_random_stream(uint64_t seed, uint64_t number);

uint64_t test_random_bits(test_random *r);

/* Get a random integer in lo .. hi, both included. */
int test_random_int(test_random *r, int lo, int hi);

/* Get a random number in -1 .. 1. */
double test_random_double(test_random *r);

void test_random_permutation(test_random *r, int n, int order[]);
void test_random_fill(test_random *r, void *bytes, size_t n);

/* Set `order` to permutation k of 0 .. n-1, 0 <= k < n!. */
void test_permutation(int n, int k, int order[]);

#endif
