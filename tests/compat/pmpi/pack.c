/* pack.c - several types are packed one after the other, and unpacked as other types; also with buffers that
 * are too short. */
#include "compat/pmpi/scene.h"
#include <stdlib.h>

/* With MPICH 4.0 three things are left out: empty types, because it divides by the size of a type that it
 * unpacks; buffers that are too short, because it unpacks beyond their end; and MPI_BOTTOM, which it
 * refuses. */
enum { PIECES = 3, ELEMENTS = 60000 };

static int pack(scene *s, const piece *p, void *out, MPI_Count room, MPI_Count *position)
{
    int at = (int)*position, code;
#ifdef HAVE_MPI_TYPE_GET_CONTENTS_C
    if (s->large)
        return s->mpi->Pack_c(p->buf, p->count, p->type, out, room, position, s->comm);
#endif
    code = s->mpi->Pack(p->buf, p->count, p->type, out, (int)room, &at, s->comm);
    *position = at;
    return code;
}

static int unpack(scene *s, const void *in, MPI_Count room, MPI_Count *position, const piece *p)
{
    int at = (int)*position, code;
#ifdef HAVE_MPI_TYPE_GET_CONTENTS_C
    if (s->large)
        return s->mpi->Unpack_c(in, room, position, p->buf, p->count, p->type, s->comm);
#endif
    code = s->mpi->Unpack(in, (int)room, &at, p->buf, p->count, p->type, s->comm);
    *position = at;
    return code;
}

/* The buffer is longer than all pieces together. What is behind them shows whether packing stops at the right
 * address. */
void pack_run(scene *s)
{
    piece from[PIECES], to[PIECES];
    MPI_Count room = 200, position = 0;
    const int n = test_random_int(&s->r, 1, PIECES),
              is_short = IS_OPENMPI && test_random_int(&s->r, 0, 9) == 0;
    test_random own = scene_stream(s, 1, s->id, 0);
    for (int i = 0; i < n; i++) {
        const int drawn = types_elements(&own, ELEMENTS), elements = drawn + (drawn == 0 && !IS_OPENMPI),
                  count = test_random_int(&own, !IS_OPENMPI, 3);
        MPI_Datatype basic = types_basic(&own);
        const int bottom = IS_OPENMPI && test_random_int(&own, 0, 9) == 0 ? PIECE_BOTTOM : 0;
        from[i] = piece_exact(s->mpi, &own, basic, elements, count, PIECE_SENT | bottom);
        to[i] = piece_exact(s->mpi, &own, basic, elements * count, 1, bottom);
        piece_fill(&from[i], s->seed + (uint64_t)i);
        piece_fill(&to[i], s->seed + 9);
        room += 2 * from[i].bytes; /* bytes may be less than MPI_Pack_size, which MPICH demands */
    }
    unsigned char *packed = calloc(1, (size_t)room);
    if (!packed)
        abort();
    position = is_short ? room - from[0].bytes / 2 : test_random_int(&own, 0, 40);
    const MPI_Count first = position;
    for (int i = 0; i < n; i++) {
        trace_code(&s->trace, "the code of MPI_Pack", i, pack(s, &from[i], packed, room, &position));
        trace_int(&s->trace, "position", i, position);
    }
    trace_bytes(&s->trace, "packed", n, packed, is_short ? 0 : (size_t)room);
    position = is_short ? room - from[0].bytes / 2 : first;
    for (int i = 0; i < n && position >= 0; i++) {
        trace_code(&s->trace, "the code of MPI_Unpack", i, unpack(s, packed, room, &position, &to[i]));
        trace_int(&s->trace, "position", i, position);
        is_short ? piece_note_gaps(&s->trace, "gaps", i, &to[i])
                 : piece_note(&s->trace, "unpacked", i, &to[i]);
    }
    free(packed);
    for (int i = 0; i < n; i++) {
        piece_free(&from[i]);
        piece_free(&to[i]);
    }
}
