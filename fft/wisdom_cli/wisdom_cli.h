/* wisdom_cli.h - what the files of the program subx-wisdom share. The program includes only
 * installed headers, and subx_lowlevel.h. It does not initialize MPI. */
#ifndef SX_WISDOM_CLI_H
#define SX_WISDOM_CLI_H

#include "config.h"
#include <stdio.h>
#include <subx_tune.h>

/* Exit statuses. NONE: no entry contains the text. */
enum { SX_WISDOM_CLI_OK = 0, SX_WISDOM_CLI_NONE = 1, SX_WISDOM_CLI_ERROR = 2 };

/* ---- command.c */

/* A command gets wisdom without entries, the path of the file, and the words after the command's name,
 * terminated by NULL. It prints errors, and returns an exit status. */
typedef struct sx_wisdom_command {
    const char *name, *words; /* words: what the command takes, for messages */
    int least, most;          /* least and largest number of words */
    int (*execute)(subx_fft_wisdom wisdom, const char *file, char *words[]);
} sx_wisdom_command;

/* Find a command by its name; NULL if there is none. */
const sx_wisdom_command *sx_wisdom_cli_find(const char *name);

/* Print an error in one line; returns SX_WISDOM_CLI_ERROR. */
int sx_wisdom_cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- help.c */
void sx_wisdom_cli_help(void);

#endif
