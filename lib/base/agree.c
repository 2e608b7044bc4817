/* agree.c - agreements between ranks. One reduction tells all ranks whether a call failed on any rank, and whether all
 * ranks gave the same arguments. This file also sets the texts of errors. */
#include "base/base.h"
#include <string.h>

/* Ranks compare errors as numbers that mean the same on all ranks. A number below OURS is an error class of the MPI
 * standard. A number above OURS is OURS + a kind of ours (SUBX_ERR_*). Error classes that a program adds at run time
 * may differ between ranks; MPI_ERR_OTHER stands for all of them. */
enum { OURS = 1 << 16 };

/* Convert an error code to a number that means the same on all ranks (see OURS). The reduction takes the maximum of
 * these numbers. Our kinds have larger numbers than MPI's classes, because a kind tells more than a class. */
static int64_t encode(int rc)
{
    int class = MPI_SUCCESS, kind = subx_error_get_kind(rc);
    if (kind)
        return OURS + kind;
    if (rc == MPI_SUCCESS)
        return MPI_SUCCESS;
    if (MPI_Error_class(rc, &class) || class <= MPI_SUCCESS || class > MPI_ERR_LASTCODE || class >= OURS)
        class = MPI_ERR_OTHER;
    return class;
}

/* Convert a number that `encode` has returned to this rank's error code. */
static int decode(int64_t agreed)
{
    return agreed > OURS ? subx_error_get_code(sx_base_fit(agreed - OURS)) : sx_base_fit(agreed);
}

/* ---- texts */

/* Does nothing before MPI_Init and after MPI_Finalize: our error codes do not exist then. */
void sx_base_set_error_text(int kind, const char *text)
{
    int was_started = 0, has_ended = 0;
    MPI_Initialized(&was_started);
    MPI_Finalized(&has_ended);
    if (was_started && !has_ended)
        MPI_Add_error_string(subx_error_get_code(kind), text);
}

/* Query whether a rank may have written a text of its own for this kind of error. The other ranks must then get this
 * text. */
static int is_told(int kind)
{
    return kind == SUBX_ERR_HINT || kind == SUBX_ERR_UNAVAILABLE || kind == SUBX_ERR_GAP ||
           kind == SUBX_ERR_OVERLAP;
}

/* The lowest rank that has the agreed error (is_mine = 1) sends its text to all ranks. Collective. */
static void share_text(MPI_Comm comm, int is_mine, int kind)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int rank = 0, nranks = 1, first = 0, length, failed;
    (void)MPI_Comm_rank(comm, &rank);
    (void)MPI_Comm_size(comm, &nranks);
    int mine = is_mine ? rank : nranks;
    (void)MPI_Error_string(subx_error_get_code(kind), text, &length);
    SX_JOIN(failed, MPI_Iallreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm, &request));
    if (!failed)
        SX_JOIN(failed, MPI_Ibcast(text, SX_ERROR_LEN, MPI_CHAR, first, comm, &request));
    text[SX_ERROR_LEN - 1] = '\0';
    if (!failed)
        sx_base_set_error_text(kind, text);
}

/* ---- what differs */

/* Keys are lists of names and values, such as "grid 1x2, threads 2"; items may also be lines. A key that is longer than KEY is
 * compared up to there. */
enum { KEY = 8192, SHOWN = 60, BEFORE = 20 };

static int is_end(const char *key, size_t at)
{
    return !key[at] || key[at] == '\n' || (key[at] == ',' && key[at + 1] == ' ');
}

/* Print the item of a key that has byte `at`; of a long item, print the bytes around `at`. */
static void print_item(const char *key, size_t at, sx_text *t)
{
    size_t first = at, end = at;
    while (first > 0 && !is_end(key, first - 1))
        first--;
    while (first < at && key[first] == ' ')
        first++;
    while (!is_end(key, end))
        end++;
    const int is_cut = end - first > SHOWN && at - first > BEFORE;
    first = is_cut ? at - BEFORE : first;
    const size_t n = end - first > SHOWN ? SHOWN : end - first;
    sx_base_print(t, "\"%s%.*s%s\"", is_cut ? ".." : "", sx_base_fit((ptrdiff_t)n), key + first,
                  first + n < end ? ".." : "");
}

