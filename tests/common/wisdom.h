/* wisdom.h - a file of wisdom of a test's own, which rank 0 reads and writes. */
#ifndef TEST_WISDOM_H
#define TEST_WISDOM_H

#include "config.h"

enum { TEST_WISDOM = 1 << 16 }; /* the longest text of such a file */

/* The path, which test_wisdom_begin sets. test_wisdom_end removes the file. Both are collective. */
extern char test_wisdom_path[64];
void test_wisdom_begin(void);
void test_wisdom_end(void);

/* Write the file; NULL removes it. Read it: all ranks get the text, which is empty if there is no file.
 * Collective. */
void test_wisdom_write(const char *text);
void test_wisdom_read(char text[TEST_WISDOM]);

/* Write the checksum of a line into its first 16 characters. The line ends with a line feed. */
void test_wisdom_sign(char *line);

#endif
