/*
 * Context: O.  Parses the values of the options of prof(1) and stores them in
 * its options.  The table in prof_options.c calls these functions; other tools
 * have parsers of their own.
 */
#ifndef OPTION_VALUE_H
#define OPTION_VALUE_H

#include "prof/prof_options.h"

/*
 * Parses the value of an option and stores it in *s: --by, --sort, --top,
 * --min, --csv and --json (form), --output, --html, --write, --read.  These
 * functions and those below return 0, or OPTION_USAGE after a line on standard
 * error.
 */
int option_value_by(struct prof_options *s, const char *value);
int option_value_sort(struct prof_options *s, const char *value);
int option_value_top(struct prof_options *s, const char *value);
int option_value_min(struct prof_options *s, const char *value);
int option_value_form(struct prof_options *s, enum data_table_format form);
int option_value_output(struct prof_options *s, const char *value);
int option_value_html(struct prof_options *s, const char *value);
int option_value_write(struct prof_options *s, const char *value);
int option_value_read(struct prof_options *s, const char *value);

/*
 * Parses the value of --per, one or two numbers above 0 (one: both sides did
 * equal work), or of --fail-over, a percentage.
 */
int option_value_per(struct prof_options *s, const char *value);
int option_value_fail_over(struct prof_options *s, const char *value);

/* Parses the value of --heap; NULL: it was given without a value. */
int option_value_heap(struct prof_options *s, const char *value);

/* Sets the view to show.  Two different views are refused. */
int option_value_view(struct prof_options *s, enum report_view view);

/*
 * Allows requests to debuginfod servers, which take `value` seconds at most in
 * all.
 */
int option_value_debuginfod(const char *value);

#endif
