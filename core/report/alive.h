/* Context: O.  Does the process of a profile still run? */
#ifndef ALIVE_H
#define ALIVE_H

#include "format.h"

/* 1 yes, 0 no, -1 it cannot be known: another boot, host or pid namespace. */
int alive_check(const struct format_header *h);

/* Was the file written on the kernel that runs now? */
int alive_same_boot(const struct format_header *h);

#endif
