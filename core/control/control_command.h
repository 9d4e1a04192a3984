/* Context: O.  What processes can be told, in words. */
#ifndef CONTROL_COMMAND_H
#define CONTROL_COMMAND_H

#include "control_client.h"

#include <stddef.h>

struct control_command {
	bool status_only;
	bool anew;		/* what was counted is to be forgotten */
	const char *copy;	/* where a copy is to be; or NULL */
	struct control_client_change change;
};

/* Words that are no order: which, and what would be. */
struct control_command_error {
	const char *what, *text, *hint;
};

#define CONTROL_COMMAND_COUNT	8
#define CONTROL_COMMAND_LIST	"start, stop, end, interval, watch, mode, dump or status"

extern const char *const control_command_names[CONTROL_COMMAND_COUNT];

/* COMMAND [VALUE]; value: or NULL.  0, or -EINVAL and *w. */
int control_command_parse(struct control_command *o, const char *word,
    const char *value, struct control_command_error *w);

/* What is counted, in those words. */
const char *control_command_mode_name(uint32_t modes);

#endif
