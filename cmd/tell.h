/* Context: O.  prof --control: the words of its command line. */
#ifndef TELL_H
#define TELL_H

#include "order.h"

/* WHO COMMAND [VALUE].  0, or -EINVAL after a line on stderr. */
int tell_parse(struct order *o, const char **names, size_t count);

#endif
