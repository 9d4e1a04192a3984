/* Context: O.  Prints the sums of prof --scan on standard output. */
#ifndef SCAN_PRINT_H
#define SCAN_PRINT_H

#include "scan/scan_file.h"

/*
 * Prints the sums of the file `name`.  ways: also how counted functions are
 * led to their counters.
 */
void scan_print(const char *name, const struct scan_sums *sums, bool ways);

/* Prints the line of a function that is not counted, of the file `name`. */
void scan_print_uncounted(const char *name, const struct unwind_function *f,
    enum entry_way why);

#endif
