/* wisdom.c - a file of wisdom of a test's own. */
#include "common/wisdom.h"
#include "common/verdict.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

char test_wisdom_path[64];

void test_wisdom_begin(void)
{
    int process = (int)getpid();
    MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(test_wisdom_path, sizeof test_wisdom_path, "/tmp/subx-wisdom-%d", process);
}

void test_wisdom_end(void)
{
    char lock[sizeof test_wisdom_path + 5];
    MPI_Barrier(MPI_COMM_WORLD);
    snprintf(lock, sizeof lock, "%s.lock", test_wisdom_path);
    if (test_rank == 0)
        remove(lock);
    if (test_rank == 0)
        remove(test_wisdom_path);
}

void test_wisdom_write(const char *text)
{
    FILE *file = test_rank == 0 && text ? fopen(test_wisdom_path, "w") : NULL;
    if (file) {
        fputs(text, file);
        fclose(file);
    }
    if (test_rank == 0 && !text)
        (void)unlink(test_wisdom_path);
    MPI_Barrier(MPI_COMM_WORLD);
}

void test_wisdom_read(char text[TEST_WISDOM])
{
    FILE *file = test_rank == 0 ? fopen(test_wisdom_path, "r") : NULL;
    const size_t n = file ? fread(text, 1, TEST_WISDOM - 1, file) : 0;
    text[n] = '\0';
    if (file)
        fclose(file);
    MPI_Bcast(text, TEST_WISDOM, MPI_CHAR, 0, MPI_COMM_WORLD);
}

/* The checksum is the 64-bit FNV-1a of the text that follows it and a tab. */
void test_wisdom_sign(char *line)
{
    enum { DIGITS = 16 };
    char digits[DIGITS + 1];
    uint64_t h = 14695981039346656037u;
    for (const char *c = line + DIGITS + 1; *c && *c != '\n'; c++)
        h = (h ^ (unsigned char)*c) * 1099511628211u;
    snprintf(digits, sizeof digits, "%016" PRIx64, h);
    memcpy(line, digits, DIGITS);
}
