/* Context: O.  What the values of the options of prof(1) mean. */
#ifndef OPTION_VALUE_H
#define OPTION_VALUE_H

#include "prof/prof_options.h"

/* All: 0, or OPTION_USAGE after a line on stderr. */
int option_value_by(struct prof_options *s, const char *value);
int option_value_sort(struct prof_options *s, const char *value);
int option_value_top(struct prof_options *s, const char *value);
int option_value_min(struct prof_options *s, const char *value);
int option_value_form(struct prof_options *s, enum data_table_format form);
int option_value_output(struct prof_options *s, const char *value);
int option_value_write(struct prof_options *s, const char *value);
int option_value_read(struct prof_options *s, const char *value);
/* NULL: not said. */
int option_value_heap(struct prof_options *s, const char *value);
int option_value_view(struct prof_options *s, enum report_view view);
int option_value_debuginfod(const char *value);

#endif
