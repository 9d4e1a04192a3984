/* Context: P.  One error record: filled where it is met, printed by main. */
#ifndef FAULT_H
#define FAULT_H

#include <stdint.h>

struct fault {
	const char *what;	/* static text; NULL = no fault */
	const char *remedy;	/* static text, or NULL */
	const char *file;	/* borrowed from the caller, or NULL */
	uint64_t offset;	/* place in the file, FAULT_NO_OFFSET = whole */
	uint64_t line;		/* ... or this one of a text; 0 = no text */
	int errnum;		/* positive errno, 0 = data, not the system */
};

#define FAULT_NO_OFFSET UINT64_MAX

/* Fill f and return -EINVAL (data) or -errnum: `return fault_set(...)`. */
int fault_set(struct fault *f, const char *what, uint64_t offset, int errnum);

/* Of data in that line of a text, from 1 on. */
int fault_set_line(struct fault *f, const char *what, uint64_t line);

#endif
