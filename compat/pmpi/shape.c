/* shape.c - the datatype of packed messages: elements with a gap near the end. MPI moves such messages better
 * than contiguous ones.
 *
 *     bytes - TAIL    TAIL    TAIL
 *     [..............|  gap  |....]
 *
 * MPIs move a long contiguous message as a whole; Open MPI uses a system call that reads the sender's memory.
 * A message with a gap takes half as long, because MPI packs one piece while the receiver unpacks an earlier
 * piece. The gap also avoids a fault: if a message is longer than a contiguous receive buffer, Open MPI 4.1.4
 * writes beyond the end of the buffer.
 *
 * MPI cuts messages into pieces between elements of the sender's type. A rank without the interposer receives
 * elements of its own type, and Open MPI 4.1.4 loses bytes of some types if a piece ends within an element.
 * Therefore messages are sent as elements that are as long as possible (`unit` bytes). */
#include "pmpi/p2p.h"

/* The shapes that were used last. The length and the unit of a shape determine its place in the table. A
 * shape exists while the table or a parcel refers to it. */
enum { BITS = 6 };
static sx_pmpi_shape *table[1 << BITS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static MPI_Datatype get_element(int unit)
{
    return unit == 16  ? MPI_C_DOUBLE_COMPLEX
           : unit == 8 ? MPI_DOUBLE
           : unit == 4 ? MPI_FLOAT
           : unit == 2 ? MPI_INT16_T
                       : MPI_BYTE;
}

static sx_pmpi_shape *create(ptrdiff_t bytes, int unit)
{
    sx_pmpi_shape *s = sx_base_alloc(1, sizeof *s);
    int length[2] = {(int)((bytes - SX_TAIL) / unit), SX_TAIL / unit};
    MPI_Aint place[2] = {0, bytes};
    if (!s)
        return NULL;
    *s = (sx_pmpi_shape){bytes, unit, MPI_DATATYPE_NULL, 1};
    if (PMPI_Type_create_hindexed(2, length, place, get_element(unit), &s->type) ||
        sx_pmpi_real.Type_commit(&s->type)) {
        if (s->type != MPI_DATATYPE_NULL)
            PMPI_Type_free(&s->type);
        sx_base_free(s);
        return NULL;
    }
    return s;
}

static void release(sx_pmpi_shape *s)
{
    if (!s || --s->users > 0)
        return;
    PMPI_Type_free(&s->type);
    sx_base_free(s);
}

sx_pmpi_shape *sx_pmpi_shape_get(ptrdiff_t bytes, int unit)
{
    sx_pmpi_shape **place = &table[sx_pmpi_hash((uintptr_t)(bytes + unit), BITS)];
    pthread_mutex_lock(&lock);
    if (!*place || (*place)->bytes != bytes || (*place)->unit != unit) {
        release(*place);
        *place = create(bytes, unit);
    }
    sx_pmpi_shape *s = *place;
    if (s)
        s->users++;
    pthread_mutex_unlock(&lock);
    return s;
}

void sx_pmpi_shape_put(sx_pmpi_shape *s)
{
    if (!s)
        return;
    pthread_mutex_lock(&lock);
    release(s);
    pthread_mutex_unlock(&lock);
}

void sx_pmpi_shape_complete(void)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 1 << BITS; i++) {
        release(table[i]);
        table[i] = NULL;
    }
    pthread_mutex_unlock(&lock);
}
