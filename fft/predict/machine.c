/* machine.c - the description of a machine: a text with a line per value. */
#include "predict/predict.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The values of the lines as they are written; NAN if the line is not there. */
typedef struct values {
    double ranks_per_node, cores_per_node, memory_bandwidth, flops, cache_bandwidth, cache_bytes;
    double link_bandwidth, latency, overhead, overhead_inside, bandwidth_inside, stage;
    double nodes_per_group, tapering;
    int topology;       /* -1: not there */
    int has_calibrated; /* 1 if the description has a line with the output of --calibrate */
    sx_machine machine; /* the values of the output of --calibrate; without it, values of a typical cluster */
} values;

enum { REAL, WHOLE, AT_LEAST_1 };
enum { MAY_MISS, NEEDED, NEEDED_WITHOUT_CALIBRATED, NEEDED_WITH_GROUPS };

#define AT(member) offsetof(values, member)

static const struct line {
    const char *name;
    size_t offset;
    int sort, need;
} lines[] = {
    {"ranks_per_node", AT(ranks_per_node), WHOLE, NEEDED},
    {"cores_per_node", AT(cores_per_node), WHOLE, NEEDED},
    {"flops", AT(flops), REAL, NEEDED_WITHOUT_CALIBRATED},
    {"memory_bandwidth", AT(memory_bandwidth), REAL, NEEDED_WITHOUT_CALIBRATED},
    {"cache_bandwidth", AT(cache_bandwidth), REAL, MAY_MISS},
    {"cache_bytes", AT(cache_bytes), REAL, MAY_MISS},
    {"link_bandwidth", AT(link_bandwidth), REAL, NEEDED},
    {"latency", AT(latency), REAL, NEEDED},
    {"overhead", AT(overhead), REAL, NEEDED},
    {"overhead_inside", AT(overhead_inside), REAL, MAY_MISS},
    {"bandwidth_inside", AT(bandwidth_inside), REAL, MAY_MISS},
    {"stage", AT(stage), REAL, MAY_MISS},
    {"nodes_per_group", AT(nodes_per_group), WHOLE, NEEDED_WITH_GROUPS},
    {"tapering", AT(tapering), AT_LEAST_1, NEEDED_WITH_GROUPS},
};
enum { NLINES = sizeof lines / sizeof *lines };

static const char *const topologies[] = {"switch", "fat_tree", "dragonfly"};
enum { NTOPOLOGIES = sizeof topologies / sizeof *topologies };

/* The largest whole number that a line of sort WHOLE may have. */
enum { WHOLE_MAX = 1 << 16 };

/* ---- errors */

static int refuse(int at, const char *what, const char *name, size_t len)
{
    char text[SX_ERROR_LEN];
    sx_text t = {text, sizeof text, 0};
    sx_base_print(&t, "subx: the description of the machine");
    if (at > 0)
        sx_base_print(&t, ", line %d", at);
    sx_base_print(&t, ": %.*s%s%s", sx_base_fit(len < 60 ? (ptrdiff_t)len : 60), name, len ? " " : "", what);
    return sx_base_set_error_text(SUBX_ERR_HINT, text);
}

/* ---- lines */

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t\r");
}

static double *get_value(values *v, int i)
{
    return (void *)((char *)v + lines[i].offset);
}

static int find(const char *name, size_t len)
{
    for (int i = 0; i < NLINES; i++)
        if (strlen(lines[i].name) == len && memcmp(lines[i].name, name, len) == 0)
            return i;
    return -1;
}

static int is_end(const char *text)
{
    text = skip_blanks(text);
    return *text == 0 || *text == '#';
}

static int parse_number(int at, int i, const char *text, values *v)
{
    const char *name = lines[i].name;
    double x;
    const char *end = sx_base_parse_number(text, &x);
    if (!isnan(*get_value(v, i)))
        return refuse(at, "is there twice", name, strlen(name));
    if (end == text || !is_end(end) || !(x > 0) || !isfinite(x))
        return refuse(at, "must be a positive number", name, strlen(name));
    if (lines[i].sort == WHOLE && (x > WHOLE_MAX || x != floor(x)))
        return refuse(at, "must be a whole number of at most 65536", name, strlen(name));
    if (lines[i].sort == AT_LEAST_1 && x < 1)
        return refuse(at, "must be at least 1", name, strlen(name));
    *get_value(v, i) = x;
    return MPI_SUCCESS;
}

static int parse_topology(int at, const char *text, values *v)
{
    if (v->topology >= 0)
        return refuse(at, "topology is there twice", "", 0);
    for (int i = 0; i < NTOPOLOGIES; i++) {
        const size_t len = strlen(topologies[i]);
        if (strncmp(text, topologies[i], len) == 0 && is_end(text + len))
            v->topology = i;
    }
    return v->topology >= 0 ? MPI_SUCCESS
                            : refuse(at, "topology must be switch, fat_tree or dragonfly", "", 0);
}

