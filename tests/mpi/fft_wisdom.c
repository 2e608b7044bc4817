/* fft_wisdom.c - wisdom remembers a plan that was measured: the next such plan is the same, and no execution
 * is needed to create it. A file that is edited, or of another version, is no error.
 * ranks: 1 2 3 5 (four would repeat three: the checks only tell one, two and more ranks apart) */
#include "common/field.h"
#include "common/hints.h"
#include "common/locale.h"
#include "common/plan.h"
#include "common/verdict.h"
#include "common/wisdom.h"
#include "plan/plan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- plans */

static int has(subx_fft_plan plan, const char *words)
{
    return test_plan_says(plan, SUBX_FFT_JSON, words);
}

/* Create a plan, check its source (model, measured, wisdom), and execute it. */
static void expect(const test_field *f, MPI_Comm comm, const char *effort, const char *source)
{
    const test_choices c = {.more = {{"subx_wisdom", test_wisdom_path}, {"subx_effort", effort}}};
    char words[64];
    subx_fft_plan plan;
    snprintf(words, sizeof words, "\"source\": \"%s\"", source);
    if (!EXPECT_OK(test_field_plan(f, &c, comm, &plan)))
        return;
    EXPECT(has(plan, words));
    EXPECT(has(plan, "\"executions\": 0}") == (strcmp(source, "measured") != 0));
    test_field_check(f, plan, (double)f->count);
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* ---- edited files */

/* Replace a text, once per line, by another one of the same length. The checksums are valid. */
static void edit(char *text, const char *from, const char *to)
{
    for (char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
        char *at = strstr(line, from), *end = strchr(line + 1, '\n');
        if (at && at < end)
            memcpy(at, to, strlen(to));
        test_wisdom_sign(line + 1);
    }
}

/* Replace the hints of the plans by words that are no hints. */
static void spoil_hints(char *text)
{
    edit(text, "strategy ", "stratagem");
}

/* ---- the checks */

/* The last rank's locale has a decimal comma. A single rank writes the file with this locale, and reads it
 * without. */
static void check_remembered(const test_field *f)
{
    test_context("remembered");
    if (test_is_last())
        (void)test_locale_use(1);
    test_wisdom_write("");
    expect(f, MPI_COMM_WORLD, "estimate", "model");
    expect(f, MPI_COMM_WORLD, "measure", "measured");
    if (test_nranks == 1)
        (void)test_locale_use(0);
    expect(f, MPI_COMM_WORLD, "measure", "wisdom");
    expect(f, MPI_COMM_WORLD, "estimate", "wisdom");
    expect(f, MPI_COMM_WORLD, "patient", "measured");
    expect(f, MPI_COMM_WORLD, "measure", "wisdom");
    expect(f, MPI_COMM_WORLD, "patient", "wisdom");
    (void)test_locale_use(0);
}

/* Wisdom for one number of ranks must not be used on another number. */
static void check_others(const test_field *f)
{
    MPI_Comm part;
    test_context("on some ranks");
    MPI_Comm_split(MPI_COMM_WORLD, test_rank == 0, 0, &part);
    if (test_nranks > 2 && test_rank > 0)
        expect(f, part, "measure", "measured");
    MPI_Comm_free(&part);
}

/* tests/unit/wisdom_damage.c has files that are cut off or damaged. */
static void check_damage(const test_field *f)
{
    char text[TEST_WISDOM], again[TEST_WISDOM];
    test_wisdom_read(text);
    EXPECT(strncmp(text, "subarray_x wisdom 1\n", 20) == 0 && strstr(text, "\tplan\t"));
    test_context("edited");
    spoil_hints(text);
    test_wisdom_write(text);
    expect(f, MPI_COMM_WORLD, "measure", "measured");
    test_context("another version");
    memcpy(text, "subarray_x wisdom 2", 19);
    test_wisdom_write(text);
    expect(f, MPI_COMM_WORLD, "measure", "measured");
    test_wisdom_read(again);
    EXPECT(strcmp(text, again) == 0);
}

/* Put a hint at the beginning of the plan's entry, which follows the effort and the time. The checksum is
 * valid. */
static void insert_hint(char *text, const char *hint)
{
    char rest[TEST_WISDOM], *plan = strstr(text, "\tplan\t"), *at = plan ? strstr(plan, "; grid ") : NULL;
    if (!EXPECT(at != NULL))
        return;
    strcpy(rest, at);
    snprintf(at, TEST_WISDOM - (size_t)(at - text), "; %s,%s", hint, rest + 1);
    edit(text, "", "");
}

/* An entry must not change what the caller gives, nor what no search chooses. Backward after forward must
 * give the input, because the caller says so: a plan of an entry would give N times the input. */
static void check_foreign(const test_field *f)
{
    static const struct {
        const char *hint, *why;
    } t[] = {{"scaling none", "a search must not set scaling to none here"},
             {"input_array destroy", "must not set input_array to destroy"},
             {"output_order transposed", "must not set output_order"},
             {"threads 2", "must not set threads"},
             {"wire float", "must not set wire"},
             {"wisdom /tmp/other", "must not set wisdom"},
             {"verbose yes", "must not set verbose"},
             {"memory_kind cuda:device", "must not set memory_kind"},
             {"slices 2", "must not set slices"},
             {"ranks 1", "must not set ranks to 1"},
             {"work caller", "must not set work"},
             {"nonsense 1", "must not set nonsense"},
             {"width 8", NULL}};
    const test_choices with = {
        .scaling = "backward",
        .more = {{"subx_wisdom", test_wisdom_path}, {"subx_effort", "measure"}, {"slices", "3"}}};
    char text[TEST_WISDOM], edited[TEST_WISDOM];
    subx_fft_plan plan;
    test_context("entries that set more than a search chooses");
    test_wisdom_write("");
    EXPECT_OK(test_field_plan(f, &with, MPI_COMM_WORLD, &plan));
    EXPECT_OK(subx_fft_plan_free(&plan));
    test_wisdom_read(text);
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        test_context("an entry that sets %s", t[i].hint);
        strcpy(edited, text);
        insert_hint(edited, t[i].hint);
        test_wisdom_write(edited);
        test_choices c = with;
        c.more[1][1] = "estimate";
        if (!EXPECT_OK(test_field_plan(f, &c, MPI_COMM_WORLD, &plan)))
            continue;
        EXPECT(has(plan, t[i].why ? t[i].why : "\"source\": \"wisdom\""));
        test_field_check(f, plan, 1);
        EXPECT_OK(subx_fft_plan_free(&plan));
    }
}

