/* wisdom.c - wisdom files: what was put is found; merging, forgetting, 10,000 entries, allocations that
 * fail. */
#include "common/unit.h"
#include "unit/wisdom_help.h"
#include "wisdom/inside.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- paths and checksums */

TEST(paths_come_from_the_hint)
{
    char path[SX_WISDOM_PATH], longest[SX_WISDOM_PATH + 1], cut[5];
    size_t needed;
    setenv("XDG_CACHE_HOME", "/cache", 1);
    setenv("HOME", "/usr", 1);
    ck_assert_ok(sx_wisdom_get_path("auto", path));
    ck_assert_str_eq(path, "/cache/subarray_x/wisdom");
    setenv("XDG_CACHE_HOME", "relative", 1);
    ck_assert_ok(sx_wisdom_get_path("auto", path));
    ck_assert_str_eq(path, "/usr/.cache/subarray_x/wisdom");
    unsetenv("XDG_CACHE_HOME");
    ck_assert_ok(subx_fft_wisdom_get_path("auto", sizeof cut, cut, &needed));
    ck_assert_str_eq(cut, "/usr");
    ck_assert_uint_eq(needed, strlen("/usr/.cache/subarray_x/wisdom"));
    static const char *const homeless[] = {NULL, "", ".", "usr", "/nonexistent", "/etc/passwd"};
    for (size_t i = 0; i < sizeof homeless / sizeof *homeless; i++) {
        homeless[i] ? setenv("HOME", homeless[i], 1) : unsetenv("HOME");
        ck_assert_ok(sx_wisdom_get_path("auto", path));
        ck_assert_str_eq(path, "");
    }
    ck_assert_ok(sx_wisdom_get_path("none", path));
    ck_assert_str_eq(path, "");
    memset(longest, 'x', sizeof longest);
    longest[SX_WISDOM_PATH] = '\0';
    ck_assert_kind(sx_wisdom_get_path(longest, path), SUBX_ERR_HINT);
    longest[SX_WISDOM_PATH - 1] = '\0';
    ck_assert_ok(sx_wisdom_get_path(longest, path));
    ck_assert_str_eq(path, longest);
}

/* ---- put and find */

TEST(what_was_put_is_found)
{
    const char *path = test_wisdom_path("put");
    test_wisdom_expect(path, "a", NULL, "no such file");
    test_wisdom_put(path, "a", "1");
    test_wisdom_put(path, "b", "2 2");
    test_wisdom_put(path, "a b", "");
    test_wisdom_expect(path, "a", "1", "");
    test_wisdom_expect(path, "b", "2 2", "");
    test_wisdom_expect(path, "a b", "", "");
    test_wisdom_expect(path, "c", NULL, "no such entry");
    test_wisdom_put(path, "a", "3");
    test_wisdom_expect(path, "a", "3", "");
    ck_assert_ok(sx_wisdom_put(path, SX_WISDOM_FFTW, "a", "(fftw)", NULL));
    test_wisdom_expect(path, "a", "3", "");
    size_t len;
    char *text = test_wisdom_read(path, &len);
    ck_assert_int_eq(test_wisdom_count(text, "\n"), 5);
    ck_assert_int_eq(strncmp(text, SX_WISDOM_HEADER "\n", strlen(SX_WISDOM_HEADER) + 1), 0);
    free(text);
    ck_assert_int_eq(test_wisdom_count_temporary(), 0);
}

TEST(folders_and_permissions)
{
    char path[300], deep[400];
    struct stat s;
    const mode_t mask = umask(022);
    snprintf(path, sizeof path, "%s", test_wisdom_path("cache"));
    snprintf(deep, sizeof deep, "%s/subarray_x/wisdom", path);
    test_wisdom_put(deep, "key", "value");
    test_wisdom_expect(deep, "key", "value", "");
    ck_assert_int_eq(stat(path, &s), 0);
    ck_assert_int_eq(s.st_mode & 0777, 0700);
    ck_assert_int_eq(stat(deep, &s), 0);
    ck_assert_int_eq(s.st_mode & 0777, 0644);
    chmod(deep, 0664);
    test_wisdom_put(deep, "key", "other");
    stat(deep, &s);
    ck_assert_int_eq(s.st_mode & 0777, 0664);
    umask(mask);
}

