/*
 * Context: O.  Prints the result of one check of prof doctor, for
 * doctor_record.c and doctor_system.c.
 */
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
 * Prints the result of a check on `out`.  what: its subject.  found: how it is.
 * remedy: what to do, printed for a state that is not good; NULL: nothing.
 */
void doctor_print(FILE *out, enum doctor_state state, const char *what,
    const char *found, const char *remedy);

#endif
