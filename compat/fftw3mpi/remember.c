/* remember.c - remember in wisdom whether our plan or FFTW's own plan was faster, so that no later job
 * compares them again. An entry is about our plan (subx_fft_plan_set_wisdom), the request, and FFTW's
 * version:
 *
 *     ours; 0.0123; 0.0145     the library that has the faster plan; seconds of one execution of ours, and of
 *                              FFTW's */
#include "fftw3mpi/fftw3mpi.h"
#include <fftw3.h>
#include <string.h>

#define KIND "fftw3mpi"

static const char *const names[] = {[SX_FFTW_OURS] = "ours", [SX_FFTW_STOCK] = "fftw"};

/* The result depends on the flags, too: with more rigor FFTW's plan may be faster. */
static void print_what(const sx_fftw_request *q, sx_text *t)
{
    sx_fftw_print_request(q, t);
    sx_base_print(t, ", flags %x, %s", q->flags & ~(unsigned)FFTW_WISDOM_ONLY, q->precision->version);
}

/* Parse a value. The result is SX_FFTW_UNKNOWN if the text is wrong. */
static int parse(const char *text, double seconds[2])
{
    int winner = SX_FFTW_STOCK;
    while (winner != SX_FFTW_UNKNOWN && strncmp(text, names[winner], strlen(names[winner])) != 0)
        winner--;
    const char *at = winner == SX_FFTW_UNKNOWN ? "" : text + strlen(names[winner]);
    for (int i = 0; i < 2; i++) {
        const char *from = at + (*at == ';'), *end = sx_base_parse_number(from, &seconds[i]);
        if (*at != ';' || end == from || !(seconds[i] > 0))
            return SX_FFTW_UNKNOWN;
        at = end;
    }
    return *at ? SX_FFTW_UNKNOWN : winner;
}

static int recall(const sx_fftw_request *q, const sx_fftw_plan *ours, double seconds[2])
{
    char what[SX_HINT_LEN] = "", value[SX_HINT_LEN] = "";
    sx_text t = {what, sizeof what, 0};
    if (ours->plan == SUBX_FFT_PLAN_NULL)
        return SX_FFTW_UNKNOWN;
    print_what(q, &t);
    if (subx_fft_plan_get_wisdom(ours->plan, KIND, what, sizeof value, value, NULL))
        return SX_FFTW_UNKNOWN;
    return parse(value, seconds);
}

int sx_fftw_recall(const sx_fftw_request *q, const sx_fftw_plan *ours, double seconds[2])
{
    double all[3] = {SX_FFTW_UNKNOWN, 0, 0};
    if (q->rank == 0)
        all[0] = recall(q, ours, &all[1]);
    if (MPI_Bcast(all, 3, MPI_DOUBLE, 0, q->comm) || all[0] <= SX_FFTW_UNKNOWN)
        return SX_FFTW_UNKNOWN;
    memcpy(seconds, &all[1], 2 * sizeof *seconds);
    return (int)all[0];
}

/* There are no times if nothing was compared. */
void sx_fftw_remember(const sx_fftw_request *q, const sx_fftw_plan *ours, int winner, const double seconds[2])
{
    char what[SX_HINT_LEN] = "", value[SX_HINT_LEN] = "";
    sx_text w = {what, sizeof what, 0}, v = {value, sizeof value, 0};
    if (q->rank != 0 || ours->plan == SUBX_FFT_PLAN_NULL || !(seconds[0] > 0))
        return;
    print_what(q, &w);
    sx_base_print(&v, "%s; ", names[winner]);
    sx_base_print_number(&v, 6, seconds[0]);
    sx_base_print(&v, "; ");
    sx_base_print_number(&v, 6, seconds[1]);
    (void)subx_fft_plan_set_wisdom(ours->plan, KIND, what, value);
}
