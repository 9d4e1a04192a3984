/* Context: O.  prof --control: the words of its command line. */
#ifndef CONTROL_PARSE_H
#define CONTROL_PARSE_H

#include "control_command.h"

/* WHO COMMAND [VALUE].  0, or -EINVAL after a line on stderr. */
int control_parse_words(struct control_command *o, const char **names,
    size_t count);

#endif
