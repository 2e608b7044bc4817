/* wisdom_damage.c - wisdom files that are damaged, foreign, not readable or not writable are ignored, and the
 * reason is told. No data of others is lost. */
#include "common/unit.h"
#include "unit/wisdom_help.h"
#include "wisdom/inside.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Expect that a put fails because of the file, for a reason that contains `word`. */
static void expect_refused(const char *path, const char *value, const char *word)
{
    ck_assert_kind(sx_wisdom_put(path, SX_WISDOM_PLAN, "key", value, test_wisdom_reason()), SUBX_ERR_FILE);
    ck_assert_msg(strstr(test_wisdom_why, word) != NULL, "no \"%s\" in \"%s\"", word, test_wisdom_why);
}

/* Expect that the library finds nothing in a file, and that a put into the file fails, both for a reason that
 * contains `word`. The put must not change the file, and must leave no temporary file. */
static void expect_left_alone(const char *path, const char *word)
{
    size_t before, after;
    char *old = test_wisdom_read(path, &before), *new;
    test_wisdom_expect(path, "key", NULL, word);
    expect_refused(path, "value", word);
    new = test_wisdom_read(path, &after);
    ck_assert(before == after && memcmp(old, new, before) == 0);
    ck_assert_int_eq(test_wisdom_count_temporary(), 0);
    free(old);
    free(new);
}

TEST(damaged_lines_are_dropped)
{
    const char *path = test_wisdom_path("lines");
    static const char garbage[] = "\0\1\2\xff no line of ours\nffffffffffffffff\tplan\tc\t3\n\n\0\0\0";
    test_wisdom_put(path, "a", "1");
    test_wisdom_put(path, "b", "2");
    test_wisdom_append(path, garbage, sizeof garbage - 1);
    test_wisdom_expect(path, "a", "1", "");
    test_wisdom_expect(path, "c", NULL, "damaged");
    test_wisdom_put(path, "d", "4");
    ck_assert_ptr_nonnull(strstr(test_wisdom_why, "3 damaged lines"));
    test_wisdom_expect(path, "a", "1", "");
    test_wisdom_expect(path, "b", "2", "");
    test_wisdom_expect(path, "c", NULL, "no such entry");
    test_wisdom_expect(path, "d", "4", "");
    test_wisdom_put(path, "d", "5");
    ck_assert_str_eq(test_wisdom_why, "");
}

/* A file whose end was cut off: its complete lines are still found. */
TEST(truncated_files_keep_their_first_lines)
{
    const char *path = test_wisdom_path("cut");
    size_t len;
    test_wisdom_put(path, "a", "1");
    test_wisdom_put(path, "b", "22222222");
    char *text = test_wisdom_read(path, &len);
    const size_t second = (size_t)(strstr(text, "\tb\t") - text) - SX_WISDOM_SUM - strlen("\tplan");
    for (size_t cut = 0; cut < len; cut++) {
        test_wisdom_write(path, text, cut);
        if (cut == 0)
            test_wisdom_expect(path, "a", NULL, "no such file, or it is empty");
        else if (cut < strlen(SX_WISDOM_HEADER))
            test_wisdom_expect(path, "a", NULL, "not wisdom");
        else if (cut < second - 1)
            test_wisdom_expect(path, "a", NULL, NULL);
        else
            test_wisdom_expect(path, "a", "1", "");
        if (cut >= second && cut < len - 1)
            test_wisdom_put(path, "c", "3");
        if (cut >= second && cut < len - 1)
            test_wisdom_expect(path, "b", NULL, "no such entry");
    }
    free(text);
}

TEST(an_earlier_line_stands_in_for_a_damaged_one)
{
    const char *path = test_wisdom_path("earlier");
    test_wisdom_put(path, "a", "1");
    test_wisdom_append(path, "0123456789abcdef\tplan\ta\t2\n", 26);
    test_wisdom_expect(path, "a", "1", "earlier");
    test_wisdom_append(path, "# ........\tplan\ta\t2\n", 20);
    test_wisdom_expect(path, "a", "1", "earlier");
}

TEST(comments_and_unknown_kinds_are_kept)
{
    const char *path = test_wisdom_path("kept");
    size_t len;
    test_wisdom_put(path, "a", "1");
    ck_assert_ok(sx_wisdom_put(path, "of the future", "a", "x", NULL));
    test_wisdom_append(path, "# a remark\tplan\ta\tx\n\n", 21);
    test_wisdom_put(path, "a", "2");
    char *text = test_wisdom_read(path, &len);
    ck_assert_int_eq(test_wisdom_count(text, "\tof the future\ta\tx\n"), 1);
    ck_assert_int_eq(test_wisdom_count(text, "\n# a remark\tplan\ta\tx\n\n"), 1);
    ck_assert_int_eq(test_wisdom_count(text, "\n"), 5);
    free(text);
}

