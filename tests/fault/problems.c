/* problems.c - problems of every shape that a plan can have, and their plans. */
#include "fault/problems.h"
#include "common/boxes.h"
#include "common/verdict.h"

static const struct {
    const char *name, *text, *grid;
} problems[TEST_PROBLEMS] = {{"boxes", "c2c:12x7x4", "auto"},
                             {"bricks", "c2c:12x7x4", "0x0x0"},
                             {"axis", "2*c2c:60", "auto"},
                             {"components", "r2c:8x6x4>12x7x6*3/operation", "auto"},
                             {"kinds", "dct2,-,r2c.f32:12x5x8", "auto"}};

const char *test_problem_get_name(int k)
{
    return problems[k].name;
}

/* Set boxes. On the physical side each rank has a block of axis 0, in two boxes; the order of the ranks is
 * reversed. On the spectral side each rank has a block of axis 2, which is empty on the last of five
 * ranks. */
static int set_boxes(subx_fft_problem p)
{
    static const int orders[] = {2, 1, 0, 0, 2, 1};
    ptrdiff_t start[] = {0, 0, 0, 0, 3, 0}, len[] = {12, 3, 4, 12, 4, 4};
    for (int i = 0; i < 6; i += 3)
        (void)subx_block_get(12, test_nranks, test_nranks - 1 - test_rank, &len[i], &start[i]);
    int rc = test_boxes_set(p, SUBX_FFT_PHYSICAL, 2, start, len, orders);
    ptrdiff_t plane_start[] = {0, 0, 0}, plane_len[] = {12, 7, 4};
    (void)subx_block_get(4, test_nranks, test_rank, &plane_len[2], &plane_start[2]);
    const int has_data = plane_len[2] > 0;
    return rc ? rc : test_boxes_set(p, SUBX_FFT_SPECTRAL, has_data, plane_start, plane_len, orders + 3);
}

subx_fft_problem test_problem_create(int k)
{
    subx_fft_problem p = SUBX_FFT_PROBLEM_NULL;
    EXPECT_OK(subx_fft_problem_parse(problems[k].text, &p));
    if (k == 0)
        EXPECT_OK(set_boxes(p));
    return p;
}

int test_problem_plan(int k, subx_fft_problem p, MPI_Info hints, subx_fft_plan *plan)
{
    PMPI_Info_set(hints, "subx_grid", problems[k].grid);
    return subx_fft_plan_create_problem(MPI_COMM_WORLD, p, hints, plan);
}
