/* agree.c - agreements between ranks. One reduction tells all ranks whether a call failed on any rank, and
 * whether all ranks gave the same arguments. This file also sets the texts of errors. */
#include "base/base.h"
#include <string.h>

/* Ranks compare errors as numbers that mean the same on all ranks. A number below OURS is an error class of
 * the MPI standard. A number above OURS is OURS + a kind of ours (SUBX_ERR_*). Error classes that a program
 * adds at run time may differ between ranks; MPI_ERR_OTHER stands for all of them. */
enum { OURS = 1 << 16 };

/* Convert an error code to a number that means the same on all ranks (see OURS). The reduction takes the
 * maximum of these numbers. Our kinds have larger numbers than MPI's classes, because a kind tells more than
 * a class. */
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

/* ---- texts */

/* Codes of MPI have texts of their own. Before MPI_Init and after MPI_Finalize there are no others. */
int sx_base_set_error_text(int kind, const char *text)
{
    const int code = subx_error_get_code(kind);
    if (code > MPI_ERR_LASTCODE)
        MPI_Add_error_string(code, text);
    return code;
}

/* Get this rank's code of the agreed kind. Its text comes from the lowest rank that has this error (is_mine =
 * 1, and the error rc). If the text cannot be sent, the code has the text of the kind. Collective. */
static int share_text(MPI_Comm comm, int is_mine, int rc, int kind)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int rank = 0, nranks = 1, first = 0, length;
    (void)MPI_Comm_rank(comm, &rank);
    (void)MPI_Comm_size(comm, &nranks);
    int mine = is_mine ? rank : nranks;
    if (is_mine)
        (void)MPI_Error_string(rc, text, &length);
    if (MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm) ||
        MPI_Bcast(text, SX_ERROR_LEN, MPI_CHAR, first, comm))
        return subx_error_get_code(kind);
    text[SX_ERROR_LEN - 1] = '\0';
    return *text ? sx_base_set_error_text(kind, text) : subx_error_get_code(kind);
}

/* ---- what differs */

/* Keys are lists of names and values, such as "grid 1x2, threads 2"; items may also be lines. A key that is
 * longer than KEY is compared up to there. The text of the error shows SHOWN bytes per rank; of a long item,
 * it shows BEFORE bytes before the difference. */
enum { KEY = 8192, SHOWN = 72, BEFORE = 20 };

typedef struct item {
    const char *at;
    ptrdiff_t n;
} item;

static item take_item(const char **key)
{
    item i = {*key + strspn(*key, " ,\n"), 0};
    const char *end = i.at;
    while (*end && *end != '\n' && !(end[0] == ',' && end[1] == ' '))
        end++;
    i.n = end - i.at;
    *key = end;
    return i;
}

static void print_item(item i, ptrdiff_t same, sx_text *t)
{
    const ptrdiff_t skipped = i.n > SHOWN / 2 && same > BEFORE ? same - BEFORE : 0;
    sx_base_print(t, "%s%s%.*s", t->used ? ", " : "", skipped ? ".." : "", sx_base_fit(i.n - skipped),
                  i.at + skipped);
}

/* Print the items in which two keys differ. */
static void print_differences(const char *a, const char *b, sx_text *of_a, sx_text *of_b)
{
    while (*a || *b) {
        const item x = take_item(&a), y = take_item(&b);
        ptrdiff_t same = 0;
        while (same < x.n && same < y.n && x.at[same] == y.at[same])
            same++;
        if (same == x.n && same == y.n)
            continue;
        print_item(x, same, of_a);
        print_item(y, same, of_b);
    }
}

/* Get the code of SUBX_ERR_DIFFERS; its text tells what differs between the keys. The lowest rank that
 * differs from rank 0 writes the text. After a failure, the text is that of the kind. Collective. */
static int tell_difference(MPI_Comm comm, const char *key)
{
    char first_key[KEY] = "", own_key[KEY] = "", text[SX_ERROR_LEN] = "";
    sx_text t = {text, sizeof text, 0};
    int rank = 0, nranks = 1, teller;
    (void)MPI_Comm_rank(comm, &rank);
    (void)MPI_Comm_size(comm, &nranks);
    sx_base_print(&(sx_text){own_key, sizeof own_key, 0}, "%s", key ? key : "");
    memcpy(first_key, own_key, sizeof first_key);
    const int code = subx_error_get_code(SUBX_ERR_DIFFERS);
    if (MPI_Bcast(first_key, KEY, MPI_CHAR, 0, comm))
        return code;
    int mine = strcmp(own_key, first_key) != 0 ? rank : nranks;
    if (MPI_Allreduce(&mine, &teller, 1, MPI_INT, MPI_MIN, comm) || teller >= nranks)
        return code;
    if (teller == rank) {
        char shown[2][SHOWN] = {"", ""};
        sx_text theirs = {shown[0], SHOWN, 0}, ours = {shown[1], SHOWN, 0};
        print_differences(first_key, own_key, &theirs, &ours);
        sx_base_print(
            &t,
            "subx: arguments or hints that must be equal are not: rank 0 has \"%s%s\" where rank %d has "
            "\"%s%s\"",
            shown[0], theirs.used < SHOWN ? "" : "..", rank, shown[1], ours.used < SHOWN ? "" : "..");
    }
    if (MPI_Bcast(text, sizeof text, MPI_CHAR, teller, comm))
        return code;
    text[sizeof text - 1] = '\0';
    return sx_base_set_error_text(SUBX_ERR_DIFFERS, text);
}

/* ---- agreement */

/* Shifted right by one bit, a hash is not negative, so it can be negated without overflow. */
static int64_t hash(const char *key)
{
    return (int64_t)(sx_base_hash(SX_BASE_NO_HASH, key, key ? strlen(key) : 0) >> 1);
}

int sx_base_agree_flags(MPI_Comm comm, int rc, const char *key, int n, int flags[])
{
    /* The largest hash and the largest negated hash are opposite numbers only if all hashes are equal. */
    int64_t h = hash(key), mine[3 + SX_FLAGS_MAX] = {encode(rc), h, -h}, all[3 + SX_FLAGS_MAX];
    for (int i = 0; i < n; i++)
        mine[3 + i] = flags[i];
    int failed = MPI_Allreduce(mine, all, 3 + n, MPI_INT64_T, MPI_MAX, comm);
    if (failed)
        return failed;
    for (int i = 0; i < n; i++)
        flags[i] = sx_base_fit(all[3 + i]);
    if (all[0] > OURS)
        return share_text(comm, mine[0] == all[0], rc, sx_base_fit(all[0] - OURS));
    if (all[0])
        return sx_base_fit(all[0]);
    return all[1] == -all[2] ? MPI_SUCCESS : tell_difference(comm, key);
}

int sx_base_agree(MPI_Comm comm, int rc, const char *key)
{
    return sx_base_agree_flags(comm, rc, key, 0, NULL);
}
