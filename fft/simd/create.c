/* create.c - create and free transforms. Equal transforms are one shared object. */
#include "simd/transform.h"
#include <pthread.h>

/* All transforms that exist. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sx_simd list = NULL;

static int is_equal(const sx_simd_problem *a, const sx_simd_problem *b)
{
    return a->precision == b->precision && a->kind == b->kind && a->direction == b->direction &&
           a->n == b->n && a->factor == b->factor && a->streams == b->streams;
}

static sx_simd find(const sx_simd_problem *p, const sx_simd_code *code)
{
    sx_simd s = list;
    while (s && !(s->code == code && is_equal(&s->p, p)))
        s = s->next;
    return s;
}

static void release(sx_simd s)
{
    for (int i = 0; i < s->nowned; i++)
        sx_base_free(s->owned[i]);
    sx_base_free(s);
}

static int build(const sx_simd_problem *p, const sx_simd_code *code, sx_simd *simd)
{
    sx_simd s = sx_base_alloc(1, sizeof *s);
    if (!s)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    s->p = *p;
    s->code = code;
    s->real_bytes = p->precision == SUBX_FFT_DOUBLE ? sizeof(double) : sizeof(float);
    int rc = sx_simd_kinds_set(s);
    if (rc) {
        release(s);
        return rc;
    }
    s->next = list;
    list = s;
    *simd = s;
    return MPI_SUCCESS;
}

int sx_simd_create(const sx_simd_problem *p, sx_simd *simd)
{
    const int is_known = p->precision == SUBX_FFT_FLOAT || p->precision == SUBX_FFT_DOUBLE;
    const sx_simd_set *set = sx_simd_get_set(p->set);
    const sx_simd_code *code = set && is_known ? set->code[p->precision] : NULL;
    int rc = MPI_SUCCESS;
    *simd = NULL;
    if (!code)
        return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    pthread_mutex_lock(&lock);
    *simd = find(p, code);
    if (!*simd)
        rc = build(p, code, simd);
    if (*simd)
        (*simd)->nusers++;
    pthread_mutex_unlock(&lock);
    return rc;
}

void sx_simd_free(sx_simd *simd)
{
    sx_simd *link = &list;
    if (!*simd)
        return;
    pthread_mutex_lock(&lock);
    if (--(*simd)->nusers == 0) {
        while (*link != *simd)
            link = &(*link)->next;
        *link = (*simd)->next;
        release(*simd);
    }
    pthread_mutex_unlock(&lock);
    *simd = NULL;
}
