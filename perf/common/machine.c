/* machine.c - the head of a table: names, versions, the date, and the speed of copies. */
#include "common/perf.h"

#include <string.h>
#include <time.h>

enum { COPY_BYTES = 64 << 20, COPY_ROUNDS = 5, INFO_LINES = 64 };

/* MPI's name and version: the first line of its description, up to a comma, without the word "Version:". */
const char *sx_perf_machine_query_mpi(void)
{
    static char name[MPI_MAX_LIBRARY_VERSION_STRING];
    char all[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int len = 0;
    MPI_Get_library_version(all, &len);
    all[strcspn(all, ",\r\n")] = '\0';
    name[0] = '\0';
    for (char *word = strtok(all, " \t"); word; word = strtok(NULL, " \t"))
        if (strcmp(word, "Version:") != 0) {
            strcat(name, name[0] ? " " : "");
            strcat(name, word);
        }
    return name;
}

static void get_cpu(size_t len, char *text)
{
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(text, len, "unknown");
    for (int i = 0; file && i < INFO_LINES && fgets(line, sizeof line, file); i++)
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            line[strcspn(line, "\r\n")] = '\0';
            snprintf(text, len, "%s", strchr(line, ':') + 2);
            break;
        }
    if (file)
        fclose(file);
}

static void get_date(size_t len, char *text)
{
    time_t now = time(NULL);
    struct tm *utc = gmtime(&now);
    text[0] = '\0';
    if (utc)
        strftime(text, len, "%Y-%m-%dT%H:%M:%SZ", utc);
}

/* Get the rate of memcpy, bytes per second of one rank, while all ranks copy: the best of several rounds.
 * It is the rate of the host, also if the program measures on a device. */
static double get_copy_rate(const struct sx_perf_settings *given)
{
    struct sx_perf_settings host = *given;
    const struct sx_perf_settings *settings = &host;
    host.memory = given->memory == SX_PERF_DEVICE ? SX_PERF_PRIVATE : given->memory;
    struct sx_perf_progress silent = {.shown = 0, .total = 1};
    char *both = sx_perf_memory_create(settings, 2 * (ptrdiff_t)COPY_BYTES);
    struct sx_perf_copy copy = {both, both + COPY_BYTES, COPY_BYTES, SUBX_COPY_NULL};
    struct sx_perf_case c = {.run = sx_perf_time_copy, .context = &copy, .inner = 1, .alone = 1};
    sx_perf_time_execute(1, &c, COPY_ROUNDS, &silent);
    sx_perf_memory_free(settings, both);
    return COPY_BYTES / c.min;
}

static void export_hints(struct sx_perf_table *table, const struct sx_perf_settings *settings)
{
    for (int i = 0; i < settings->nhints; i++)
        sx_perf_table_set_head(table, settings->key[i], "%s", settings->value[i]);
}

void sx_perf_machine_export(struct sx_perf_table *table, const struct sx_perf_settings *settings)
{
    char cpu[SX_PERF_TEXT_MAX], date[SX_PERF_TEXT_MAX], device[SX_PERF_TEXT_MAX];
    double rate = get_copy_rate(settings);
    int major = 0, minor = 0, patch = 0;
    subx_version_get(&major, &minor, &patch);
    get_cpu(sizeof cpu, cpu);
    get_date(sizeof date, date);
    sx_perf_table_set_head(table, "program", "%s %d.%d.%d", sx_perf_program_get_name(), major, minor, patch);
    sx_perf_table_set_head(table, "mpi", "%s", sx_perf_machine_query_mpi());
    sx_perf_table_set_head(table, "ranks", "%d", sx_perf_program_get_nranks());
    sx_perf_table_set_head(table, "cpu", "%s", cpu);
    sx_perf_table_set_head(table, "date", "%s", date);
    sx_perf_table_set_head(table, "memory", "%s", sx_perf_options_device_memory[settings->memory]);
    sx_perf_table_set_head(table, "memcpy_gbps", "%.3f", rate / 1e9);
    if (settings->memory == SX_PERF_DEVICE) {
        sx_perf_memory_print_device(settings, sizeof device, device);
        sx_perf_table_set_head(table, "device", "%s", device);
    }
    sx_perf_table_set_head(table, "rounds", "%d", settings->repeat);
    export_hints(table, settings);
}
