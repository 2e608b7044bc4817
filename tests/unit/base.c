/* base.c - the room lib/base: integers with overflow checks, allocations that fail on demand, text, numbers,
 * hints. */
#include "base/base.h"
#include "common/hints.h"
#include "common/locale.h"
#include "common/unit.h"
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(products_notice_overflow)
{
    ptrdiff_t p = -1;
    ck_assert_ok(sx_base_mul(PTRDIFF_MAX / 7, 7, &p));
    ck_assert_int_eq(p, PTRDIFF_MAX / 7 * 7);
    ck_assert_ok(sx_base_mul(0, PTRDIFF_MAX, &p));
    ck_assert_int_eq(p, 0);
    ck_assert_kind(sx_base_mul(PTRDIFF_MAX / 7 + 1, 7, &p), SUBX_ERR_TOO_LARGE);
    ck_assert_kind(sx_base_mul((ptrdiff_t)1 << 32, (ptrdiff_t)1 << 31, &p), SUBX_ERR_TOO_LARGE);
}

TEST(sums_notice_overflow)
{
    ptrdiff_t s = -1;
    ck_assert_ok(sx_base_add(PTRDIFF_MAX - 1, 1, &s));
    ck_assert_int_eq(s, PTRDIFF_MAX);
    ck_assert_kind(sx_base_add(PTRDIFF_MAX, 1, &s), SUBX_ERR_TOO_LARGE);
    ck_assert_kind(sx_base_add(PTRDIFF_MIN, -1, &s), SUBX_ERR_TOO_LARGE);
}

TEST(narrowing_is_checked)
{
    int n = 5;
    ck_assert_ok(sx_base_int(INT_MAX, &n));
    ck_assert_int_eq(n, INT_MAX);
    ck_assert_ok(sx_base_int(INT_MIN, &n));
    ck_assert_int_eq(n, INT_MIN);
    ck_assert_kind(sx_base_int((ptrdiff_t)INT_MAX + 1, &n), SUBX_ERR_TOO_LARGE);
    ck_assert_kind(sx_base_int((ptrdiff_t)INT_MIN - 1, &n), SUBX_ERR_TOO_LARGE);
    ck_assert_int_eq(n, INT_MIN);
}

TEST(numbers_that_fit_never_wrap)
{
    const int fitting[] = {INT_MIN, INT_MIN + 1, -1, 0, 1, INT_MAX - 1, INT_MAX};
    for (size_t i = 0; i < sizeof fitting / sizeof *fitting; i++)
        ck_assert_int_eq(sx_base_fit(fitting[i]), fitting[i]);
    ck_assert_int_eq(sx_base_fit((ptrdiff_t)INT_MAX + 1), INT_MAX);
    ck_assert_int_eq(sx_base_fit((ptrdiff_t)INT_MIN - 1), INT_MIN);
    ck_assert_int_eq(sx_base_fit((ptrdiff_t)1 << 32), INT_MAX);
    ck_assert_int_eq(sx_base_fit(-((ptrdiff_t)1 << 32)), INT_MIN);
    ck_assert_int_eq(sx_base_fit(PTRDIFF_MAX), INT_MAX);
    ck_assert_int_eq(sx_base_fit(PTRDIFF_MIN), INT_MIN);
}

TEST(permutations_are_recognised)
{
    const int good[] = {2, 0, 1}, twice[] = {0, 0, 1}, beyond[] = {0, 1, 3}, negative[] = {0, 1, -1};
    ck_assert(sx_base_is_permutation(3, good));
    ck_assert(!sx_base_is_permutation(2, good));
    ck_assert(!sx_base_is_permutation(3, twice));
    ck_assert(!sx_base_is_permutation(3, beyond));
    ck_assert(!sx_base_is_permutation(3, negative));
}

/* Hashes from the tests of FNV's authors (RFC draft "The FNV Non-Cryptographic Hash Algorithm", appendix
 * C). */
TEST(hashes_are_those_of_fnv)
{
    ck_assert_uint_eq(sx_base_hash(SX_BASE_NO_HASH, "", 0), UINT64_C(0xcbf29ce484222325));
    ck_assert_uint_eq(sx_base_hash(SX_BASE_NO_HASH, "a", 1), UINT64_C(0xaf63dc4c8601ec8c));
    ck_assert_uint_eq(sx_base_hash(SX_BASE_NO_HASH, "foobar", 6), UINT64_C(0x85944171f73967e8));
    ck_assert_uint_eq(sx_base_hash(sx_base_hash(SX_BASE_NO_HASH, "foo", 3), "bar", 3),
                      UINT64_C(0x85944171f73967e8));
    ck_assert_uint_eq(sx_base_add_hash(SX_BASE_NO_HASH, 'a'), UINT64_C(0xaf63dc4c8601ec8c));
}

