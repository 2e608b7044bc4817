/* locale.h - a locale with a decimal comma, which is made here: few machines have one installed. */
#ifndef TEST_LOCALE_H
#define TEST_LOCALE_H

#include "config.h"

/* Let this process write numbers with a decimal comma, or as in C again. Returns 0, and says so once, if there is no such
 * locale because the machine has no localedef. */
int test_locale_use(int has_comma);

#endif
