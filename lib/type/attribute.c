/* attribute.c - the description of a subarray type, attached to it as an MPI attribute.
 *
 * MPI copies an attribute in MPI_Type_dup. It deletes the attribute when it destroys the type, which may be
 * long after MPI_Type_free. A table of handles instead of attributes would not notice that MPI has reused a
 * handle for another type. */
#include "type/type.h"
#include <pthread.h>
#include <string.h>

static int keyval = MPI_KEYVAL_INVALID;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* MPI_Type_dup calls this function: the duplicate shares the description of the type. */
static int share(MPI_Datatype type, int key, void *extra, void *in, void *out, int *flag)
{
    (void)type, (void)key, (void)extra;
    sx_subarray *a = in;
    __atomic_add_fetch(&a->references, 1, __ATOMIC_RELAXED);
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

/* Give up one reference to the description; after the last one, free the description. The counter is atomic
 * because different threads may free duplicates of one type. */
static void release(sx_subarray *a)
{
    int predefined = 1;
    if (__atomic_sub_fetch(&a->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    sx_type_is_predefined(a->oldtype, &predefined);
    if (!predefined)
        MPI_Type_free(&a->oldtype);
    sx_base_free(a);
}

/* MPI calls this function when it destroys a type. */
static int drop(MPI_Datatype type, int key, void *in, void *extra)
{
    (void)type, (void)key, (void)extra;
    release(in);
    return MPI_SUCCESS;
}

static void create_keyval(void)
{
    MPI_Type_create_keyval(share, drop, &keyval, NULL);
}

/* Query whether the type has the attribute: MPI may have set the attribute although it has returned an
 * error. */
static int has(MPI_Datatype type, const sx_subarray *a)
{
    void *found = NULL;
    int flag = 0;
    return !MPI_Type_get_attr(type, keyval, &found, &flag) && flag && found == a;
}

/* The description keeps a duplicate of the old type, because the caller may free the old type while the new
 * type still exists. */
int sx_type_set_subarray(MPI_Datatype type, const sx_subarray *description)
{
    int predefined;
    pthread_once(&once, create_keyval);
    int rc = sx_type_is_predefined(description->oldtype, &predefined);
    if (rc)
        return rc;
    sx_subarray *a = sx_base_alloc(1, sizeof *a);
    if (!a)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    memcpy(a, description, sizeof *a);
    a->references = 1;
    if (!predefined)
        rc = MPI_Type_dup(description->oldtype, &a->oldtype);
    if (rc) {
        sx_base_free(a);
        return rc;
    }
    rc = MPI_Type_set_attr(type, keyval, a);
    if (rc && !has(type, a))
        release(a);
    return rc;
}

int sx_type_get_subarray(MPI_Datatype type, const sx_subarray **description)
{
    void *found = NULL;
    int flag = 0;
    *description = NULL;
    /* If another thread is creating the key at this moment, wait for the key. */
    pthread_once(&once, create_keyval);
    if (keyval == MPI_KEYVAL_INVALID) /* MPI could not create the key, so no type has a description */
        return MPI_SUCCESS;
    int rc = MPI_Type_get_attr(type, keyval, &found, &flag);
    if (!rc && flag)
        *description = found;
    return rc;
}