TEST(memory_is_aligned_and_zeroed)
{
    for (ptrdiff_t n = 0; n < 200; n++) {
        unsigned char *p = sx_base_alloc(n, 3);
        ck_assert_ptr_nonnull(p);
        ck_assert_uint_eq((uintptr_t)p % SX_ALIGNMENT, 0);
        for (ptrdiff_t i = 0; i < 3 * n; i++)
            ck_assert_uint_eq(p[i], 0);
        if (n)
            memset(p, 0xff, 3 * (size_t)n);
        sx_base_free(p);
    }
    ck_assert_ptr_null(sx_base_alloc(PTRDIFF_MAX, 2));
    ck_assert_ptr_null(sx_base_alloc(-1, 1));
}

TEST(memory_fails_on_demand)
{
    for (long n = 0; n < 4; n++) {
        sx_base_fail_after(n);
        long got = 0;
        void *p;
        while ((p = sx_base_alloc(1, 1)) != NULL && got < 10) {
            sx_base_free(p);
            got++;
        }
        /* only one allocation fails; the next one succeeds */
        ck_assert_int_eq(got, n);
        p = sx_base_alloc(1, 1);
        ck_assert_ptr_nonnull(p);
        sx_base_free(p);
    }
    sx_base_fail_after(-1);
}

/* A request for more memory than is free must fail. Without this check the system may give the memory, and
 * end the process when the process touches the memory. */
TEST(memory_is_compared_with_what_is_free)
{
    const ptrdiff_t bytes = sx_base_get_free_memory();
    ck_assert_int_gt(bytes, 1 << 20);
    ck_assert_int_lt(bytes, PTRDIFF_MAX);
    ck_assert_ptr_null(sx_base_alloc(2, (size_t)bytes));
    ck_assert_ptr_null(sx_base_alloc_untouched(2 * bytes));
}

/* The number of free threads must be less than the system's limits, because threads that exist are not
 * free. */
TEST(threads_that_exist_are_not_free)
{
    static const char *const limits[] = {"/proc/sys/kernel/threads-max", "/proc/sys/kernel/pid_max"};
    ck_assert_int_gt(sx_base_get_free_threads(), 1);
    for (int i = 0; i < 2; i++) {
        long long most;
        FILE *file = fopen(limits[i], "r");
        if (file && fscanf(file, "%lld", &most) == 1)
            ck_assert_int_lt(sx_base_get_free_threads(), most);
        if (file)
            fclose(file);
    }
}

TEST(text_is_cut_and_counted)
{
    char at[8];
    memset(at, '#', sizeof at);
    sx_text t = {at, 6, 0};
    const ptrdiff_t sizes[] = {12, 3, 4};
    sx_base_print_sizes(&t, 3, sizes);
    sx_base_print(&t, "%s", "abc");
    ck_assert_str_eq(at, "12x3x");
    ck_assert_uint_eq(t.used, strlen("12x3x4abc"));
    ck_assert_int_eq(at[6], '#');

    sx_text none = {NULL, 0, 0};
    const int order[] = {2, 0, 1};
    sx_base_print_order(&none, 3, order);
    ck_assert_uint_eq(none.used, strlen("(2,0,1)"));

    sx_text empty = {at, sizeof at, 0};
    sx_base_print_order(&empty, 0, NULL);
    ck_assert_str_eq(at, "()");
}

/* ---- the message about a wrong value; variables of the environment */

static int is_even(const char *text)
{
    return sx_base_is_number(text, 0, INT_MAX) && atoi(text) % 2 == 0;
}

static const sx_hint slices = {
    .key = "slices", .type = SX_HINT_TEXT, .text = "2", .is_right = is_even, .right = "an even number"};

static void expect_refused(const sx_hint *h, MPI_Info info, const char *expected)
{
    char value[SX_HINT_LEN], text[MPI_MAX_ERROR_STRING];
    int length, rc = sx_base_hints_parse(h, 1, info, value);
    ck_assert_kind(rc, SUBX_ERR_HINT);
    MPI_Error_string(rc, text, &length);
    ck_assert_str_eq(text, expected);
}

