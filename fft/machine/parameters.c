/* parameters.c - the parameters of the cost model: the values of a typical cluster, and their text. */
#include "machine/machine.h"
#include <math.h>
#include <string.h>

/* Orders of magnitude from documents of vendors and lists of supercomputers, for clusters of 2020 to 2025:
 * nodes of 64 to 128 cores with 200 to 800 GB/s of memory bandwidth, 1 to 2 MiB of cache per core, and a
 * network of 200 Gbit/s per node. The memory of another domain is slower by a factor that differs between
 * machines: 0.6 is an assumption. Devices: GPUs with 1.5 to 3 TB/s of memory bandwidth, 25 to 50 GB/s to the
 * host, and 200 to 450 GB/s to other GPUs of the node. */
void sx_machine_set_default(sx_machine *m)
{
    *m = (sx_machine){.flops = 1e10,
                      .memory = 5e9,
                      .across = 3e9,
                      .cache = 3e10,
                      .cache_bytes = 1.5e6,
                      .latency = {5e-7, 2e-6},
                      .bandwidth = {4e9, 2.5e10},
                      .stage = 5e-6,
                      .device_memory = 2e12,
                      .device_launch = 5e-6,
                      .device_host = 2e10,
                      .device_link = 2e11};
}

/* ---- text */

#define AT(member) offsetof(sx_machine, member)

enum { INSIDE_AND_BETWEEN = sizeof(double) };

static const struct parameter {
    const char *name;
    size_t offset;
} table[] = {
    {"flops", AT(flops)},
    {"memory", AT(memory)},
    {"across", AT(across)},
    {"cache", AT(cache)},
    {"cache_bytes", AT(cache_bytes)},
    {"latency_inside", AT(latency)},
    {"latency_between", AT(latency) + INSIDE_AND_BETWEEN},
    {"bandwidth_inside", AT(bandwidth)},
    {"bandwidth_between", AT(bandwidth) + INSIDE_AND_BETWEEN},
    {"stage", AT(stage)},
    {"device_memory", AT(device_memory)},
    {"device_launch", AT(device_launch)},
    {"device_host", AT(device_host)},
    {"device_link", AT(device_link)},
};

/* NHOST: the parameters before those of devices. */
enum { NPARAMETERS = sizeof table / sizeof *table, NHOST = NPARAMETERS - 4 };

const char *sx_machine_get(const sx_machine *m, int has_device, int i, double *value)
{
    if (i == (has_device ? NPARAMETERS : NHOST))
        return NULL;
    memcpy(value, (const char *)m + table[i].offset, sizeof *value);
    return table[i].name;
}

void sx_machine_print(const sx_machine *m, int has_device, sx_text *t)
{
    const char *name;
    double value;
    for (int i = 0; (name = sx_machine_get(m, has_device, i, &value)); i++) {
        sx_base_print(t, "%s%s ", i ? ", " : "", name);
        sx_base_print_number(t, 6, value);
    }
}

/* Find the parameter whose name, followed by a blank, begins the text; -1 if there is none. */
static int find(const char *text)
{
    for (int i = 0; i < NPARAMETERS; i++) {
        const size_t n = strlen(table[i].name);
        if (strncmp(text, table[i].name, n) == 0 && text[n] == ' ')
            return i;
    }
    return -1;
}

/* Query whether no parameter is missing. Those of devices may be missing together. */
static int is_complete(const double value[])
{
    int n = 0;
    for (int i = 0; i < NHOST; i++)
        if (!(value[i] > 0))
            return 0;
    for (int i = NHOST; i < NPARAMETERS; i++)
        n += value[i] > 0;
    return n == 0 || n == NPARAMETERS - NHOST;
}

/* Parse parameters in any order. value[i], which must be 0 before, becomes the value of parameter table[i].
 * Returns 1 if the text is right. */
static int parse(const char *text, double value[])
{
    for (int seen = 0; seen < NPARAMETERS; seen++) {
        const int i = find(text);
        if (i < 0 || value[i] > 0)
            return 0;
        const char *end = sx_base_parse_number(text + strlen(table[i].name), &value[i]);
        if (!(value[i] > 0) || !isfinite(value[i]))
            return 0;
        if (*end == 0)
            return is_complete(value);
        if (strncmp(end, ", ", 2) != 0)
            return 0;
        text = end + 2;
    }
    return 0;
}

int sx_machine_parse(const char *text, sx_machine *m)
{
    double value[NPARAMETERS] = {0};
    if (!parse(text, value))
        return subx_error_get_code(SUBX_ERR_HINT);
    for (int i = 0; i < NPARAMETERS; i++)
        if (value[i] > 0)
            memcpy((char *)m + table[i].offset, &value[i], sizeof value[i]);
    return MPI_SUCCESS;
}
