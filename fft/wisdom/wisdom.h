/* wisdom.h - results of earlier jobs, in a text file that many jobs share: entries of a kind with a key and a
 * value. Local: no MPI_Comm in here. The functions of subx_tune.h are made of these.
 *
 *     subarray_x wisdom 1
 *     <checksum> TAB <kind> TAB <key> TAB <value>
 *     ..
 *
 * Lines that begin with # are comments. The checksum is 64-bit FNV-1a of the rest of the line after its TAB, 16 hexadecimal
 * digits. A damaged line is ignored, and the next writer drops it. A line of a kind that this version does not know is kept. A
 * file of another version, or one that is not wisdom, is ignored as a whole and never overwritten. Of two entries with the same
 * kind and key the later one counts. */
#ifndef SX_WISDOM_H
#define SX_WISDOM_H

#include "base/base.h"
#include <stdint.h>
#include <subx_tune.h>

/* Kinds of entries. */
#define SX_WISDOM_PLAN "plan"       /* the hints of the fastest plan for a problem on some ranks */
#define SX_WISDOM_MACHINE "machine" /* the parameters of the cost model */
#define SX_WISDOM_FFTW "fftw"       /* the wisdom of FFTW */

enum { SX_WISDOM_PATH = 1024 }; /* room for a path, bytes */

/* Get the file that the value of the hint subx_wisdom names: "auto" is XDG_CACHE_HOME/subarray_x/wisdom, or
 * HOME/.cache/subarray_x/wisdom, the first of these environment variables that is set; "none" is no file: an empty path. Anything
 * else is the path itself. SUBX_ERR_HINT if it is too long. */
int sx_wisdom_get_path(const char *hint, char path[SX_WISDOM_PATH]);

/* Get the 64-bit FNV-1a of n bytes. */
uint64_t sx_wisdom_hash(const char *text, size_t n);

/* Find an entry in a file. *value is NULL if there is none; else the caller frees it with sx_base_free. A file that does not
 * exist, cannot be read, or is damaged is no error: `reason` (may be NULL) then gets a line, without the path, that says why
 * nothing, or only an older value, was found. Quick: 10,000 entries take about a millisecond. Errors: NO_MEM. */
int sx_wisdom_find(const char *path, const char *kind, const char *key, char **value, sx_text *reason);

/* Put an entry into a file, in place of the one with its kind and key: the file is locked, read again, and replaced at once by
 * rename, so that readers see the old file or the new one, and no entry of another writer is lost. Creates the file and its
 * folders. A failure leaves the file as it was, and `reason` (may be NULL) gets a line; it also gets one if damaged lines were
 * dropped. An empty path is no file, and nothing is done. Kind, key and value have no control characters, kind and key are not
 * empty. Where locks do not work, or somebody keeps the lock for more than about two seconds, goes on without one;
 * then an entry that another writer puts in the same instant may be lost.
 * Errors: ARG (such a kind, key or value), FILE, NO_MEM. */
int sx_wisdom_put(const char *path, const char *kind, const char *key, const char *value, sx_text *reason);

#endif
