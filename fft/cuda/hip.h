/* hip.h - the names of HIP and hipFFT (ROCm 6 or later) for those of CUDA and cuFFT that cuda.cu uses. With it, cuda.cu is the
 * device rocm: AMD's GPUs, in a library libsubx_rocm.so. No compiler of AMD and no such GPU has seen it yet (doc/gpu). */
#ifndef SX_CUDA_HIP_H
#define SX_CUDA_HIP_H

#include <hip/hip_runtime.h>
#include <hipfft/hipfftXt.h>

/* HIP counts versions as 10^7 major + 10^5 minor, hipFFT as 10^4 major + 100 minor. */
#define SX_GPU_NAME "rocm"
#define SX_GPU_TABLE sx_device_rocm
#define SX_GPU_RUNTIME "HIP"
#define SX_GPU_TRANSFORMS "hipFFT"
#define SX_GPU_TEAMS "RCCL"
#define SX_GPU_TEAMS_LIBRARY "librccl.so.1"
enum { SX_GPU_MAJOR = 10000000, SX_GPU_MINOR = 100000, SX_GPU_FFT_MAJOR = 10000, SX_GPU_FFT_MINOR = 100 };

/* ---- errors, the device */
#define cudaError_t hipError_t
#define cudaSuccess hipSuccess
#define cudaErrorMemoryAllocation hipErrorOutOfMemory
#define cudaErrorNotReady hipErrorNotReady
#define cudaGetLastError hipGetLastError
#define cudaGetErrorString hipGetErrorString
#define cudaDeviceProp hipDeviceProp_t
#define cudaGetDevice hipGetDevice
#define cudaGetDeviceCount hipGetDeviceCount
#define cudaDeviceGetPCIBusId hipDeviceGetPCIBusId
#define cudaGetDeviceProperties hipGetDeviceProperties
#define cudaDriverGetVersion hipDriverGetVersion
#define cudaRuntimeGetVersion hipRuntimeGetVersion

/* ---- memory */
#define cudaMalloc hipMalloc
#define cudaFree hipFree
#define cudaPointerAttributes hipPointerAttribute_t
#define cudaPointerGetAttributes hipPointerGetAttributes
#define cudaMemoryTypeDevice hipMemoryTypeDevice
#define cudaMemoryTypeManaged hipMemoryTypeManaged
#define cudaHostRegister hipHostRegister
#define cudaHostRegisterDefault hipHostRegisterDefault
#define cudaHostUnregister hipHostUnregister
#define cudaMemcpyAsync hipMemcpyAsync
#define cudaMemcpy2DAsync hipMemcpy2DAsync
#define cudaMemcpyDefault hipMemcpyDefault
#define cudaIpcMemHandle_t hipIpcMemHandle_t
#define cudaIpcGetMemHandle hipIpcGetMemHandle
#define cudaIpcOpenMemHandle hipIpcOpenMemHandle
#define cudaIpcCloseMemHandle hipIpcCloseMemHandle
#define cudaIpcMemLazyEnablePeerAccess hipIpcMemLazyEnablePeerAccess

/* ---- streams and events */
#define cudaStream_t hipStream_t
#define cudaStreamDefault hipStreamDefault
#define cudaStreamCreateWithFlags hipStreamCreateWithFlags
#define cudaStreamDestroy hipStreamDestroy
#define cudaStreamSynchronize hipStreamSynchronize
#define cudaStreamQuery hipStreamQuery
#define cudaStreamWaitEvent hipStreamWaitEvent
#define cudaEvent_t hipEvent_t
#define cudaEventCreateWithFlags hipEventCreateWithFlags
#define cudaEventDisableTiming hipEventDisableTiming
#define cudaEventDestroy hipEventDestroy
#define cudaEventRecord hipEventRecord
#define cudaEventSynchronize hipEventSynchronize

/* ---- transforms */
#define cudaDataType hipDataType
#define CUDA_R_32F HIP_R_32F
#define CUDA_R_64F HIP_R_64F
#define CUDA_C_32F HIP_C_32F
#define CUDA_C_64F HIP_C_64F
#define cufftHandle hipfftHandle
#define cufftResult hipfftResult
#define CUFFT_SUCCESS HIPFFT_SUCCESS
#define CUFFT_ALLOC_FAILED HIPFFT_ALLOC_FAILED
#define CUFFT_FORWARD HIPFFT_FORWARD
#define CUFFT_INVERSE HIPFFT_BACKWARD
#define cufftGetVersion hipfftGetVersion
#define cufftCreate hipfftCreate
#define cufftDestroy hipfftDestroy
#define cufftSetStream hipfftSetStream
#define cufftXtMakePlanMany hipfftXtMakePlanMany
#define cufftXtExec hipfftXtExec

#endif