/* Wisdom from another build of FFTW must not be used: its transforms take other times. */
static void check_fftw(const test_field *f)
{
    char text[TEST_WISDOM];
    test_context("another FFTW");
    if (!sx_serial_find("fftw3", SUBX_FFT_DOUBLE))
        return;
    test_wisdom_write("");
    expect(f, MPI_COMM_WORLD, "measure", "measured");
    test_wisdom_read(text);
    edit(text, ", fftw-", ", other");
    test_wisdom_write(text);
    expect(f, MPI_COMM_WORLD, "measure", "measured");
}

/* Create a plan that measures serial backends, and check where it comes from. Its notes must be open: closed
 * notes would prevent the measurement. */
static void expect_open(const test_field *f, const char *effort, const char *source)
{
    const test_choices c = {
        .more = {{"subx_wisdom", test_wisdom_path}, {"subx_effort", effort}, {"rigor", "measure"}}};
    subx_fft_plan plan;
    if (!EXPECT_OK(test_field_plan(f, &c, MPI_COMM_WORLD, &plan)))
        return;
    EXPECT(has(plan, source));
    EXPECT(!sx_serial_notes_are_closed(plan->choice.shared.notes));
    EXPECT_OK(subx_fft_plan_free(&plan));
}

/* If the entry of a plan cannot be used, the notes in this entry must not be used either. */
static void check_rigor(const test_field *f)
{
    char text[TEST_WISDOM];
    test_context("rigor after an entry that cannot be used");
    test_wisdom_write("");
    expect_open(f, "measure", "\"source\": \"measured\"");
    test_wisdom_read(text);
    spoil_hints(text);
    test_wisdom_write(text);
    expect_open(f, "estimate", "the entry for this plan cannot be used");
}

/* Count the colons in the entry of an n x 34 x 34 plan. Each note on a serial backend has one, and the key of
 * the entry has one. */
static int count_notes(ptrdiff_t n)
{
    char text[TEST_WISDOM];
    subx_fft_plan plan;
    int count = 0;
    test_wisdom_write("");
    /* with these hints, measured times decide only on the serial backends */
    MPI_Info hints = test_hints(
        "wisdom=%s effort=measure strategy=stride1 engine=alltoallv rigor=measure grid=2", test_wisdom_path);
    EXPECT_OK(subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_C2C, 3, (ptrdiff_t[]){n, 34, 34}, hints, &plan));
    EXPECT_OK(subx_fft_plan_free(&plan));
    MPI_Info_free(&hints);
    test_wisdom_read(text);
    for (const char *at = strstr(text, "\tplan\t"); at && *at && *at != '\n'; at++)
        count += *at == ':';
    return count;
}

