/* Context: O.  An error as one line. */
#ifndef PRINT_FAULT_H
#define PRINT_FAULT_H

#include "fault.h"

/* Who complains, where it is not prof. */
void print_fault_set_program(const char *program);

/* "prof: FILE: what at offset N: why; remedy", on standard error. */
void print_fault(const struct fault *f);

#endif
