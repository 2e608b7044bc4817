/* joined_body.h - joined complex numbers: a register has LANES / 2 whole numbers, each of two adjacent reals,
 * as in memory. So loads and stores need no shuffles, and a butterfly needs half as many registers as with
 * parts (parts_body.h). But each multiplication by i or by a twiddle factor needs one shuffle. Part of the
 * template kernel_body.h.
 *
 * The file is included once for each direction. IS_BACKWARD replaces i by -i everywhere, so that the
 * butterflies are those of a backward transform. */

INLINE P NUMBERS(add)(P a, P b)
{
    return a + b;
}

INLINE P NUMBERS(subtract)(P a, P b)
{
    return a - b;
}

/* -i a */
INLINE P NUMBERS(rotate)(P a)
{
    const P signs = {ALTERNATING};
    return SHUFFLE(a, a, SWAPPED) * (IS_BACKWARD ? signs : -signs);
}

/* a - i b factor */
INLINE P NUMBERS(add_turned_scaled)(P a, P b, R factor)
{
    const P signs = {ALTERNATING};
    return a + SHUFFLE(b, b, SWAPPED) * (signs * (IS_BACKWARD ? factor : -factor));
}

/* a - i b, a + i b */
INLINE P NUMBERS(add_turned)(P a, P b)
{
    return NUMBERS(add_turned_scaled)(a, b, 1);
}

INLINE P NUMBERS(subtract_turned)(P a, P b)
{
    return NUMBERS(add_turned_scaled)(a, b, -1);
}

INLINE P NUMBERS(scale)(P a, R factor)
{
    return a * factor;
}

/* a + b * factor */
INLINE P NUMBERS(add_scaled)(P a, P b, R factor)
{
    return a + b * factor;
}

INLINE P NUMBERS(times)(P a, R re, R im)
{
    return NUMBERS(add_turned_scaled)(a * re, a, -im);
}