/* Each shape of local array has its own notes. Two ranks with 8 planes each have one shape; with 8 and 7
 * planes they have two shapes. If there is only one serial backend, there are no notes. */
static void check_shapes(void)
{
    test_context("ranks of different shapes");
    if (test_nranks != 2)
        return;
    const int even = count_notes(16), uneven = count_notes(15);
    EXPECT(uneven > even || even == 1);
}

/* Entries of callers: rank 0 sets one, any rank gets it, also from another plan for the same problem; other
 * texts, other plans and plans without a file have none. A search does not remove it. */
static void check_callers(const test_field *f, const test_field *other)
{
    const test_choices with = {.more = {{"subx_wisdom", test_wisdom_path}}},
                       without = {.more = {{"subx_wisdom", "none"}}};
    subx_fft_plan plan[3];
    char value[8] = "?", long_text[TEST_WISDOM];
    size_t needed = 99;
    test_context("entries of callers");
    test_wisdom_write("");
    if (!EXPECT_OK(test_field_plan(f, &with, MPI_COMM_WORLD, &plan[0])) ||
        !EXPECT_OK(test_field_plan(other, &with, MPI_COMM_WORLD, &plan[1])) ||
        !EXPECT_OK(test_field_plan(f, &without, MPI_COMM_WORLD, &plan[2])))
        return;
    EXPECT_OK(subx_fft_plan_get_wisdom(plan[0], "me", "it", sizeof value, value, &needed));
    EXPECT(needed == 0 && *value == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (test_rank == 0)
        EXPECT_OK(subx_fft_plan_set_wisdom(plan[0], "me", "it", "a long value"));
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_OK(subx_fft_plan_free(&plan[0]));
    expect(f, MPI_COMM_WORLD, "measure", "measured");
    EXPECT_OK(test_field_plan(f, &with, MPI_COMM_WORLD, &plan[0]));
    EXPECT_OK(subx_fft_plan_get_wisdom(plan[0], "me", "it", sizeof value, value, &needed));
    EXPECT(needed == 12 && strcmp(value, "a long ") == 0);
    EXPECT_OK(subx_fft_plan_get_wisdom(plan[0], "me", "that", sizeof value, value, &needed));
    EXPECT_EQUAL(needed, 0);
    EXPECT_OK(subx_fft_plan_get_wisdom(plan[0], "you", "it", 0, NULL, &needed));
    EXPECT_EQUAL(needed, 0);
    for (int i = 1; i < 3; i++) {
        EXPECT_OK(subx_fft_plan_get_wisdom(plan[i], "me", "it", 0, NULL, &needed));
        EXPECT_EQUAL(needed, 0);
    }
    EXPECT_OK(subx_fft_plan_set_wisdom(plan[2], "me", "it", "nothing"));
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = 0;
    EXPECT_KIND(subx_fft_plan_set_wisdom(plan[0], "me", long_text, ""), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_plan_set_wisdom(plan[0], "me", "it", "two\nlines"), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_plan_set_wisdom(plan[0], "plan", "it", ""), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_plan_get_wisdom(plan[0], "machine", "it", 0, NULL, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_plan_get_wisdom(plan[0], "me", "it", 8, NULL, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_plan_get_wisdom(SUBX_FFT_PLAN_NULL, "me", "it", 0, NULL, NULL), SUBX_ERR_ARG);
    for (int i = 0; i < 3; i++)
        EXPECT_OK(subx_fft_plan_free(&plan[i]));
}

static void check_places(const test_field *f)
{
    char file[sizeof test_wisdom_path];
    strcpy(file, test_wisdom_path);
    test_context("a folder that cannot be made");
    strcpy(test_wisdom_path, "/proc/none/wisdom");
    expect(f, MPI_COMM_WORLD, "measure", "measured");
    strcpy(test_wisdom_path, file);
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    test_wisdom_begin();
    test_field f = test_field_create(SUBX_FFT_C2C, 3, (ptrdiff_t[]){6, 10, 8}, 1);
    check_remembered(&f);
    check_others(&f);
    check_damage(&f);
    check_foreign(&f);
    check_fftw(&f);
    check_rigor(&f);
    check_shapes();
    test_field other = test_field_create(SUBX_FFT_C2C, 3, (ptrdiff_t[]){6, 10, 9}, 1);
    check_callers(&f, &other);
    test_field_free(&other);
    check_places(&f);
    test_field_free(&f);
    test_wisdom_end();
    return test_end();
}
