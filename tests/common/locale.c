/* locale.c - create a locale with localedef, in a folder that this process removes when it ends. */
#include "common/locale.h"
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

static char folder[] = "/tmp/subx-locale-XXXXXX";

static const char source[] =
    "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\n"
    "grouping -1\nEND LC_NUMERIC\n";

static void remove_folder(void)
{
    char command[80];
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command))
        printf("%s is left\n", folder);
}

/* The result of localedef is ignored: it warns of everything that the source leaves out, and then returns
 * 1. */
static void create(void)
{
    char name[64], command[240];
    if (!mkdtemp(folder))
        return;
    atexit(remove_folder);
    snprintf(name, sizeof name, "%s/source", folder);
    FILE *file = fopen(name, "w");
    if (!file)
        return;
    fputs(source, file);
    fclose(file);
    snprintf(command, sizeof command, "localedef -c -i %s %s/comma >/dev/null 2>&1", name, folder);
    if (system(command) == -1 || setenv("LOCPATH", folder, 1))
        return;
    if (!setlocale(LC_NUMERIC, "comma"))
        printf("not tested: numbers with a decimal comma, because localedef makes no locale here\n");
}

int test_locale_use(int has_comma)
{
    static int is_created;
    if (has_comma && !is_created)
        create();
    is_created |= has_comma;
    return setlocale(LC_NUMERIC, has_comma ? "comma" : "C") != NULL;
}
