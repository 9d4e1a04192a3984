/*
 * Context: O.  prof doctor: says what of libmon works on this machine for this
 * user, and what to do about the rest.
 */
#ifndef DOCTOR_H
#define DOCTOR_H

#include "doctor/doctor_print.h"

/*
 * Runs a program under libmon.so, and looks at its profile and at the directory
 * of profiles.  Returns DOCTOR_GOOD if recording works, else DOCTOR_BAD.
 */
enum doctor_state doctor_check_record(FILE *out);

/* Looks at what the kernel and the system allow; nothing of it is needed. */
void doctor_check_system(FILE *out);

/*
 * Runs prof doctor.  argv: the words behind that, ended by NULL.  Returns the
 * exit status: 0 if recording works, 1 if not, 2 for wrong use.
 */
int doctor_run(char **argv);

#endif
