/* hash.c - the hash of all rooms: FNV-1a, 64 bits (Fowler, Noll & Vo). It tells texts and numbers apart, and
 * detects damage, but not manipulation. Files of wisdom have such hashes, so the function must stay as it
 * is. */
#include "base/base.h"

uint64_t sx_base_add_hash(uint64_t hash, uint64_t number)
{
    return (hash ^ number) * UINT64_C(1099511628211);
}

uint64_t sx_base_hash(uint64_t hash, const void *data, size_t n)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < n; i++)
        hash = sx_base_add_hash(hash, byte[i]);
    return hash;
}
