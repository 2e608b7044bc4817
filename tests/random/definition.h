/* definition.h - a random field and its spectrum by the definition, axis by axis. */
#ifndef TEST_RANDOM_DEFINITION_H
#define TEST_RANDOM_DEFINITION_H

#include "common/field.h"
#include "random/problem.h"

/* The field of a problem, on all ranks of `comm`; free it with test_field_free. Collective. */
test_field random_definition_create(const random_problem *p, MPI_Comm comm);

#endif
