/* Context: O.  Parses options of prof(1) for main(); see prof_options.h. */
#include "prof/prof_options.h"

#include "common/option.h"
#include "common/option_value.h"
#include "input.h"
#include "prof/option_conflicts.h"
#include "table/regroup_frames.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/*
 * Which output an option changes: --write refuses those of OF_VIEWS, and
 * --check, --info, --embed and --control also those of OF_TABLES.
 */
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
	const int ret = filter_add(&s->filter, (enum filter_kind)what, value);

	if (ret == 0)
		return 0;
	fprintf(stderr, "prof: %s: %s\n", value, ret == -EINVAL ?
	    "is no regular expression" : "out of memory");
	return OPTION_USAGE;
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
	    add_pattern(s, value, FILTER_FUNCTION);
}

static int
set_old(struct prof_options *s, const char *value)
{
	s->old = value;
	return 0;
}

static int
set_mine(struct prof_options *s, const char *value)
{
	s->mine = value != NULL ? value : "";
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
	{ .help = "Views" },
	{ "tree", 0, NULL, OF_VIEWS, SET(set_view, VIEW_TREE),
	    "show the functions that each function called, from\n"
	    "the outermost on, with the time of each branch" },
	{ "callers", 0, NULL, OF_VIEWS, SET(set_view, VIEW_CALLERS),
	    "show the functions that used time, and their callers" },
	{ "graph", 0, NULL, OF_VIEWS, SET(set_view, VIEW_GRAPH),
	    "show the callers and callees of each function, with\n"
	    "their time and counted calls" },
	{ "annotate", 0, "PATTERN", OF_VIEWS, PARSE(set_annotate),
	    "show source and instructions of functions, with the\n"
	    "time of each line and of what it called" },
	{ "all-lines", 0, NULL, OF_VIEWS, FLAG(all_lines),
	    "with --annotate: show all lines and instructions in\n"
	    "the order of the code" },
	{ "heap", 0, "[WHAT]", OF_TABLES, PARSE(option_value_heap),
	    "show allocations (prof record --heap), not time:\n"
	    "peak (default), live (or leaked), live-blocks,\n"
	    "total, blocks, freed, temporary, high; mapped,\n"
	    "mapped-peak, mapped-total, mappings; summary;\n"
	    "growth over time; sizes of blocks" },
	{ "asleep", 0, NULL, OF_TABLES, FLAG(filter.asleep),
	    "show where threads slept (prof record --wall), by\n"
	    "reason and by callers" },
	{ "mine", 0, "[MODULE,...]", OF_VIEWS, PARSE(set_mine),
	    "charge the time of libraries to the functions of the\n"
	    "program, or of these modules, too, that called them" },
	{ "explain", 0, NULL, OF_VIEWS, FLAG(explain),
	    "print below the table all that stands out, what to do\n"
	    "about it, and what the names in brackets mean" },
	{ "live", 0, NULL, OF_ALL, FLAG(live),
	    "show the view again every second while programs run" },
	{ .help = "Parts of the profile\n"
	    "  PATTERN is a name or a pattern of sh(1), as '*alloc*'; for "
	    "functions and\n"
	    "  modules it may be a part of a name, for functions '/REGEX/', "
	    "too." },
	{ "function", 0, "PATTERN", OF_VIEWS, SET(add_pattern, FILTER_FUNCTION),
	    "show only functions of that name" },
	{ "module", 0, "PATTERN", OF_TABLES, SET(add_pattern, FILTER_MODULE),
	    "show only modules of that name or path" },
	{ "thread", 0, "PATTERN", OF_TABLES, SET(add_pattern, FILTER_THREAD),
	    "show only threads of that name or tid" },
	{ "pid", 0, "PATTERN", OF_TABLES, SET(add_pattern, FILTER_PID),
	    "show only processes of that pid" },
	{ "program", 0, "PATTERN", OF_TABLES, SET(add_pattern, FILTER_PROGRAM),
	    "show only processes of that program" },
	{ "focus", 0, "PATTERN", OF_TABLES, SET(add_pattern, FILTER_FOCUS),
	    "show only stacks with a function of that name" },
	{ "ignore", 0, "PATTERN", OF_TABLES, SET(add_pattern, FILTER_IGNORE),
	    "hide stacks with a function of that name" },
	{ .help = "Lines and columns" },
	{ "by", 0, "WHAT,...", OF_VIEWS, PARSE(option_value_by),
	    "print a line for each process, program, thread, mode,\n"
	    "module, file, function (default), line or address" },
	{ "lines", 0, NULL, OF_VIEWS, PARSE(set_by_line),
	    "print a line for each source line, as --by=line" },
	{ "sort", 0, "KEY", OF_VIEWS, PARSE(option_value_sort),
	    "sort by self (default), total, name, address,\n"
	    "samples, calls" },
	{ "top", 0, "N", OF_VIEWS, PARSE(option_value_top),
	    "show the first N lines, 0 for all; of a table 30" },
	{ "min", 0, "PERCENT", OF_VIEWS, PARSE(option_value_min),
	    "hide lines with less than that share" },
	{ "kernel", 0, NULL, OF_VIEWS, FLAG(split),
	    "show user and kernel time on lines of their own" },
	{ "error", 0, NULL, OF_VIEWS, FLAG(error),
	    "show the error of each share: 95 of 100 true shares\n"
	    "lie within it" },
	{ "all-frames", 0, NULL, OF_TABLES, FLAG(all_frames),
	    "in stacks, show each function of the standard\n"
	    "libraries of C++ and Rust, not \"... 9 library frames\"" },
	{ "no-inline", 0, NULL, OF_TABLES, FLAG(no_inline),
	    "leave inlined functions out of stacks" },
	{ "full-names", 0, NULL, OF_VIEWS, SET(set_demangle, DEMANGLE_FULL),
	    "show C++ names with their parameters" },
	{ "no-demangle", 0, NULL, OF_VIEWS, SET(set_demangle, DEMANGLE_OFF),
	    "show C++ and Rust names as stored" },
	{ "verbose", 0, NULL, OF_VIEWS, FLAG(verbose),
	    "print below the table also what is as it should be" },
	{ "no-footer", 0, NULL, OF_VIEWS, PARSE(set_no_footer),
	    "print the table alone" },
	{ .help = "Comparison" },
	{ "diff", 0, "OLD;" INPUT_RECORD_DIRECTORY ".old", OF_TABLES,
	    PARSE(set_old),
	    "show what changed since that profile, with its error;\n"
	    "OLD,OLD,... NEW,NEW,... compare several runs; if\n"
	    "nothing or an option follows, OLD is the run before,\n"
	    INPUT_RECORD_DIRECTORY ".old" },
	{ "per", 0, "OLD,NEW", OF_TABLES, PARSE(option_value_per),
	    "with --diff: compare the time for the same work, of\n"
	    "which each side did so many units" },
	{ "fail-over", 0, "PERCENT", OF_VIEWS, PARSE(option_value_fail_over),
	    "with --diff: exit with status 3 if the total, or a\n"
	    "line, surely grew by more than that of the total" },
	{ "markdown", 0, NULL, OF_VIEWS, FLAG(markdown),
	    "with --diff: print a table for a review comment" },
	{ .help = "Files" },
	{ "html", 0, "FILE;" EXPORT_PAGE, OF_ALL,
	    PARSE(option_value_html),
	    "write a page for a browser, with a picture of stacks,\n"
	    "to FILE; to " EXPORT_PAGE " if nothing or an option "
	    "follows" },
	{ "write", 0, "FORMAT", OF_ALL, PARSE(option_value_write),
	    "write gmon, monout or prof: a file of the program, or\n"
	    "in a directory one for each object; folded, pprof,\n"
	    "gperftools, speedscope, firefox, callgrind, perf,\n"
	    "massif: call stacks for other tools; html: a page;\n"
	    "csv, json: the table, as --csv and --json" },
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
	{ .help = "Actions" },
	{ "info", 'i', NULL, OF_ALL, FLAG(info),
	    "show the data of each file about its process" },
	{ "check", 0, NULL, OF_ALL, FLAG(check),
	    "check whether the files are good" },
	{ "embed", 0, NULL, OF_ALL, FLAG(embed),
	    "store names and lines in the files, to read them on\n"
	    "machines without the programs" },
	{ "debuginfod", 0, "SECONDS", OF_ALL, PARSE(set_debuginfod),
	    "fetch debug files from servers (DEBUGINFOD_URLS), for\n"
	    "at most that time" },
	{ "control", 0, NULL, OF_ALL, FLAG(control),
	    "PID|DIRECTORY|FILE COMMAND: make running processes\n"
	    "start or stop counting, or show their status" },
	{ "scan", 0, NULL, OF_ALL, FLAG(scan),
	    "FILE...: say which functions of programs call counts\n"
	    "can count; the first option: see prof --scan --help" },
	{ "classic", 0, NULL, OF_ALL, PARSE(accept_classic),
	    "list as prof(1) of System V, with its options, or\n"
	    "with --classic=bsd as prof(1) of 4.2BSD" },
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
	puts("usage: prof [OPTION...] [PROGRAM] [FILE|DIRECTORY...]\n"
	    "       prof record [OPTION...] COMMAND...  (records a command)\n"
	    "       prof doctor                         (what works here)\n"
	    "Shows where programs that ran under libmon.so spent their time.\n"
	    "If no file is named, prof reads the directory PROFDIR, or the "
	    "newest run in the\n"
	    "current directory (mon.out.d, mon.out).  It also reads files of "
	    "perf, callgrind,\n"
	    "gperftools and pprof, folded stacks, and classic files (mon.out, "
	    "gmon.out) of\n"
	    "PROGRAM, by default a.out.  See prof(1).");
	copy_rows(row);
	option_help(row, OPTIONS);
	return PROF_OPTIONS_SHOWN;
}

