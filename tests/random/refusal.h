/* refusal.h - the reasons for which a plan may be refused, and those for which it must be refused. */
#ifndef TEST_RANDOM_REFUSAL_H
#define TEST_RANDOM_REFUSAL_H

#include "random/problem.h"

/* Find a reason for an error of this kind (SUBX_ERR_*). Returns its index, or -1. */
int random_refusal_find(const random_problem *p, int kind);

/* Find a reason for which the plan must be refused. Returns its index, or -1. */
int random_refusal_find_certain(const random_problem *p);

/* Get the text of reason i, from 0; NULL if there are no more. */
const char *random_refusal_get_text(int i);

#endif
