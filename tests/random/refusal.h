/* refusal.h - for which reasons a plan may be refused, and for which it must be. */
#ifndef TEST_RANDOM_REFUSAL_H
#define TEST_RANDOM_REFUSAL_H

#include "random/problem.h"

/* Find a reason for an error of kind SUBX_ERR_*. Returns its index, or -1. */
int random_refusal_find(const random_problem *p, int kind);

/* Find a reason for which a plan cannot be. Returns its index, or -1. */
int random_refusal_find_certain(const random_problem *p);

/* Get the text of a reason, NULL if there are no more. */
const char *random_refusal_get_text(int i);

#endif
