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
	    "a line for each process, program, thread, mode,\n"
	    "module, file, function (default), line or address" },
	{ "lines", 0, NULL, OF_VIEWS, PARSE(set_by_line),
	    "a line for each source line: --by=line" },
	{ "module", 0, "PATTERN", OF_TABLES, SET(add_pattern, FILTER_MODULE),
	    "only modules of that name or path" },
	{ "thread", 0, "PATTERN", OF_TABLES, SET(add_pattern, FILTER_THREAD),
	    "only threads of that name or tid" },
	{ "pid", 0, "PATTERN", OF_TABLES, SET(add_pattern, FILTER_PID),
	    "only processes of that pid" },
	{ "program", 0, "PATTERN", OF_TABLES, SET(add_pattern, FILTER_PROGRAM),
	    "only processes of that program" },
	{ "function", 0, "PATTERN", OF_VIEWS, SET(add_pattern, FILTER_FUNCTION),
	    "only functions of that name" },
	{ "focus", 0, "PATTERN", OF_TABLES, SET(add_pattern, FILTER_FOCUS),
	    "only stacks with a function of that name" },
	{ "ignore", 0, "PATTERN", OF_TABLES, SET(add_pattern, FILTER_IGNORE),
	    "no stacks with a function of that name" },
	{ "asleep", 0, NULL, OF_TABLES, FLAG(filter.asleep),
	    "of stacks: the time that threads slept" },
	{ "no-inline", 0, NULL, OF_TABLES, FLAG(no_inline),
	    "in stacks: no inlined functions" },
	{ "top", 0, "N", OF_VIEWS, PARSE(option_value_top),
	    "show the first N lines" },
	{ "min", 0, "PERCENT", OF_VIEWS, PARSE(option_value_min),
	    "hide lines with less of the time" },
	{ "sort", 0, "KEY", OF_VIEWS, PARSE(option_value_sort),
	    "time (default), name, address, samples, calls" },
	{ "graph", 0, NULL, OF_VIEWS, SET(set_view, VIEW_GRAPH),
	    "callers and callees of each function, with their time\n"
	    "and counted calls" },
	{ "tree", 0, NULL, OF_VIEWS, SET(set_view, VIEW_TREE),
	    "what each function called, from the outermost on,\n"
	    "with the time of all that" },
	{ "callers", 0, NULL, OF_VIEWS, SET(set_view, VIEW_CALLERS),
	    "where the time went, and who called that" },
	{ "annotate", 0, "PATTERN", OF_VIEWS, PARSE(set_annotate),
	    "source and instructions of functions of that name,\n"
	    "with the time of each" },
	{ "error", 0, NULL, OF_VIEWS, FLAG(error),
	    "each share with one standard deviation" },
	{ "heap", 0, "[WHAT]", OF_TABLES, PARSE(option_value_heap),
	    "what was allocated (PROFOPTS=mode=heap), not time: at\n"
	    "the peak (default), live (or leaked), live-blocks,\n"
	    "total, blocks, freed, temporary, high; mapped,\n"
	    "mapped-peak, mapped-total, mappings; summary;\n"
	    "growth over time; sizes of blocks" },
	{ "diff", 0, "OLD", OF_TABLES, PARSE(set_old),
	    "what changed since that profile, and how sure it is" },
	{ "kernel", 0, NULL, OF_VIEWS, FLAG(split),
	    "user and kernel time on lines of their own" },
	{ "no-demangle", 0, NULL, OF_VIEWS, SET(set_demangle, DEMANGLE_OFF),
	    "C++ and Rust names as stored" },
	{ "full-names", 0, NULL, OF_VIEWS, SET(set_demangle, DEMANGLE_FULL),
	    "C++ names with their parameters" },
	{ "no-footer", 0, NULL, OF_VIEWS, PARSE(set_no_footer),
	    "the table alone" },
	{ "live", 0, NULL, OF_ALL, FLAG(live),
	    "the same every second, while a program runs" },
	{ "csv", 0, NULL, OF_ALL, SET(set_form, DATA_TABLE_CSV),
	    "comma-separated values with a header line" },
	{ "json", 0, NULL, OF_ALL, SET(set_form, DATA_TABLE_JSON),
	    "the same as an array of objects" },
	{ "output", 'o', "FILE", OF_ALL, PARSE(option_value_output),
	    "write there, never over a profile" },
	{ "read", 0, "FORMAT", OF_TABLES, PARSE(option_value_read),
	    "what the files are that do not show it: folded, perf,\n"
	    "callgrind, gperftools, pprof; with :EVENT behind, of\n"
	    "several the one to take" },
	{ "write", 0, "FORMAT", OF_ALL, PARSE(option_value_write),
	    "gmon, monout or prof: a file of that format for\n"
	    "the program, or in a directory one an object;\n"
	    "folded, pprof, gperftools, speedscope, firefox,\n"
	    "callgrind, perf, massif: call stacks for others;\n"
	    "csv, json: as --csv and --json" },
	{ "html", 0, "FILE", OF_ALL, PARSE(set_html),
	    "a page for a browser, with pictures of the stacks:\n"
	    "--write=html --output=FILE" },
	{ "classic", 0, NULL, OF_ALL, PARSE(accept_classic),
	    "list as prof(1) of System V, with its options, or\n"
	    "with --classic=bsd as that of 4.2BSD" },
	{ "info", 'i', NULL, OF_ALL, FLAG(info),
	    "what the files say of their processes" },
	{ "check", 0, NULL, OF_ALL, FLAG(check),
	    "verify the files" },
	{ "embed", 0, NULL, OF_ALL, FLAG(embed),
	    "store names and lines in the files, to be read where\n"
	    "the programs are not" },
	{ "control", 0, NULL, OF_ALL, FLAG(control),
	    "PID|DIRECTORY|FILE COMMAND: tell running processes to\n"
	    "start or stop counting, or ask their status" },
	{ "debuginfod", 0, "SECONDS", OF_ALL, PARSE(set_debuginfod),
	    "ask servers for debug files (DEBUGINFOD_URLS), for so\n"
	    "long at most" },
	{ "help", 0, NULL, OF_ALL, PARSE(print_help),
	    "this text" },
	{ "version", 0, NULL, OF_ALL, PARSE(print_version),
	    "the version" },
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
	    "Show where the time of programs went that ran under libmon.so.\n"
	    "Without a name: the directory PROFDIR, or the newest run here "
	    "(mon.out).\n"
	    "Files of classic profilers (mon.out, gmon.out) are of PROGRAM, "
	    "else of a.out;\n"
	    "those of perf, callgrind, gperftools and pprof are read too, and "
	    "folded stacks.\n");
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
