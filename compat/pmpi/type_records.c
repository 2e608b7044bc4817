/* type_records.c - records of committed datatypes that are strided blocks; packing and unpacking by these
 * records.
 *
 * A table maps a datatype's handle (key) to its record. Readers take no lock: the record of a slot is written
 * before its key. When MPI destroys a type, it deletes the attribute that marks the type, and our callback
 * removes the key. A reused handle therefore never gets the record of the old type. */
#include "pmpi/pmpi.h"
#include <stdlib.h>

/* Keys of slots without a type. No MPI handle has these values. */
enum { FREE = 0, GONE = 1 };

typedef struct slot {
    uintptr_t key;
    sx_record *record;
} slot;

/* A table has 2^bits slots. When a table is full, a new one of twice the length replaces it. The old one is
 * kept, because readers may still use it; all old tables together are not longer than the new one. */
typedef struct table {
    int bits, used; /* used: slots that are not FREE */
    struct table *before;
    slot slots[];
} table;

static table *current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int keyval = MPI_KEYVAL_INVALID;

static uintptr_t key_of(MPI_Datatype type)
{
    return (uintptr_t)type;
}

/* Get the slot of a key; NULL if there is none. */
static slot *find(table *t, uintptr_t key)
{
    size_t mask = ((size_t)1 << t->bits) - 1;
    for (size_t i = sx_pmpi_hash(key, t->bits);; i = (i + 1) & mask) {
        uintptr_t k = __atomic_load_n(&t->slots[i].key, __ATOMIC_ACQUIRE);
        if (k == key)
            return &t->slots[i];
        if (k == FREE)
            return NULL;
    }
}

sx_record *sx_pmpi_record_get(MPI_Datatype type)
{
    table *t = __atomic_load_n(&current, __ATOMIC_ACQUIRE);
    slot *s = t ? find(t, key_of(type)) : NULL;
    return s && !sx_pmpi_depth ? s->record : NULL;
}

/* Put a record into a slot that is FREE or GONE, of a table that has room. The key is written last, because a
 * reader that finds the key reads the record at once. */
static void enter(table *t, uintptr_t key, sx_record *record)
{
    size_t mask = ((size_t)1 << t->bits) - 1, i = sx_pmpi_hash(key, t->bits);
    while (t->slots[i].key > GONE)
        i = (i + 1) & mask;
    t->used += t->slots[i].key == FREE;
    t->slots[i].record = record;
    __atomic_store_n(&t->slots[i].key, key, __ATOMIC_RELEASE);
}

/* Remove a key from its slot. The slot becomes GONE, because searches for other keys must go on to the next
 * slot. But if the next slot is FREE, each search ends there. Then this slot and the GONE slots directly
 * before it become FREE. */
static void clear(table *t, slot *s)
{
    const size_t mask = ((size_t)1 << t->bits) - 1;
    size_t i = (size_t)(s - t->slots);
    __atomic_store_n(&s->key, (uintptr_t)GONE, __ATOMIC_RELEASE);
    if (t->slots[(i + 1) & mask].key != FREE)
        return;
    for (; t->slots[i].key == GONE; i = (i - 1) & mask) {
        __atomic_store_n(&t->slots[i].key, (uintptr_t)FREE, __ATOMIC_RELEASE);
        t->used--;
    }
}

/* Get a table with room for one more record; at most three quarters of its slots are used. NULL if there is
 * no memory. */
static table *get_room(void)
{
    table *old = current;
    if (old && old->used < 3 << (old->bits - 2))
        return old;
    const int bits = old ? old->bits + 1 : 8;
    table *t = sx_base_alloc(1, sizeof *t + (sizeof(slot) << bits));
    if (!t)
        return NULL;
    t->bits = bits;
    t->before = old;
    for (size_t i = 0; old && i >> old->bits == 0; i++)
        if (old->slots[i].key > GONE)
            enter(t, old->slots[i].key, old->slots[i].record);
    __atomic_store_n(&current, t, __ATOMIC_RELEASE);
    return t;
}

void sx_pmpi_record_hold(sx_record *record)
{
    __atomic_add_fetch(&record->references, 1, __ATOMIC_RELAXED);
}

