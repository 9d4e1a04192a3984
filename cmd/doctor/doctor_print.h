/* Context: O.  Prints the result of one check of prof doctor. */
#ifndef DOCTOR_PRINT_H
#define DOCTOR_PRINT_H

#include <stdio.h>

/* How well something works. */
enum doctor_state {
	DOCTOR_GOOD,
	DOCTOR_LESS,		/* profiles are made, with less in them */
	DOCTOR_BAD,		/* no profile can be made */
};

/*
 * Prints the result of a check.  what: its subject.  found: how it is.  remedy:
 * what to do, for a state that is not good.
 */
void doctor_print(FILE *out, enum doctor_state state, const char *what,
    const char *found, const char *remedy);

#endif
