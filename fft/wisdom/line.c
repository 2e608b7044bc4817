/* line.c - a line of a file: its checksum, and its parts. */
#include "wisdom/inside.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A file whose lines end in CR LF is still good: some systems convert line ends. */
int sx_wisdom_get_line(char **rest, char *end, sx_wisdom_line *line)
{
    if (*rest == end)
        return 0;
    char *newline = memchr(*rest, '\n', (size_t)(end - *rest));
    char *stop = newline ? newline : end;
    line->at = *rest;
    line->len = (size_t)(stop - *rest);
    if (line->len > 0 && stop[-1] == '\r')
        line->len--;
    *rest = newline ? newline + 1 : end;
    return 1;
}

static int is_sum_right(const sx_wisdom_line *line)
{
    char sum[SX_WISDOM_SUM + 1];
    const size_t head = SX_WISDOM_SUM + 1;
    if (line->len < head || line->at[SX_WISDOM_SUM] != '\t')
        return 0;
    snprintf(sum, sizeof sum, "%016" PRIx64,
             sx_base_hash(SX_BASE_NO_HASH, line->at + head, line->len - head));
    return memcmp(line->at, sum, SX_WISDOM_SUM) == 0;
}

int sx_wisdom_split(const sx_wisdom_line *line, sx_wisdom_entry *e)
{
    char *end = line->at + line->len, *kind = line->at + SX_WISDOM_SUM + 1;
    if (line->len == 0 || line->at[0] == '#')
        return SX_WISDOM_COMMENT;
    if (!is_sum_right(line) || memchr(line->at, '\0', line->len))
        return SX_WISDOM_DAMAGED;
    char *key = memchr(kind, '\t', (size_t)(end - kind));
    char *value = key ? memchr(key + 1, '\t', (size_t)(end - key - 1)) : NULL;
    if (!value)
        return SX_WISDOM_DAMAGED;
    *key = *value = *end = '\0';
    *e = (sx_wisdom_entry){kind, key + 1, value + 1, 0};
    return SX_WISDOM_ENTRY;
}

void sx_wisdom_join(const sx_wisdom_entry *e, sx_text *t)
{
    const char *const part[] = {e->kind, "\t", e->key, "\t", e->value};
    uint64_t sum = SX_BASE_NO_HASH;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        sum = sx_base_hash(sum, part[i], strlen(part[i]));
    sx_base_print(t, "%016" PRIx64 "\t%s\t%s\t%s\n", sum, e->kind, e->key, e->value);
}