TEST(control_characters_are_refused)
{
    const char *path = test_wisdom_path("control");
    const char *const bad[] = {"a\tb", "a\nb", "a\r", "\x7f", "\x1b[2J"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_kind(sx_wisdom_put(path, SX_WISDOM_PLAN, bad[i], "v", test_wisdom_reason()), SUBX_ERR_ARG);
        ck_assert_kind(sx_wisdom_put(path, SX_WISDOM_PLAN, "k", bad[i], NULL), SUBX_ERR_ARG);
        ck_assert_kind(sx_wisdom_put(path, bad[i], "k", "v", NULL), SUBX_ERR_ARG);
    }
    ck_assert_kind(sx_wisdom_put(path, "", "k", "v", NULL), SUBX_ERR_ARG);
    ck_assert_kind(sx_wisdom_put(path, "k", "", "v", NULL), SUBX_ERR_ARG);
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_ok(sx_wisdom_put("", "k", "k", "v", test_wisdom_reason()));
    ck_assert_ptr_nonnull(strstr(test_wisdom_why, "no file"));
    test_wisdom_expect("", "k", NULL, "no file");
}

/* A name may be so long that the names of the lock and of the new file beside it are cut. */
TEST(names_have_up_to_255_bytes)
{
    char name[256];
    for (int len = 246; len <= 255; len++) {
        memset(name, 'n', sizeof name);
        name[len] = '\0';
        const char *path = test_wisdom_path(name);
        test_wisdom_put(path, "a", "1");
        test_wisdom_put(path, "b", "2");
        test_wisdom_expect(path, "a", "1", "");
    }
    ck_assert_int_eq(test_wisdom_count_temporary(), 0);
}

TEST(links_are_followed)
{
    char link[300], dangling[300];
    struct stat s;
    snprintf(link, sizeof link, "%s", test_wisdom_path("link"));
    snprintf(dangling, sizeof dangling, "%s", test_wisdom_path("dangling"));
    const char *path = test_wisdom_path("target");
    test_wisdom_put(path, "a", "1");
    ck_assert_int_eq(symlink(path, link), 0);
    test_wisdom_put(link, "b", "2");
    ck_assert(lstat(link, &s) == 0 && S_ISLNK(s.st_mode));
    test_wisdom_expect(path, "b", "2", "");
    ck_assert_int_eq(symlink("/nowhere/at/all", dangling), 0);
    ck_assert_kind(sx_wisdom_put(dangling, "k", "k", "v", test_wisdom_reason()), SUBX_ERR_FILE);
    ck_assert_ptr_nonnull(strstr(test_wisdom_why, "link"));
}

/* ---- wisdom in memory */

static char *print(subx_fft_wisdom w)
{
    size_t needed;
    ck_assert_ok(subx_fft_wisdom_print(w, 0, NULL, &needed));
    char *text = malloc(needed + 1);
    ck_assert_ok(subx_fft_wisdom_print(w, needed + 1, text, NULL));
    ck_assert_uint_eq(strlen(text), needed);
    return text;
}

static void expect_print(subx_fft_wisdom w, const char *expected)
{
    char *text = print(w);
    ck_assert_str_eq(text, expected);
    free(text);
}

TEST(files_are_merged)
{
    char one[300], two[300];
    subx_fft_wisdom w;
    int ignored = -1;
    snprintf(one, sizeof one, "%s", test_wisdom_path("one"));
    snprintf(two, sizeof two, "%s", test_wisdom_path("two"));
    test_wisdom_put(one, "a", "1");
    test_wisdom_put(one, "b", "1");
    test_wisdom_put(two, "b", "2");
    test_wisdom_put(two, "c", "2");
    ck_assert_ok(subx_fft_wisdom_create(&w));
    ck_assert_ok(subx_fft_wisdom_import(w, one, &ignored));
    ck_assert_ok(subx_fft_wisdom_import(w, two, NULL));
    ck_assert_int_eq(ignored, 0);
    expect_print(w, "plan\ta\t1\nplan\tb\t2\nplan\tc\t2\n");
    test_wisdom_put(one, "d", "of another job");
    ck_assert_ok(subx_fft_wisdom_export(w, one));
    test_wisdom_expect(one, "a", "1", "");
    test_wisdom_expect(one, "b", "2", "");
    test_wisdom_expect(one, "c", "2", "");
    test_wisdom_expect(one, "d", "of another job", "");
    ck_assert_ok(subx_fft_wisdom_import(w, "none", NULL));
    ck_assert_ok(subx_fft_wisdom_export(w, "none"));
    ck_assert_ok(subx_fft_wisdom_free(&w));
    ck_assert(w == SUBX_FFT_WISDOM_NULL);
}

