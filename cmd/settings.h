/* Context: O.  The options of prof(1). */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "export.h"
#include "formats.h"
#include "group.h"
#include "sheet.h"

enum view {
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
view_is_whole_heap(enum view view)
{
	return view >= VIEW_SUMMARY;
}

struct settings {
	struct filter filter;
	struct group_options group;
	enum demangle demangle;
	enum sheet_form form;	/* for programs */
	bool footer;
	bool info;
	bool check;
	bool embed;
	bool remote;		/* debug files from servers */
	bool control;		/* names are of who is told what */
	bool live;		/* again and again */
	bool table;		/* an option of the table was given ... */
	bool view;		/* ... of how it looks */
	enum view show;
	bool least_given;	/* --min */
	bool split;		/* user and kernel time apart */
	const char *old;	/* a profile to compare with; NULL = none */
	bool error;		/* of each share */
	bool heap;		/* allocations, not time ... */
	enum measure measure;	/* ... and which count of them ... */
	bool any_measure;	/* ... if there is any of it: none was said */
	bool no_inline;		/* functions as they were compiled */
	enum export_format write;	/* instead of a table */
	enum import_format read;	/* what other files are; IMPORT_NONE */
	const char *choice;	/* of their events; NULL = the first */
	const char *output;	/* NULL = standard output */
};

#define SETTINGS_SHOWN 1	/* all was said: --help, --version */

/*
 * Files and directories move to the front of argv, *rest of them.  0,
 * SETTINGS_SHOWN, or -1 after a line on stderr.
 */
int settings_parse(struct settings *s, const char **argv, size_t *rest);
void settings_free(struct settings *s);

#endif
