/* Context: O.  What processes can be told, in words. */
#ifndef ORDER_H
#define ORDER_H

#include "ask.h"

#include <stddef.h>

struct order {
	bool status_only;
	bool anew;		/* what was counted is to be forgotten */
	const char *copy;	/* where a copy is to be; or NULL */
	struct ask_change change;
};

/* Words that are no order: which, and what would be. */
struct order_wrong {
	const char *what, *text, *hint;
};

#define ORDER_WORDS	8
#define ORDER_COMMANDS	"start, stop, end, interval, watch, mode, dump or status"

extern const char *const order_words[ORDER_WORDS];

/* COMMAND [VALUE]; value: or NULL.  0, or -EINVAL and *w. */
int order_parse(struct order *o, const char *word, const char *value,
    struct order_wrong *w);

/* What is counted, in those words. */
const char *order_modes(uint32_t modes);

#endif
