/* problem_text.c - reading the text of problems, and printing its canonical form. */
#include "common/random.h"
#include "common/unit.h"
#include "unit/problem_help.h"
#include <string.h>

TEST(spellings_and_their_canonical_form)
{
    static const char *const texts[][2] = {
        /* canonical texts, which are printed as they were read */
        {"c2c:256x256x256", "c2c:256x256x256"},
        {"r2c:7x11x13", "r2c:7x11x13"},
        {"c2r:3000000000x2", "c2r:3000000000x2"},
        {"c2c:16", "c2c:16"},
        {"r2c:16", "r2c:16"},
        {"dct2:64x64", "dct2:64x64"},
        {"dct1:2x2", "dct1:2x2"},
        {"-:64x64", "-:64x64"},
        {"dct2,c2c,r2c:64x48x40", "dct2,c2c,r2c:64x48x40"},
        {"c2c,-,c2c:64x48x40", "c2c,-,c2c:64x48x40"},
        {"r2c,c2c:8x9", "r2c,c2c:8x9"},
        {"c2r,c2c:8x9", "c2r,c2c:8x9"},
        {"c2r,r2hc.f32:8x9", "c2r,r2hc.f32:8x9"},
        {"dst1,dst2,dst3,dst4,dct1,dct2,dct3,dct4,dht,r2hc,hc2r,-.long:2x2x2x2x2x2x2x2x2x2x2x2",
         "dst1,dst2,dst3,dst4,dct1,dct2,dct3,dct4,dht,r2hc,hc2r,-.long:2x2x2x2x2x2x2x2x2x2x2x2"},
        {"c2c.f128:4x4", "c2c.f128:4x4"},
        {"3*c2c:128x128x128", "3*c2c:128x128x128"},
        {"c2c:128x128x128*3", "c2c:128x128x128*3"},
        {"c2c:64x64x64>96x96x96", "c2c:64x64x64>96x96x96"},
        {"c2c:96x96>96x96>64x64", "c2c:96x96>96x96>64x64"},
        {"2*r2c.f32:40x42>60x64>50x64/padded", "2*r2c.f32:40x42>60x64>50x64/padded"},
        {"r2c:64x64/padded", "r2c:64x64/padded"},
        {"r2c,c2c:64x64/padded/physical-order=0,1", "r2c,c2c:64x64/padded/physical-order=0,1"},
        {"c2c:9x8/spectral-order=0,1", "c2c:9x8/spectral-order=0,1"},
        {"c2c:9x8/physical-order=1,0", "c2c:9x8/physical-order=1,0"},
        {"c2c:9x8/physical-block=5x0", "c2c:9x8/physical-block=5x0"},
        {"c2c:64x64/operation", "c2c:64x64/operation"},
        {"c2c:4x4*2/physical-order=0,1/spectral-order=1,0/physical-block=1x2/spectral-block=3x4/operation",
         "c2c:4x4*2/physical-order=0,1/spectral-order=1,0/physical-block=1x2/spectral-block=3x4/operation"},
        /* other texts, each with its canonical form */
        {"c2c,c2c,c2c:2x3x4", "c2c:2x3x4"},
        {"c2c,r2c:8x9", "r2c:8x9"},
        {"c2c,c2r:8x9", "c2r:8x9"},
        {"dht,dht:8x9", "dht:8x9"},
        {"-,-:8x9", "-:8x9"},
        {"c2c.f64:8x9", "c2c:8x9"},
        {"1*c2c:8x9", "c2c:8x9"},
        {"c2c:8x9*1", "c2c:8x9"},
        {"c2c:08x009", "c2c:8x9"},
        {"c2c:8x9>8x9", "c2c:8x9"},
        {"c2c:8x9>8x9>8x9", "c2c:8x9"},
        {"c2c:7x9>8x9>8x9", "c2c:7x9>8x9"},
        {"c2c:8x9/spectral-block=0x0", "c2c:8x9"},
        {"r2c:8x9/operation/spectral-order=0,1/padded", "r2c:8x9/padded/spectral-order=0,1/operation"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        subx_fft_problem p = test_problem_parse(texts[i][0]);
        test_problem_expect(p, texts[i][1]);
        subx_fft_problem_free(&p);
        ck_assert_ptr_null(p);
    }
}

TEST(what_spellings_mean)
{
    int ndims, kinds[SUBX_NDIMS_MAX], direction, precision, interleaved;
    ptrdiff_t sizes[SUBX_NDIMS_MAX], modes[SUBX_NDIMS_MAX], points[SUBX_NDIMS_MAX], howmany;
    subx_fft_problem p = test_problem_parse("dst3,c2r.f32:5x6>7x8>7x4*3/operation");
    ck_assert_ok(subx_fft_problem_get(p, &ndims, kinds, sizes, modes, points));
    ck_assert(ndims == 2 && kinds[0] == SUBX_FFT_DST3 && kinds[1] == SUBX_FFT_R2C);
    ck_assert(sizes[0] == 7 && sizes[1] == 8 && modes[0] == 5 && modes[1] == 6 && points[0] == 7 &&
              points[1] == 4);
    ck_assert_ok(subx_fft_problem_get_direction(p, &direction));
    ck_assert_ok(subx_fft_problem_get_precision(p, &precision));
    ck_assert_ok(subx_fft_problem_get_batch(p, &howmany, &interleaved));
    ck_assert(direction == SUBX_FFT_BACKWARD && precision == SUBX_FFT_FLOAT && howmany == 3 &&
              interleaved == 1 && p->has_operation == 1);
    ck_assert(sx_problem_get_reals(p, PHYSICAL) == 1 && sx_problem_get_reals(p, SPECTRAL) == 2);
    ck_assert(sx_problem_get_length(p, PHYSICAL, 1) == 4 && sx_problem_get_length(p, SPECTRAL, 1) == 4 &&
              sx_problem_get_length(p, SPECTRAL, 0) == 5);
    subx_fft_problem_free(&p);
    p = test_problem_parse("2*r2c:4x5x6");
    ck_assert_ok(subx_fft_problem_get(p, NULL, kinds, NULL, NULL, NULL));
    ck_assert(kinds[0] == SUBX_FFT_C2C && kinds[1] == SUBX_FFT_C2C && kinds[2] == SUBX_FFT_R2C);
    ck_assert_ok(subx_fft_problem_get_direction(p, &direction));
    ck_assert_ok(subx_fft_problem_get_precision(p, &precision));
    ck_assert_ok(subx_fft_problem_get_batch(p, &howmany, &interleaved));
    ck_assert(direction == SUBX_FFT_FORWARD && precision == SUBX_FFT_DOUBLE && howmany == 2 &&
              interleaved == 0 && p->has_operation == 0);
    subx_fft_problem_free(&p);
    p = test_problem_parse("dct2,-:4x5");
    ck_assert(sx_problem_get_reals(p, PHYSICAL) == 1 && sx_problem_get_reals(p, SPECTRAL) == 1);
    subx_fft_problem_free(&p);
    p = test_problem_parse("dct2,c2c:4x5");
    ck_assert(sx_problem_get_reals(p, PHYSICAL) == 2 && sx_problem_get_reals(p, SPECTRAL) == 2);
    subx_fft_problem_free(&p);
}

/* Expect that reading a text fails, and that the text of the error contains `why`. */
static void refuse(const char *text, const char *why)
{
    char room = 0, told[MPI_MAX_ERROR_STRING] = "";
    int len;
    subx_fft_problem p = (subx_fft_problem)(void *)&room;
    int rc = subx_fft_problem_parse(text, &p);
    ck_assert_msg(subx_error_get_kind(rc) == SUBX_ERR_PROBLEM, "\"%s\": %d", text, subx_error_get_kind(rc));
    ck_assert_ptr_null(p);
    MPI_Error_string(rc, told, &len);
    ck_assert_msg(strncmp(told, "subx: problem: ", 15) == 0 && strstr(told, why),
                  "\"%s\": no \"%s\" in \"%s\"", text, why, told);
}

TEST(bad_spellings)
{
    static const char *const bad[] = {
        "", ":", "c2c", "c2c:", "c2c:4x", "c2c:x4", "c2c:4xx4", "c2c:-4x4", "c2c:4x4 ", " c2c:4x4",
        "c2c:4x4x", "c2c:4,4", "c2c: 4x4", "c2c:+4x4", "c2c:4x4y4", "c2c4x4", "c2c:4x99999999999999999999",
        "c2c:4.0x4", ":4x4", "c2c:4x4\n", "C2C:4x4", "r2r:4x4", "c2:4x4", "c2cc:4x4", "dct:4x4", "dct5:4x4",
        "dct12:4x4", "--:4x4",
        /* lists of kinds */
        "c2c,:4x4", ",c2c:4x4", "c2c,,c2c:4x4", "c2c,c2c:4x4x4", "c2c,c2c,c2c:4x4", "c2c,c2c:4",
        "c2c r2c:4x4",
        /* precision */
        "c2c.:4x4", "c2c.f16:4x4", "c2c.f320:4x4", "c2c.f32.f32:4x4", ".f32:4x4", "c2c.f32", "c2c:4x4.f32",
        /* batch */
        "*c2c:4x4", "3c2c:4x4", "-3*c2c:4x4", "3*:4x4", "3*2*c2c:4x4", "c2c:4x4*", "c2c:4x4*-1",
        "c2c:4x4*2*2", "3*c2c:4x4*2", "c2c:4*2x4", "c2c:4x4*2>4x4", "99999999999999999999*c2c:4x4",
        /* lists of lengths */
        "c2c:4x4>", "c2c:>4x4", "c2c:4x4>4", "c2c:4>4x4", "c2c:4x4>4x4>", "c2c:4x4>4x4>4",
        "c2c:4x4>4x4>4x4>4x4", "c2c:4x4<4x4",
        /* options */
        "c2c:4x4/", "r2c:4x4//padded", "r2c:4x4/padded/", "r2c:4x4/pad", "r2c:4x4/padded1",
        "r2c:4x4/padded/padded", "c2c:4x4/operations", "c2c:4x4/order=0,1", "c2c:4x4/physical-order",
        "c2c:4x4/physical-order=", "c2c:4x4/physical-order=0", "c2c:4x4/physical-order=0,1,2",
        "c2c:4x4/physical-order=0,2", "c2c:4x4/physical-order=0x1", "c2c:4x4/physical-order=0,-1",
        "c2c:4x4/physical-block=4", "c2c:4x4/physical-block=4x4x4", "c2c:4x4/physical-block=4,4",
        "c2c:4x4/spectral-block=", "c2c:4x4/spectral-order=0,1/spectral-order=0,1",
        "c2c:4x4/operation/physical-strides", "c2c:4x4/spectral-strides", "c2c:4x4/physical-boxes",
        "c2c:4x4/spectral-boxes"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse(bad[i], "");
}

TEST(errors_tell_why)
{
    static const struct {
        const char *text, *why;
    } bad[] = {{"", "expected a kind such as c2c or r2c at the end"},
               {"r2r:4x4", "expected a kind such as c2c or r2c at \"r2r:4x4\""},
               {"4x4", "expected * behind the number of fields at \"x4\""},
               {"c2c.f16:4x4", "expected f32, f64, long or f128 at \"f16:4x4\""},
               {"c2c", "expected : and lengths at the end"},
               {"c2c:4x", "expected a length at the end"},
               {"c2c:4x-4", "expected a length at \"-4\""},
               {"c2c:4x99999999999999999999", "99999999999999999999 is too large"},
               {"c2c,c2c:4x4x4", "2 kinds for 3 axes"},
               {"c2c,c2c:4", "2 kinds for 1 axis"},
               {"c2c:4x4>4", "1 length for 2 axes"},
               {"c2c:4x4>4x4>4x4>4x4", "expected at most three lists of lengths, not another one at \"4x4\""},
               {"3*c2c:4x4*2", "expected one number of fields, not another one at \"2\""},
               {"c2c:4x4 ", "expected the end, /padded, "},
               {"r2c:4x4/padded/padded", "expected each option once at \"/padded\""},
               {"c2c:4x4/spectral-boxes", "at \"/spectral-boxes\""},
               {"c2c:4x4/physical-order=0", "expected a comma and another axis at the end"},
               {"c2c:4x4/physical-block=4", "1 block for 2 axes"},
               {"c2c:4x4/physical-order=1,1", "the physical order must have each axis from 0 to 1 once"},
               {"c2c:4x4/spectral-order=0,2", "the spectral order must have each axis from 0 to 1 once"},
               {"c2c:0x4", "axis 0 has length 0, c2c needs 1 at least"},
               {"dct1:4x1", "axis 1 has length 1, dct1 needs 2 at least"},
               {"0*c2c:4x4", "0 fields, there must be one at least"},
               {"c2c:4x4*0", "0 fields"},
               {"c2c:5x4>4x4", "axis 0 has 5 modes, c2c of length 4 can have 1 to 4"},
               {"c2c:0x4>4x4", "axis 0 has 0 modes"},
               {"c2c:4x4>4x4>4x5", "axis 1 has 5 points, c2c of length 4 can have 1 to 4"},
               {"c2c:4x4>4x4>4x0", "axis 1 has 0 points"},
               {"c2c,-:4x3>4x4", "axis 1 has 3 modes, - of length 4 can have 4 to 4"},
               {"c2c,hc2r:4x4>4x4>4x3", "axis 1 has 3 points"},
               {"c2c:4294967296x4294967296", "the array has more than 2^63-1 bytes"},
               {"9223372036854775807*c2c:1", "the array has more than 2^63-1 bytes"},
               {"r2c,r2c:4x4", "2 axes are r2c or c2r, at most one can be"},
               {"c2r,r2c:4x4", "2 axes are r2c or c2r"},
               {"c2r,c2r:4x4", "2 axes are r2c or c2r"},
               {"c2c:4x4/padded", "only the innermost axis can be padded"},
               {"r2c,c2c:4x4/padded", "only the innermost axis can be padded"},
               {"r2c:4x4/padded/physical-order=0,1", "only the innermost axis can be padded"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse(bad[i].text, bad[i].why);
}

TEST(axes_are_limited)
{
    char text[256] = "c2c:2";
    int ndims = 0;
    for (int i = 1; i < SX_PROBLEM_NDIMS_MAX; i++)
        strcat(text, "x2");
    subx_fft_problem p = test_problem_parse(text);
    ck_assert_ok(subx_fft_problem_get(p, &ndims, NULL, NULL, NULL, NULL));
    ck_assert_int_eq(ndims, SX_PROBLEM_NDIMS_MAX);
    subx_fft_problem_free(&p);
    strcat(text, "x2");
    refuse(text, "more than 30 axes");
    text[0] = '\0';
    for (int i = 0; i <= SX_PROBLEM_NDIMS_MAX; i++)
        strcat(text, "dht,");
    strcat(text, "dht:2");
    refuse(text, "32 kinds for 1 axis");
}

TEST(printing_is_cut)
{
    char text[16];
    size_t needed = 0;
    subx_fft_problem p = test_problem_parse("r2c:7x11x13");
    memset(text, '#', sizeof text);
    ck_assert_ok(subx_fft_problem_print(p, 6, text, &needed));
    ck_assert_str_eq(text, "r2c:7");
    ck_assert_int_eq(text[6], '#');
    ck_assert_uint_eq(needed, strlen("r2c:7x11x13"));
    needed = 0;
    ck_assert_ok(subx_fft_problem_print(p, 0, NULL, &needed));
    ck_assert_uint_eq(needed, strlen("r2c:7x11x13"));
    ck_assert_kind(subx_fft_problem_print(p, 5, NULL, NULL), SUBX_ERR_ARG);
    subx_fft_problem_free(&p);
}

/* ---- random problems */

static int draw_length(test_random *r, int ndims)
{
    return test_random_int(r, 2, ndims > 6 ? 3 : 1 << test_random_int(r, 2, 7));
}

static subx_fft_problem draw_axes(test_random *r)
{
    int ndims = test_random_int(r, 1, test_random_int(r, 0, 4) ? 4 : SX_PROBLEM_NDIMS_MAX);
    int kinds[SX_PROBLEM_NDIMS_MAX], only = test_random_int(r, SUBX_FFT_NONE, SUBX_FFT_HC2R);
    int is_mixed = test_random_int(r, 0, 1), real = test_random_int(r, -1, ndims - 1);
    ptrdiff_t sizes[SX_PROBLEM_NDIMS_MAX];
    subx_fft_problem p;
    sx_problem_expand_kind(only, ndims, kinds);
    for (int a = 0; a < ndims; a++) {
        sizes[a] = draw_length(r, ndims);
        while (is_mixed) {
            kinds[a] = test_random_int(r, SUBX_FFT_NONE, SUBX_FFT_HC2R);
            if (a == real || (kinds[a] != SUBX_FFT_R2C && kinds[a] != SUBX_FFT_C2R))
                break;
        }
    }
    ck_assert_ok(subx_fft_problem_create(ndims, kinds, sizes, &p));
    return p;
}

static void cut_axes(test_random *r, subx_fft_problem p)
{
    ptrdiff_t lengths[2][SX_PROBLEM_NDIMS_MAX];
    for (int side = PHYSICAL; side <= SPECTRAL; side++)
        for (int a = 0; a < p->ndims; a++) {
            int is_whole = p->kinds[a] == SUBX_FFT_NONE || p->kinds[a] == SUBX_FFT_HC2R;
            lengths[side][a] = is_whole ? p->sizes[a] : test_random_int(r, 1, (int)p->sizes[a]);
        }
    if (test_random_int(r, 0, 1))
        ck_assert_ok(subx_fft_problem_set_modes(p, lengths[SPECTRAL]));
    if (test_random_int(r, 0, 1))
        ck_assert_ok(subx_fft_problem_set_points(p, lengths[PHYSICAL]));
}

static void draw_storage(test_random *r, subx_fft_problem p)
{
    int order[SX_PROBLEM_NDIMS_MAX];
    for (int side = PHYSICAL; side <= SPECTRAL; side++) {
        test_random_permutation(r, p->ndims, order);
        if (test_random_int(r, 0, 1))
            ck_assert_ok(subx_fft_problem_set_order(p, side, order));
        for (int a = test_random_int(r, 0, 2 * p->ndims); a < p->ndims; a++)
            ck_assert_ok(subx_fft_problem_set_block(p, side, a, test_random_int(r, 0, 9)));
    }
    /* If this call is refused, the problem does not change. */
    (void)subx_fft_problem_set_padded(p, test_random_int(r, 0, 1));
}

static subx_fft_problem draw(test_random *r)
{
    subx_fft_problem p = draw_axes(r);
    ck_assert_ok(subx_fft_problem_set_precision(p, test_random_int(r, SUBX_FFT_FLOAT, SUBX_FFT_QUAD)));
    ck_assert_ok(subx_fft_problem_set_batch(p, test_random_int(r, 1, 3), test_random_int(r, 0, 1)));
    ck_assert_ok(subx_fft_problem_set_operation(p, test_random_int(r, 0, 1)));
    cut_axes(r, p);
    draw_storage(r, p);
    return p;
}

TEST(what_is_printed_is_read)
{
    test_random r = test_random_stream(test_random_seed(), 1);
    for (int k = 0; k < 2000; k++) {
        char text[SX_PROBLEM_TEXT];
        subx_fft_problem p = draw(&r);
        ck_assert_ok(subx_fft_problem_print(p, sizeof text, text, NULL));
        subx_fft_problem q = test_problem_parse(text);
        test_problem_expect(q, text);
        ck_assert_int_eq(test_problem_equal(p, q), 1);
        ck_assert_mem_eq(p->kinds, q->kinds, sizeof p->kinds);
        ck_assert_mem_eq(p->sizes, q->sizes, sizeof p->sizes);
        ck_assert_mem_eq(p->modes, q->modes, sizeof p->modes);
        ck_assert_mem_eq(p->points, q->points, sizeof p->points);
        subx_fft_problem_free(&p);
        subx_fft_problem_free(&q);
    }
}

TEST(problems_are_equal_iff_texts_are)
{
    test_random r = test_random_stream(test_random_seed(), 2);
    subx_fft_problem p[100];
    char text[2][SX_PROBLEM_TEXT];
    for (int i = 0; i < 100; i++)
        p[i] = draw(&r);
    for (int i = 0; i < 100; i++)
        for (int k = 0; k < 100; k++) {
            subx_fft_problem_print(p[i], SX_PROBLEM_TEXT, text[0], NULL);
            subx_fft_problem_print(p[k], SX_PROBLEM_TEXT, text[1], NULL);
            int are_same = strcmp(text[0], text[1]) == 0;
            ck_assert_int_eq(test_problem_equal(p[i], p[k]), are_same);
        }
    for (int i = 0; i < 100; i++)
        subx_fft_problem_free(&p[i]);
}
