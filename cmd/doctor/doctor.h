/*
 * Context: O.  prof doctor: says which parts of libmon work on this machine for
 * this user, and what to do about the rest.  main() of prof calls doctor_run(),
 * which calls the two checks.
 */
#ifndef DOCTOR_H
#define DOCTOR_H

#include "doctor/doctor_print.h"

/*
 * Runs a program under libmon.so, and looks at its profile and at the directory
 * of profiles.  Prints the results on `out`.  Makes and removes files in /tmp
 * and in the directory of profiles.  Returns DOCTOR_GOOD if recording works,
 * else DOCTOR_BAD.
 */
enum doctor_state doctor_check_record(FILE *out);

/*
 * Prints on `out` what the kernel, the system and the build allow.  Recording
 * needs nothing of it.
 */
void doctor_check_system(FILE *out);

/*
 * Runs prof doctor.  argv: the words behind "doctor", ended by NULL.  Returns
 * the exit status: 0 if recording works or help was printed, 1 if recording
 * does not work or standard output cannot be written, 2 for wrong use.
 */
int doctor_run(char **argv);

#endif
