/* wisdom.h - results of earlier jobs, in a text file that many jobs share. Each entry has a kind, a key and a
 * value. All functions are local and need no MPI_Comm. The public functions of wisdom (subx_tune.h) use them.
 *
 *     subarray_x wisdom 1
 *     <checksum> TAB <kind> TAB <key> TAB <value>
 *     ..
 *
 * Lines that begin with # are comments. The checksum is 64-bit FNV-1a of the rest of the line after its TAB,
 * 16 hexadecimal digits. A damaged line is ignored, and the next writer removes it. A line of an unknown kind
 * is kept. A file of another version, or a file that is not wisdom, is ignored completely and never
 * overwritten. If two entries have the same kind and key, the later one is used. */
#ifndef SX_WISDOM_H
#define SX_WISDOM_H

#include "base/base.h"
#include <stdint.h>
#include <subx_tune.h>

/* Kinds of entries. */
#define SX_WISDOM_PLAN "plan"       /* the hints of the fastest plan for a problem and a number of ranks */
#define SX_WISDOM_MACHINE "machine" /* the parameters of the cost model */
#define SX_WISDOM_FFTW "fftw"       /* the wisdom of FFTW */

enum { SX_WISDOM_PATH = 1024 }; /* room for a path, bytes */

/* Get the file that the value of the hint subx_wisdom names. "auto" is XDG_CACHE_HOME/subarray_x/wisdom, or,
 * if this variable is no absolute path, HOME/.cache/subarray_x/wisdom; an empty path if HOME is no folder's
 * absolute path, either. "none" is no file, which is an empty path. Any other value is the path itself.
 * SUBX_ERR_HINT if it is too long. */
int sx_wisdom_get_path(const char *hint, char path[SX_WISDOM_PATH]);

/* Find an entry in a file. *value becomes NULL if there is none; else the caller frees it with sx_base_free.
 * A file that does not exist, cannot be read, or is damaged is no error: `reason` (may be NULL) then gets a
 * line that tells, without the path, why nothing or only an older value was found. Fast: 10,000 entries take
 * about a millisecond.
 * Errors: NO_MEM. */
int sx_wisdom_find(const char *path, const char *kind, const char *key, char **value, sx_text *reason);

/* Put an entry into a file, where it replaces the entry with the same kind and key. The file is locked, read
 * again, and replaced by rename: readers see the old or the new file, and no entry of another writer is lost.
 * Creates the file and its folders. After a failure the file is unchanged, and `reason` (may be NULL) gets a
 * line; it also gets a line if damaged lines were removed. If the path is empty, nothing is done. Kind, key
 * and value must not have control characters; kind and key must not be empty. The function waits for the lock
 * until the file has not changed for ten seconds, and at most 60 seconds in all. After that, or if locks do
 * not work, it goes on without a lock: an entry that another writer puts at the same moment may then be lost.
 * Errors: ARG (kind, key or value is not allowed), FILE, NO_MEM. */
int sx_wisdom_put(const char *path, const char *kind, const char *key, const char *value, sx_text *reason);

#endif
