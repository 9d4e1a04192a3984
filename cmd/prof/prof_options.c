/* Context: O.  Parses the options of prof(1); see prof_options.h. */
#include "prof/prof_options.h"

#include "common/option.h"
#include "common/option_value.h"
#include "prof/option_conflicts.h"
#include "table/regroup_frames.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Which output an option is of: --write and --check allow no other one. */
enum option_scope {
	OF_ALL,			/* all output, or an action */
	OF_TABLES,		/* views and written files */
	OF_VIEWS,		/* views alone */
};

/* An option: what the command line and --help have, and what it does. */
struct prof_option {
	const char *name;	/* as in struct option_row, with its value */
	char letter;
	const char *value;
	enum option_scope scope;
	/*
	 * Stores the value: one of the two functions, which return 0,
	 * OPTION_USAGE or PROF_OPTIONS_SHOWN; `number` is for the second one.
	 */
	int (*parse)(struct prof_options *s, const char *value);
	int (*set)(struct prof_options *s, const char *value, size_t number);
	size_t number;
	const char *help;
};

#define PARSE(function)		function, NULL, 0
#define SET(function, number)	NULL, function, number
/* Sets a bool of struct prof_options. */
#define FLAG(field) \
	SET(set_flag, offsetof(struct prof_options, field))

static int
set_flag(struct prof_options *s, const char *value, size_t offset)
{
	(void)value;
	*(bool *)((char *)s + offset) = true;
	return 0;
}

static int
add_pattern(struct prof_options *s, const char *value, size_t what)
{
	return filter_add(&s->filter, (enum filter_kind)what, value);
}

static int
set_view(struct prof_options *s, const char *value, size_t view)
{
	(void)value;
	return option_value_view(s, (enum report_view)view);
}

static int
set_form(struct prof_options *s, const char *value, size_t form)
{
	(void)value;
	return option_value_form(s, (enum data_table_format)form);
}

static int
set_demangle(struct prof_options *s, const char *value, size_t how)
{
	(void)value;
	s->demangle = (enum demangle)how;
	return 0;
}

static int
set_by_line(struct prof_options *s, const char *value)
{
	(void)value;
	return option_value_by(s, "line");
}

static int
set_annotate(struct prof_options *s, const char *value)
{
	return option_value_view(s, VIEW_ANNOTATE) != 0 ? OPTION_USAGE :
	    filter_add(&s->filter, FILTER_FUNCTION, value);
}

static int
set_html(struct prof_options *s, const char *value)
{
	return option_value_output(s, value) != 0 ? OPTION_USAGE :
	    option_value_write(s, "html");
}

static int
set_old(struct prof_options *s, const char *value)
{
	s->old = value;
	return 0;
}

static int
set_no_footer(struct prof_options *s, const char *value)
{
	(void)value;
	s->footer = false;
	return 0;
}

static int
set_debuginfod(struct prof_options *s, const char *value)
{
	s->remote = true;
	return option_value_debuginfod(value);
}

/* Does nothing: classic_main_match() has looked at it. */
static int
accept_classic(struct prof_options *s, const char *value)
{
	(void)s;
	(void)value;
	return 0;
}

static int
print_version(struct prof_options *s, const char *value)
{
	(void)s;
	(void)value;
	puts("prof (libmon) " PACKAGE_VERSION);
	return PROF_OPTIONS_SHOWN;
}

static int print_help(struct prof_options *s, const char *value);

