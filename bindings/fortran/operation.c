/* operation.c - operations that call a procedure of Fortran: the procedure gets the data as an array whose dimensions
 * are the axes. */
#include "fortran.h"

#include <pthread.h>
#include <stdlib.h>

/* An operation that calls a procedure of Fortran, and the data for the call. All entries are in one list. */
struct entry {
    subx_fft_operation operation;
    subx_f_function function;
    void *context;
    struct subx_f_element element;
    struct entry *next;
};
static struct entry *entries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Get the dimension in Fortran, counted from 0, of axis i in C. Axes are reversed. If there are several fields, they
 * are the last axis in C; in Fortran they are the first dimension if they are interleaved, else the last one. */
static int get_dimension(const struct subx_f_element *element, int ndims, int i)
{
    if (element->howmany == 1)
        return ndims - 1 - i;
    if (i == ndims - 1)
        return element->interleaved ? 0 : i;
    return ndims - 2 - i + (element->interleaved != 0);
}

static void call(void *context, int ndims, const ptrdiff_t start[], const ptrdiff_t n[],
                 const ptrdiff_t stride[], void *data)
{
    const struct entry *entry = context;
    CFI_CDESC_T(CFI_MAX_RANK) room;
    CFI_cdesc_t *array = (CFI_cdesc_t *)&room;
    CFI_index_t extent[CFI_MAX_RANK] = {0};
    ptrdiff_t first[CFI_MAX_RANK];

    if (ndims > CFI_MAX_RANK) /* too many axes for Fortran; check_rank has checked another plan */
        return;
    for (int i = 0; i < ndims; i++) {
        const int k = get_dimension(&entry->element, ndims, i);
        extent[k] = n[i];
        first[k] = start[i] + 1;
    }
    CFI_establish(array, data, CFI_attribute_other, entry->element.type, entry->element.bytes,
                  (CFI_rank_t)ndims, extent);
    for (int i = 0; i < ndims; i++)
        array->dim[get_dimension(&entry->element, ndims, i)].sm = stride[i] * (ptrdiff_t)entry->element.bytes;
    entry->function(entry->context, first, array);
}

static int check_rank(subx_fft_plan plan, const struct subx_f_element *element)
{
    subx_fft_problem problem;
    int ndims;

    subx_fft_plan_get(plan, &problem, NULL, NULL);
    subx_fft_problem_get(problem, &ndims, NULL, NULL, NULL, NULL);
    return ndims + (element->howmany > 1) <= CFI_MAX_RANK ? MPI_SUCCESS
                                                          : subx_error_get_code(SUBX_ERR_UNAVAILABLE);
}

int subx_f_operation_create(subx_fft_plan plan, subx_f_function function, void *context,
                            subx_fft_operation *operation)
{
    struct entry *entry;
    struct subx_f_element element;
    int code = subx_f_element_get(plan, SUBX_FFT_SPECTRAL, &element);

    *operation = SUBX_FFT_OPERATION_NULL;
    if (code == MPI_SUCCESS)
        code = check_rank(plan, &element);
    if (code == MPI_SUCCESS && !function)
        code = subx_error_get_code(SUBX_ERR_ARG);
    if (code != MPI_SUCCESS)
        return code;
    entry = malloc(sizeof *entry);
    if (!entry)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    *entry = (struct entry){.function = function, .context = context, .element = element};
    code = subx_fft_operation_create_function(call, entry, operation);
    if (code != MPI_SUCCESS) {
        free(entry);
        return code;
    }
    entry->operation = *operation;
    pthread_mutex_lock(&lock);
    entry->next = entries;
    entries = entry;
    pthread_mutex_unlock(&lock);
    return MPI_SUCCESS;
}

/* Take the entry of an operation out of the list; the caller frees it. NULL if the operation calls no procedure of
 * Fortran. */
static struct entry *remove_entry(subx_fft_operation operation)
{
    struct entry *found = NULL;

    pthread_mutex_lock(&lock);
    for (struct entry **at = &entries; *at; at = &(*at)->next) {
        if ((*at)->operation == operation) {
            found = *at;
            *at = found->next;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    return found;
}

int subx_f_operation_free(subx_fft_operation *operation)
{
    struct entry *entry = *operation ? remove_entry(*operation) : NULL;
    int code = subx_fft_operation_free(operation);

    free(entry);
    return code;
}
