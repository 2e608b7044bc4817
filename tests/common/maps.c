/* maps.c - count mapped pieces of the library's shared memory, by the names that Linux lists. */
#include "common/maps.h"
#include "common/verdict.h"
#include <stdio.h>
#include <string.h>

int test_maps_count_shared(void)
{
    char line[512];
    int n = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        n += strstr(line, "memfd:subx") != NULL;
    if (EXPECT(maps))
        fclose(maps);
    return n;
}
