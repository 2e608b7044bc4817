/* buffer.c - memory for packed data, which is kept for later calls: getting new pages from the system takes
 * longer than a copy. */
#include "pmpi/pmpi.h"

/* The header of a buffer. The data begins LINE bytes after the beginning of the header, aligned to a cache
 * line. */
typedef struct head {
    ptrdiff_t bytes;
    struct head *next;
} head;
enum { LINE = SX_ALIGNMENT, PAGES = 65536 };

/* The list of buffers that no thread uses; the buffer that was put back last comes first. */
static head *kept;
static ptrdiff_t kept_bytes;
static int nkept;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Take the smallest buffer that is long enough; NULL if there is none. A buffer that is much too long is not
 * taken, because another call may soon need it. */
static head *take(ptrdiff_t bytes)
{
    head **best = NULL;
    for (head **h = &kept; *h; h = &(*h)->next)
        if ((*h)->bytes >= bytes && (!best || (*h)->bytes < (*best)->bytes))
            best = h;
    if (!best || (*best)->bytes / 4 > bytes + 65536)
        return NULL;
    head *found = *best;
    *best = found->next;
    kept_bytes -= found->bytes;
    nkept--;
    return found;
}

/* New buffers are an eighth and 4 KiB longer than asked for, so that slightly longer data fits into them
 * later. */
void *sx_pmpi_buffer_get(ptrdiff_t bytes)
{
    ptrdiff_t enlarged;
    if (bytes < 0 || sx_base_add(bytes, bytes / 8 + 4096, &enlarged))
        return NULL;
    pthread_mutex_lock(&lock);
    head *h = take(bytes);
    pthread_mutex_unlock(&lock);
    if (!h) {
        ptrdiff_t whole;
        if (sx_base_add(enlarged, LINE, &whole))
            return NULL;
        h = whole < PAGES ? sx_base_alloc(whole, 1) : sx_base_alloc_untouched(whole);
        if (!h)
            return NULL;
        h->bytes = enlarged;
    }
    return (char *)h + LINE;
}

void sx_pmpi_buffer_put(void *buffer)
{
    if (!buffer)
        return;
    head *h = (head *)((char *)buffer - LINE);
    pthread_mutex_lock(&lock);
    int is_kept = nkept < SX_PMPI_KEPT_BUFFERS && h->bytes <= SX_PMPI_KEPT_BYTES - kept_bytes;
    if (is_kept) {
        h->next = kept;
        kept = h;
        kept_bytes += h->bytes;
        nkept++;
    }
    pthread_mutex_unlock(&lock);
    if (!is_kept)
        sx_base_free(h);
}
