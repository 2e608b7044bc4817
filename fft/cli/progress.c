/* progress.c - if the program takes more than some seconds, show on a terminal what it does and how far it
 * is.
 *
 * A timer's signal prints the line, because most of the time is spent in library calls, which do not
 * print. */
#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* The signal handler reads one line while the program writes the other one. */
static char line[2][128];
static volatile sig_atomic_t current, is_shown;
static int is_terminal;

/* Uses only functions that are safe in a signal handler. */
static void show(int number)
{
    const int before = errno;
    const char *text = line[current];
    (void)number;
    if (*text)
        is_shown = write(2, text, strlen(text)) > 0;
    errno = before;
}

/* Show the line after `first` seconds, and then twice per second; never if `first` is 0. */
static void set_timer(int first)
{
    struct itimerval timer = {.it_interval = {0, 500000}, .it_value = {first, 0}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

void sx_cli_progress_start(int rank)
{
    struct sigaction action = {.sa_handler = show, .sa_flags = SA_RESTART};
    is_terminal = rank == 0 && isatty(2);
    if (!is_terminal || sigaction(SIGALRM, &action, NULL))
        return;
    set_timer(3);
}

void sx_cli_progress_set(const char *what, double done, double total)
{
    char *next = line[!current];
    if (!is_terminal)
        return;
    if (total > 0)
        snprintf(next, sizeof line[0], "\r%.80s: %.0f %%\033[K", what, 100 * done / total);
    else
        snprintf(next, sizeof line[0], "\r%.80s\033[K", what);
    current = !current;
}

void sx_cli_progress_set_quiet(void)
{
    line[!current][0] = '\0';
    current = !current;
}

int sx_cli_progress_query_terminal(void)
{
    return is_terminal;
}

void sx_cli_progress_finish(void)
{
    if (is_terminal)
        set_timer(0);
    if (is_shown)
        fputs("\r\033[K", stderr);
    is_shown = is_terminal = 0;
}
