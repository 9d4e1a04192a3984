/*
 * Context: O.  Holds and parses the options of prof(1).  main() of prof.c
 * parses them; all files of cmd/prof read them.  prof record, prof doctor and
 * the classic prof have options of their own.
 */
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

/*
 * The options.  Strings are borrowed from argv; the filter owns its patterns.
 */
struct prof_options {
	struct filter filter;
	struct group_options group;
	enum demangle demangle;
	enum data_table_format form;	/* for programs: CSV or JSON */
	bool footer;
	bool verbose;		/* with all lines in the footer */
	bool explain;		/* all findings, and what to do about them */
	bool info;
	bool check;
	bool embed;
	bool remote;		/* ask debuginfod servers for debug files */
	bool scan;	/* --scan, not as the first word: a mistake */
	bool control;	/* --control: the names are a target and a command */
	bool live;		/* repeat the report */
	bool table_option_given;	/* one of views or of written files */
	bool view_option_given;	/* one of views alone */
	enum report_view view;
	bool least_given;	/* --min was given */
	bool top_given;		/* --top was given */
	bool sort_given;	/* --sort was given */
	bool split;		/* user and kernel time on lines of their own */
	const char *old;	/* runs to compare with; NULL: none */
	bool markdown;	/* --diff: print a table for a review comment */
	bool fail_over_given;
	double fail_over;	/* percent that may grow before status 3 */
	bool per_work;
	double work[2];		/* units of work of a run before and now */
	bool error;		/* show the error of each share */
	bool heap;		/* show allocations, not time */
	enum metric measure;	/* metric of allocations */
	/* no metric was given: use one that the files have */
	bool any_measure;
	bool all_lines;	/* annotated code also has lines without time */
	bool all_frames;	/* runs of library functions are not folded */
	/*
	 * charge libraries to their callers in the program and these modules;
	 * NULL: do not
	 */
	const char *mine;
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
 * Parses the options in argv, which has no program's name and which NULL ends,
 * into *s.  Moves files and directories to the front of argv; *rest is their
 * number.  Returns 0; PROF_OPTIONS_SHOWN; or OPTION_USAGE after a line on
 * standard error.  Any result needs prof_options_free().
 */
int prof_options_parse(struct prof_options *s, const char **argv, size_t *rest);

/* Frees the filter in *s. */
void prof_options_free(struct prof_options *s);

#endif