TEST(wrong_values_are_told_with_their_source)
{
    MPI_Info info;
    MPI_Info_create(&info);
    setenv("SUBX_TUNE", "slices many", 1);
    expect_refused(&slices, info,
                   "subx: environment variable SUBX_TUNE: slices is \"many\"; it must be an even number");
    test_hint_set(info, "slices", "3");
    expect_refused(&slices, info, "subx: hint subx_tune: slices is \"3\"; it must be an even number");
    unsetenv("SUBX_TUNE");
    test_hint_set(info, "slices",
                  "a\nb 1234567890123456789012345678901234567890123456789012345678901234567890");
    expect_refused(
        &slices, info,
        "subx: hint subx_tune: slices is \"a?b 12345678901234567890123456789012345678901234567890123456..\"; it "
        "must be an even number");
    MPI_Info_free(&info);
}

/* A hint with is_of_program reads no variable. */
TEST(variables_are_for_users)
{
    char value[SX_HINT_LEN];
    sx_hint of_program = slices;
    of_program.is_of_program = 1;
    setenv("SUBX_TUNE", "slices 8", 1);
    ck_assert_ok(sx_base_hints_parse(&of_program, 1, MPI_INFO_NULL, value));
    ck_assert_str_eq(value, "2");
    ck_assert_int_eq(sx_base_hint_get_source(&of_program, MPI_INFO_NULL), SX_SAID_NOWHERE);
    ck_assert_int_eq(sx_base_hint_get_source(&slices, MPI_INFO_NULL), SX_SAID_VARIABLE);
    unsetenv("SUBX_TUNE");
}

/* The words of an MPI_Info win over those of the variable, word by word. Setting a word keeps the others. */
TEST(words_of_tune)
{
    static const sx_hint window = {"window", SX_HINT_INT, 0, .otherwise = 4, .least = 1, .most = 9};
    char value[SX_HINT_LEN], text[MPI_MAX_INFO_VAL + 1] = "";
    int number = 0, found = 0;
    MPI_Info info;
    MPI_Info_create(&info);
    setenv("SUBX_TUNE", " slices 8 ,window 3", 1);
    ck_assert_ok(sx_base_hint_set(info, "window", "7"));
    ck_assert_ok(sx_base_hint_set(info, "overlap", "both"));
    ck_assert_ok(sx_base_hint_set(info, "window", "5"));
    MPI_Info_get(info, "subx_tune", MPI_MAX_INFO_VAL, text, &found);
    ck_assert_str_eq(text, "overlap both, window 5");
    ck_assert_ok(sx_base_hints_parse(&slices, 1, info, value));
    ck_assert_str_eq(value, "8");
    ck_assert_ok(sx_base_hints_parse(&window, 1, info, &number));
    ck_assert_int_eq(number, 5);
    /* the default replaces the word of the variable */
    number = 4;
    ck_assert_ok(sx_base_hints_export(&window, 1, &number, info));
    number = 0;
    ck_assert_ok(sx_base_hints_parse(&window, 1, info, &number));
    ck_assert_int_eq(number, 4);
    unsetenv("SUBX_TUNE");
    ck_assert_ok(sx_base_hints_export(&window, 1, &number, info));
    MPI_Info_get(info, "subx_tune", MPI_MAX_INFO_VAL, text, &found);
    ck_assert_str_eq(text, "overlap both");
    ck_assert_ok(sx_base_hint_set(info, "overlap", ""));
    MPI_Info_get(info, "subx_tune", MPI_MAX_INFO_VAL, text, &found);
    ck_assert_int_eq(found, 0);
    MPI_Info_free(&info);
}

/* Query word i of a table of two words, as tables of engines are queried. */
static int query_word(int i, const char **word)
{
    static const char *const all[] = {"node", "kway", NULL};
    *word = all[i];
    return MPI_SUCCESS;
}

