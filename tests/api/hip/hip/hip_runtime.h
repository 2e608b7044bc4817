/* hip_runtime.h - declarations of what fft/cuda/hip.h needs of HIP, for tests/api/cuda.sh: nvcc compiles cuda.cu with them, but
 * nothing defines these functions. Streams are those of CUDA, because nvcc starts kernels in them. */
#ifndef TEST_HIP_RUNTIME_H
#define TEST_HIP_RUNTIME_H

#include <cuda_runtime.h>

enum hipError_t { hipSuccess, hipErrorOutOfMemory, hipErrorNotReady };
enum hipMemoryType { hipMemoryTypeDevice, hipMemoryTypeManaged };
enum hipMemcpyKind { hipMemcpyDefault };
enum hipDataType { HIP_R_32F, HIP_R_64F, HIP_C_32F, HIP_C_64F };
enum { hipHostRegisterDefault, hipIpcMemLazyEnablePeerAccess, hipStreamDefault, hipEventDisableTiming };
typedef struct hipDeviceProp_t {
    char name[256];
} hipDeviceProp_t;
typedef struct hipPointerAttribute_t {
    hipMemoryType type;
    int device;
} hipPointerAttribute_t;
typedef struct hipIpcMemHandle_t {
    char reserved[64];
} hipIpcMemHandle_t;
typedef cudaStream_t hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;

extern "C" {
hipError_t hipGetLastError(void);
const char *hipGetErrorString(hipError_t e);
hipError_t hipGetDevice(int *device);
hipError_t hipGetDeviceCount(int *count);
hipError_t hipGetDeviceProperties(hipDeviceProp_t *p, int device);
hipError_t hipDeviceGetPCIBusId(char *bus, int length, int device);
hipError_t hipDriverGetVersion(int *version);
hipError_t hipRuntimeGetVersion(int *version);
hipError_t hipMalloc(void **address, size_t bytes);
hipError_t hipFree(void *address);
hipError_t hipPointerGetAttributes(hipPointerAttribute_t *a, const void *address);
hipError_t hipHostRegister(void *address, size_t bytes, unsigned flags);
hipError_t hipHostUnregister(void *address);
hipError_t hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind, hipStream_t s);
hipError_t hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                            size_t height, hipMemcpyKind kind, hipStream_t s);
hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t *handle, void *address);
hipError_t hipIpcOpenMemHandle(void **address, hipIpcMemHandle_t handle, unsigned flags);
hipError_t hipIpcCloseMemHandle(void *address);
hipError_t hipStreamCreateWithFlags(hipStream_t *s, unsigned flags);
hipError_t hipStreamDestroy(hipStream_t s);
hipError_t hipStreamSynchronize(hipStream_t s);
hipError_t hipStreamQuery(hipStream_t s);
hipError_t hipStreamWaitEvent(hipStream_t s, hipEvent_t e, unsigned flags);
hipError_t hipEventCreateWithFlags(hipEvent_t *e, unsigned flags);
hipError_t hipEventDestroy(hipEvent_t e);
hipError_t hipEventRecord(hipEvent_t e, hipStream_t s);
hipError_t hipEventSynchronize(hipEvent_t e);
}

#endif
