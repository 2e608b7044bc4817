/* kernel_body.h - the bodies of the kernels: what one thread of a device does. The C compiler compiles this
 * text for `fake`, and a device's compiler compiles it for the device. SX_DEVICE_BODY has the words with
 * which a function of the device begins, such as __device__. */
#ifndef SX_DEVICE_BODY
#define SX_DEVICE_BODY static inline
#endif
/* The same for a function of the host. */
#ifndef SX_DEVICE_HOST
#define SX_DEVICE_HOST static inline
#endif

#include "device/kernel_fold_body.h"
#include <math.h>

/* Elements of any type are copied in words of 16, 8, 4, 2 or 1 bytes. */
typedef unsigned char sx_device_byte;
typedef unsigned short __attribute__((may_alias)) sx_device_short_word;
typedef unsigned int __attribute__((may_alias)) sx_device_word;
typedef unsigned long long __attribute__((may_alias)) sx_device_long_word;
typedef struct __attribute__((may_alias, aligned(16))) sx_device_pair {
    unsigned long long part[2];
} sx_device_pair;

#define COPY_WORDS(word)                                                                                     \
    for (ptrdiff_t k = 0; k < bytes; k += (ptrdiff_t)sizeof(word))                                           \
    *(word *)(to + k) = *(const word *)(from + k)

SX_DEVICE_BODY void sx_device_copy_words(ptrdiff_t bytes, const char *from, char *to)
{
    if (bytes % 16 == 0)
        COPY_WORDS(sx_device_pair);
    else if (bytes % 8 == 0)
        COPY_WORDS(sx_device_long_word);
    else if (bytes % 4 == 0)
        COPY_WORDS(sx_device_word);
    else if (bytes % 2 == 0)
        COPY_WORDS(sx_device_short_word);
    else
        COPY_WORDS(sx_device_byte);
}
#undef COPY_WORDS

/* Divide numbers that are not negative. Devices divide numbers of 32 bits several times as fast as longer
 * ones. */
SX_DEVICE_BODY ptrdiff_t sx_device_get_quotient(ptrdiff_t a, ptrdiff_t b)
{
    return (unsigned long long)(a | b) >> 32 ? a / b : (ptrdiff_t)((unsigned)a / (unsigned)b);
}

/* Find element first + i of a nest on both sides. Threads with adjacent numbers find adjacent elements of
 * level 0. */
SX_DEVICE_BODY void sx_device_find_element(const sx_device_nest *nest, ptrdiff_t i, const char **from,
                                           char **to)
{
    i += nest->first;
    *from -= nest->skip[SX_FROM];
    *to -= nest->skip[SX_TO];
    for (int k = 0; k < nest->nlevels; k++) {
        const ptrdiff_t rest = sx_device_get_quotient(i, nest->level[k].n), at = i - rest * nest->level[k].n;
        *from += at * nest->level[k].is;
        *to += at * nest->level[k].os;
        i = rest;
    }
}

SX_DEVICE_BODY void sx_device_copy_element(const sx_device_nest *nest, ptrdiff_t i, const char *from,
                                           char *to)
{
    sx_device_find_element(nest, i, &from, &to);
    sx_device_copy_words(nest->element, from, to);
}

#include "device/kernel_copy_body.h"

/* ---- conversions. A double beyond the range of floats becomes an infinity of its sign, as in conversions of
 * C. */

typedef float __attribute__((may_alias)) sx_device_float;
typedef double __attribute__((may_alias)) sx_device_double;

SX_DEVICE_BODY void sx_device_convert_element(const sx_device_nest *nest, ptrdiff_t i, const char *from,
                                              char *to)
{
    const ptrdiff_t n = nest->element / (ptrdiff_t)sizeof(double);
    sx_device_find_element(nest, i, &from, &to);
    for (ptrdiff_t k = 0; k < n; k++) {
        const float value = nest->converts == SX_DEVICE_WIDEN ? ((const sx_device_float *)from)[k]
                                                              : (float)((const sx_device_double *)from)[k];
        if (nest->converts == SX_DEVICE_NARROW)
            ((sx_device_float *)to)[k] = value;
        else
            ((sx_device_double *)to)[k] = (double)value;
    }
}

#define REAL float
#define COSINE cosf
#define SINE sinf
#define NAME(verb) sx_device_##verb##_float
#include "device/kernel_real_body.h"
#undef REAL
#undef COSINE
#undef SINE
#undef NAME

#define REAL double
#define COSINE cos
#define SINE sin
#define NAME(verb) sx_device_##verb##_double
#include "device/kernel_real_body.h"
#undef REAL
#undef COSINE
#undef SINE
#undef NAME
