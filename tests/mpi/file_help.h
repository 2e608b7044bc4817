/* file_help.h - what the parts of the test of files share. */
#ifndef TEST_FILE_HELP_H
#define TEST_FILE_HELP_H

#include "config.h"
#include <mpi.h>
#include <stddef.h>

/* The formats, HDF5 last, and how their files' names end. */
enum { FILE_FORMATS = 3 };
extern const char *const file_suffixes[FILE_FORMATS];

/* The file that is being tested; set it, in the folder. */
extern char file_path[128];
void file_set_path(const char *name, const char *suffix);

/* A folder of this test's own. Collective, as the next two. */
void file_create_folder(void);
void file_remove_folder(void);

/* Let rank 0 write the file by the C library. Read it whole, on any rank; the caller frees the bytes. */
void file_write_serially(const void *bytes, size_t len);
char *file_read_serially(size_t *len);

MPI_Info file_create_hints(const char *key, const char *value);

/* Write n numbers, first and those after it; read and compare them. Return the code of the call. Collective. */
int file_write_numbers(const char *hint, const char *value, const char *keep, int n, int first);
int file_read_numbers(const char *hint, const char *value, int n, int first);

/* Errors (file_errors.c). Collective. */
void file_check_errors(int nformats);

#endif
