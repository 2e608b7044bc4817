/* candidates.c - list the libraries that transform the tiles: the serial backends, then the FFTWs that the user
 * names. */
#include "serial/pencils.h"

#include <string.h>

static int is_wanted(const struct sx_perf_serial_settings *settings, const char *name)
{
    for (int i = 0; i < settings->backends.n; i++)
        if (strcmp(settings->backends.name[i], name) == 0 || strcmp(settings->backends.name[i], "all") == 0)
            return 1;
    return settings->backends.n == 0 && strcmp(name, "naive") != 0;
}

static int find(const struct sx_perf_serial_job *job, const char *name)
{
    for (int i = 0; i < job->ncandidates; i++)
        if (strcmp(job->candidate[i].name, name) == 0)
            return i;
    return -1;
}

static void add(struct sx_perf_serial_job *job, const char *name,
                const struct sx_perf_serial_library *library, const void *which)
{
    if (job->ncandidates == SX_PERF_SERIAL_NCANDIDATES)
        sx_perf_program_exit(MPI_SUCCESS, "more than %d candidates", SX_PERF_SERIAL_NCANDIDATES);
    job->candidate[job->ncandidates++] = (struct sx_perf_serial_candidate){name, library, which};
}

static void check_backends(const struct sx_perf_names *names)
{
    for (int i = 0; i < names->n; i++) {
        int k = 0;
        while (sx_serial_table[k] && strcmp(sx_serial_table[k]->name, names->name[i]) != 0)
            k++;
        if (!sx_serial_table[k] && strcmp(names->name[i], "all") != 0 && strcmp(names->name[i], "none") != 0)
            sx_perf_program_exit(MPI_SUCCESS, "--backends: there is no %.40s", names->name[i]);
    }
}

/* Get the reference: the one that the user names; else the first FFTW that the user names; else the backend fftw3. */
static int get_reference(const struct sx_perf_serial_job *job)
{
    const struct sx_perf_serial_settings *s = &job->settings;
    const char *name = s->reference[0] ? s->reference : s->files.n ? s->files.name[0] : "fftw3";
    const int reference = find(job, name);
    if (s->reference[0] && reference < 0)
        sx_perf_program_exit(MPI_SUCCESS, "--reference: no candidate is called %.40s", name);
    return reference;
}

void sx_perf_serial_candidates_set(struct sx_perf_serial_job *job)
{
    const struct sx_perf_serial_settings *s = &job->settings;
    check_backends(&s->backends);
    for (int i = 0; sx_serial_table[i]; i++)
        if (is_wanted(s, sx_serial_table[i]->name))
            add(job, sx_serial_table[i]->name, &sx_perf_serial_backend, sx_serial_table[i]);
    const int nbackends = job->ncandidates;
    for (int i = 0; i < s->files.n; i++) {
        const int found = find(job, s->files.name[i]);
        if (found >= 0 && found < nbackends)
            sx_perf_program_exit(MPI_SUCCESS, "--fftw: %.40s is the name of a backend", s->files.name[i]);
        if (found < 0)
            add(job, s->files.name[i], &sx_perf_serial_fftw,
                sx_perf_serial_fftw_create(&s->files, s->files.name[i]));
    }
    if (job->ncandidates == 0)
        sx_perf_program_exit(MPI_SUCCESS, "there are no candidates: see --backends and --fftw");
    job->reference = get_reference(job);
}
