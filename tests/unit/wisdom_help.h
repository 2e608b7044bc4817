/* wisdom_help.h - for tests of wisdom: a folder, its files, and the entries in them. */
#ifndef TEST_WISDOM_HELP_H
#define TEST_WISDOM_HELP_H

#include "base/base.h"
#include <check.h>

/* test_wisdom_begin creates the folder. test_wisdom_end removes it with all files in it. */
void test_wisdom_begin(void);
void test_wisdom_end(void);

/* Get the path of a file in the folder. The text is valid until this function has been called four more
 * times. */
const char *test_wisdom_path(const char *name);

/* Read a whole file, and add a NUL. Returns NULL if the file cannot be opened. The caller frees the text. */
char *test_wisdom_read(const char *path, size_t *len);

void test_wisdom_write(const char *path, const char *text, size_t len);
void test_wisdom_append(const char *path, const char *text, size_t len);

/* Count the temporary files in the folder. Count how often a text contains a word. */
int test_wisdom_count_temporary(void);
int test_wisdom_count(const char *text, const char *word);

/* If the library cannot use a file, it writes the reason as a text. test_wisdom_why has the last reason.
 * test_wisdom_reason returns an empty sx_text that writes into test_wisdom_why. */
extern char test_wisdom_why[256];
sx_text *test_wisdom_reason(void);

/* Expect that the entry of kind plan has this value. If value is NULL, there must be no entry. The reason
 * must contain `word`. If word is "", there must be no reason; if word is NULL, the reason is not checked. */
void test_wisdom_expect(const char *path, const char *key, const char *value, const char *word);

/* Put a value, which must succeed. */
void test_wisdom_put(const char *path, const char *key, const char *value);

#endif
