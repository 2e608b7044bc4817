/* lists.c - print what executions of plans will do: the lists of events of rank 0. lists.sh compares the text
 * with lists.txt. */
#include "common/hints.h"
#include "plan/plan.h"
#include <stdio.h>
#include <string.h>

static int rank, nranks, failures;

static void print(subx_fft_plan plan, const char *problem, const char *hints)
{
    static const char *const names[] = {"forward", "backward", "convolution"};
    printf("%s %s\n", problem, hints);
    for (int d = SX_FORWARD; d <= SX_ROUND; d++) {
        char text[4096];
        sx_text t = {text, sizeof text, 0};
        (void)sx_list_print(&plan->list[d], 0, sizeof text, &t);
        if (plan->list[d].n > 0)
            printf("    %-12s %s\n", names[d], text);
    }
}

static void print_plan(const char *problem, const char *grid, const char *words)
{
    char hints[128];
    snprintf(hints, sizeof hints, "grid=%s %s", grid, words);
    subx_fft_problem p = SUBX_FFT_PROBLEM_NULL;
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    MPI_Info info = test_hints("%s", hints);
    if (subx_fft_problem_parse(problem, &p) || subx_fft_plan_create_problem(MPI_COMM_WORLD, p, info, &plan))
        failures++;
    else if (rank == 0)
        print(plan, problem, hints);
    (void)subx_fft_plan_free(&plan);
    (void)subx_fft_problem_free(&p);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    static const char *const grids[] = {"4", "2x2", "2x3"}, *const overlaps[] = {"none", "send", "receive",
                                                                                 "both"};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    for (int g = nranks == 6 ? 2 : 0; g < (nranks == 6 ? 3 : 2); g++) {
        char words[128];
        for (int i = 0; i < 4; i++) {
            snprintf(words, sizeof words, "strategy=fused overlap=%s slices=3 node_ranks=1", overlaps[i]);
            print_plan("c2c:12x16x24/operation", grids[g], words);
        }
        print_plan("c2c:12x16x24/operation", grids[g], "strategy=fused");
        print_plan("c2c:12x16x24", grids[g], "strategy=fused slices=3");
        print_plan("c2c:12x16x24", grids[g], "strategy=stride1");
    }
    MPI_Finalize();
    return failures > 0;
}
