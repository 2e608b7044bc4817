/* efforts.c - the names and flags of FFTW's planning efforts. Built only with FFTW. */
#include "common/perf.h"

#include <fftw3.h>

static const struct {
    const char *name;
    unsigned flag;
} efforts[SX_PERF_NEFFORTS] = {
    {"estimate", FFTW_ESTIMATE}, {"measure", FFTW_MEASURE}, {"patient", FFTW_PATIENT}};

const char *sx_perf_efforts_query(int effort)
{
    return efforts[effort].name;
}

unsigned sx_perf_efforts_get_flag(int effort)
{
    return efforts[effort].flag;
}

int sx_perf_efforts_parse(const char *text, void *target)
{
    return sx_perf_values_parse_name(text, SX_PERF_NEFFORTS, sx_perf_efforts_query, target);
}
