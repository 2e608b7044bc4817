/* file_help.h - for tests of files: a folder, access to files by the C library, and short arrays of
 * numbers. */
#ifndef TEST_FILE_HELP_H
#define TEST_FILE_HELP_H

#include "config.h"
#include <mpi.h>
#include <stddef.h>

/* The suffixes of the formats' files. HDF5 is the last format. */
enum { FILE_FORMATS = 3 };
extern const char *const file_suffixes[FILE_FORMATS];

/* The path of the file that is tested. file_set_path sets it to a name in the test's folder. */
extern char file_path[384];
void file_set_path(const char *name, const char *suffix);

/* file_create_folder: create the folder of this test. file_remove_folder: remove it. Collective. */
void file_create_folder(void);
void file_remove_folder(void);

/* file_write_serially: rank 0 writes the file by the C library; collective. file_read_serially: this rank
 * reads the whole file; local. Returns NULL if the file cannot be opened; otherwise the caller frees the
 * bytes. */
void file_write_serially(const void *bytes, size_t len);
char *file_read_serially(size_t *len);

MPI_Info file_create_hints(const char *key, const char *value);

/* file_write_numbers: write the `n` numbers `first`, `first` + 1, and so on (at most 16). file_read_numbers:
 * read the file and compare it with these numbers. The library gets the hint `hint` with the value `value`;
 * writing also passes `append` as subx_append. Both return the code of the library's call. Collective. */
int file_write_numbers(const char *hint, const char *value, const char *append, int n, int first);
int file_read_numbers(const char *hint, const char *value, int n, int first);

/* The checks of errors, in file_errors.c. Collective. */
void file_check_errors(int nformats);

#endif
