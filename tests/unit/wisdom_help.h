/* wisdom_help.h - a folder for the tests of wisdom, its files, and their entries. */
#ifndef TEST_WISDOM_HELP_H
#define TEST_WISDOM_HELP_H

#include "base/base.h"
#include <check.h>

/* Create the folder; remove it with all files in it. */
void test_wisdom_begin(void);
void test_wisdom_end(void);

/* Get the path of a file in the folder. The text is valid until the fourth call after this one. */
const char *test_wisdom_path(const char *name);

/* Read a whole file. The text ends with a NUL; NULL if the file cannot be opened. The caller frees it. */
char *test_wisdom_read(const char *path, size_t *len);

void test_wisdom_write(const char *path, const char *text, size_t len);
void test_wisdom_append(const char *path, const char *text, size_t len);

/* Count the temporary files in the folder. Count how often a text contains a word. */
int test_wisdom_count_temporary(void);
int test_wisdom_count(const char *text, const char *word);

/* The last reason, and an empty sx_text that writes there. */
extern char test_wisdom_why[256];
sx_text *test_wisdom_reason(void);

/* Expect the value of an entry of kind plan (NULL: no entry), and a word in the reason (NULL: the reason is not checked;
 * "": no reason). */
void test_wisdom_expect(const char *path, const char *key, const char *value, const char *word);

/* Put a value. This must succeed. */
void test_wisdom_put(const char *path, const char *key, const char *value);

#endif
