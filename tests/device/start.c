/* start.c - makes a fake device known before a program's main begins. Programs of the project that are linked
 * with this file and with the libraries' private symbols accept --memory-kind fake:device; the installed
 * programs do not. At the end the program must have left nothing on the device. */
#include "device/fake.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LEFT = 99 };

static __attribute__((constructor)) void start(void)
{
    const char *seed = getenv("SUBX_TEST_SEED");
    sx_base_knobs.fake = sx_device_fake_create(seed ? strtoull(seed, NULL, 10) : 1);
}

static __attribute__((destructor)) void finish(void)
{
    const int left = sx_device_fake_free(&sx_base_knobs.fake);
    if (left == 0)
        return;
    fprintf(stderr, "%d objects were left on the fake device\n", left);
    _exit(LEFT);
}
