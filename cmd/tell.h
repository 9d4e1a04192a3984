/* Context: O.  prof --control: the words of its command line. */
#ifndef TELL_H
#define TELL_H

#include "ask.h"

#include <stddef.h>

struct tell {
	bool status_only;
	bool anew;		/* what was counted is to be forgotten */
	const char *copy;	/* where a copy is to be; or NULL */
	struct ask_change change;
};

/* WHO COMMAND [VALUE].  0, or -EINVAL after a line on stderr. */
int tell_parse(struct tell *o, const char **names, size_t count);

#endif
