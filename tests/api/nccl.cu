/* nccl.cu - the interface of NCCL as fft/cuda/nccl.h has it, against the declarations of nccl.h: tests/api/cuda.sh compiles this
 * file. Enumerations count as ints, and handles and structs as what has their size. */
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <nccl.h>
#define SX_GPU_TEAMS "NCCL"
#define SX_GPU_TEAMS_LIBRARY "libnccl.so.2"
#include "device/device.h"

namespace {
cudaStream_t to_stream(void *stream)
{
    return static_cast<cudaStream_t>(stream);
}
} // namespace

#include "cuda/nccl.h"

/* Query whether two functions take and return values of the same sizes, in the same order. */
template <typename, typename> struct is_alike {
    static constexpr bool value = false;
};
template <typename R, typename... A, typename S, typename... B> struct is_alike<R (*)(A...), S (*)(B...)> {
    static constexpr bool has_as_many = sizeof...(A) == sizeof...(B);
    static constexpr bool compare()
    {
        const size_t a[] = {sizeof(R), sizeof(A)...}, b[] = {sizeof(S), sizeof(B)...};
        for (size_t i = 0; has_as_many && i <= sizeof...(A); i++)
            if (a[i] != b[i])
                return false;
        return has_as_many;
    }
    static constexpr bool value = compare();
};

#define ALIKE(ours, theirs) static_assert(is_alike<decltype(nccl::functions::ours), decltype(&theirs)>::value, #theirs)
ALIKE(get_version, ncclGetVersion);
ALIKE(get_id, ncclGetUniqueId);
ALIKE(init, ncclCommInitRankConfig);
ALIKE(finalize, ncclCommFinalize);
ALIKE(destroy, ncclCommDestroy);
ALIKE(abort, ncclCommAbort);
ALIKE(get_error, ncclCommGetAsyncError);
ALIKE(start_group, ncclGroupStart);
ALIKE(end_group, ncclGroupEnd);
ALIKE(send, ncclSend);
ALIKE(receive, ncclRecv);

static_assert(int(nccl::SUCCESS) == int(ncclSuccess) && int(nccl::IN_PROGRESS) == int(ncclInProgress), "results");
static_assert(int(nccl::BYTES) == int(ncclChar), "the type of data");
static_assert(int(nccl::OLDEST) == NCCL_VERSION(2, 14, 0), "the oldest version");
static_assert(sizeof(sx_device_id) == sizeof(ncclUniqueId), "names of teams");
static_assert(offsetof(nccl::config, magic) == offsetof(ncclConfig_t, magic) &&
                  offsetof(nccl::config, version) == offsetof(ncclConfig_t, version) &&
                  offsetof(nccl::config, blocking) == offsetof(ncclConfig_t, blocking),
              "the first members of the configuration");

/* The number that marks a configuration. */
int main(void)
{
    const ncclConfig_t c = NCCL_CONFIG_INITIALIZER;
    return c.magic == 0xcafebeef ? 0 : 1;
}
