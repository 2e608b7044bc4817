/* hipfftXt.h - declarations of what fft/cuda/hip.h needs of hipFFT (tests/api/hip/hip/hip_runtime.h). */
#ifndef TEST_HIPFFT_XT_H
#define TEST_HIPFFT_XT_H

#include <hip/hip_runtime.h>

enum hipfftResult { HIPFFT_SUCCESS, HIPFFT_ALLOC_FAILED };
enum { HIPFFT_FORWARD = -1, HIPFFT_BACKWARD = 1 };
typedef struct hipfftHandle_t *hipfftHandle;

extern "C" {
hipfftResult hipfftGetVersion(int *version);
hipfftResult hipfftCreate(hipfftHandle *plan);
hipfftResult hipfftDestroy(hipfftHandle plan);
hipfftResult hipfftSetStream(hipfftHandle plan, hipStream_t s);
hipfftResult hipfftXtMakePlanMany(hipfftHandle plan, int rank, long long *n, long long *inembed,
                                  long long istride, long long idist, hipDataType in, long long *onembed,
                                  long long ostride, long long odist, hipDataType out, long long batch,
                                  size_t *work, hipDataType execution);
hipfftResult hipfftXtExec(hipfftHandle plan, void *in, void *out, int direction);
}

#endif