TEST(other_line_ends_are_understood)
{
    const char *path = test_wisdom_path("crlf");
    size_t len, n = 0;
    test_wisdom_put(path, "a", "1");
    test_wisdom_put(path, "b", "2");
    char *text = test_wisdom_read(path, &len), *crlf = malloc(2 * len);
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\n')
            crlf[n++] = '\r';
        crlf[n++] = text[i];
    }
    test_wisdom_write(path, crlf, n);
    test_wisdom_expect(path, "a", "1", "");
    test_wisdom_put(path, "c", "3");
    ck_assert_str_eq(test_wisdom_why, "");
    test_wisdom_expect(path, "b", "2", "");
    free(text);
    text = test_wisdom_read(path, &len);
    ck_assert_ptr_null(strchr(text, '\r'));
    free(text);
    free(crlf);
}

TEST(lines_may_be_very_long)
{
    enum { LONG = 3 << 20 };
    const char *path = test_wisdom_path("long");
    char *text = malloc(LONG + 1);
    memset(text, 'x', LONG);
    text[LONG] = '\0';
    test_wisdom_put(path, "a", "1");
    test_wisdom_put(path, "long", text);
    test_wisdom_append(path, text, LONG);
    test_wisdom_expect(path, "long", text, "");
    test_wisdom_put(path, "b", "2");
    ck_assert_ptr_nonnull(strstr(test_wisdom_why, "1 damaged line was"));
    test_wisdom_expect(path, "a", "1", "");
    test_wisdom_expect(path, "long", text, "");
    free(text);
}

TEST(other_files_are_left_alone)
{
    static const char *const text[][2] = {
        {"subarray_x wisdom 2\n", "version"},
        {"subarray_x wisdom 12\n", "version"},
        {"subarray_x wisdom 1 of another kind\n", "version"},
        {"subarray_x wisdom", "not wisdom"},
        {"\n" SX_WISDOM_HEADER "\n", "not wisdom"},
        {"(fftw-3.3.10 fftw_wisdom)\n", "not wisdom"},
        {"\x7f"
         "ELF\1\2\3",
         "not wisdom"},
    };
    const char *path = test_wisdom_path("other");
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        test_wisdom_write(path, text[i][0], strlen(text[i][0]));
        expect_left_alone(path, text[i][1]);
    }
    test_wisdom_write(path, "\0\0\0\0\n\0", 6);
    expect_left_alone(path, "not wisdom");
    test_wisdom_write(path, "", 0);
    test_wisdom_put(path, "a", "1");
    test_wisdom_expect(path, "a", "1", "");
}

/* The library must not open folders and devices: opening a named pipe would wait for ever if nobody writes
 * into the pipe. */
TEST(folders_and_devices_are_left_alone)
{
    const char *path = test_wisdom_path("folder");
    ck_assert_int_eq(mkdir(path, 0700), 0);
    test_wisdom_expect(path, "a", NULL, "not a file");
    expect_refused(path, "v", "not a file");
    path = test_wisdom_path("pipe");
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    test_wisdom_expect(path, "a", NULL, "not a file");
    expect_refused(path, "v", "not a file");
    test_wisdom_expect("/dev/null", "a", NULL, "not a file");
    expect_refused("/dev/null", "v", "not a file");
    expect_refused("/proc/nowhere/wisdom", "v", "created");
    test_wisdom_put(test_wisdom_path("plain"), "a", "1");
    char below[300];
    snprintf(below, sizeof below, "%s/wisdom", test_wisdom_path("plain"));
    test_wisdom_expect(below, "a", NULL, strerror(ENOTDIR));
    expect_refused(below, "v", "");
}

/* Root may read and write all files. So if the test runs as root, it becomes another user for a while. */
TEST(permissions_are_respected)
{
    const uid_t me = geteuid();
    char path[300];
    snprintf(path, sizeof path, "%s/wisdom", test_wisdom_path("closed"));
    test_wisdom_put(path, "a", "1");
    chmod(test_wisdom_path("closed"), 0755);
    chmod(test_wisdom_path("."), 0755);
    if (me == 0 && seteuid(65534))
        return;
    if (me != 0)
        chmod(test_wisdom_path("closed"), 0500);
    test_wisdom_expect(path, "a", "1", "");
    expect_refused(path, "v", strerror(EACCES));
    if (me == 0)
        ck_assert_int_eq(seteuid(0), 0);
    chmod(test_wisdom_path("closed"), 0700);
    chmod(path, 0);
    if (me == 0 && seteuid(65534))
        return;
    test_wisdom_expect(path, "a", NULL, strerror(EACCES));
    if (me == 0)
        ck_assert_int_eq(seteuid(0), 0);
    chmod(path, 0600);
}

/* If another process keeps the lock for ever, the library waits for some seconds, and then goes on without
 * the lock. */
