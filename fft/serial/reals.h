/* reals.h - include the file BODY once per precision that the compiler has. In BODY, REAL is the type, and
 * NAME(verb) is the name of a function for this type. This file has no include guard, because a file may
 * include it with several BODYs. */
#define REAL float
#define NAME(verb) verb##_float
#include BODY
#undef REAL
#undef NAME

#define REAL double
#define NAME(verb) verb##_double
#include BODY
#undef REAL
#undef NAME

#define REAL long double
#define NAME(verb) verb##_long_double
#include BODY
#undef REAL
#undef NAME

#ifdef HAVE_FLOAT128
__extension__ typedef __float128 quad;
#define REAL quad
#define NAME(verb) verb##_quad
#include BODY
#undef REAL
#undef NAME
#endif

#undef BODY
