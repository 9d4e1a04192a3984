/*
 * Context: O.  Parses the words of a control command, such as "interval 10ms",
 * into an order for processes.  Called by prof --control, the prof device and
 * libmontell, which then run a control session with it.
 */
#ifndef CONTROL_COMMAND_H
#define CONTROL_COMMAND_H

#include "control_client.h"

#include <stddef.h>

/* A parsed command. */
struct control_command {
	/* nothing is sent: the processes are only listed */
	bool status_only;
	bool anew;		/* forget what was counted so far (`end`) */
	/*
	 * where a copy of the profile goes (`dump`); NULL: no copy; made after
	 * the process has answered an order that changes nothing
	 */
	const char *copy;
	struct control_client_change change;
};

/*
 * Why words are no command: the word, or a phrase such as "no command"
 * (`what`), the text it is about (`text`, may be ""), and what would be
 * accepted (`hint`).
 */
struct control_command_error {
	const char *what, *text, *hint;
};

/* Number of commands. */
#define CONTROL_COMMAND_COUNT	8
/* The commands, as a text for messages. */
#define CONTROL_COMMAND_LIST \
	"start, stop, end, interval, watch, mode, dump or status"

/* The first words of all commands. */
extern const char *const control_command_names[CONTROL_COMMAND_COUNT];

/*
 * Parses the command `word` with its value (NULL: none) into *o.  Returns 0, or
 * -EINVAL with *w set; *o is undefined then.  *o and *w point into the given
 * strings.
 */
int control_command_parse(struct control_command *o, const char *word,
    const char *value, struct control_command_error *w);

/*
 * Returns the name of a set of FORMAT_MODE_* bits, as the `mode` command spells
 * it ("nothing" for 0, "?" for an unknown set).
 */
const char *control_command_mode_name(uint32_t modes);

#endif