TEST(a_lock_that_is_kept_does_not_stop_us)
{
    const char *path = test_wisdom_path("locked");
    struct timespec from, to;
    test_wisdom_put(path, "a", "1");
    int lock = sx_wisdom_lock(path);
    ck_assert_int_ge(lock, 0);
    sx_base_knobs.patience = 1;
    clock_gettime(CLOCK_MONOTONIC, &from);
    test_wisdom_expect(path, "a", "1", "");
    test_wisdom_put(path, "b", "2");
    clock_gettime(CLOCK_MONOTONIC, &to);
    sx_base_knobs.patience = 0;
    test_wisdom_expect(path, "b", "2", "");
    ck_assert_int_ge(to.tv_sec - from.tv_sec, 1);
    ck_assert_int_le(to.tv_sec - from.tv_sec, 15);
    sx_wisdom_unlock(lock);
}

/* Without the lock, the library must not replace a file that has changed since the library read it. */
TEST(a_file_that_changed_is_not_replaced)
{
    const char *path = test_wisdom_path("changed");
    sx_wisdom_file file;
    char text[] = SX_WISDOM_HEADER "\n";
    int done = 1;
    test_wisdom_put(path, "a", "1");
    ck_assert_ok(sx_wisdom_read(path, &file, test_wisdom_reason()));
    test_wisdom_put(path, "b", "2");
    ck_assert_ok(sx_wisdom_replace(path, &file, &(sx_text){text, sizeof text, sizeof text - 1}, &done,
                                   test_wisdom_reason()));
    ck_assert_int_eq(done, 0);
    test_wisdom_expect(path, "b", "2", "");
    ck_assert_int_eq(test_wisdom_count_temporary(), 0);
    sx_base_free(file.text);
}

/* A limit on the length of files has the effect of a full disk. */
TEST(a_failed_write_leaves_all_as_it_was)
{
    const char *path = test_wisdom_path("full");
    char value[5000];
    struct rlimit old, small;
    memset(value, 'v', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    test_wisdom_put(path, "a", "1");
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 4096;
    setrlimit(RLIMIT_FSIZE, &small);
    expect_refused(path, value, "cannot be written");
    setrlimit(RLIMIT_FSIZE, &old);
    test_wisdom_expect(path, "a", "1", "");
    ck_assert_int_eq(test_wisdom_count_temporary(), 0);
}

/* ---- files beside the wisdom */

static void write_aged(const char *path, const char *end, const char *text, int hours, char name[300])
{
    const time_t then = time(NULL) - 3600 * hours;
    const struct timespec times[2] = {{.tv_sec = then}, {.tv_sec = then}};
    snprintf(name, 300, "%s.tmp.%s", path, end);
    test_wisdom_write(name, text, strlen(text));
    ck_assert_int_eq(utimensat(AT_FDCWD, name, times, 0), 0);
}

/* Only temporary files that a killed writer can have left are removed. */
TEST(old_temporary_files_are_removed)
{
    static const struct {
        const char *end, *text;
        int hours, is_removed;
    } files[] = {{"0", SX_WISDOM_HEADER "\n", 2, 1},
                 {"999", SX_WISDOM_HEADER "\n0123456789abcdef\tplan", 2, 1},
                 {"10", "", 2, 1},
                 {"11", "subarray_x wis", 2, 1},
                 {"1", SX_WISDOM_HEADER "\n", 0, 0},
                 {"2", "my thesis\n", 2, 0},
                 {"3", "subarray_x wisdom, and what I think of it\n", 2, 0},
                 {"02", SX_WISDOM_HEADER "\n", 2, 0},
                 {"1000", SX_WISDOM_HEADER "\n", 2, 0},
                 {"", SX_WISDOM_HEADER "\n", 2, 0},
                 {"4.old", SX_WISDOM_HEADER "\n", 2, 0},
                 {"notes", SX_WISDOM_HEADER "\n", 2, 0}};
    enum { COUNT = sizeof files / sizeof *files };
    const char *path = test_wisdom_path("swept");
    char name[COUNT][300];
    for (int i = 0; i < COUNT; i++)
        write_aged(path, files[i].end, files[i].text, files[i].hours, name[i]);
    test_wisdom_put(path, "a", "1");
    for (int i = 0; i < COUNT; i++) {
        ck_assert_msg((access(name[i], F_OK) != 0) == files[i].is_removed, "%s", name[i]);
        unlink(name[i]);
    }
}

/* A lock file that is a symbolic link must not be opened, because opening it would create the file that the
 * link names. */
TEST(a_lock_is_no_symbolic_link)
{
    const char *path = test_wisdom_path("linked"), *elsewhere = test_wisdom_path("elsewhere");
    char lock[300];
    snprintf(lock, sizeof lock, "%s.lock", path);
    ck_assert_int_eq(symlink(elsewhere, lock), 0);
    test_wisdom_put(path, "a", "1");
    test_wisdom_expect(path, "a", "1", "");
    ck_assert_int_ne(access(elsewhere, F_OK), 0);
}
