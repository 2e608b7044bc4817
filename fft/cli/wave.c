/* wave.c - tables of exp(2 pi i m / n), accurate to the last bits. */
#include "cli/cli.h"

#include <math.h>

/* The angle is brought below an eighth of a turn in integers: there cos and sin lose nothing. */
static void set_wave(ptrdiff_t m, ptrdiff_t n, double wave[2])
{
    const double eighth = 0.785398163397448309616;
    ptrdiff_t octant = 8 * m / n, rest = 8 * m % n;
    double angle = eighth * (double)(octant % 2 ? n - rest : rest) / (double)n;
    double x = octant % 2 ? sin(angle) : cos(angle);
    double y = octant % 2 ? cos(angle) : sin(angle);
    for (; octant >= 2; octant -= 2) { /* a quarter turn */
        double turned = -y;
        y = x;
        x = turned;
    }
    wave[0] = x;
    wave[1] = y;
}

double *sx_cli_wave_create(ptrdiff_t n)
{
    double *wave = sx_cli_memory_create(n, 2 * sizeof(double));
    for (ptrdiff_t m = 0; wave && m < n; m++)
        set_wave(m, n, wave + 2 * m);
    return wave;
}
