/*
 * Context: O.  Parses the command line of prof --control, for
 * prof_control_run(); see control_parse.h.
 */
#include "control/control_parse.h"

#include "common/option.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int
reject_control_words(const struct control_command_error *w)
{
	fprintf(stderr, "prof: --control: %s%s%s: %s\n", w->what,
	    *w->text == '\0' ? "" : " ", w->text, w->hint);
	return -EINVAL;
}

/* Returns whether a word is the name of a command. */
static bool
is_command_word(const char *word)
{
	for (size_t i = 0; i < CONTROL_COMMAND_COUNT; i++)
		if (strcmp(word, control_command_names[i]) == 0)
			return true;
	return false;
}

int
control_parse_words(struct control_command *o, const char **names, size_t count)
{
	struct control_command_error w = {
		"a process and a command are missing", "",
		"name a pid, a directory or a profile, "
		    "then " CONTROL_COMMAND_LIST,
	};
	const char *near;

	if (count < 2)
		return reject_control_words(&w);
	if (control_command_parse(o, names[1], count > 2 ? names[2] : NULL,
	    &w) != 0) {
		if (is_command_word(names[0])) {
			fprintf(stderr, "prof: --control: the process comes "
			    "first: --control %s %s\n", names[1], names[0]);
			return -EINVAL;
		}
		near = w.text != names[1] ? NULL : option_nearest(names[1],
		    control_command_names, CONTROL_COMMAND_COUNT);
		if (near == NULL)
			return reject_control_words(&w);
		fprintf(stderr, "prof: --control: no command %s; did you mean "
		    "%s?\n", names[1], near);
		return -EINVAL;
	}
	if (count > 3)
		return reject_control_words(
		    &(struct control_command_error) { names[1],
		    "", "takes one value" });
	return 0;
}