TEST(what_was_forgotten_is_removed)
{
    const char *path = test_wisdom_path("forget");
    subx_fft_wisdom w;
    int n = -1;
    test_wisdom_put(path, "c2c:8", "1");
    test_wisdom_put(path, "c2c:9", "1");
    test_wisdom_put(path, "r2c:8", "1");
    ck_assert_ok(sx_wisdom_put(path, SX_WISDOM_FFTW, "f64", "(fftw)", NULL));
    ck_assert_ok(subx_fft_wisdom_create(&w));
    ck_assert_ok(subx_fft_wisdom_import(w, path, NULL));
    ck_assert_ok(subx_fft_wisdom_forget(w, "c2c", &n));
    ck_assert_int_eq(n, 2);
    ck_assert_ok(subx_fft_wisdom_forget(w, "fftw", &n));
    ck_assert_int_eq(n, 1);
    ck_assert_ok(subx_fft_wisdom_forget(w, "nothing", &n));
    ck_assert_int_eq(n, 0);
    expect_print(w, "plan\tr2c:8\t1\n");
    test_wisdom_put(path, "dct2:7", "of another job");
    ck_assert_ok(subx_fft_wisdom_export(w, path));
    test_wisdom_expect(path, "c2c:8", NULL, "no such entry");
    test_wisdom_expect(path, "r2c:8", "1", "");
    test_wisdom_expect(path, "dct2:7", "of another job", "");
    ck_assert_ok(subx_fft_wisdom_forget(w, "", NULL));
    expect_print(w, "");
    ck_assert_ok(subx_fft_wisdom_import(w, path, NULL));
    expect_print(w, "plan\tdct2:7\tof another job\nplan\tr2c:8\t1\n");
    subx_fft_wisdom_free(&w);
}

TEST(print_tells_of_unusable_files)
{
    char path[300], expected[1500];
    subx_fft_wisdom w;
    int ignored;
    snprintf(path, sizeof path, "%s", test_wisdom_path("noted"));
    ck_assert_ok(subx_fft_wisdom_create(&w));
    ck_assert_kind(subx_fft_wisdom_import(w, path, &ignored), SUBX_ERR_FILE);
    test_wisdom_put(path, "a", "1");
    test_wisdom_append(path, "nonsense\nnonsense\n", 18);
    ck_assert_ok(subx_fft_wisdom_import(w, path, &ignored));
    ck_assert_int_eq(ignored, 2);
    test_wisdom_write(path, "subarray_x wisdom 2\n", 20);
    ck_assert_kind(subx_fft_wisdom_import(w, path, NULL), SUBX_ERR_FILE);
    ck_assert_kind(subx_fft_wisdom_export(w, path), SUBX_ERR_FILE);
    snprintf(expected, sizeof expected,
             "plan\ta\t1\n# %s: there is no such file, or it is empty\n# %s: 2 damaged lines are ignored\n"
             "# %s: the file is of another version than \"subarray_x wisdom 1\"\n"
             "# %s: the file is of another version than \"subarray_x wisdom 1\"\n",
             path, path, path, path);
    expect_print(w, expected);
    for (int i = 0; i < 100; i++)
        ck_assert_kind(subx_fft_wisdom_import(w, path, NULL), SUBX_ERR_FILE);
    char *text = print(w);
    ck_assert(strlen(text) < 5000 && text[strlen(text) - 1] == '\n');
    free(text);
    subx_fft_wisdom_free(&w);
}

