/* text.c - print a random problem: its text, its hints, the command line that repeats it, and each
 * execution. */
#include "random/storage.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct line {
    char *text;
    size_t used;
} line;

__attribute__((format(printf, 2, 3))) static void add(line *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int more = vsnprintf(l->text + l->used, RANDOM_TEXT - l->used, format, args);
    va_end(args);
    l->used += (size_t)more;
    if (l->used >= RANDOM_TEXT)
        l->used = RANDOM_TEXT - 1;
}

/* Add the hints, as environment variables. */
static void add_hints(line *l, const random_problem *p)
{
    const char *before = "SUBX_TUNE='";
    for (int i = 0; random_hint_key(i); i++)
        if (p->value[i][0] && strncmp(random_hint_key(i), "subx_", 5) != 0) {
            add(l, "%s%s %s", before, random_hint_key(i), p->value[i]);
            before = ", ";
        }
    if (*before == ',')
        add(l, "' ");
    for (int i = 0; random_hint_key(i); i++) {
        if (!p->value[i][0] || strncmp(random_hint_key(i), "subx_", 5) != 0)
            continue;
        for (const char *c = random_hint_key(i); *c; c++)
            add(l, "%c", toupper((unsigned char)*c));
        add(l, "=%s ", p->value[i]);
    }
}

/* Returns 1 if subx-fft can repeat the problem. subx-fft has no options for strides, boxes and other orders
 * of ranks. */
static int is_repeatable(const random_problem *p)
{
    int is_local = p->is_shuffled;
    for (int side = 0; side < 2; side++)
        is_local |= p->side[side].has_boxes || p->side[side].has_strides;
    return !is_local;
}

/* Add the command of subx-fft, or, if subx-fft cannot repeat the problem, a description. */
static void add_command(line *l, const random_problem *p)
{
    subx_fft_problem problem = SUBX_FFT_PROBLEM_NULL;
    char text[RANDOM_TEXT] = "a problem that cannot be created";
    if (random_problem_create(p, 0, &problem) == MPI_SUCCESS)
        (void)subx_fft_problem_print(problem, sizeof text, text, NULL);
    (void)subx_fft_problem_free(&problem);
    add(l, is_repeatable(p) ? "  " : "  subx-fft has no options for its strides, boxes or order of ranks: ");
    add_hints(l, p);
    if (is_repeatable(p))
        add(l, "mpiexec -n %d subx-fft '%s' --verify\n", p->nranks, text);
    else
        add(l, "%d ranks, %s\n", p->nranks, text);
}

static void add_run(line *l, const random_run *run, int number)
{
    static const char *const actions[] = {"forward", "backward", "convolution"};
    static const char *const shifts[] = {"", " + 1 byte", " + 1 real"};
    add(l, "    execution %d: plan %d, %s%s, %s", number, run->plan, actions[run->action],
        run->operates && run->action != RANDOM_CONVOLVE ? " with an operation" : "",
        run->in_place ? "in place" : "out of place");
    for (int k = 0; k < (run->in_place ? 1 : 2); k++)
        add(l, ", %s%s", run->is_shared[k] ? "subx_mem_alloc" : "malloc", shifts[run->shift[k]]);
    add(l, "%s\n", run->may_be_null ? ", NULL without data" : "");
}

void random_problem_print(const random_problem *p, char text[RANDOM_TEXT])
{
    line l = {text, 0};
    text[0] = '\0';
    add_command(&l, p);
    add(&l, "  mpiexec -n %d tests/random/fft --seed %llu --first %llu --count 1\n", p->world,
        (unsigned long long)p->seed, (unsigned long long)p->number);
    for (int i = 0; i < p->nruns; i++)
        add_run(&l, &p->run[i], i);
}