static const struct prof_option options[] = {
	{ "by", 0, "WHAT,...", OF_VIEWS, PARSE(option_value_by),
	    "print a line for each process, program, thread, mode,\n"
	    "module, file, function (default), line or address" },
	{ "lines", 0, NULL, OF_VIEWS, PARSE(set_by_line),
	    "print a line for each source line, as --by=line" },
	{ "module", 0, "PATTERN", OF_TABLES, SET(add_pattern, FILTER_MODULE),
	    "show only modules of that name or path" },
	{ "thread", 0, "PATTERN", OF_TABLES, SET(add_pattern, FILTER_THREAD),
	    "show only threads of that name or tid" },
	{ "pid", 0, "PATTERN", OF_TABLES, SET(add_pattern, FILTER_PID),
	    "show only processes of that pid" },
	{ "program", 0, "PATTERN", OF_TABLES, SET(add_pattern, FILTER_PROGRAM),
	    "show only processes of that program" },
	{ "function", 0, "PATTERN", OF_VIEWS, SET(add_pattern, FILTER_FUNCTION),
	    "show only functions of that name" },
	{ "focus", 0, "PATTERN", OF_TABLES, SET(add_pattern, FILTER_FOCUS),
	    "show only stacks with a function of that name" },
	{ "ignore", 0, "PATTERN", OF_TABLES, SET(add_pattern, FILTER_IGNORE),
	    "hide stacks with a function of that name" },
	{ "asleep", 0, NULL, OF_TABLES, FLAG(filter.asleep),
	    "in stacks, show the time that threads slept" },
	{ "no-inline", 0, NULL, OF_TABLES, FLAG(no_inline),
	    "leave inlined functions out of stacks" },
	{ "top", 0, "N", OF_VIEWS, PARSE(option_value_top),
	    "show the first N lines" },
	{ "min", 0, "PERCENT", OF_VIEWS, PARSE(option_value_min),
	    "hide lines with less than that share" },
	{ "sort", 0, "KEY", OF_VIEWS, PARSE(option_value_sort),
	    "sort by time (default), name, address, samples, calls" },
	{ "graph", 0, NULL, OF_VIEWS, SET(set_view, VIEW_GRAPH),
	    "show the callers and callees of each function, with\n"
	    "their time and counted calls" },
	{ "tree", 0, NULL, OF_VIEWS, SET(set_view, VIEW_TREE),
	    "show the functions that each function called, from\n"
	    "the outermost on, with the time of each branch" },
	{ "callers", 0, NULL, OF_VIEWS, SET(set_view, VIEW_CALLERS),
	    "show the functions that used time, and their callers" },
	{ "annotate", 0, "PATTERN", OF_VIEWS, PARSE(set_annotate),
	    "show source and instructions of functions of that\n"
	    "name, with the time of each line" },
	{ "error", 0, NULL, OF_VIEWS, FLAG(error),
	    "show the error of each share: 95 of 100 true shares\n"
	    "lie within it" },
	{ "heap", 0, "[WHAT]", OF_TABLES, PARSE(option_value_heap),
	    "show allocations (PROFOPTS=mode=heap), not time:\n"
	    "peak (default), live (or leaked), live-blocks,\n"
	    "total, blocks, freed, temporary, high; mapped,\n"
	    "mapped-peak, mapped-total, mappings; summary;\n"
	    "growth over time; sizes of blocks" },
	{ "diff", 0, "OLD", OF_TABLES, PARSE(set_old),
	    "show what changed since that profile, with its error" },
	{ "kernel", 0, NULL, OF_VIEWS, FLAG(split),
	    "show user and kernel time on lines of their own" },
	{ "no-demangle", 0, NULL, OF_VIEWS, SET(set_demangle, DEMANGLE_OFF),
	    "show C++ and Rust names as stored" },
	{ "full-names", 0, NULL, OF_VIEWS, SET(set_demangle, DEMANGLE_FULL),
	    "show C++ names with their parameters" },
	{ "no-footer", 0, NULL, OF_VIEWS, PARSE(set_no_footer),
	    "print the table alone" },
	{ "live", 0, NULL, OF_ALL, FLAG(live),
	    "show the view again every second, while a program runs" },
	{ "csv", 0, NULL, OF_ALL, SET(set_form, DATA_TABLE_CSV),
	    "print comma-separated values with a header line" },
	{ "json", 0, NULL, OF_ALL, SET(set_form, DATA_TABLE_JSON),
	    "print an array of JSON objects with these columns" },
	{ "output", 'o', "FILE", OF_ALL, PARSE(option_value_output),
	    "write to that file, never over a profile" },
	{ "read", 0, "FORMAT", OF_TABLES, PARSE(option_value_read),
	    "format of files that cannot be recognized: folded,\n"
	    "perf, callgrind, gperftools, pprof, tprof; :EVENT\n"
	    "behind it chooses one of several events" },
	{ "write", 0, "FORMAT", OF_ALL, PARSE(option_value_write),
	    "write gmon, monout or prof: a file of the program, or\n"
	    "in a directory one for each object; folded, pprof,\n"
	    "gperftools, speedscope, firefox, callgrind, perf,\n"
	    "massif: call stacks for other tools; html: a page;\n"
	    "csv, json: the table, as --csv and --json" },
	{ "html", 0, "FILE", OF_ALL, PARSE(set_html),
	    "write a page for a browser, with a picture of the\n"
	    "stacks, as --write=html --output=FILE" },
	{ "classic", 0, NULL, OF_ALL, PARSE(accept_classic),
	    "list as prof(1) of System V, with its options, or\n"
	    "with --classic=bsd as prof(1) of 4.2BSD" },
	{ "info", 'i', NULL, OF_ALL, FLAG(info),
	    "show the data of each file about its process" },
	{ "check", 0, NULL, OF_ALL, FLAG(check),
	    "check whether the files are good" },
	{ "embed", 0, NULL, OF_ALL, FLAG(embed),
	    "store names and lines in the files, to read them on\n"
	    "machines without the programs" },
	{ "control", 0, NULL, OF_ALL, FLAG(control),
	    "PID|DIRECTORY|FILE COMMAND: make running processes\n"
	    "start or stop counting, or show their status" },
	{ "debuginfod", 0, "SECONDS", OF_ALL, PARSE(set_debuginfod),
	    "fetch debug files from servers (DEBUGINFOD_URLS), for\n"
	    "at most that time" },
	{ "help", 0, NULL, OF_ALL, PARSE(print_help),
	    "print this text" },
	{ "version", 0, NULL, OF_ALL, PARSE(print_version),
	    "print the version" },
};