static int
handle_prof_option(void *arg, int tag, const char *value)
{
	const struct prof_option *o = &options[tag];
	struct prof_options *s = arg;

	s->table_option_given |= o->scope != OF_ALL;
	s->view_option_given |= o->scope == OF_VIEWS;
	return o->parse != NULL ? o->parse(s, value) :
	    o->set(s, value, o->number);
}

/* Chooses the view and the output that other options ask for. */
static void
imply_options(struct prof_options *s)
{
	const bool table = s->view == VIEW_TABLE && s->write == EXPORT_NONE &&
	    s->old == NULL;

	if (table && s->filter.asleep && s->group.by == 0)
		s->view = VIEW_CALLERS;
	else if (table && !s->filter.asleep &&
	    (filter_is_on(&s->filter, FILTER_FOCUS) ||
	    filter_is_on(&s->filter, FILTER_IGNORE)))
		s->view = VIEW_TREE;
	if (export_is_text(s->write) && s->output == NULL)
		s->output = "-";
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
	imply_options(s);
	if (ret == 0)
		why = option_conflicts_find(s, *rest);
	if (why != NULL) {
		fprintf(stderr, "prof: %s\n", why);
		ret = OPTION_USAGE;
	}
	if (s->group.by == 0 || (s->view != VIEW_TABLE &&
	    (s->group.by & REGROUP_FRAMES_UNITS) == 0))
		s->group.by |= 1u << GROUP_FUNCTION;
	s->group.any_allocation = s->form != DATA_TABLE_NONE;
	s->group.inlined = s->mine != NULL;
	if (s->split)
		s->group.by |= 1u << GROUP_MODE;
	return ret;
}

void
prof_options_free(struct prof_options *s)
{
	filter_free(&s->filter);
}
