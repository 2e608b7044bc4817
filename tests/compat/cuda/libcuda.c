/* libcuda.c - a library with the name of CUDA's driver, libcuda.so.1, and one function of it. It says that
 * some memory of the host is memory of a GPU. This memory is closed: whoever touches it gets a signal.
 * test_cuda_open opens it. */
#include "config.h"
#include <stddef.h>
#include <sys/mman.h>

typedef struct piece {
    char *at;
    size_t bytes;
    int is_managed;
} piece;

enum { PIECES = 64 };
static piece pieces[PIECES];
static int npieces;

/* Declared here, because no header declares them: the test and the library aware.c find them by name. */
int cuPointerGetAttribute(void *data, int attribute, unsigned long long address);
void *test_cuda_alloc(size_t bytes, int is_managed);
void test_cuda_open(int is_open);

/* CUDA's function: attribute 2 is the type of memory (1: host, 2: device), attribute 8 tells whether it is
 * managed. */
int cuPointerGetAttribute(void *data, int attribute, unsigned long long address)
{
    for (int i = 0; i < npieces; i++) {
        const unsigned long long first = (unsigned long long)(size_t)pieces[i].at;
        if (address < first || address >= first + pieces[i].bytes)
            continue;
        *(unsigned *)data = attribute == 2 ? 2 : attribute == 8 ? (unsigned)pieces[i].is_managed : 0;
        return 0;
    }
    return 1;
}

/* Managed memory is always open. NULL if there is no memory. */
void *test_cuda_alloc(size_t bytes, int is_managed)
{
    char *at = mmap(NULL, bytes, is_managed ? PROT_READ | PROT_WRITE : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
                    -1, 0);
    if (at == MAP_FAILED || npieces == PIECES)
        return NULL;
    pieces[npieces++] = (piece){at, bytes, is_managed};
    return at;
}

void test_cuda_open(int is_open)
{
    for (int i = 0; i < npieces; i++)
        if (!pieces[i].is_managed)
            (void)mprotect(pieces[i].at, pieces[i].bytes, is_open ? PROT_READ | PROT_WRITE : PROT_NONE);
}
