/* messages.c - whether MPI sends from and receives into the memory of a device. A message from such memory
 * can crash a program whose MPI does not expect it, so MPI is asked before any trial. No MPI has all of these
 * sources, and none is needed when this file is compiled. */
#include "device/device.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { NO, YES, UNKNOWN };

/* ---- sources of the answer */

/* Open MPI and MPICH have a function of this name, which is not of the standard. So it is found by its
 * name. */
static int ask_query(void)
{
    int (*query)(void);
    void *address = dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support");
    memcpy(&query, &address, sizeof query);
    return !query ? UNKNOWN : query() == 1 ? YES : NO;
}

/* MPICH has another such function. Its first argument is the number of a kind of GPU. */
static int ask_mpich(void)
{
    enum { CUDA = 0 };
    int (*query)(int, int *), is_supported = 0;
    void *address = dlsym(RTLD_DEFAULT, "MPIX_GPU_query_support");
    memcpy(&query, &address, sizeof query);
    if (!query || query(CUDA, &is_supported))
        return UNKNOWN;
    return is_supported ? YES : NO;
}

/* MPI 4.1 lists the kinds of memory that a communicator takes, such as "system,cuda:device", with or without
 * restrictions. The list may be shorter than what MPI can do, so a missing kind is no answer. */
static int read_kinds(const char *kind)
{
    char list[MPI_MAX_INFO_VAL + 1] = "";
    MPI_Info info;
    int found = 0;
    if (MPI_Comm_get_info(MPI_COMM_WORLD, &info))
        return UNKNOWN;
    (void)MPI_Info_get(info, "mpi_memory_alloc_kinds", MPI_MAX_INFO_VAL, list, &found);
    MPI_Info_free(&info);
    return found && sx_base_has_word(list, kind, ",:") ? YES : UNKNOWN;
}

/* Some MPIs only have a variable of the environment. It counts for no other MPI, which may have inherited
 * it. */
static int read_variables(void)
{
    static const char *const known[][2] = {{"MVAPICH", "MV2_USE_CUDA"},
                                           {"MVAPICH", "MVP_USE_CUDA"},
                                           {"CRAY MPICH", "MPICH_GPU_SUPPORT_ENABLED"}};
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    (void)MPI_Get_library_version(version, &length);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *value = strstr(version, known[i][0]) ? getenv(known[i][1]) : NULL;
        if (value && strcmp(value, "1") == 0)
            return YES;
    }
    return UNKNOWN;
}

/* ---- the answer */

/* One source that says yes is enough, because each of them knows only some cases. */
static int ask(const char *kind)
{
    const int answers[] = {ask_query(), ask_mpich(), read_kinds(kind), read_variables()};
    int answer = UNKNOWN;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (answers[i] != UNKNOWN && answer != YES)
            answer = answers[i];
    return answer;
}

int sx_device_query_messages(const sx_device *device, sx_text *why)
{
    const int answer = device->takes_messages ? device->takes_messages() : ask(device->name);
    if (answer != YES)
        sx_base_print(why, answer == NO ? "MPI takes no addresses of GPUs"
                                        : "MPI does not say whether it takes addresses of GPUs");
    return answer == YES;
}

void sx_device_print_messages(sx_text *t)
{
    static const char *const words[] = {[NO] = "no", [YES] = "yes", [UNKNOWN] = "unknown"};
    sx_base_print(t, "MPI takes addresses of GPUs: %s", words[ask("cuda")]);
}
