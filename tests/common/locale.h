/* locale.h - a locale with a decimal comma, created for the test: few machines have one installed. */
#ifndef TEST_LOCALE_H
#define TEST_LOCALE_H

#include "config.h"

/* Use the locale with a decimal comma, or the C locale again. Returns 0, and prints a notice once, if the locale could
 * not be created because the machine has no localedef. */
int test_locale_use(int has_comma);

#endif
