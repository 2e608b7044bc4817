/* cuda.cu - the device cuda: NVIDIA's GPUs, by the CUDA runtime and cuFFT. It is a library of its own,
 * libsubx_cuda.so, which libsubx and libsubx_fft load when an exchange or a plan asks for it; it calls
 * nothing of these.
 *
 * A plan, exchange or copy uses the device that is current when it is created; it must also be current when
 * it is executed. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <cufftXt.h>
#define SX_GPU_NAME "cuda"
#define SX_GPU_TABLE sx_device_cuda
#define SX_GPU_RUNTIME "CUDA"
#define SX_GPU_TRANSFORMS "cuFFT"
/* CUDA counts versions as 1000 major + 10 minor, cuFFT as 1000 major + 100 minor. */
enum { SX_GPU_MAJOR = 1000, SX_GPU_MINOR = 10, SX_GPU_FFT_MAJOR = 1000, SX_GPU_FFT_MINOR = 100 };
#define SX_DEVICE_BODY static __device__ __forceinline__
#define SX_DEVICE_HOST static
#include "device/device.h"
#include "device/kernel_body.h"

namespace {

/* ---- errors */

/* Get the kind of an error. The runtime remembers an error until cudaGetLastError is called, so it is called
 * here: a later check must not find an old error. */
int get_kind(cudaError_t e)
{
    if (e == cudaSuccess)
        return SUBX_ERR_NONE;
    (void)cudaGetLastError();
    return e == cudaErrorMemoryAllocation ? SUBX_ERR_NO_MEM : SUBX_ERR_DEVICE;
}

int get_kind(cufftResult r)
{
    if (r == CUFFT_SUCCESS)
        return SUBX_ERR_NONE;
    return r == CUFFT_ALLOC_FAILED ? SUBX_ERR_NO_MEM : SUBX_ERR_DEVICE;
}

/* ---- the device; its handle is not used, but must not be null */

int open_device(void **self, sx_text *why)
{
    static const char here = 0;
    int count = 0;
    const cudaError_t e = cudaGetDeviceCount(&count);
    *self = nullptr;
    if (e != cudaSuccess || count == 0) {
        const int length = snprintf(why->at, why->room, "%s", e ? cudaGetErrorString(e) : "there is no GPU");
        why->used = length > 0 ? (size_t)length : 0;
        return SUBX_ERR_UNAVAILABLE;
    }
    *self = const_cast<char *>(&here);
    return SUBX_ERR_NONE;
}

void close_device(void *) {}

void append(sx_text *t, const char *format, const char *name, int version, int major, int minor)
{
    const size_t left = t->used < t->room ? t->room - t->used : 0;
    const int length = snprintf(left ? t->at + t->used : nullptr, left, format, name, version / major,
                                version % major / minor);
    t->used += length > 0 ? (size_t)length : 0;
}

void describe(void *, sx_text *text)
{
    cudaDeviceProp p;
    int device = 0, driver = 0, runtime = 0, fft = 0;
    if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&p, device) != cudaSuccess)
        snprintf(p.name, sizeof p.name, "unknown GPU");
    (void)cudaDriverGetVersion(&driver);
    (void)cudaRuntimeGetVersion(&runtime);
    (void)cufftGetVersion(&fft);
    (void)cudaGetLastError();
    append(text, "%s, driver of " SX_GPU_RUNTIME " %d.%d", p.name, driver, SX_GPU_MAJOR, SX_GPU_MINOR);
    append(text, ", %s %d.%d", "runtime", runtime, SX_GPU_MAJOR, SX_GPU_MINOR);
    append(text, ", %s %d.%d", SX_GPU_TRANSFORMS, fft, SX_GPU_FFT_MAJOR, SX_GPU_FFT_MINOR);
}

/* ---- memory */

int alloc_memory(void *, ptrdiff_t bytes, void **address)
{
    return get_kind(cudaMalloc(address, bytes > 0 ? (size_t)bytes : 1));
}

void free_memory(void *, void *address)
{
    cudaFree(address);
}

bool is_on_device(const char *at)
{
    cudaPointerAttributes a;
    if (cudaPointerGetAttributes(&a, at) != cudaSuccess) {
        (void)cudaGetLastError();
        return false;
    }
    return a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged;
}

int has_memory(void *, const void *address, ptrdiff_t bytes)
{
    const char *at = static_cast<const char *>(address);
    return is_on_device(at) && is_on_device(at + (bytes > 0 ? bytes - 1 : 0));
}