TEST(null_arguments)
{
    subx_fft_wisdom w, none = SUBX_FFT_WISDOM_NULL;
    ck_assert_kind(subx_fft_wisdom_create(NULL), SUBX_ERR_ARG);
    ck_assert_ok(subx_fft_wisdom_create(&w));
    ck_assert_kind(subx_fft_wisdom_import(none, "x", NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_wisdom_import(w, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_wisdom_export(none, "x"), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_wisdom_export(w, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_wisdom_forget(none, "", NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_wisdom_forget(w, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_wisdom_print(none, 0, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_wisdom_print(w, 1, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_wisdom_get_path(NULL, 0, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_wisdom_get_path("auto", 1, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_ok(subx_fft_wisdom_free(&w));
    ck_assert_ok(subx_fft_wisdom_free(&w));
    ck_assert_ok(subx_fft_wisdom_free(NULL));
}

/* ---- size and memory */

/* Create a file of n entries of about 400 bytes. */
static void create_large(const char *path, int n)
{
    const size_t room = 500;
    sx_text t = {malloc((size_t)n * room + 100), (size_t)n * room + 100, 0};
    char key[100], value[350];
    sx_base_print(&t, "%s\n", SX_WISDOM_HEADER);
    for (int i = 0; i < n; i++) {
        snprintf(key, sizeof key, "c2c:%dx%d, 128 ranks on 64 nodes", i, 7 * i);
        memset(value, 'a' + i % 26, sizeof value - 1);
        snprintf(value + sizeof value - 9, 9, "%8d", i);
        sx_wisdom_join(&(sx_wisdom_entry){SX_WISDOM_PLAN, key, value, 0}, &t);
    }
    test_wisdom_write(path, t.at, t.used);
    free(t.at);
}

TEST(ten_thousand_entries)
{
    enum { N = 10000 };
    const char *path = test_wisdom_path("large");
    struct stat s;
    subx_fft_wisdom w;
    int ignored, n;
    create_large(path, N);
    for (int i = 0; i < 20; i++) {
        char *value, key[100];
        snprintf(key, sizeof key, "c2c:%dx%d, 128 ranks on 64 nodes", i * 499, i * 499 * 7);
        ck_assert_ok(sx_wisdom_find(path, SX_WISDOM_PLAN, key, &value, test_wisdom_reason()));
        ck_assert_ptr_nonnull(value);
        ck_assert_int_eq(atoi(value + strlen(value) - 8), i * 499);
        sx_base_free(value);
    }
    test_wisdom_put(path, "new", "value");
    ck_assert_ok(subx_fft_wisdom_create(&w));
    ck_assert_ok(subx_fft_wisdom_import(w, path, &ignored));
    ck_assert_int_eq(ignored, 0);
    ck_assert_ok(subx_fft_wisdom_forget(w, "c2c:", &n));
    ck_assert_int_eq(n, N);
    ck_assert_ok(subx_fft_wisdom_export(w, path));
    stat(path, &s);
    ck_assert_int_lt(s.st_size, 100);
    subx_fft_wisdom_free(&w);
}

static int use_memory(const char *path)
{
    subx_fft_wisdom w = SUBX_FFT_WISDOM_NULL;
    char *value = NULL;
    int rc = sx_wisdom_put(path, SX_WISDOM_PLAN, "b", "2", NULL);
    if (!rc)
        rc = sx_wisdom_find(path, SX_WISDOM_PLAN, "a", &value, NULL);
    sx_base_free(value);
    if (!rc)
        rc = subx_fft_wisdom_create(&w);
    if (!rc)
        rc = subx_fft_wisdom_import(w, path, NULL);
    if (!rc)
        rc = subx_fft_wisdom_export(w, path);
    subx_fft_wisdom_free(&w);
    return rc;
}

TEST(each_allocation_may_fail)
{
    const char *path = test_wisdom_path("memory");
    int rc = MPI_SUCCESS, n = 0;
    test_wisdom_put(path, "a", "1");
    do {
        sx_base_fail_after(n++);
        rc = use_memory(path);
        sx_base_fail_after(-1);
        ck_assert(rc == MPI_SUCCESS || subx_error_get_kind(rc) == SUBX_ERR_NO_MEM);
        test_wisdom_expect(path, "a", "1", "");
        ck_assert_int_eq(test_wisdom_count_temporary(), 0);
    } while (rc);
    ck_assert_int_gt(n, 8);
    test_wisdom_expect(path, "b", "2", "");
}

int main(void)
{
    test_wisdom_begin();
    int status = test_unit_run_mpi("wisdom");
    test_wisdom_end();
    return status;
}
