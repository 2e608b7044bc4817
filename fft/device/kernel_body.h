/* kernel_body.h - the bodies of the kernels: what one thread of a device does. The C compiler compiles this text for
 * `fake`, and a device's compiler compiles it for the device. SX_DEVICE_BODY has the words with which a function of the
 * device begins, such as __device__. */
#ifndef SX_DEVICE_BODY
#define SX_DEVICE_BODY static inline
#endif

#include "device/kernel_fold_body.h"
#include <math.h>

/* Elements of any type are copied in words of 4 or 8 bytes. */
typedef unsigned int __attribute__((may_alias)) sx_device_word;
typedef unsigned long long __attribute__((may_alias)) sx_device_long_word;

/* Copy element i of a nest. Threads with adjacent numbers copy elements that are adjacent along level 0. */
SX_DEVICE_BODY void sx_device_copy_element(const sx_device_nest *nest, ptrdiff_t i, const char *from,
                                           char *to)
{
    for (int k = 0; k < nest->nlevels; k++) {
        const ptrdiff_t rest = i / nest->n[k], at = i - rest * nest->n[k];
        from += at * nest->from[k];
        to += at * nest->to[k];
        i = rest;
    }
    if (nest->element % (ptrdiff_t)sizeof(sx_device_long_word) == 0)
        for (ptrdiff_t k = 0; k < nest->element; k += (ptrdiff_t)sizeof(sx_device_long_word))
            *(sx_device_long_word *)(to + k) = *(const sx_device_long_word *)(from + k);
    else
        for (ptrdiff_t k = 0; k < nest->element; k += (ptrdiff_t)sizeof(sx_device_word))
            *(sx_device_word *)(to + k) = *(const sx_device_word *)(from + k);
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
