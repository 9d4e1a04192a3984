/*
 * Context: O.  The plural of a noun in a sentence for people.  For the reports
 * of core/view and the messages of cmd.
 */
#ifndef PLURAL_H
#define PLURAL_H

#include <stdint.h>

/* Returns the ending of a noun behind the number n: "" for 1, "s" otherwise. */
static inline const char *
plural_suffix(uint64_t n)
{
	return n == 1 ? "" : "s";
}

#endif
