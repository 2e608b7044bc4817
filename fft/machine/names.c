/* names.c - the names of the processor and of MPI, for the keys of wisdom. */
#include "machine/machine.h"
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

/* Print up to `most` bytes of the first line, without blanks at its ends. TABs and other control characters
 * are replaced by blanks: they would damage the file of wisdom, where TABs separate key and value. */
static void print_line(sx_text *t, const char *line, size_t most)
{
    line += strspn(line, " \t");
    size_t n = strcspn(line, "\n\r");
    n = n < most ? n : most;
    while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t'))
        n--;
    for (size_t i = 0; i < n; i++)
        sx_base_print(t, "%c", (unsigned char)line[i] < ' ' || line[i] == 127 ? ' ' : line[i]);
}

/* ---- the processor */

enum { LINE_MAX_BYTES = 256, CPU_MAX = 80 };

/* Get the line of /proc/cpuinfo that has the processor's name. The first one is taken: the file has a
 * paragraph per core, and the paragraphs are equal. Other lines may be longer than `line`. */
static int find_model(char line[LINE_MAX_BYTES])
{
    static const char key[] = "model name";
    FILE *f = fopen("/proc/cpuinfo", "r");
    int found = 0;
    while (f && !found && fgets(line, LINE_MAX_BYTES, f))
        found = strncmp(line, key, sizeof key - 1) == 0 && strchr(line, ':');
    if (f)
        fclose(f);
    return found;
}

void sx_machine_print_cpu(sx_text *t)
{
    char line[LINE_MAX_BYTES];
    struct utsname system;
    if (find_model(line))
        print_line(t, strchr(line, ':') + 1, CPU_MAX);
    else
        print_line(t, uname(&system) < 0 ? "unknown" : system.machine, CPU_MAX);
}

/* ---- MPI */

enum { MPI_NAME_MAX = 40 };

/* Find the text after a word and blanks; NULL if the text does not contain the word. */
static const char *find_after(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    if (!at)
        return NULL;
    at += strlen(word);
    return at + strspn(at, " \t");
}

/* The text of MPI_Get_library_version begins with "Open MPI v4.1.4, package: ..", or with "MPICH
 * Version:\t4.0.2\n..". */
void sx_machine_print_mpi(sx_text *t)
{
    static const char *const known[][2] = {{"Open MPI", "Open MPI v"}, {"MPICH", "MPICH Version:"}};
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    MPI_Get_library_version(text, &length);
    for (int i = 0; i < 2; i++) {
        const char *version = find_after(text, known[i][1]);
        if (version) {
            sx_base_print(t, "%s ", known[i][0]);
            print_line(t, version, strcspn(version, ", \t\r\n"));
            return;
        }
    }
    print_line(t, text, MPI_NAME_MAX);
}
