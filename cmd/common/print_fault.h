/* Context: O.  Prints a fault as one line, for prof, tprof and tpfmt. */
#ifndef PRINT_FAULT_H
#define PRINT_FAULT_H

#include "fault.h"

/* Sets the program name that starts each line; "prof" if it is never set. */
void print_fault_set_program(const char *program);

/*
 * Prints "prof: FILE: what at offset N in line M: why; remedy" on standard
 * error.
 */
void print_fault(const struct fault *f);

#endif
