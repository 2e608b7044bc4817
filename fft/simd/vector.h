/* vector.h - features of the compiler for the template of the kernels: unrolled loops, inlining, shuffles.
 *
 * In a row a complex number is two adjacent reals, so two registers take the complex numbers of LANES
 * pencils. Shuffles separate the real and the imaginary parts after a load (EVEN, ODD), and join them again
 * before a store (LOW, HIGH). A shuffle within blocks of 16 bytes is one cheap instruction. It changes the
 * order of the pencils in a register, but the second shuffle restores the order. */
#ifndef SX_SIMD_VECTOR_H
#define SX_SIMD_VECTOR_H

#define INLINE TARGET static inline __attribute__((always_inline))

/* GCC unrolls a loop completely if the number is not smaller than that of the rounds; the longest loop has
 * SX_SIMD_WHOLE_MAX. */
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

/* Make the compiler forget how an integer was computed. In an unrolled loop that adds m to i in each round,
 * the compiler would otherwise keep each multiple of m in a register, and run out of registers. */
#define FORGET(i) __asm__("" : "+r"(i))

#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#define HAVE_HALVES /* a shuffle may have operands that are shorter or longer than its result */
#endif
#endif
#ifndef SHUFFLE
#define SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (MASK){__VA_ARGS__})
#endif

/* EVEN takes the even reals of two registers, ODD the odd reals; LOW and HIGH undo EVEN and ODD. BLOCK_.. do
 * the same with blocks of 16 bytes. ORDERED_.. keep the order of the pencils; EVEN and ODD may change it. */

/* Joined numbers (joined_body.h): both parts of each number swapped, and the signs of a product with i. */
#define SWAPPED_2 1, 0
#define SWAPPED_4 SWAPPED_2, 3, 2
#define SWAPPED_8 SWAPPED_4, 5, 4, 7, 6
#define SWAPPED_16 SWAPPED_8, 9, 8, 11, 10, 13, 12, 15, 14
#define ALTERNATING_2 -1, 1
#define ALTERNATING_4 ALTERNATING_2, ALTERNATING_2
#define ALTERNATING_8 ALTERNATING_4, ALTERNATING_4
#define ALTERNATING_16 ALTERNATING_8, ALTERNATING_8

/* The lower halves of two registers, and the upper ones. */
#define LOW_HALVES_8 0, 1, 2, 3, 8, 9, 10, 11
#define HIGH_HALVES_8 4, 5, 6, 7, 12, 13, 14, 15
#define LOW_HALVES_16 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define HIGH_HALVES_16 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31

/* Joined numbers in reverse: number 0 of the first register, then the last numbers of the second one. */
#define MIRRORED_4 0, 1, 6, 7
#define MIRRORED_8 0, 1, 14, 15, 12, 13, 10, 11
#define MIRRORED_16 0, 1, 30, 31, 28, 29, 26, 27, 24, 25, 22, 23, 20, 21, 18, 19

/* Doubles: 2, 4 and 8 per register. */
#define EVEN_D2 0, 2
#define ODD_D2 1, 3
#define EVEN_D4 0, 4, 2, 6
#define ODD_D4 1, 5, 3, 7
#define BLOCK_EVEN_D4 0, 1, 4, 5
#define BLOCK_ODD_D4 2, 3, 6, 7
#define EVEN_D8 0, 8, 2, 10, 4, 12, 6, 14
#define ODD_D8 1, 9, 3, 11, 5, 13, 7, 15
#define BLOCK_EVEN_D8 0, 1, 4, 5, 8, 9, 12, 13
#define BLOCK_ODD_D8 2, 3, 6, 7, 10, 11, 14, 15
#define ORDERED_EVEN_4 0, 2, 4, 6
#define ORDERED_ODD_4 1, 3, 5, 7
#define ORDERED_LOW_4 0, 4, 1, 5
#define ORDERED_HIGH_4 2, 6, 3, 7
#define ORDERED_EVEN_8 0, 2, 4, 6, 8, 10, 12, 14
#define ORDERED_ODD_8 1, 3, 5, 7, 9, 11, 13, 15
#define ORDERED_LOW_8 0, 8, 1, 9, 2, 10, 3, 11
#define ORDERED_HIGH_8 4, 12, 5, 13, 6, 14, 7, 15

#define REVERSED_4 3, 2, 1, 0
#define REVERSED_8 7, 6, 5, 4, 3, 2, 1, 0
#define ALL_8 0, 1, 2, 3, 4, 5, 6, 7

/* Floats: 4, 8 and 16 per register. */
#define EVEN_S4 0, 2, 4, 6
#define ODD_S4 1, 3, 5, 7
#define LOW_S4 0, 4, 1, 5
#define HIGH_S4 2, 6, 3, 7
#define PAIR_EVEN_S4 0, 1, 4, 5
#define PAIR_ODD_S4 2, 3, 6, 7
#define EVEN_S8 0, 2, 8, 10, 4, 6, 12, 14
#define ODD_S8 1, 3, 9, 11, 5, 7, 13, 15
#define LOW_S8 0, 8, 1, 9, 4, 12, 5, 13
#define HIGH_S8 2, 10, 3, 11, 6, 14, 7, 15
#define PAIR_EVEN_S8 0, 1, 8, 9, 4, 5, 12, 13
#define PAIR_ODD_S8 2, 3, 10, 11, 6, 7, 14, 15
#define BLOCK_EVEN_S8 0, 1, 2, 3, 8, 9, 10, 11
#define BLOCK_ODD_S8 4, 5, 6, 7, 12, 13, 14, 15
#define EVEN_S16 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30
#define ODD_S16 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31
#define LOW_S16 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define HIGH_S16 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#define PAIR_EVEN_S16 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define PAIR_ODD_S16 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#define BLOCK_EVEN_S16 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27
#define BLOCK_ODD_S16 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31
#define ORDERED_EVEN_16 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ORDERED_ODD_16 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define ORDERED_LOW_16 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define ORDERED_HIGH_16 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define REVERSED_16 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
#define ALL_16 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15

#endif
