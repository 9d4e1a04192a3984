/*
 * Context: O.  Parses the command line of prof --control, for prof_control.c.
 * The command itself is parsed by core/control, as those of proffs are.
 */
#ifndef CONTROL_PARSE_H
#define CONTROL_PARSE_H

#include "control_command.h"

/*
 * Parses the words TARGET COMMAND [VALUE], `count` of them, into *o, which
 * points into them.  TARGET is left to the caller.  Returns 0, or -EINVAL after
 * a line on standard error.
 */
int control_parse_words(struct control_command *o, const char **names,
    size_t count);

#endif
