/* p2p.c - sends and receives, with counts of type int and MPI_Count. */
#include "pmpi/p2p.h"
#include <limits.h>
#include <stdint.h>

#define COUNT int
#define NAME(verb) verb
#include "pmpi/p2p_body.h"
#undef COUNT
#undef NAME

#ifdef HAVE_MPI_TYPE_GET_CONTENTS_C
#define COUNT MPI_Count
#define NAME(verb) verb##_c
#include "pmpi/p2p_body.h"
#endif