int is_current(void *, const void *address)
{
    cudaPointerAttributes a;
    int device = 0;
    if (cudaPointerGetAttributes(&a, address) == cudaSuccess && cudaGetDevice(&device) == cudaSuccess)
        return a.device == device;
    (void)cudaGetLastError();
    return 0;
}

int pin(void *, void *host, ptrdiff_t bytes)
{
    return get_kind(cudaHostRegister(host, (size_t)bytes, cudaHostRegisterDefault));
}

void unpin(void *, void *host)
{
    cudaHostUnregister(host);
}

/* ---- memory of other processes */

/* A process that imports memory sees whole blocks, of which cudaMalloc gives parts. */
enum { BLOCK = 2 << 20 };

static_assert(sizeof(cudaIpcMemHandle_t) <= sizeof(sx_device_ticket), "a handle fits into a ticket");

int export_memory(void *, void *address, sx_device_ticket *ticket)
{
    cudaIpcMemHandle_t handle;
    const int kind = get_kind(cudaIpcGetMemHandle(&handle, address));
    if (!kind)
        memcpy(ticket->bytes, &handle, sizeof handle);
    return kind;
}

/* If the memory is on another GPU, the two GPUs must be able to reach each other. */
int import_memory(void *, const sx_device_ticket *ticket, void **address)
{
    cudaIpcMemHandle_t handle;
    *address = nullptr;
    memcpy(&handle, ticket->bytes, sizeof handle);
    return get_kind(cudaIpcOpenMemHandle(address, handle, cudaIpcMemLazyEnablePeerAccess));
}

void drop_memory(void *, void *address)
{
    cudaIpcCloseMemHandle(address);
}

/* ---- streams and events */

cudaStream_t to_stream(void *stream)
{
    return static_cast<cudaStream_t>(stream);
}

cudaEvent_t to_event(void *event)
{
    return static_cast<cudaEvent_t>(event);
}

/* cudaStreamDefault: work on this stream begins after the work that is already in the default stream. So
 * kernels that the caller put there have written the caller's arrays before a plan reads them. */
int create_stream(void *, void **stream)
{
    cudaStream_t s = nullptr;
    const int kind = get_kind(cudaStreamCreateWithFlags(&s, cudaStreamDefault));
    *stream = s;
    return kind;
}

void free_stream(void *stream)
{
    if (stream)
        cudaStreamDestroy(to_stream(stream));
}

