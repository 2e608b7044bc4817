/* watch.c - handle two sorts of signals. When the time limit is over, each rank prints what it is doing, and
 * rank 0 also prints the problem. A rank that crashes prints both. */
#include "random/watch.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The texts are prepared in advance: signal handlers may call write, but no function that allocates or
 * locks. */
static const char *problem = "";
static const char *volatile phase = "";
static char name[32];
static int is_first;

static void tell(const char *text)
{
    if (write(STDOUT_FILENO, text, strlen(text)) < 0)
        _exit(1);
}

static void tell_place(const char *what)
{
    char text[256] = "";
    strncat(text, name, 32);
    strncat(text, what, 64);
    strncat(text, phase, 64);
    strncat(text, "\n", 2);
    tell(text);
}

/* When a rank ends, the launcher ends all others. So each rank waits until all ranks have printed. */
static void end_hang(int number)
{
    (void)number;
    if (is_first) {
        tell("FAIL: a hang, or too slow:\n");
        tell(problem);
    }
    tell_place(" is in: ");
    sleep(is_first ? 3 : 10);
    _exit(1);
}

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { CRASHES = sizeof crashes / sizeof crashes[0] };
static struct sigaction before[CRASHES];

/* Restores the old handlers and raises the signal again, because the old handlers may print a backtrace. */
static void end_crash(int number)
{
    tell("FAIL: a crash:\n");
    tell(problem);
    tell_place(" was in: ");
    for (int i = 0; i < CRASHES; i++)
        sigaction(crashes[i], &before[i], NULL);
    raise(number);
}

void random_watch_begin(int rank)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    is_first = rank == 0;
    snprintf(name, sizeof name, "rank %d", rank);
    action.sa_handler = end_hang;
    sigaction(SIGALRM, &action, NULL);
    action.sa_handler = end_crash;
    for (int i = 0; i < CRASHES; i++)
        sigaction(crashes[i], &action, &before[i]);
}

void random_watch_start(const char *text, unsigned seconds)
{
    problem = text;
    phase = "waiting for the others";
    alarm(seconds);
}

void random_watch_phase(const char *what)
{
    phase = what;
}

void random_watch_stop(void)
{
    alarm(0);
}
