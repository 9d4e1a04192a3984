/*
 * Context: O.  Prints a fault as one line, for prof with its commands, tprof
 * and tpfmt.  main() of tprof and of tpfmt set the program name.
 */
#ifndef PRINT_FAULT_H
#define PRINT_FAULT_H

#include "fault.h"

/* Sets the program name that starts each line; "prof" if it is never set. */
void print_fault_set_program(const char *program);

/*
 * Prints "prof: FILE: what at offset N in line M: why; remedy" on standard
 * error, without the parts that *f does not have.
 */
void print_fault(const struct fault *f);

#endif
