/* locale.h - use a locale with a decimal comma. It is created for the test, because few machines have one
 * installed. */
#ifndef TEST_LOCALE_H
#define TEST_LOCALE_H

#include "config.h"

/* Use the locale with a decimal comma, or the C locale again. Returns 0 if the locale could not be created
 * because the machine has no localedef, and prints a notice the first time. */
int test_locale_use(int has_comma);

#endif
