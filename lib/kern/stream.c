/* stream.c - writes cache lines past the caches, by the widest registers of the processor: if a line takes
 * fewer instructions, more lines are in flight at a time. plane.c and rows.c decide which copies use this. */
#include "config.h"
#include "kern/stream.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

__attribute__((target("avx512f"))) static void write_avx512(char *out, const char *in, ptrdiff_t lines)
{
    for (; lines > 0; lines--, in += SX_LINE, out += SX_LINE)
        _mm512_stream_si512((__m512i *)out, _mm512_loadu_si512(in));
}

__attribute__((target("avx"))) static void write_avx(char *out, const char *in, ptrdiff_t lines)
{
    for (; lines > 0; lines--, in += SX_LINE, out += SX_LINE) {
        __m256i a = _mm256_loadu_si256((const __m256i *)in), b = _mm256_loadu_si256((const __m256i *)in + 1);
        _mm256_stream_si256((__m256i *)out, a);
        _mm256_stream_si256((__m256i *)out + 1, b);
    }
}

static void write_sse2(char *out, const char *in, ptrdiff_t lines)
{
    for (; lines > 0; lines--, in += SX_LINE, out += SX_LINE)
        for (int i = 0; i < 4; i++)
            _mm_stream_si128((__m128i *)out + i, _mm_loadu_si128((const __m128i *)in + i));
}

sx_kern_lines *sx_kern_stream_get(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return write_avx512;
    return __builtin_cpu_supports("avx") ? write_avx : write_sse2;
}

void sx_kern_stream_complete(void)
{
    _mm_sfence();
}

#else

/* A plain copy is enough here: processors other than x86-64 detect that whole lines are written, and do not
 * read these lines first. */
static void write_plain(char *out, const char *in, ptrdiff_t lines)
{
    memcpy(out, in, (size_t)(lines * SX_LINE));
}

sx_kern_lines *sx_kern_stream_get(void)
{
    return write_plain;
}

void sx_kern_stream_complete(void) {}

#endif