void sx_pmpi_record_drop(sx_record *record)
{
    if (__atomic_sub_fetch(&record->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    for (sx_pmpi_copies *c = record->copies, *next; c; c = next) {
        next = c->next;
        subx_copy_free(&c->pack);
        subx_copy_free(&c->unpack);
        sx_base_free(c);
    }
    pthread_mutex_destroy(&record->lock);
    sx_base_free(record);
}

/* MPI calls this function when it destroys a type that has a record. */
static int forget(MPI_Datatype type, int key, void *value, void *extra)
{
    (void)key, (void)extra;
    pthread_mutex_lock(&lock);
    slot *s = find(current, key_of(type));
    if (s)
        clear(current, s);
    pthread_mutex_unlock(&lock);
    sx_pmpi_record_drop(value);
    return MPI_SUCCESS;
}

/* Mark a type by an attribute, and put its record into the table. On success the caller's hold on the record
 * passes to the type; after an error the caller still has it. */
static int enter_type(MPI_Datatype type, sx_record *record)
{
    pthread_mutex_lock(&lock);
    int rc = MPI_SUCCESS;
    if (keyval == MPI_KEYVAL_INVALID) {
        sx_pmpi_chain_engage();
        rc = PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, forget, &keyval, NULL);
    }
    table *t = rc ? NULL : get_room();
    if (t)
        rc = PMPI_Type_set_attr(type, keyval, record);
    if (t && !rc)
        enter(t, key_of(type), record);
    pthread_mutex_unlock(&lock);
    return t ? rc : MPI_ERR_NO_MEM;
}

/* MPI moves messages in pieces. Open MPI 4.1 and MPICH 4.0 fail, or write beyond buffers, if a piece of
 * packed data ends within an element that they unpack. Elements of up to 16 bytes are safe, because messages
 * are sent in units that are not shorter than an element (shape.c). All elements of a strided block have one
 * size. */
int sx_pmpi_record_get_element(MPI_Datatype type, MPI_Count size)
{
    enum { LONGEST_ELEMENT = 16 };
    MPI_Status status = {0};
    MPI_Count n = 0;
    if (PMPI_Status_set_elements_x(&status, MPI_BYTE, size) || PMPI_Get_elements_x(&status, type, &n) ||
        n <= 0 || size / LONGEST_ELEMENT > n)
        return 0;
    return (int)(size / n);
}

/* Get the length in memory of all levels whose strides have at most `longest` bytes, without level
 * `left_out`. */
static ptrdiff_t get_span(const sx_record *r, ptrdiff_t longest, int left_out)
{
    ptrdiff_t span = r->block_bytes;
    for (int i = 0; i < r->ndims; i++)
        if (i != left_out && labs(r->stride[i]) <= longest)
            span += (r->n[i] - 1) * labs(r->stride[i]);
    return span;
}

/* Get the member `apart` of a record. Blocks are apart if each stride is at least as long as all levels with
 * shorter strides together. This also holds for the extent, which is the stride of consecutive copies of the
 * type. Some types interleave in other ways without overlapping: they count as overlapping, so MPI receives
 * them. */
static MPI_Count get_apart(const sx_record *r)
{
    const ptrdiff_t extent = labs(r->extent);
    MPI_Count apart = PTRDIFF_MAX;
    for (int i = 0; i < r->ndims; i++) {
        const ptrdiff_t stride = labs(r->stride[i]), gap = stride - get_span(r, stride, i);
        if (gap < 0)
            return 0;
        if (extent > 0 && extent < stride && gap / extent + 1 < apart)
            apart = gap / extent + 1;
    }
    return extent < get_span(r, extent, -1) ? 1 : apart;
}

/* Describe a type. SUBX_ERR_NOT_STRIDED if the type is contiguous or empty, or if its elements must not be
 * sent as packed data. A record has at most SUBX_NDIMS_MAX - 1 levels, because create_copies adds one. */
static int describe(MPI_Datatype type, sx_record *r)
{
    MPI_Count n[SUBX_NDIMS_MAX], block, lb, extent;
    MPI_Aint stride[SUBX_NDIMS_MAX], offset;
    int rc = subx_type_get_layout(type, SUBX_NDIMS_MAX - 1, &r->ndims, n, stride, &block, &offset);
    if (!rc)
        rc = PMPI_Type_get_extent_x(type, &lb, &extent);
    if (rc)
        return rc;
    r->size = r->block_bytes = (ptrdiff_t)block;
    for (int i = 0; i < r->ndims; i++) {
        r->n[i] = (ptrdiff_t)n[i];
        r->stride[i] = (ptrdiff_t)stride[i];
        r->size *= r->n[i];
    }
    r->offset = (ptrdiff_t)offset;
    r->extent = (ptrdiff_t)extent;
    r->apart = get_apart(r);
    r->element = r->size > 0 ? sx_pmpi_record_get_element(type, r->size) : 0;
    int is_contiguous = r->ndims == 0 && r->extent == r->size;
    return is_contiguous || r->element == 0 ? subx_error_get_code(SUBX_ERR_NOT_STRIDED) : MPI_SUCCESS;
}

void sx_pmpi_record_create(MPI_Datatype type)
{
    if (sx_pmpi_depth || sx_pmpi_record_get(type))
        return;
    sx_record *r = sx_base_alloc(1, sizeof *r);
    if (!r)
        return;
    sx_pmpi_depth++;
    int rc = describe(type, r);
    sx_pmpi_depth--;
    r->references = 1;
    pthread_mutex_init(&r->lock, NULL);
    if (rc || enter_type(type, r))
        sx_pmpi_record_drop(r);
}

void sx_pmpi_record_share(MPI_Datatype type, MPI_Datatype dup)
{
    sx_record *r = sx_pmpi_record_get(type);
    if (!r)
        return;
    sx_pmpi_record_hold(r);
    if (enter_type(dup, r))
        sx_pmpi_record_drop(r);
}

ptrdiff_t sx_pmpi_record_bytes(const sx_record *record, MPI_Count count)
{
    ptrdiff_t bytes;
    return sx_base_mul(record->size, (ptrdiff_t)count, &bytes) ? -1 : bytes;
}

/* Create the copies for `count` elements. Their layout has one level more than the record: a loop over the
 * elements, which lie an extent apart. */
static sx_pmpi_copies *create_copies(const sx_record *r, MPI_Count count)
{
    ptrdiff_t n[SUBX_NDIMS_MAX], stride[SUBX_NDIMS_MAX], packed[SUBX_NDIMS_MAX], bytes = r->block_bytes;
    sx_pmpi_copies *c = sx_base_alloc(1, sizeof *c);
    if (!c)
        return NULL;
    for (int i = 0; i < r->ndims; i++) {
        n[i] = r->n[i];
        stride[i] = r->stride[i];
        packed[i] = bytes;
        bytes *= n[i];
    }
    n[r->ndims] = (ptrdiff_t)count;
    stride[r->ndims] = r->extent;
    packed[r->ndims] = bytes;
    c->count = count;
    if (!subx_copy_create(r->ndims + 1, n, stride, packed, r->block_bytes, 0, &c->pack) &&
        !subx_copy_create(r->ndims + 1, n, packed, stride, r->block_bytes, 0, &c->unpack))
        return c;
    subx_copy_free(&c->pack);
    sx_base_free(c);
    return NULL;
}

/* Get the copies for a count; NULL if there is no memory. If *is_kept is 0, the caller frees them. */
static sx_pmpi_copies *get_copies(sx_record *r, MPI_Count count, int *is_kept)
{
    int made = 0;
    pthread_mutex_lock(&r->lock);
    sx_pmpi_copies *c = r->copies;
    for (; c && c->count != count; c = c->next)
        made++;
    *is_kept = c || made < SX_PMPI_MOST_COPIES;
    if (!c) {
        c = create_copies(r, count);
        if (c && *is_kept) {
            c->next = r->copies;
            r->copies = c;
        }
    }
    pthread_mutex_unlock(&r->lock);
    return c;
}

static int move(sx_record *r, MPI_Count count, const char *from, char *to, int is_pack)
{
    int is_kept, rc;
    sx_pmpi_depth++;
    sx_pmpi_copies *c = count > 0 ? get_copies(r, count, &is_kept) : NULL;
    if (!c) {
        rc = count > 0 ? MPI_ERR_NO_MEM : MPI_SUCCESS;
    } else {
        rc = subx_copy_execute(is_pack ? c->pack : c->unpack, from, to);
        if (!is_kept) {
            subx_copy_free(&c->pack);
            subx_copy_free(&c->unpack);
            sx_base_free(c);
        }
    }
    sx_pmpi_depth--;
    return rc;
}

int sx_pmpi_record_pack(sx_record *record, MPI_Count count, const void *buf, void *packed)
{
    return move(record, count, (const char *)buf + record->offset, packed, 1);
}

int sx_pmpi_record_unpack(sx_record *record, MPI_Count count, const void *packed, void *buf)
{
    return move(record, count, packed, (char *)buf + record->offset, 0);
}
