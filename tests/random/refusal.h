/* refusal.h - the reasons for which the library may refuse a plan, and the reasons for which it must. */
#ifndef TEST_RANDOM_REFUSAL_H
#define TEST_RANDOM_REFUSAL_H

#include "random/problem.h"

/* Find a reason that explains an error of this kind (SUBX_ERR_*). Returns the reason's index, or -1. */
int random_refusal_find(const random_problem *p, int kind);

/* Find a reason for which the library must refuse the plan. Returns the reason's index, or -1. */
int random_refusal_find_certain(const random_problem *p);

/* Get the text of reason i, from 0; NULL if there are no more. */
const char *random_refusal_get_text(int i);

#endif
