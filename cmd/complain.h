/* Context: O.  An error as one line. */
#ifndef COMPLAIN_H
#define COMPLAIN_H

#include "fault.h"

/* Who complains, where it is not prof. */
void complain_as(const char *program);

/* "prof: FILE: what at offset N: why; remedy", on standard error. */
void complain(const struct fault *f);

#endif
