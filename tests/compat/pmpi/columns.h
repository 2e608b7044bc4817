/* columns.h - matrices whose columns are sent, to the next rank or as shares of all ranks. */
#ifndef TEST_PMPI_COLUMNS_H
#define TEST_PMPI_COLUMNS_H

#include "common/verdict.h"

enum { ROWS = 96, COLUMNS = 64, MOST = 8 };

typedef double matrix[ROWS][COLUMNS];

static inline MPI_Datatype test_column_create(void)
{
    MPI_Datatype vector, column;
    MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &vector);
    MPI_Type_create_resized(vector, 0, sizeof(double), &column);
    MPI_Type_commit(&column);
    MPI_Type_free(&vector);
    return column;
}

static inline void test_matrix_fill(matrix *m, int rank)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            (*m)[i][j] = 1e6 * rank + 1e3 * i + j;
}

/* Count the elements that differ from those of this rank's matrix. */
static inline int test_matrix_count_wrong(matrix *m, int rank)
{
    int wrong = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            wrong += (*m)[i][j] != 1e6 * rank + 1e3 * i + j;
    return wrong;
}

/* The arguments of an all-to-all, in which rank q gets the q-th share of each rank's columns. */
typedef struct shares {
    int counts[MOST], first[MOST], bytes[MOST];
    MPI_Datatype types[MOST];
} shares;

static inline shares test_shares_get(MPI_Datatype column)
{
    shares s = {.counts = {0}};
    for (int r = 0; r < test_nranks; r++) {
        s.counts[r] = COLUMNS / test_nranks;
        s.first[r] = r * s.counts[r];
        s.bytes[r] = s.first[r] * (int)sizeof(double);
        s.types[r] = column;
    }
    return s;
}

static inline int test_shares_count_wrong(matrix *m)
{
    const int share = COLUMNS / test_nranks;
    int wrong = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < share * test_nranks; j++)
            wrong += (*m)[i][j] != 1e6 * (j / share) + 1e3 * i + test_rank * share + j % share;
    return wrong;
}

#endif
