/* wisdom_jobs.c - many processes use one wisdom file. No entry is lost, and the file is complete at any time,
 * even if writers are killed. */
#include "common/random.h"
#include "common/unit.h"
#include "unit/wisdom_help.h"
#include "wisdom/inside.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NKILLS = 50, NENTRIES = 100, NWRITERS_MAX = 8 };

/* Memory that the processes share. */
static struct shared {
    int put[NKILLS]; /* for each writer, how many of its puts have returned */
    int stop;        /* 1 tells the reader to stop */
    int nreads;
} * shared;

/* ---- processes */

static void put_entry(const char *path, int writer, int i)
{
    char key[40], value[200], why[256] = "";
    sx_text reason = {why, sizeof why, 0};
    snprintf(key, sizeof key, "writer %d entry %d", writer, i);
    snprintf(value, sizeof value, "%0*d", 20 + (writer * 31 + i) % 150, i);
    if (sx_wisdom_put(path, SX_WISDOM_PLAN, key, value, &reason) || why[0]) {
        fprintf(stderr, "%s: %s\n", key, why);
        _exit(1);
    }
    __atomic_store_n(&shared->put[writer], i + 1, __ATOMIC_SEQ_CST);
}

static pid_t start_writer(const char *path, int writer, int n)
{
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        for (int i = 0; i < n; i++)
            put_entry(path, writer, i);
        _exit(0);
    }
    return child;
}

/* Returns 1 if no line of the file is damaged and the first entry exists. */
static int is_whole(const char *path)
{
    subx_fft_wisdom w = SUBX_FFT_WISDOM_NULL;
    char *value = NULL;
    int ignored = -1, good = 0;
    sx_wisdom_find(path, SX_WISDOM_MACHINE, "first", &value, NULL);
    if (value && subx_fft_wisdom_create(&w) == MPI_SUCCESS)
        good = subx_fft_wisdom_import(w, path, &ignored) == MPI_SUCCESS && ignored == 0;
    subx_fft_wisdom_free(&w);
    sx_base_free(value);
    return good;
}

static pid_t start_reader(const char *path)
{
    const struct timespec pause = {0, 500000};
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    while (child == 0) {
        if (!is_whole(path))
            _exit(1);
        shared->nreads++;
        if (__atomic_load_n(&shared->stop, __ATOMIC_SEQ_CST))
            _exit(0);
        nanosleep(&pause, NULL);
    }
    return child;
}

static void expect_success(pid_t child)
{
    int status = -1;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* ---- the file afterwards */

/* For each put that has returned, the file must have its entry exactly once, with the right value. */
static void expect_entries(const char *path, int nwriters)
{
    char line[300];
    size_t len;
    char *text = test_wisdom_read(path, &len);
    for (int w = 0; w < nwriters; w++)
        for (int i = 0; i < shared->put[w]; i++) {
            snprintf(line, sizeof line, "\tplan\twriter %d entry %d\t%0*d\n", w, i, 20 + (w * 31 + i) % 150,
                     i);
            char *found = strstr(text, line);
            ck_assert_msg(found != NULL, "writer %d entry %d is lost", w, i);
            ck_assert_ptr_null(strstr(found + 1, line));
        }
    free(text);
    ck_assert(is_whole(path));
}

static void begin(const char *path)
{
    memset(shared, 0, sizeof *shared);
    ck_assert_ok(sx_wisdom_put(path, SX_WISDOM_MACHINE, "first", "entry", NULL));
}

static void end(pid_t reader)
{
    __atomic_store_n(&shared->stop, 1, __ATOMIC_SEQ_CST);
    expect_success(reader);
}

/* ---- tests */

static void run_writers(const char *path, int nwriters)
{
    pid_t writer[NWRITERS_MAX];
    begin(path);
    for (int w = 0; w < nwriters; w++)
        writer[w] = start_writer(path, w, NENTRIES);
    for (int w = 0; w < nwriters; w++) {
        expect_success(writer[w]);
        ck_assert_int_eq(shared->put[w], NENTRIES);
    }
    expect_entries(path, nwriters);
    ck_assert_int_eq(test_wisdom_count_temporary(), 0);
}

TEST(eight_writers_lose_nothing)
{
    run_writers(test_wisdom_path("eight"), 8);
}

/* At any time two writers run. After each pause of 0 to 16 ms the older writer is killed, whatever it is
 * doing, and a new one is started. */
TEST(killed_writers_lose_nothing)
{
    const char *path = test_wisdom_path("killed");
    test_random random = test_random_stream(test_random_seed(), 0);
    begin(path);
    pid_t reader = start_reader(path), writer[2];
    for (int w = 0; w < NKILLS; w++) {
        const struct timespec pause = {0, 1000L * test_random_int(&random, 0, 16000)};
        writer[w % 2] = start_writer(path, w, 1 << 20);
        nanosleep(&pause, NULL);
        if (w > 0) {
            kill(writer[(w + 1) % 2], SIGKILL);
            waitpid(writer[(w + 1) % 2], NULL, 0);
        }
    }
    kill(writer[(NKILLS - 1) % 2], SIGKILL);
    waitpid(writer[(NKILLS - 1) % 2], NULL, 0);
    end(reader);
    expect_entries(path, NKILLS);
    int n = 0;
    for (int w = 0; w < NKILLS; w++)
        n += shared->put[w];
    printf("%d writers killed, %d entries, %d reads, %d temporary files left\n", NKILLS, n, shared->nreads,
           test_wisdom_count_temporary());
    ck_assert_int_gt(n, 0);
}

/* A writer waits for a lock that another process holds, but at most for a limited time (here a second). Time
 * during which the writer itself is stopped does not count: perhaps the whole machine was stopped. */
TEST(a_stopped_writer_goes_on_waiting)
{
    const char *path = test_wisdom_path("stopped");
    const struct timespec soon = {0, 200000000}, more_than_patience = {1, 300000000};
    begin(path);
    sx_base_knobs.patience = 1;
    int lock = sx_wisdom_lock(path);
    ck_assert_int_ge(lock, 0);
    pid_t writer = start_writer(path, 0, 1);
    nanosleep(&soon, NULL);
    kill(writer, SIGSTOP);
    nanosleep(&more_than_patience, NULL);
    kill(writer, SIGCONT);
    nanosleep(&soon, NULL);
    ck_assert_int_eq(shared->put[0], 0);
    sx_base_knobs.patience = 0;
    sx_wisdom_unlock(lock);
    expect_success(writer);
    expect_entries(path, 1);
}

/* Runs without MPI, because forks break MPI. */
int main(void)
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 1;
    test_wisdom_begin();
    int status = test_unit_run("wisdom_jobs");
    test_wisdom_end();
    return status;
}
