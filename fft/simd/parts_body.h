/* parts_body.h - complex numbers in parts: a register has the real parts of LANES numbers, another one their
 * imaginary parts. Part of the template kernel_body.h. */

typedef struct OF(point) {
    V re, im;
} OF(point);

INLINE P NUMBERS(add)(P a, P b)
{
    return (P){a.re + b.re, a.im + b.im};
}

INLINE P NUMBERS(subtract)(P a, P b)
{
    return (P){a.re - b.re, a.im - b.im};
}

/* -i a */
INLINE P NUMBERS(rotate)(P a)
{
    return (P){a.im, -a.re};
}

/* a - i b factor */
INLINE P NUMBERS(add_turned_scaled)(P a, P b, R factor)
{
    return (P){a.re + b.im * factor, a.im - b.re * factor};
}

/* a - i b, a + i b */
INLINE P NUMBERS(add_turned)(P a, P b)
{
    return (P){a.re + b.im, a.im - b.re};
}

INLINE P NUMBERS(subtract_turned)(P a, P b)
{
    return (P){a.re - b.im, a.im + b.re};
}

INLINE P NUMBERS(scale)(P a, R factor)
{
    return (P){a.re * factor, a.im * factor};
}

/* a + b * factor */
INLINE P NUMBERS(add_scaled)(P a, P b, R factor)
{
    return (P){a.re + b.re * factor, a.im + b.im * factor};
}

INLINE P NUMBERS(times)(P a, R re, R im)
{
    return (P){a.re * re - a.im * im, a.im * re + a.re * im};
}
