/* random.c - random numbers by SplitMix64 (Steele, Lea & Flood 2014, section 5), with a seed from the
 * environment; permutations. */
#include "common/random.h"
#include <stdlib.h>

uint64_t test_random_seed(void)
{
    const char *text = getenv("SUBX_TEST_SEED");
    return text && *text ? strtoull(text, NULL, 10) : 20190607;
}

uint64_t test_random_bits(test_random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

test_random test_random_stream(uint64_t seed, uint64_t number)
{
    test_random r = {number};
    r.state = seed ^ test_random_bits(&r);
    return r;
}

int test_random_int(test_random *r, int lo, int hi)
{
    return lo + (int)(test_random_bits(r) % (uint64_t)(hi - lo + 1));
}

double test_random_double(test_random *r)
{
    return (double)(test_random_bits(r) >> 11) / 4503599627370496.0 - 1.0;
}

void test_random_permutation(test_random *r, int n, int order[])
{
    for (int i = 0; i < n; i++) {
        int j = test_random_int(r, 0, i);
        order[i] = order[j];
        order[j] = i;
    }
}

void test_random_fill(test_random *r, void *bytes, size_t n)
{
    unsigned char *b = bytes;
    for (size_t i = 0; i < n; i++)
        b[i] = (unsigned char)test_random_bits(r);
}

void test_permutation(int n, int k, int order[])
{
    for (int i = 0; i < n; i++) {
        /* Digit i of k in the factorial number system is the position of i among the numbers 0 to i. */
        int j = k % (i + 1);
        k /= i + 1;
        order[i] = order[j];
        order[j] = i;
    }
}
