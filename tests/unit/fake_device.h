/* fake_device.h - a fake device with two streams, for unit tests. */
#ifndef SX_TEST_FAKE_DEVICE_H
#define SX_TEST_FAKE_DEVICE_H

#include "common/unit.h"
#include "device/fake.h"

static sx_fake *fake;
static void *handle, *stream[2];
static const sx_device *const dev = &sx_device_fake;

static void open_device(unsigned long long seed)
{
    sx_text why = {NULL, 0, 0};
    fake = sx_base_knobs.fake = sx_device_fake_create(seed);
    ck_assert_int_eq(dev->open(&handle, &why), SUBX_ERR_NONE);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(dev->create_stream(handle, &stream[i]), SUBX_ERR_NONE);
}

/* Close the device. Nothing may be left on it. */
static void close_device(void)
{
    for (int i = 0; i < 2; i++)
        dev->free_stream(stream[i]);
    dev->close(handle);
    ck_assert_int_eq(sx_device_fake_free(&fake), 0);
    sx_base_knobs.fake = NULL;
}

static void *alloc(ptrdiff_t bytes)
{
    void *address;
    ck_assert_int_eq(dev->alloc(handle, bytes, &address), SUBX_ERR_NONE);
    return address;
}

static void copy(void *to, const void *from, ptrdiff_t bytes)
{
    ck_assert_int_eq(dev->copy(stream[0], to, from, bytes), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->finish(stream[0]), SUBX_ERR_NONE);
}

#endif
