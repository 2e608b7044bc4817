/* lengths.c - lists of lengths: numbers, ranges, and the lengths of a range whose prime factors are small. */
#include "serial/pencils.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_MAX = 1 << 26 };

/* A range of lengths, and the largest prime factor that they may have. */
struct range {
    long from, to, factor;
    int is_prime;
};

static long get_largest_factor(long n)
{
    long largest = 1;
    for (long p = 2; p * p <= n; p++)
        for (; n % p == 0; n /= p)
            largest = p;
    return n > 1 ? n : largest;
}

static int has(const struct range *range, long n)
{
    const long factor = get_largest_factor(n);
    return range->is_prime ? n > 1 && factor == n : factor <= range->factor;
}

/* Parse a whole number >= 1. Returns the address after it, or NULL. */
static const char *parse_number(const char *text, long *number)
{
    char *end = NULL;
    if (!isdigit((unsigned char)*text))
        return NULL;
    *number = strtol(text, &end, 10);
    return *number >= 1 && *number <= LENGTH_MAX ? end : NULL;
}

/* Parse ":prime" or ":7smooth". */
static const char *parse_filter(const char *text, struct range *range)
{
    if (strncmp(text, ":prime", 6) == 0) {
        range->is_prime = 1;
        return text + 6;
    }
    text = parse_number(text + 1, &range->factor);
    return text && strncmp(text, "smooth", 6) == 0 ? text + 6 : NULL;
}

static const char *parse_range(const char *text, struct range *range)
{
    *range = (struct range){.factor = LENGTH_MAX};
    text = parse_number(text, &range->from);
    range->to = range->from;
    if (text && *text == '-')
        text = parse_number(text + 1, &range->to);
    if (text && *text == ':')
        text = parse_filter(text, range);
    return text;
}

static int add(struct sx_perf_serial_lengths *lengths, const struct range *range)
{
    for (long n = range->from; n <= range->to; n++) {
        if (!has(range, n))
            continue;
        if (lengths->n == SX_PERF_SERIAL_NLENGTHS)
            return sx_perf_options_refuse("more than %d lengths", SX_PERF_SERIAL_NLENGTHS);
        lengths->length[lengths->n++] = (int)n;
    }
    return 0;
}

int sx_perf_serial_lengths_parse(const char *text, void *target)
{
    struct sx_perf_serial_lengths *lengths = target;
    struct range range;
    lengths->n = 0;
    for (;; text++) {
        text = parse_range(text, &range);
        if (!text || (*text && *text != ','))
            return sx_perf_options_refuse("not lengths such as 64,2-512,32-512:7smooth,2-10007:prime");
        if (add(lengths, &range))
            return 1;
        if (!*text)
            return lengths->n ? 0 : sx_perf_options_refuse("no length is in these ranges");
    }
}
