/* Context: O.  Holds and parses the options of prof(1). */
#ifndef PROF_OPTIONS_H
#define PROF_OPTIONS_H

#include "base/data_table.h"
#include "export.h"
#include "import_format.h"
#include "table/group.h"

/* The views of prof. */
enum report_view {
	VIEW_TABLE,
	VIEW_GRAPH,		/* callers and callees of each function */
	VIEW_TREE,		/* what each function called */
	VIEW_CALLERS,		/* what called each function */
	VIEW_ANNOTATE,		/* source lines and instructions */
	/* summary, timeline and block sizes of the whole heap */
	VIEW_SUMMARY,
	VIEW_GROWTH,
	VIEW_SIZES,
};

/* Returns whether a view shows the heap as a whole, not one metric of it. */
static inline bool
view_is_whole_heap(enum report_view view)
{
	return view >= VIEW_SUMMARY;
}

/* The options.  Strings are borrowed from argv. */
struct prof_options {
	struct filter filter;
	struct group_options group;
	enum demangle demangle;
	enum data_table_format form;	/* for programs: CSV or JSON */
	bool footer;
	bool info;
	bool check;
	bool embed;
	bool remote;		/* ask debuginfod servers for debug files */
	bool control;	/* --control: the names are a target and a command */
	bool live;		/* repeat the report */
	bool table;		/* an option of tables or files was given */
	bool view;		/* an option of the looks of a view was given */
	enum report_view show;
	bool least_given;	/* --min was given */
	bool split;		/* split user and kernel time */
	const char *old;	/* profile to compare with; NULL: none */
	bool error;		/* show the error of each share */
	bool heap;		/* show allocations, not time */
	enum metric measure;	/* metric of allocations */
	/* no metric was given: use one that the files have */
	bool any_measure;
	bool no_inline;	/* show inlined functions as part of their callers */
	enum export_format write;	/* format to write instead of a view */
	/* format of named files; IMPORT_NONE: recognize */
	enum import_format read;
	/* event type to read from them; NULL: the first */
	const char *choice;
	const char *output;	/* NULL: standard output */
};

#define PROF_OPTIONS_SHOWN 1	/* --help or --version was printed */

/*
 * Parses the options in argv into *s.  Moves files and directories to the front
 * of argv; *rest is their number.  Returns 0, PROF_OPTIONS_SHOWN, or -1 after a
 * line on standard error.
 */
int prof_options_parse(struct prof_options *s, const char **argv, size_t *rest);

/* Frees the filter in *s. */
void prof_options_free(struct prof_options *s);

#endif
