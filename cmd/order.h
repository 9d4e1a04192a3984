/* Context: O.  prof --control: the words of its command line. */
#ifndef ORDER_H
#define ORDER_H

#include "ask.h"

#include <stddef.h>

struct order {
	bool status_only;
	struct ask_change change;	/* else */
};

/* WHO COMMAND [VALUE].  0, or -EINVAL after a line on stderr. */
int order_parse(struct order *o, const char **names, size_t count);

#endif
