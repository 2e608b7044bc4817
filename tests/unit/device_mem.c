/* device_mem.c - memory of a device for users (subx_device_*): on the fake device, whose memory the host cannot touch, and on
 * the host. */
#include "common/unit.h"
#include "device/fake.h"
#include <string.h>
#include <subx_lowlevel.h>

static void use(const char *kind)
{
    const char from[] = "forth and back";
    char back[sizeof from] = "", text[8];
    size_t needed = 0;
    subx_device device;
    void *a, *b;
    ck_assert_int_eq(subx_device_create(kind, &device), MPI_SUCCESS);
    ck_assert_int_eq(subx_device_alloc_mem(device, sizeof from, &a), MPI_SUCCESS);
    ck_assert_int_eq(subx_device_alloc_mem(device, sizeof from, &b), MPI_SUCCESS);
    ck_assert_int_eq((size_t)a % 64 + (size_t)b % 64, 0);
    ck_assert_int_eq(subx_device_copy_mem(device, a, from, sizeof from), MPI_SUCCESS);
    ck_assert_int_eq(subx_device_copy_mem(device, b, a, sizeof from), MPI_SUCCESS);
    ck_assert_int_eq(subx_device_copy_mem(device, back, b, sizeof from), MPI_SUCCESS);
    ck_assert_str_eq(back, from);
    ck_assert_int_eq(subx_device_print(device, sizeof text, text, &needed), MPI_SUCCESS);
    ck_assert(needed >= strlen(text) && strlen(text) == sizeof text - 1 && !strchr(text, '\n'));
    ck_assert_int_eq(subx_device_free_mem(device, &a), MPI_SUCCESS);
    ck_assert_int_eq(subx_device_free_mem(device, &b), MPI_SUCCESS);
    ck_assert_int_eq(subx_device_free_mem(device, &b), MPI_SUCCESS);
    ck_assert_int_eq(subx_device_free(&device), MPI_SUCCESS);
    ck_assert(!a && !b && !device);
}

TEST(data_returns_from_a_device)
{
    sx_base_knobs.fake = sx_device_fake_create(1);
    use("fake:device");
    use("system");
    ck_assert_int_eq(sx_device_fake_free(&sx_base_knobs.fake), 0);
}

static void expect_kind(int rc, int kind)
{
    ck_assert_int_eq(subx_error_get_kind(rc), kind);
}

TEST(wrong_arguments_are_errors)
{
    subx_device device;
    void *a;
    char x = 0;
    expect_kind(subx_device_create("gpu", &device), SUBX_ERR_HINT);
    expect_kind(subx_device_create("fake:device", &device), SUBX_ERR_HINT);
    expect_kind(subx_device_create(NULL, &device), SUBX_ERR_ARG);
    expect_kind(subx_device_create("system", NULL), SUBX_ERR_ARG);
    ck_assert_int_eq(subx_device_create("system", &device), MPI_SUCCESS);
    expect_kind(subx_device_alloc_mem(device, -1, &a), SUBX_ERR_SIZE);
    expect_kind(subx_device_alloc_mem(device, 1, NULL), SUBX_ERR_ARG);
    expect_kind(subx_device_alloc_mem(SUBX_DEVICE_NULL, 1, &a), SUBX_ERR_ARG);
    expect_kind(subx_device_copy_mem(device, &x, &x, -1), SUBX_ERR_SIZE);
    expect_kind(subx_device_copy_mem(device, NULL, &x, 1), SUBX_ERR_ARG);
    ck_assert_int_eq(subx_device_copy_mem(device, NULL, NULL, 0), MPI_SUCCESS);
    expect_kind(subx_device_free_mem(SUBX_DEVICE_NULL, &a), SUBX_ERR_ARG);
    expect_kind(subx_device_print(device, 1, NULL, NULL), SUBX_ERR_ARG);
    expect_kind(subx_device_print(SUBX_DEVICE_NULL, 0, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_int_eq(subx_device_free(&device), MPI_SUCCESS);
    ck_assert_int_eq(subx_device_free(&device), MPI_SUCCESS);
}

/* Each call of the device fails in turn. Nothing may be left on it. */
TEST(errors_of_a_device_are_returned)
{
    sx_fake *fake = sx_base_knobs.fake = sx_device_fake_create(2);
    char x = 1, y = 0;
    long n = 0;
    for (int has_failed = 1; has_failed; n++) {
        subx_device device;
        void *a = NULL;
        fake->fails_after = n;
        int rc = subx_device_create("fake:device", &device);
        rc = rc ? rc : subx_device_alloc_mem(device, 1, &a);
        rc = rc ? rc : subx_device_copy_mem(device, a, &x, 1);
        rc = rc ? rc : subx_device_copy_mem(device, &y, a, 1);
        has_failed = fake->fails_after < 0;
        fake->fails_after = -1;
        ck_assert_int_eq(has_failed, rc != MPI_SUCCESS);
        ck_assert(has_failed || y == 1);
        ck_assert(device || rc);
        if (device)
            ck_assert_int_eq(subx_device_free_mem(device, &a), MPI_SUCCESS);
        ck_assert_int_eq(subx_device_free(&device), MPI_SUCCESS);
        ck_assert_int_eq(fake->nobjects, 0);
    }
    ck_assert_int_eq(n, 8);
    (void)sx_device_fake_free(&fake);
    sx_base_knobs.fake = NULL;
}

int main(void)
{
    return test_unit_run_mpi("device_mem");
}
