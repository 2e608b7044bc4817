/* machine.c - the parameters of the cost model in wisdom: read them for a choice; measure them, and put them
 * into wisdom. */
#include "decision/decision.h"
#include "search/search.h"
#include "wisdom/wisdom.h"
#include <math.h>
#include <string.h>

enum { TEXT = 1024 }; /* bytes of a key, or of a value */

/* Print the key of the machine's entry. Only the key of rank 0 is used, with the names of its processor and
 * its MPI, because rank 0 reads and writes wisdom. If `device` is not NULL, the entry has its parameters,
 * too. */
static void print_key(const sx_placement *p, const sx_device *device, sx_text *t)
{
    sx_machine_print_cpu(t);
    sx_base_print(t, ", ");
    sx_machine_print_mpi(t);
    sx_base_print(t, ", subarray_x %d.%d.%d, %.0f ranks per node", SUBX_VERSION_MAJOR, SUBX_VERSION_MINOR,
                  SUBX_VERSION_PATCH, round((double)p->nranks / p->nnodes));
    if (!device)
        return;
    sx_base_print(t, ", ");
    sx_device_print(device, t);
    sx_base_print(t, ", ");
    sx_device_print_messages(t);
}

/* ---- hints */

/* Hints, and the arguments of a calibration. They must be the same on all ranks. */
typedef struct settings {
    char wisdom[SX_HINT_LEN], node_ranks[SX_HINT_LEN], memory_kind[SX_HINT_LEN];
    double seconds;
    const sx_device *device; /* NULL if the host alone is measured */
} settings;

static const sx_hint hints_read[] = {
    {"subx_wisdom", SX_HINT_TEXT, offsetof(settings, wisdom), .text = "auto"},
    {SX_WORD_NODE_RANKS, .type = SX_HINT_TEXT, .offset = offsetof(settings, node_ranks), .text = ""},
    {"subx_memory_kind", SX_HINT_TEXT, offsetof(settings, memory_kind), .text = SX_DEVICE_SYSTEM,
     .is_right = sx_device_is_kind, .right = SX_DEVICE_KINDS, .is_of_program = 1},
};
enum { NHINTS = sizeof hints_read / sizeof *hints_read };

/* ---- reading */

/* Find the entry for a device, or for the host only, in the file that the hint names. Returns 1 if there is
 * one. Called on rank 0. */
static int find_entry(sx_choice *c, MPI_Comm all, const char *hint, const sx_device *device)
{
    char key[TEXT], *text = NULL;
    sx_text k = {key, sizeof key, 0};
    print_key(c->shared.placement, device, &k);
    sx_search_find(all, hint, SX_WISDOM_MACHINE, key, &text, NULL);
    const int is_found = text && !sx_machine_parse(text, c->shared.machine);
    sx_base_free(text);
    return is_found;
}

/* Read the hints. Errors are found again, and reported, when all hints are read: here they mean that there is
 * no wisdom. */
static void find_settings(MPI_Info hints, settings *r)
{
    char why[SX_ERROR_LEN];
    sx_text t = {why, sizeof why, 0};
    if (sx_base_hints_parse(hints_read, NHINTS, hints, r))
        strcpy(r->wisdom, "none");
    else
        (void)sx_device_find(r->memory_kind, &r->device, &t);
}

/* Query whether MPI refuses addresses of the device on this rank. */
static int refuses_messages(const sx_device *device)
{
    char why[SX_ERROR_LEN];
    sx_text t = {why, sizeof why, 0};
    return device && !sx_device_query_messages(device, &t);
}

/* Get the machine's parameters from wisdom: rank 0 parses the entry, and sends the values to the other ranks.
 * If there is no entry for the device, the parameters of the host are taken from the entry for the host. Also
 * find out whether MPI takes addresses of the device. */
static int find_machine(sx_choice *c, MPI_Comm all, MPI_Info hints)
{
    settings r = {.seconds = 0};
    int rank = 0, rc;
    (void)MPI_Comm_rank(all, &rank);
    find_settings(hints, &r);
    int refuses = refuses_messages(r.device);
    if (rank == 0 && strcmp(r.wisdom, "none") != 0 && !(r.device && find_entry(c, all, r.wisdom, r.device)))
        (void)find_entry(c, all, r.wisdom, NULL);
    rc = MPI_Bcast(c->shared.machine, (int)sizeof *c->shared.machine, MPI_BYTE, 0, all);
    rc = sx_base_agree_flags(all, rc, NULL, 1, &refuses);
    c->shared.takes_messages = r.device && !refuses;
    return rc;
}