TEST(words_and_lists)
{
    static const char *const right[] = {"node/kway", "auto", "kway/auto/kway"};
    static const char *const wrong[] = {"steam", "node/", "", "nodekway", "/node", "nod", "node /kway"};
    char many[5 * (SUBX_NDIMS_MAX + 1)] = "", text[SX_HINT_LEN];
    sx_text t = {text, sizeof text, 0};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        ck_assert(sx_base_is_list(right[i], query_word));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert(!sx_base_is_list(wrong[i], query_word) && !sx_base_is_word(wrong[i], query_word));
    ck_assert(sx_base_is_word("kway", query_word) && !sx_base_is_word("node/kway", query_word));
    for (int i = 0; i <= SUBX_NDIMS_MAX; i++)
        strcat(many, i ? "/kway" : "kway");
    ck_assert(!sx_base_is_list(many, query_word) && sx_base_is_list(many + 5, query_word));
    sx_base_print_words(query_word, NULL, &t);
    sx_base_print(&t, "; ");
    sx_base_print_words(query_word, "kway/node", &t);
    ck_assert_str_eq(text, "auto, node or kway; auto, node, kway, or a list such as kway/node");
}

TEST(variables_with_words_for_other_objects_are_ignored)
{
    static const sx_hint one = {.key = "between", .type = SX_HINT_TEXT, .text = "auto", .query = query_word};
    char value[SX_HINT_LEN];
    setenv("SUBX_TUNE", "between kway/node", 1);
    ck_assert_ok(sx_base_hints_parse(&one, 1, MPI_INFO_NULL, value));
    ck_assert_str_eq(value, "auto");
    setenv("SUBX_TUNE", "between kway", 1);
    ck_assert_ok(sx_base_hints_parse(&one, 1, MPI_INFO_NULL, value));
    ck_assert_str_eq(value, "kway");
    setenv("SUBX_TUNE", "between kway/shm", 1);
    ck_assert_kind(sx_base_hints_parse(&one, 1, MPI_INFO_NULL, value), SUBX_ERR_HINT);
    unsetenv("SUBX_TUNE");
}

typedef struct values {
    char text[SX_HINT_LEN];
    ptrdiff_t length;
    int word, number, threads;
} values;

static const char *const words[] = {"first", "second", NULL};
static const sx_hint table[] = {
    {"subx_wire", SX_HINT_WORD, offsetof(values, word), .words = words},
    {"window", SX_HINT_INT, offsetof(values, number), .otherwise = 4, .least = 1, .most = 9},
    {"subx_memory", SX_HINT_LENGTH, offsetof(values, length), .otherwise = 0, .most = PTRDIFF_MAX},
    {"subx_dataset", SX_HINT_TEXT, offsetof(values, text), .text = ""},
    {"subx_threads", SX_HINT_THREADS, offsetof(values, threads), .otherwise = 1, .least = 1,
     .most = INT_MAX}};
enum { NHINTS = sizeof table / sizeof table[0] };

static void expect_printed(const values *v, const char *expected)
{
    char text[256];
    sx_text t = {text, sizeof text, 0};
    sx_base_hints_print(table, NHINTS, v, &t);
    ck_assert_str_eq(text, expected);
}

TEST(tables_export_what_they_parse)
{
    values v = {.word = 1, .number = 9, .length = PTRDIFF_MAX, .threads = 1, .text = "a text"}, again;
    int nkeys = 0;
    MPI_Info info;
    memset(&again, 0, sizeof again);
    MPI_Info_create(&info);
    ck_assert_ok(sx_base_hints_export(table, NHINTS, &v, info));
    ck_assert_ok(sx_base_hints_parse(table, NHINTS, info, &again));
    expect_printed(&again, "wire second, window 9, memory 9223372036854775807, dataset a text, "
                           "threads 1");
    MPI_Info_free(&info);

    /* MPI has no empty values of hints */
    *v.text = '\0';
    MPI_Info_create(&info);
    ck_assert_ok(sx_base_hints_export(table, NHINTS, &v, info));
    MPI_Info_get_nkeys(info, &nkeys);
    ck_assert_int_eq(nkeys, NHINTS - 1);
    MPI_Info_free(&info);
}

