/* fortran.h - the functions of C that only the Fortran modules call. The modules have an interface for each function,
 * except for subx_f_element_get, which arrays.c and operation.c share. */
#ifndef SUBX_FORTRAN_H
#define SUBX_FORTRAN_H

#include "config.h"

#include <subx_fft.h>

/* The header of the Fortran compiler with the descriptors of arrays. */
#include SUBX_FORTRAN_BINDING

/* An array of a plan as Fortran sees it: its dimensions are in storage order, the first one innermost. */
struct subx_f_shape {
    int rank;
    CFI_type_t type;
    size_t elem_bytes;
    CFI_index_t lower[CFI_MAX_RANK], extent[CFI_MAX_RANK], stride[CFI_MAX_RANK]; /* strides in bytes */
    int is_contiguous;
};

/* The type of elements of a side, and how many fields there are. */
struct subx_f_element {
    CFI_type_t type;
    size_t bytes;
    ptrdiff_t howmany;
    int interleaved;
};
int subx_f_element_get(subx_fft_plan plan, int side, struct subx_f_element *element);

/* Handles of MPI. */
void subx_f_comm_to_c(const MPI_Fint *from, MPI_Comm *to);
void subx_f_datatype_to_c(const MPI_Fint *from, MPI_Datatype *to);
void subx_f_info_to_c(const MPI_Fint *from, MPI_Info *to);
MPI_Fint subx_f_comm_from_c(const MPI_Comm *from);
MPI_Fint subx_f_datatype_from_c(const MPI_Datatype *from);
MPI_Fint subx_f_info_from_c(const MPI_Info *from);

void subx_f_raise(int code, const MPI_Fint *comm);

void *subx_f_address(const CFI_cdesc_t *array);
void subx_f_check_array(subx_fft_plan plan, int side, const CFI_cdesc_t *array, int *code);
void subx_f_allocate_memory(subx_fft_plan plan, void **memory, int *ierror);
void subx_f_allocate_real32(subx_fft_plan plan, int side, CFI_cdesc_t *array, int *ierror);
void subx_f_allocate_real64(subx_fft_plan plan, int side, CFI_cdesc_t *array, int *ierror);
void subx_f_allocate_complex32(subx_fft_plan plan, int side, CFI_cdesc_t *array, int *ierror);
void subx_f_allocate_complex64(subx_fft_plan plan, int side, CFI_cdesc_t *array, int *ierror);
void subx_f_get_real32(subx_fft_plan plan, int side, void *memory, CFI_cdesc_t *array, int *ierror);
void subx_f_get_real64(subx_fft_plan plan, int side, void *memory, CFI_cdesc_t *array, int *ierror);
void subx_f_get_complex32(subx_fft_plan plan, int side, void *memory, CFI_cdesc_t *array, int *ierror);
void subx_f_get_complex64(subx_fft_plan plan, int side, void *memory, CFI_cdesc_t *array, int *ierror);

/* A procedure of the caller, for subx_fft_operation_create_function of Fortran, and the functions that create and free
 * its operation. */
typedef void (*subx_f_function)(void *context, const ptrdiff_t start[], CFI_cdesc_t *data);
int subx_f_operation_create(subx_fft_plan plan, subx_f_function function, void *context,
                            subx_fft_operation *operation);
int subx_f_operation_free(subx_fft_operation *operation);

#endif
