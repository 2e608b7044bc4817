/* piece.c - allocate memory for elements of random types, fill it, and note its contents. */
#include "compat/pmpi/piece.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 128 };

int piece_all, piece_overlapping;

static void allocate(piece *p, MPI_Datatype raw, int flags)
{
    MPI_Aint lowest, length, address;
    test_nested_span(raw, p->count, &lowest, &length);
    p->room = (size_t)length + 2 * GUARD;
    p->memory = malloc(p->room);
    if (!p->memory)
        abort();
    p->buf = p->memory + GUARD - lowest;
    if (flags & PIECE_BOTTOM) {
        MPI_Get_address(p->buf, &address);
        MPI_Type_create_hindexed_block(1, 1, &address, raw, &p->type);
        p->buf = MPI_BOTTOM;
    } else {
        MPI_Type_dup(raw, &p->type);
    }
}

/* Create the type of a piece. Sometimes it is a duplicate of the drawn type, because programs also use
 * duplicates. */
static void create(piece *p, const calls *mpi, test_random *r, MPI_Datatype *raw, int flags)
{
    MPI_Count size;
    const int is_dup = test_random_int(r, 0, 7) == 0;
    MPI_Type_size_x(*raw, &size);
    p->bytes = size * p->count;
    allocate(p, *raw, flags);
    if (!(flags & PIECE_BOTTOM) && !is_dup) {
        MPI_Type_free(&p->type);
        p->type = *raw;
    } else {
        MPI_Type_free(raw);
    }
    mpi->Type_commit(&p->type);
    if (is_dup) {
        MPI_Datatype dup;
        mpi->Type_dup(p->type, &dup);
        MPI_Type_free(&p->type);
        p->type = dup;
    }
    calls_plain.Type_dup(p->type, &p->kept);
}

/* Count a piece. If elements overlap, data that is unpacked and packed again has changed. */
static void count_piece(const piece *p)
{
    test_random r = test_random_stream(1, 0);
    const int bytes = (int)p->bytes;
    int at = 0;
    char *in = malloc(2 * (size_t)bytes + 1), *out = in + bytes;
    if (!in)
        abort();
    for (int i = 0; i < bytes; i++)
        in[i] = (char)test_random_int(&r, 0, 255);
    calls_plain.Unpack(in, bytes, &at, p->buf, p->count, p->kept, MPI_COMM_SELF);
    at = 0;
    calls_plain.Pack(p->buf, p->count, p->kept, out, bytes, &at, MPI_COMM_SELF);
    piece_all++;
    piece_overlapping += memcmp(in, out, (size_t)bytes) != 0;
    free(in);
}

int piece_flags(MPI_Count bytes, int is_own)
{
    return IS_OPENMPI && is_own && bytes > 900 ? PIECE_APART : 0;
}

static int draw_count(test_random *r, int n, int most)
{
    const int counts[] = {1, 1, 1, 2, 3, test_random_int(r, 0, 9)};
    const int count = counts[test_random_int(r, 0, 5)];
    return n == 0 || count <= most / n ? count : 1;
}

piece piece_exact(const calls *mpi, test_random *r, MPI_Datatype basic, int n, int count, int flags)
{
    piece p = {.count = count};
    MPI_Datatype raw = types_draw(r, basic, n, flags & PIECE_APART ? TYPES_APART : TYPES_ANY);
    MPI_Type_size(basic, &p.element);
    create(&p, mpi, r, &raw, flags);
    if (p.bytes > 0 && !(flags & PIECE_BOTTOM))
        count_piece(&p);
    return p;
}

piece piece_draw(const calls *mpi, test_random *r, MPI_Datatype basic, int n, int flags)
{
    int elements = types_elements(r, n > 0 ? n : 10), count;
    /* Without elements a message would be truncated; Open MPI 4.1 may then wait for ever, MPICH 4.0 may
     * crash. */
    if (n > 0 && elements == 0 && !(flags & PIECE_SENT))
        elements = 1;
    count = draw_count(r, elements, n);
    if (!(flags & PIECE_SENT) && elements > 0)
        count = (n + elements - 1) / elements + test_random_int(r, 0, 1);
    return piece_exact(mpi, r, basic, elements, count, flags);
}

MPI_Count piece_bytes(test_random *r, MPI_Datatype basic, int n)
{
    int element;
    const int elements = types_elements(r, n > 0 ? n : 10);
    MPI_Type_size(basic, &element);
    return (MPI_Count)element * elements * draw_count(r, elements, n);
}

void piece_free_type(piece *p)
{
    if (p->type != MPI_DATATYPE_NULL)
        MPI_Type_free(&p->type);
}

void piece_free(piece *p)
{
    piece_free_type(p);
    MPI_Type_free(&p->kept);
    free(p->memory);
}

void piece_fill(const piece *p, uint64_t seed)
{
    test_random r = test_random_stream(seed, p->room);
    for (size_t i = 0; i < p->room; i += sizeof(uint64_t)) {
        const uint64_t bits = test_random_bits(&r);
        memcpy(p->memory + i, &bits, p->room - i < sizeof bits ? p->room - i : sizeof bits);
    }
}

void piece_note(trace *t, const char *what, int where, const piece *p)
{
    trace_bytes(t, what, where, p->memory, p->room);
}

/* MPI sets the elements to 0: it unpacks zeros into them. So the test need not know where the elements
 * are. */
void piece_note_gaps(trace *t, const char *what, int where, const piece *p)
{
    int position = 0;
    void *zeros = calloc(1, (size_t)p->bytes + 1);
    if (!zeros || p->bytes > INT_MAX)
        abort();
    calls_plain.Unpack(zeros, (int)p->bytes, &position, p->buf, p->count, p->kept, MPI_COMM_SELF);
    free(zeros);
    piece_note(t, what, where, p);
}
