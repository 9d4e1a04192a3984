/* Context: O.  What the values of the options of prof(1) mean. */
#ifndef VALUE_H
#define VALUE_H

#include "settings.h"

/* All: 0, or OPTION_USAGE after a line on stderr. */
int value_by(struct settings *s, const char *value);
int value_sort(struct settings *s, const char *value);
int value_top(struct settings *s, const char *value);
int value_min(struct settings *s, const char *value);
int value_form(struct settings *s, enum sheet_form form);
int value_output(struct settings *s, const char *value);
int value_write(struct settings *s, const char *value);
int value_read(struct settings *s, const char *value);
/* NULL: not said. */
int value_heap(struct settings *s, const char *value);
int value_view(struct settings *s, enum view view);
int value_debuginfod(const char *value);

#endif