int sx_search_recall_machine(sx_choice *c, MPI_Comm all, MPI_Info hints)
{
    c->shared.machine = sx_base_alloc(1, sizeof *c->shared.machine);
    c->shared.placement = sx_base_alloc(1, sizeof *c->shared.placement);
    int rc = c->shared.machine && c->shared.placement ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = sx_base_agree(all, rc, NULL);
    if (!rc) {
        sx_machine_set_default(c->shared.machine);
        rc = sx_placement_create(all, hints, c->shared.placement);
    }
    return rc ? rc : find_machine(c, all, hints);
}

/* ---- measuring */

/* Take the steps that can fail on one rank alone. The ranks communicate afterwards. */
static int prepare(MPI_Info hints, size_t len, const char *text, settings *r, char path[SX_WISDOM_PATH])
{
    if (!(r->seconds > 0) || !isfinite(r->seconds) || (len && !text))
        return subx_error_get_code(SUBX_ERR_ARG);
    char why[SX_ERROR_LEN] = "";
    sx_text t = {why, sizeof why, 0};
    int rc = sx_base_hints_parse(hints_read, NHINTS, hints, r);
    if (!rc && sx_device_find(r->memory_kind, &r->device, &t))
        rc = sx_base_hint_refuse(hints, "subx_memory_kind", SUBX_ERR_UNAVAILABLE, why);
    return rc ? rc : sx_wisdom_get_path(r->wisdom, path);
}

static int agree(MPI_Comm all, int rc, const settings *r)
{
    char key[4 * SX_HINT_LEN] = "";
    sx_text t = {key, sizeof key, 0};
    if (!rc) {
        sx_base_hints_print(hints_read, NHINTS, r, &t);
        sx_base_print(&t, ", seconds ");
        sx_base_print_number(&t, 6, r->seconds);
    }
    return sx_base_agree(all, rc, key);
}

/* Put the parameters into wisdom; only rank 0 writes. */
static int put(MPI_Comm all, const char *path, const sx_placement *p, const sx_device *device,
               const char *value)
{
    char key[TEXT];
    sx_text t = {key, sizeof key, 0};
    int rank;
    int rc = MPI_Comm_rank(all, &rank);
    if (!rc && rank == 0 && *path) {
        print_key(p, device, &t);
        rc = sx_wisdom_put(path, SX_WISDOM_MACHINE, key, value, NULL);
    }
    return sx_base_agree(all, rc, NULL);
}

static int calibrate(MPI_Comm all, MPI_Info hints, const settings *r, const char *path, size_t len,
                     char *text)
{
    char value[TEXT];
    sx_text t = {value, sizeof value, 0};
    sx_placement p;
    sx_machine m;
    int rc = sx_placement_create(all, hints, &p);
    if (rc)
        return rc;
    sx_machine_set_default(&m);
    rc = sx_machine_calibrate(all, &p, hints, r->device, r->seconds, &m);
    if (!rc) {
        sx_machine_print(&m, r->device != NULL, &t);
        if (len) {
            sx_text out = {text, len, 0};
            sx_base_print(&out, "%s", value);
        }
        rc = put(all, path, &p, r->device, value);
    }
    sx_placement_free(&p);
    return rc;
}

/* A rank with wrong arguments still takes part in the agreement. */
int subx_fft_machine_calibrate(MPI_Comm comm, MPI_Info hints, double seconds, size_t len, char *text)
{
    char path[SX_WISDOM_PATH] = "";
    settings r = {.seconds = seconds};
    subx_grid line;
    MPI_Comm all;
    int rc = sx_decision_create_all_ranks(comm, &line);
    if (rc)
        return rc;
    (void)subx_grid_get_comm(line, -1, &all);
    rc = agree(all, prepare(hints, len, text, &r, path), &r);
    if (!rc)
        rc = calibrate(all, hints, &r, path, len, text);
    int failed = subx_grid_free(&line);
    return rc ? rc : failed;
}