/* One MPI_Info may be for several kinds of object. */
TEST(unknown_keys_are_refused)
{
    static const char *const wrong[][2] = {
        {"subx_efort", "; did you mean subx_effort?"},
        {"subx_thread", "; did you mean subx_threads?"},
        {"subx_gird", "; did you mean subx_grid?"},
        {"subx_output", "; did you mean subx_output_order?"},
        {"subx_wirre", "; did you mean subx_wire?"},
        {"subx_nodes_rank", "; did you mean node_ranks in subx_tune?"},
        {"subx_slices", "; it is a word of subx_tune, such as \"slices ..\""},
        {"subx_normalization", ""},
        {"subx_x", ""},
        {"subx_", ""},
        {"subx_GRID", ""},
        {"subx_thirty_letters_without_end", ""}};
    static const char *const right[] = {"subx_effort", "subx_offset", "subx_work",
                                        "subx_lost",   "other",       "Subx_x"};
    char text[256];
    MPI_Info info;
    values v;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sx_text t = {text, sizeof text, 0};
        MPI_Info_create(&info);
        MPI_Info_set(info, wrong[i][0], "1");
        sx_base_print(&t, "subx: hint %s is \"1\"; there is no such hint%s", wrong[i][0], wrong[i][1]);
        expect_refused(table, info, text);
        MPI_Info_free(&info);
    }
    MPI_Info_create(&info);
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        MPI_Info_set(info, right[i], "1");
    ck_assert_ok(sx_base_hints_parse(table, NHINTS, info, &v));
    MPI_Info_free(&info);
}

TEST(unknown_variables_are_told)
{
    char text[256];
    size_t needed = 0;
    unsetenv("SUBX_TESTKEY");
    setenv("SUBX_GRID", "2", 1);
    ck_assert_ok(subx_hint_query_unknown(0, sizeof text, text, &needed));
    ck_assert_str_eq(text, "");
    setenv("SUBX_PMPI_REPROT", "1", 1);
    ck_assert_ok(subx_hint_query_unknown(0, sizeof text, text, &needed));
    ck_assert_str_eq(
        text, "environment variable SUBX_PMPI_REPROT: nothing reads it; did you mean SUBX_PMPI_REPORT?");
    ck_assert_uint_eq(needed, strlen(text));
    ck_assert_ok(subx_hint_query_unknown(1, 0, NULL, &needed));
    ck_assert_uint_eq(needed, 0);
    ck_assert_kind(subx_hint_query_unknown(0, 1, NULL, NULL), SUBX_ERR_ARG);
    unsetenv("SUBX_PMPI_REPROT");
    unsetenv("SUBX_GRID");
}

/* ---- texts of errors */

static const char *get_text(int rc, char text[MPI_MAX_ERROR_STRING])
{
    int length;
    MPI_Error_string(rc, text, &length);
    return text;
}

TEST(a_text_belongs_to_one_error)
{
    char told[MPI_MAX_ERROR_STRING], usual[MPI_MAX_ERROR_STRING];
    for (int kind = 1; subx_error_get_code(kind) != MPI_SUCCESS; kind++) {
        get_text(subx_error_get_code(kind), usual);
        int rc = sx_base_set_error_text(kind, "told");
        ck_assert_str_eq(get_text(rc, told), "told");
        ck_assert_int_eq(subx_error_get_kind(rc), kind);
        rc = sx_base_agree(MPI_COMM_SELF, rc, NULL);
        ck_assert_str_eq(get_text(rc, told), "told");
        ck_assert_str_eq(get_text(subx_error_get_code(kind), told), usual);
    }
}

TEST(agreement_keeps_the_kind)
{
    for (int kind = 1; subx_error_get_code(kind) != MPI_SUCCESS; kind++)
        ck_assert_kind(sx_base_agree(MPI_COMM_SELF, subx_error_get_code(kind), "key"), kind);
    ck_assert_ok(sx_base_agree(MPI_COMM_SELF, MPI_SUCCESS, "key"));
    ck_assert_ok(sx_base_agree(MPI_COMM_SELF, MPI_SUCCESS, NULL));
    ck_assert_int_ne(sx_base_agree(MPI_COMM_SELF, MPI_ERR_COUNT, NULL), MPI_SUCCESS);
}

/* A comma ends a number in any locale, also if the locale's decimal point is a comma. */
TEST(numbers_are_the_same_in_all_locales)
{
    for (int has_comma = 0; has_comma < 2 && test_locale_use(has_comma); has_comma++) {
        static const char text[] = " 2.5e-3, 7";
        char room[32] = "";
        sx_text t = {room, sizeof room, 0};
        double x = 0;
        sx_base_print_number(&t, 6, 0.00123456789);
        ck_assert_str_eq(room, "0.00123457");
        ck_assert_str_eq(sx_base_parse_number(text, &x), ", 7");
        ck_assert_double_eq(x, 0.0025);
        const char *comma = strchr(text, ',');
        ck_assert_ptr_eq(sx_base_parse_number(comma, &x), comma);
    }
    test_locale_use(0);
}
