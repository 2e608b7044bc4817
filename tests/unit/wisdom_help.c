/* wisdom_help.c - for tests of wisdom: a folder, its files, and the entries in them. */
#include "unit/wisdom_help.h"
#include "common/unit.h"
#include "wisdom/wisdom.h"
#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char test_wisdom_why[256];
static char folder[200];

void test_wisdom_begin(void)
{
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.150s/subx-wisdom.XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(folder)) {
        perror(folder);
        exit(1);
    }
}

static int remove_one(const char *path, const struct stat *s, int type, struct FTW *where)
{
    (void)s;
    (void)type;
    (void)where;
    return remove(path);
}

void test_wisdom_end(void)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *test_wisdom_path(const char *name)
{
    static char path[4][512];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%.255s", folder, name);
    return path[turn];
}

char *test_wisdom_read(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    *len = 0;
    if (f) {
        fseek(f, 0, SEEK_END);
        *len = (size_t)ftell(f);
        rewind(f);
        text = malloc(*len + 1);
        *len = fread(text, 1, *len, f);
        text[*len] = '\0';
        fclose(f);
    }
    return text;
}

static void write_file(const char *path, const char *mode, const char *text, size_t len)
{
    FILE *f = fopen(path, mode);
    if (!f || fwrite(text, 1, len, f) != len || fclose(f)) {
        perror(path);
        exit(1);
    }
}

void test_wisdom_write(const char *path, const char *text, size_t len)
{
    write_file(path, "wb", text, len);
}

void test_wisdom_append(const char *path, const char *text, size_t len)
{
    write_file(path, "ab", text, len);
}

int test_wisdom_count_temporary(void)
{
    DIR *d = opendir(folder);
    int n = 0;
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        n += strstr(e->d_name, ".tmp.") != NULL;
    closedir(d);
    return n;
}

int test_wisdom_count(const char *text, const char *word)
{
    int n = 0;
    for (; (text = strstr(text, word)); text++)
        n++;
    return n;
}

sx_text *test_wisdom_reason(void)
{
    static sx_text reason;
    test_wisdom_why[0] = '\0';
    reason = (sx_text){test_wisdom_why, sizeof test_wisdom_why, 0};
    return &reason;
}

void test_wisdom_expect(const char *path, const char *key, const char *value, const char *word)
{
    char *found = NULL;
    ck_assert_ok(sx_wisdom_find(path, SX_WISDOM_PLAN, key, &found, test_wisdom_reason()));
    ck_assert_msg(!found == !value, "%s: found %s", key, found ? found : "nothing");
    if (value)
        ck_assert_str_eq(found, value);
    ck_assert_msg(!word || (*word ? strstr(test_wisdom_why, word) != NULL : !*test_wisdom_why),
                  "%s: no \"%s\" in \"%s\"", key, word, test_wisdom_why);
    sx_base_free(found);
}

void test_wisdom_put(const char *path, const char *key, const char *value)
{
    int rc = sx_wisdom_put(path, SX_WISDOM_PLAN, key, value, test_wisdom_reason());
    ck_assert_msg(rc == MPI_SUCCESS, "%s", test_wisdom_why);
}