/* Parse the value of line `at`: the text that subx_fft_machine_calibrate gives. */
static int parse_calibrated(int at, const char *text, values *v)
{
    char copy[SX_HINT_LEN];
    size_t len = strcspn(text, "#");
    while (len > 0 && strchr(" \t\r", text[len - 1]))
        len--;
    if (v->has_calibrated)
        return refuse(at, "calibrated is there twice", "", 0);
    snprintf(copy, sizeof copy, "%.*s", sx_base_fit((ptrdiff_t)len), text);
    v->has_calibrated = 1;
    return sx_machine_parse(copy, &v->machine) == MPI_SUCCESS
               ? MPI_SUCCESS
               : refuse(at, "calibrated must be the line that subx-fft --calibrate prints", "", 0);
}

static int parse_line(int at, const char *line, values *v)
{
    const char *name = skip_blanks(line);
    if (is_end(name))
        return MPI_SUCCESS;
    const size_t len = strcspn(name, " \t\r=#");
    const int i = find(name, len);
    const char *text = skip_blanks(name + len);
    if (len == 0 || *text != '=')
        return refuse(at, "must be name = value", "", 0);
    text = skip_blanks(text + 1);
    if (i >= 0)
        return parse_number(at, i, text, v);
    if (len == 8 && memcmp(name, "topology", 8) == 0)
        return parse_topology(at, text, v);
    if (len == 10 && memcmp(name, "calibrated", 10) == 0)
        return parse_calibrated(at, text, v);
    return refuse(at, "is not known", name, len);
}

enum { LINE_MAX_BYTES = 1023 };

static int parse_lines(const char *text, values *v)
{
    int rc = MPI_SUCCESS;
    for (int at = 1; *text && !rc; at++) {
        char line[LINE_MAX_BYTES + 1];
        const size_t len = strcspn(text, "\n");
        if (len > LINE_MAX_BYTES)
            return refuse(at, "has more than 1023 bytes", "", 0);
        memcpy(line, text, len);
        line[len] = 0;
        rc = parse_line(at, line, v);
        text += len + (text[len] == '\n');
    }
    return rc;
}

/* ---- the whole */

static int check(values *v)
{
    for (int i = 0; i < NLINES; i++) {
        const int is_needed = lines[i].need == NEEDED ||
                              (lines[i].need == NEEDED_WITHOUT_CALIBRATED && !v->has_calibrated) ||
                              (lines[i].need == NEEDED_WITH_GROUPS && v->topology > SX_SWITCH);
        if (is_needed && isnan(*get_value(v, i)))
            return refuse(0, "is missing", lines[i].name, strlen(lines[i].name));
    }
    if (v->topology < 0)
        return refuse(0, "is missing", "topology", 8);
    if (v->ranks_per_node > v->cores_per_node)
        return refuse(0, "exceeds cores_per_node", "ranks_per_node", 14);
    return MPI_SUCCESS;
}

static void take(double value, double *member)
{
    if (!isnan(value))
        *member = value;
}

/* Set the described machine. A value that the description leaves out is the calibrated one or, without
 * calibration, a typical one. */
static void set(const values *v, sx_described *d)
{
    sx_machine *m = &d->machine;
    *m = v->machine;
    take(v->flops, &m->flops);
    take(v->cache_bandwidth, &m->cache);
    take(v->cache_bytes, &m->cache_bytes);
    take(v->overhead_inside, &m->latency[SX_INSIDE]);
    take(v->overhead, &m->latency[SX_BETWEEN]);
    take(v->bandwidth_inside, &m->bandwidth[SX_INSIDE]);
    take(v->link_bandwidth, &m->bandwidth[SX_BETWEEN]);
    take(v->stage, &m->stage);
    d->memory_per_node = isnan(v->memory_bandwidth) ? 0 : v->memory_bandwidth;
    d->cores_per_node = sx_base_fit((ptrdiff_t)v->cores_per_node);
    d->network = (sx_network){.topology = v->topology,
                              .ranks_per_node = sx_base_fit((ptrdiff_t)v->ranks_per_node),
                              .nodes_per_group =
                                  isnan(v->nodes_per_group) ? 1 : sx_base_fit((ptrdiff_t)v->nodes_per_group),
                              .tapering = isnan(v->tapering) ? 1 : v->tapering,
                              .latency = v->latency};
}

int sx_predict_parse(const char *text, sx_described *d)
{
    values v = {.topology = -1};
    for (int i = 0; i < NLINES; i++)
        *get_value(&v, i) = NAN;
    sx_machine_set_default(&v.machine);
    int rc = parse_lines(text, &v);
    if (!rc)
        rc = check(&v);
    if (!rc)
        set(&v, d);
    return rc;
}
