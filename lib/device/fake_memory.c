/* fake_memory.c - which memory the fake device has, and whether a call must fail. */
#include "device/fake.h"
#include <sys/mman.h>
#include <unistd.h>

int sx_device_fake_has_failed(sx_fake *f)
{
    return f->fails_after >= 0 && f->fails_after-- == 0;
}

size_t sx_device_fake_get_page(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

sx_fake_memory *sx_device_fake_find(const sx_fake *f, const void *address)
{
    const char *at = address;
    sx_fake_memory *m = f->memory;
    while (m && (at < m->data || at > m->data + m->bytes))
        m = m->next;
    return m;
}

int sx_device_fake_has(const sx_fake *f, const void *address)
{
    return sx_device_fake_find(f, address) != NULL;
}

/* Memory that is lent stays open: MPI may access it at any time, also for other processes. */
int sx_device_fake_open(const sx_fake *f, const void *address, int access)
{
    const sx_fake_memory *m = sx_device_fake_find(f, address);
    access = m && m->nlent > 0 ? PROT_READ | PROT_WRITE : access;
    return m && mprotect(m->pages, m->length - sx_device_fake_get_page(), access) == 0;
}
