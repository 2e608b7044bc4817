/* nccl.h - teams of GPUs by NCCL, or by RCCL on AMD's GPUs: a part of cuda.cu. The library is loaded when an exchange asks for it, so
 * neither its headers nor its library are needed to build. The names and numbers below are those of its documented interface
 * (tests/api/nccl.cu compares them with nccl.h).
 *
 * A communicator of NCCL is made non-blocking: then no call waits for other ranks, and the communicator can be aborted at any
 * time. That needs NCCL 2.14. */
#ifndef SX_CUDA_NCCL_H
#define SX_CUDA_NCCL_H

#include <dlfcn.h>
#include <pthread.h>

namespace {
namespace nccl {

enum { SUCCESS = 0, IN_PROGRESS = 7, BYTES = 0 }; /* results; the type of data */
enum { OLDEST = 21400 };                          /* 10000 major + 100 minor */

/* The first members of ncclConfig_t, which has had them since version 2.14; NCCL takes its defaults for the others. */
struct config {
    size_t size;
    unsigned magic, version;
    int blocking;
};

struct functions {
    int (*get_version)(int *version);
    int (*get_id)(sx_device_id *id);
    int (*init)(void **comm, int n, sx_device_id id, int r, config *c);
    int (*finalize)(void *comm);
    int (*destroy)(void *comm);
    int (*abort)(void *comm);
    int (*get_error)(void *comm, int *error);
    int (*start_group)(void);
    int (*end_group)(void);
    int (*send)(const void *at, size_t count, int type, int rank, void *comm, cudaStream_t stream);
    int (*receive)(void *at, size_t count, int type, int rank, void *comm, cudaStream_t stream);
    char why[256]; /* why the library cannot be used; empty if it can */
};

template <typename function> void find(void *library, const char *name, function *f, functions *all)
{
    void *address = library ? dlsym(library, name) : nullptr;
    memcpy(f, &address, sizeof *f);
    if (library && !address && !all->why[0])
        snprintf(all->why, sizeof all->why, SX_GPU_TEAMS " has no function %s", name);
}

functions loaded;
pthread_once_t once = PTHREAD_ONCE_INIT;

void load()
{
    functions &f = loaded;
    int version = 0;
    void *library = dlopen(SX_GPU_TEAMS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        snprintf(f.why, sizeof f.why, SX_GPU_TEAMS " cannot be loaded: %s", dlerror());
    find(library, "ncclGetVersion", &f.get_version, &f);
    find(library, "ncclGetUniqueId", &f.get_id, &f);
    find(library, "ncclCommInitRankConfig", &f.init, &f);
    find(library, "ncclCommFinalize", &f.finalize, &f);
    find(library, "ncclCommDestroy", &f.destroy, &f);
    find(library, "ncclCommAbort", &f.abort, &f);
    find(library, "ncclCommGetAsyncError", &f.get_error, &f);
    find(library, "ncclGroupStart", &f.start_group, &f);
    find(library, "ncclGroupEnd", &f.end_group, &f);
    find(library, "ncclSend", &f.send, &f);
    find(library, "ncclRecv", &f.receive, &f);
    if (!f.why[0] && (f.get_version(&version) != SUCCESS || version < OLDEST))
        snprintf(f.why, sizeof f.why, SX_GPU_TEAMS " is older than 2.14");
}

/* The library is loaded by the first call, and stays loaded. */
const functions &get()
{
    pthread_once(&once, load);
    return loaded;
}

int get_kind(int result)
{
    return result == SUCCESS || result == IN_PROGRESS ? SUBX_ERR_NONE : SUBX_ERR_DEVICE;
}

int find_library(sx_text *why)
{
    if (!get().why[0])
        return SUBX_ERR_NONE;
    const size_t left = why->used < why->room ? why->room - why->used : 0;
    const int length = snprintf(left ? why->at + why->used : nullptr, left, "%s", get().why);
    why->used += length > 0 ? (size_t)length : 0;
    return SUBX_ERR_UNAVAILABLE;
}

/* The address on the bus names a GPU of a node. Parts of a GPU (MIG) have one address: NCCL takes them for one GPU, too. */
int get_card(void *, sx_device_card *card)
{
    int device = 0, version = 0;
    memset(card, 0, sizeof *card);
    if (get().get_version(&version) != SUCCESS || cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetPCIBusId(card->device, sizeof card->device, device) != cudaSuccess) {
        (void)cudaGetLastError();
        return SUBX_ERR_DEVICE;
    }
    card->version = version;
    return SUBX_ERR_NONE;
}

int create_id(void *, sx_device_id *id)
{
    return get_kind(get().get_id(id));
}

struct team {
    void *comm;
};

bool is_finalized(void *comm)
{
    int state = IN_PROGRESS;
    bool is_fine = !get_kind(get().finalize(comm));
    while (is_fine && state == IN_PROGRESS)
        is_fine = get().get_error(comm, &state) == SUCCESS;
    return is_fine && state == SUCCESS;
}

void leave(void *self, int is_broken)
{
    team *t = static_cast<team *>(self);
    if (!t)
        return;
    if (t->comm && !is_broken && is_finalized(t->comm))
        (void)get().destroy(t->comm);
    else if (t->comm)
        (void)get().abort(t->comm);
    free(t);
}

int join(void *, const sx_device_id *id, int n, int r, void **result)
{
    config c = {sizeof c, 0xcafebeef, OLDEST, 0};
    team *t = static_cast<team *>(calloc(1, sizeof *t));
    *result = nullptr;
    if (!t)
        return SUBX_ERR_NO_MEM;
    const int kind = get_kind(get().init(&t->comm, n, *id, r, &c));
    if (kind)
        leave(t, 1);
    else
        *result = t;
    return kind;
}

int move(void *self, void *stream, int n, const sx_device_block block[])
{
    const team *t = static_cast<team *>(self);
    int kind = get_kind(get().start_group());
    if (kind)
        return kind;
    for (int i = 0; i < n && !kind; i++) {
        const sx_device_block *b = &block[i];
        const size_t bytes = (size_t)b->bytes;
        kind = get_kind(b->side == SX_FROM
                            ? get().send(b->at, bytes, BYTES, b->rank, t->comm, to_stream(stream))
                            : get().receive(b->at, bytes, BYTES, b->rank, t->comm, to_stream(stream)));
    }
    const int failed = get_kind(get().end_group());
    return kind ? kind : failed;
}

int poll(void *self, int *done)
{
    int state = SUCCESS;
    const int rc = get().get_error(static_cast<team *>(self)->comm, &state);
    *done = state == SUCCESS;
    return rc == SUCCESS ? get_kind(state) : SUBX_ERR_DEVICE;
}

const sx_device_teams table = {find_library, get_card, create_id, join, move, poll, leave};

} // namespace nccl
} // namespace

#endif