static size_t find_difference(const char *a, const char *b)
{
    size_t at = 0;
    while (a[at] && a[at] == b[at])
        at++;
    return at;
}

/* Get the code of SUBX_ERR_DIFFERS; its text tells what differs between the keys. The lowest rank that differs from rank 0 writes
 * the text. After a failure, the text is that of the kind. Collective. */
static int tell_difference(MPI_Comm comm, const char *key)
{
    char first_key[KEY] = "", own_key[KEY] = "", text[SX_ERROR_LEN] = "";
    sx_text t = {text, sizeof text, 0};
    int rank = 0, nranks = 1, failed;
    (void)MPI_Comm_rank(comm, &rank);
    (void)MPI_Comm_size(comm, &nranks);
    sx_base_print(&(sx_text){own_key, sizeof own_key, 0}, "%s", key ? key : "");
    memcpy(first_key, own_key, sizeof first_key);
    SX_JOIN(failed, MPI_Ibcast(first_key, KEY, MPI_CHAR, 0, comm, &request));
    int mine = !failed && strcmp(own_key, first_key) != 0 ? rank : nranks, teller = nranks;
    SX_JOIN(failed, MPI_Iallreduce(&mine, &teller, 1, MPI_INT, MPI_MIN, comm, &request));
    const int code = subx_error_get_code(SUBX_ERR_DIFFERS);
    if (failed || teller >= nranks)
        return code;
    if (teller == rank) {
        const size_t at = find_difference(first_key, own_key);
        sx_base_print(&t, "subx: arguments or hints that must be equal are not: rank 0 has ");
        print_item(first_key, at, &t);
        sx_base_print(&t, " where rank %d has ", rank);
        print_item(own_key, at, &t);
    }
    SX_JOIN(failed, MPI_Ibcast(text, sizeof text, MPI_CHAR, teller, comm, &request));
    text[sizeof text - 1] = '\0';
    if (!failed)
        sx_base_set_error_text(SUBX_ERR_DIFFERS, text);
    return code;
}

/* ---- agreement */

/* Shifted right by one bit, a hash is not negative, so it can be negated without overflow. */
static int64_t hash(const char *key)
{
    return (int64_t)(sx_base_hash(SX_BASE_NO_HASH, key, key ? strlen(key) : 0) >> 1);
}

/* Each rank appends this number to the numbers that it gives to the reduction. If the result ends with this number, the
 * result is valid, even if MPI has returned an error. */
enum { HERE = 1 };

int sx_base_agree_flags(MPI_Comm comm, int rc, const char *key, int n, int flags[])
{
    /* The largest hash and the largest negated hash are opposite numbers only if all hashes are equal. */
    int64_t h = hash(key), mine[4 + SX_FLAGS_MAX] = {encode(rc), h, -h}, all[4 + SX_FLAGS_MAX] = {0};
    for (int i = 0; i < n; i++)
        mine[3 + i] = flags[i];
    mine[3 + n] = HERE;
    int failed;
    SX_JOIN(failed, MPI_Iallreduce(mine, all, 4 + n, MPI_INT64_T, MPI_MAX, comm, &request));
    if (failed && all[3 + n] != HERE)
        return failed;
    for (int i = 0; i < n; i++)
        flags[i] = sx_base_fit(all[3 + i]);
    if (all[0] > OURS && is_told(sx_base_fit(all[0] - OURS)))
        share_text(comm, mine[0] == all[0], sx_base_fit(all[0] - OURS));
    if (all[0])
        return decode(all[0]);
    return all[1] == -all[2] ? MPI_SUCCESS : tell_difference(comm, key);
}

int sx_base_agree(MPI_Comm comm, int rc, const char *key)
{
    return sx_base_agree_flags(comm, rc, key, 0, NULL);
}
