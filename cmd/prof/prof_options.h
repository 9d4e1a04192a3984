/* Context: O.  The options of prof(1). */
#ifndef PROF_OPTIONS_H
#define PROF_OPTIONS_H

#include "base/data_table.h"
#include "export.h"
#include "import_format.h"
#include "table/group.h"

enum report_view {
	VIEW_TABLE,
	VIEW_GRAPH,		/* callers and callees */
	VIEW_TREE,		/* what each called */
	VIEW_CALLERS,		/* what called each */
	VIEW_ANNOTATE,		/* source and instructions */
	VIEW_SUMMARY,		/* of the heap ... */
	VIEW_GROWTH,
	VIEW_SIZES,
};

static inline bool
view_is_whole_heap(enum report_view view)
{
	return view >= VIEW_SUMMARY;
}

struct prof_options {
	struct filter filter;
	struct group_options group;
	enum demangle demangle;
	enum data_table_format form;	/* for programs */
	bool footer;
	bool info;
	bool check;
	bool embed;
	bool remote;		/* debug files from servers */
	bool control;		/* names are of who is told what */
	bool live;		/* again and again */
	bool table;		/* an option of the table was given ... */
	bool view;		/* ... of how it looks */
	enum report_view show;
	bool least_given;	/* --min */
	bool split;		/* user and kernel time apart */
	const char *old;	/* a profile to compare with; NULL = none */
	bool error;		/* of each share */
	bool heap;		/* allocations, not time ... */
	enum metric measure;	/* ... and which count of them ... */
	bool any_measure;	/* ... if there is any of it: none was said */
	bool no_inline;		/* functions as they were compiled */
	enum export_format write;	/* instead of a table */
	enum import_format read;	/* what other files are; IMPORT_NONE */
	const char *choice;	/* of their events; NULL = the first */
	const char *output;	/* NULL = standard output */
};

#define PROF_OPTIONS_SHOWN 1	/* all was said: --help, --version */

/*
 * Files and directories move to the front of argv, *rest of them.  0,
 * PROF_OPTIONS_SHOWN, or -1 after a line on stderr.
 */
int prof_options_parse(struct prof_options *s, const char **argv, size_t *rest);
void prof_options_free(struct prof_options *s);

#endif