int create_event(void *, void **event)
{
    cudaEvent_t e = nullptr;
    const int kind = get_kind(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    *event = e;
    return kind;
}

void free_event(void *event)
{
    if (event)
        cudaEventDestroy(to_event(event));
}

int record(void *stream, void *event)
{
    return get_kind(cudaEventRecord(to_event(event), to_stream(stream)));
}

int await(void *stream, void *event)
{
    return get_kind(cudaStreamWaitEvent(to_stream(stream), to_event(event), 0));
}

int wait_event(void *event)
{
    return get_kind(cudaEventSynchronize(to_event(event)));
}

int finish(void *stream)
{
    return get_kind(cudaStreamSynchronize(to_stream(stream)));
}

/* ---- kernels; if there are more elements than threads, each thread handles several elements */

enum { THREADS = 256, BLOCKS = 1 << 16 };

unsigned count_blocks(ptrdiff_t n)
{
    const ptrdiff_t blocks = (n + THREADS - 1) / THREADS;
    return (unsigned)(blocks < BLOCKS ? blocks : BLOCKS);
}

__device__ ptrdiff_t get_first()
{
    return (ptrdiff_t)blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ ptrdiff_t get_step()
{
    return (ptrdiff_t)gridDim.x * blockDim.x;
}

__device__ __forceinline__ void fix_element(const sx_device_fix *f, ptrdiff_t i, int folds, const float *from,
                                            float *to)
{
    sx_device_fix_element_float(f, i, folds, from, to);
}

__device__ __forceinline__ void fix_element(const sx_device_fix *f, ptrdiff_t i, int folds,
                                            const double *from, double *to)
{
    sx_device_fix_element_double(f, i, folds, from, to);
}

/* Folds need most of the registers, and are rare. */
template <typename real, bool folds>
__global__ void run_fix(const sx_device_fix fix, const real *from, real *to)
{
    for (ptrdiff_t i = get_first(); i < fix.count; i += get_step())
        fix_element(&fix, i, folds, from, to);
}

__global__ void run_multiply_float(const sx_device_product p, const float *factors, float *x)
{
    for (ptrdiff_t i = get_first(); i < p.count; i += get_step())
        sx_device_multiply_element_float(&p, i, factors, x);
}

__global__ void run_multiply_double(const sx_device_product p, const double *factors, double *x)
{
    for (ptrdiff_t i = get_first(); i < p.count; i += get_step())
        sx_device_multiply_element_double(&p, i, factors, x);
}

__device__ void scale_number(float *x, double factor)
{
    sx_device_scale_number_float(x, 0, factor);
}

__device__ void scale_number(double *x, double factor)
{
    sx_device_scale_number_double(x, 0, factor);
}

/* A thread that reads several numbers before it writes the first one has more bytes in flight. */
enum { EACH = 4 };

template <typename real> __global__ void run_scale(real *x, ptrdiff_t n, double factor)
{
    for (ptrdiff_t first = get_first(); first < n; first += get_step() * EACH) {
        real value[EACH];
#pragma unroll
        for (int k = 0; k < EACH; k++)
            if (first + k * get_step() < n)
                value[k] = x[first + k * get_step()];
#pragma unroll
        for (int k = 0; k < EACH; k++)
            if (first + k * get_step() < n) {
                scale_number(&value[k], factor);
                x[first + k * get_step()] = value[k];
            }
    }
}

#include "cuda/permute.h"

int copy(void *stream, void *to, const void *from, ptrdiff_t bytes)
{
    return get_kind(cudaMemcpyAsync(to, from, (size_t)bytes, cudaMemcpyDefault, to_stream(stream)));
}

int copy_rows(void *stream, const sx_device_rows *rows, const void *from, void *to)
{
    int kind = SUBX_ERR_NONE;
    for (ptrdiff_t i = 0; i < rows->level[1].n && !kind; i++)
        kind = get_kind(cudaMemcpy2DAsync(
            static_cast<char *>(to) + i * rows->level[1].os, (size_t)rows->level[0].os,
            static_cast<const char *>(from) + i * rows->level[1].is, (size_t)rows->level[0].is,
            (size_t)rows->bytes, (size_t)rows->level[0].n, cudaMemcpyDefault, to_stream(stream)));
    return kind;
}

template <typename real> void launch_fix(void *stream, const sx_device_fix &fix, const void *from, void *to)
{
    const auto run = sx_device_has_folds(&fix) ? run_fix<real, true> : run_fix<real, false>;
    run<<<count_blocks(fix.count), THREADS, 0, to_stream(stream)>>>(fix, static_cast<const real *>(from),
                                                                    static_cast<real *>(to));
}

int fix(void *stream, const sx_device_fix *fix, const void *from, void *to)
{
    if (fix->count == 0)
        return SUBX_ERR_NONE;
    if (fix->real_bytes == sizeof(float))
        launch_fix<float>(stream, *fix, from, to);
    else
        launch_fix<double>(stream, *fix, from, to);
    return get_kind(cudaGetLastError());
}

int multiply(void *stream, const sx_device_product *p, const void *factors, void *x)
{
    if (p->count == 0)
        return SUBX_ERR_NONE;
    if (p->real_bytes == sizeof(float))
        run_multiply_float<<<count_blocks(p->count), THREADS, 0, to_stream(stream)>>>(
            *p, static_cast<const float *>(factors), static_cast<float *>(x));
    else
        run_multiply_double<<<count_blocks(p->count), THREADS, 0, to_stream(stream)>>>(
            *p, static_cast<const double *>(factors), static_cast<double *>(x));
    return get_kind(cudaGetLastError());
}

template <typename real> void launch_scale(void *stream, void *x, ptrdiff_t n, double factor)
{
    run_scale<<<count_blocks((n + EACH - 1) / EACH), THREADS, 0, to_stream(stream)>>>(static_cast<real *>(x),
                                                                                      n, factor);
}

int scale(void *stream, int real_bytes, void *x, ptrdiff_t n, double factor)
{
    if (n == 0)
        return SUBX_ERR_NONE;
    if (real_bytes == sizeof(float))
        launch_scale<float>(stream, x, n, factor);
    else
        launch_scale<double>(stream, x, n, factor);
    return get_kind(cudaGetLastError());
}

/* ---- transforms. One execution of a cuFFT plan loops over one dimension, its batch: the first loop. The
 * other loops are in this file, around the execution */

struct transform_state {
    cufftHandle plan;
    int direction, nloops;
    ptrdiff_t bytes[2]; /* of an element, for each side */
    sx_dim loop[SUBX_NDIMS_MAX];
};

int make_plan(const sx_device_fft *p, transform_state *t)
{
    const bool is_float = p->real_bytes == sizeof(float);
    const cudaDataType real = is_float ? CUDA_R_32F : CUDA_R_64F,
                       complex = is_float ? CUDA_C_32F : CUDA_C_64F;
    const bool reads_real = p->width[SX_FROM] == 1, writes_real = p->width[SX_TO] == 1;
    const int last = p->naxes - 1;
    const sx_dim axis = p->axis[last], batch = p->nloops ? p->loop[0] : sx_dim{1, 1, 1};
    const ptrdiff_t bytes = is_float ? sizeof(float) : sizeof(double);
    long long n[SX_DEVICE_NAXES_MAX], in[SX_DEVICE_NAXES_MAX], out[SX_DEVICE_NAXES_MAX];
    size_t work = 0;
    for (int k = 0; k <= last; k++) {
        n[k] = p->axis[k].n;
        in[k] = k ? p->axis[k - 1].is / p->axis[k].is : n[k];
        out[k] = k ? p->axis[k - 1].os / p->axis[k].os : n[k];
    }
    t->bytes[SX_FROM] = reads_real ? bytes : 2 * bytes;
    t->bytes[SX_TO] = writes_real ? bytes : 2 * bytes;
    t->direction = p->sign < 0 ? CUFFT_FORWARD : CUFFT_INVERSE;
    return get_kind(cufftXtMakePlanMany(t->plan, p->naxes, n, in, axis.is, batch.is,
                                        reads_real ? real : complex, out, axis.os, batch.os,
                                        writes_real ? real : complex, batch.n, &work, complex));
}

void free_transform(void *transform)
{
    transform_state *t = static_cast<transform_state *>(transform);
    if (!t)
        return;
    cufftDestroy(t->plan);
    free(t);
}

int create_transform(void *, const sx_device_fft *p, int, void **transform)
{
    transform_state *t = static_cast<transform_state *>(calloc(1, sizeof *t));
    *transform = nullptr;
    if (!t)
        return SUBX_ERR_NO_MEM;
    int kind = get_kind(cufftCreate(&t->plan));
    if (kind) {
        free(t);
        return kind;
    }
    t->nloops = p->nloops;
    memcpy(t->loop, p->loop, (size_t)p->nloops * sizeof *p->loop);
    kind = make_plan(p, t);
    if (kind)
        free_transform(t);
    else
        *transform = t;
    return kind;
}

int transform(void *stream, void *transform, void *in, void *out)
{
    const transform_state *t = static_cast<transform_state *>(transform);
    ptrdiff_t count = 1;
    int kind = get_kind(cufftSetStream(t->plan, to_stream(stream)));
    for (int l = 1; l < t->nloops; l++)
        count *= t->loop[l].n;
    for (ptrdiff_t i = 0; i < count && !kind; i++) {
        ptrdiff_t rest = i, from = 0, to = 0;
        for (int l = 1; l < t->nloops; rest /= t->loop[l++].n) {
            from += rest % t->loop[l].n * t->loop[l].is;
            to += rest % t->loop[l].n * t->loop[l].os;
        }
        kind = get_kind(cufftXtExec(t->plan, static_cast<char *>(in) + from * t->bytes[SX_FROM],
                                    static_cast<char *>(out) + to * t->bytes[SX_TO], t->direction));
    }
    return kind;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const sx_device SX_GPU_TABLE = {SX_GPU_NAME,
                                                                                  PACKAGE_VERSION,
                                                                                  open_device,
                                                                                  close_device,
                                                                                  describe,
                                                                                  alloc_memory,
                                                                                  free_memory,
                                                                                  has_memory,
                                                                                  is_current,
                                                                                  pin,
                                                                                  unpin,
                                                                                  BLOCK,
                                                                                  export_memory,
                                                                                  import_memory,
                                                                                  drop_memory,
                                                                                  nullptr,
                                                                                  nullptr,
                                                                                  create_stream,
                                                                                  free_stream,
                                                                                  create_event,
                                                                                  free_event,
                                                                                  record,
                                                                                  await,
                                                                                  wait_event,
                                                                                  finish,
                                                                                  copy,
                                                                                  copy_rows,
                                                                                  permute,
                                                                                  fix,
                                                                                  multiply,
                                                                                  scale,
                                                                                  create_transform,
                                                                                  free_transform,
                                                                                  transform};