#define OPTIONS (sizeof(options) / sizeof(options[0]))

/* Copies the table as option.h wants it; the tag is the index. */
static void
copy_rows(struct option_row row[OPTIONS])
{
	for (size_t i = 0; i < OPTIONS; i++)
		row[i] = (struct option_row) {
			.name = options[i].name, .letter = options[i].letter,
			.value = options[i].value, .tag = (int)i,
			.help = options[i].help,
		};
}

static int
print_help(struct prof_options *s, const char *value)
{
	struct option_row row[OPTIONS];

	(void)s;
	(void)value;
	puts("Usage: prof [OPTION...] [PROGRAM] [FILE|DIRECTORY...]\n"
	    "Show where programs that ran under libmon.so spent their time.\n"
	    "If no file is named, prof reads the directory PROFDIR, or the "
	    "newest run in the\n"
	    "current directory (mon.out).  Files of classic profilers "
	    "(mon.out, gmon.out)\n"
	    "belong to PROGRAM, by default a.out.  prof also reads files of "
	    "perf, callgrind,\n"
	    "gperftools and pprof, and folded stacks.\n");
	copy_rows(row);
	option_help(row, OPTIONS);
	return PROF_OPTIONS_SHOWN;
}

static int
handle_prof_option(void *arg, int tag, const char *value)
{
	const struct prof_option *o = &options[tag];
	struct prof_options *s = arg;

	s->table |= o->scope != OF_ALL;
	s->view |= o->scope == OF_VIEWS;
	return o->parse != NULL ? o->parse(s, value) :
	    o->set(s, value, o->number);
}

int
prof_options_parse(struct prof_options *s, const char **argv, size_t *rest)
{
	struct option_row row[OPTIONS];
	const char *why = NULL;
	int ret;

	memset(s, 0, sizeof(*s));
	s->demangle = DEMANGLE_SHORT;
	s->footer = true;
	copy_rows(row);
	ret = option_parse("prof", row, OPTIONS, argv, rest,
	    handle_prof_option, s);
	if (ret == 0)
		why = option_conflicts_find(s);
	if (why != NULL) {
		fprintf(stderr, "prof: %s\n", why);
		ret = OPTION_USAGE;
	}
	if (s->group.by == 0 || (s->show != VIEW_TABLE &&
	    (s->group.by & REGROUP_FRAMES_UNITS) == 0))
		s->group.by |= 1u << GROUP_FUNCTION;
	s->group.whole_heap = s->form != DATA_TABLE_NONE;
	if (s->split)
		s->group.by |= 1u << GROUP_MODE;
	return ret;
}

void
prof_options_free(struct prof_options *s)
{
	filter_free(&s->filter);
}
