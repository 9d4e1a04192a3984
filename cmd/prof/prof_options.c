/* Context: O.  Parses the options of prof(1); see prof_options.h. */
#include "prof/prof_options.h"

#include "common/option.h"
#include "common/option_value.h"
#include "prof/option_conflicts.h"
#include "table/regroup_frames.h"

#include <stdio.h>
#include <string.h>

/* Options, in groups: handle_prof_option() compares tags. */
enum tag {
	/* options of views only */
	TAG_BY, TAG_LINES, TAG_FUNCTION, TAG_TOP, TAG_MIN, TAG_SORT, TAG_KERNEL,
	TAG_NO_DEMANGLE, TAG_FULL_NAMES, TAG_NO_FOOTER, TAG_ERROR,
	TAG_ANNOTATE, TAG_GRAPH, TAG_TREE, TAG_CALLERS,
	/* options of views and of written files */
	TAG_MODULE, TAG_THREAD, TAG_PID, TAG_PROGRAM, TAG_FOCUS, TAG_IGNORE,
	TAG_READ, TAG_NO_INLINE, TAG_DIFF, TAG_HEAP, TAG_ASLEEP,
	/* options of all output, and actions */
	TAG_CSV, TAG_JSON, TAG_OUTPUT, TAG_WRITE, TAG_HTML, TAG_CLASSIC,
	TAG_INFO, TAG_CHECK, TAG_EMBED, TAG_LIVE, TAG_CONTROL,
	TAG_DEBUGINFOD, TAG_HELP, TAG_VERSION,
};

static const struct option_row options[] = {
	{ "by", 0, "WHAT,...", TAG_BY,
	    "a line for each process, program, thread, mode,\n"
	    "module, file, function (default), line or address" },
	{ "lines", 0, NULL, TAG_LINES,
	    "a line for each source line: --by=line" },
	{ "module", 0, "PATTERN", TAG_MODULE,
	    "only modules of that name or path" },
	{ "thread", 0, "PATTERN", TAG_THREAD,
	    "only threads of that name or tid" },
	{ "pid", 0, "PATTERN", TAG_PID,
	    "only processes of that pid" },
	{ "program", 0, "PATTERN", TAG_PROGRAM,
	    "only processes of that program" },
	{ "function", 0, "PATTERN", TAG_FUNCTION,
	    "only functions of that name" },
	{ "focus", 0, "PATTERN", TAG_FOCUS,
	    "only stacks with a function of that name" },
	{ "ignore", 0, "PATTERN", TAG_IGNORE,
	    "no stacks with a function of that name" },
	{ "asleep", 0, NULL, TAG_ASLEEP,
	    "of stacks: the time that threads slept" },
	{ "no-inline", 0, NULL, TAG_NO_INLINE,
	    "in stacks: no inlined functions" },
	{ "top", 0, "N", TAG_TOP,
	    "show the first N lines" },
	{ "min", 0, "PERCENT", TAG_MIN,
	    "hide lines with less of the time" },
	{ "sort", 0, "KEY", TAG_SORT,
	    "time (default), name, address, samples, calls" },
	{ "graph", 0, NULL, TAG_GRAPH,
	    "callers and callees of each function, with their time\n"
	    "and counted calls" },
	{ "tree", 0, NULL, TAG_TREE,
	    "what each function called, from the outermost on,\n"
	    "with the time of all that" },
	{ "callers", 0, NULL, TAG_CALLERS,
	    "where the time went, and who called that" },
	{ "annotate", 0, "PATTERN", TAG_ANNOTATE,
	    "source and instructions of functions of that name,\n"
	    "with the time of each" },
	{ "error", 0, NULL, TAG_ERROR,
	    "each share with one standard deviation" },
	{ "heap", 0, "[WHAT]", TAG_HEAP,
	    "what was allocated (PROFOPTS=mode=heap), not time: at\n"
	    "the peak (default), live (or leaked), live-blocks,\n"
	    "total, blocks, freed, temporary, high; mapped,\n"
	    "mapped-peak, mapped-total, mappings; summary;\n"
	    "growth over time; sizes of blocks" },
	{ "diff", 0, "OLD", TAG_DIFF,
	    "what changed since that profile, and how sure it is" },
	{ "kernel", 0, NULL, TAG_KERNEL,
	    "user and kernel time on lines of their own" },
	{ "no-demangle", 0, NULL, TAG_NO_DEMANGLE,
	    "C++ and Rust names as stored" },
	{ "full-names", 0, NULL, TAG_FULL_NAMES,
	    "C++ names with their parameters" },
	{ "no-footer", 0, NULL, TAG_NO_FOOTER,
	    "the table alone" },
	{ "live", 0, NULL, TAG_LIVE,
	    "the same every second, while a program runs" },
	{ "csv", 0, NULL, TAG_CSV,
	    "comma-separated values with a header line" },
	{ "json", 0, NULL, TAG_JSON,
	    "the same as an array of objects" },
	{ "output", 'o', "FILE", TAG_OUTPUT,
	    "write there, never over a profile" },
	{ "read", 0, "FORMAT", TAG_READ,
	    "what the files are that do not show it: folded, perf,\n"
	    "callgrind, gperftools, pprof; with :EVENT behind, of\n"
	    "several the one to take" },
	{ "write", 0, "FORMAT", TAG_WRITE,
	    "gmon, monout or prof: a file of that format for\n"
	    "the program, or in a directory one an object;\n"
	    "folded, pprof, gperftools, speedscope, firefox,\n"
	    "callgrind, perf, massif: call stacks for others;\n"
	    "csv, json: as --csv and --json" },
	{ "html", 0, "FILE", TAG_HTML,
	    "a page for a browser, with pictures of the stacks:\n"
	    "--write=html --output=FILE" },
	{ "classic", 0, NULL, TAG_CLASSIC,
	    "list as prof(1) of System V, with its options, or\n"
	    "with --classic=bsd as that of 4.2BSD" },
	{ "info", 'i', NULL, TAG_INFO,
	    "what the files say of their processes" },
	{ "check", 0, NULL, TAG_CHECK,
	    "verify the files" },
	{ "embed", 0, NULL, TAG_EMBED,
	    "store names and lines in the files, to be read where\n"
	    "the programs are not" },
	{ "control", 0, NULL, TAG_CONTROL,
	    "PID|DIRECTORY|FILE COMMAND: tell running processes to\n"
	    "start or stop counting, or ask their status" },
	{ "debuginfod", 0, "SECONDS", TAG_DEBUGINFOD,
	    "ask servers for debug files (DEBUGINFOD_URLS), for so\n"
	    "long at most" },
	{ "help", 0, NULL, TAG_HELP,
	    "this text" },
	{ "version", 0, NULL, TAG_VERSION,
	    "the version" },
};

#define OPTIONS (sizeof(options) / sizeof(options[0]))

static int
add_filter_pattern(struct prof_options *s, enum filter_kind what,
    const char *value)
{
	return filter_add(&s->filter, what, value);
}

static int
print_prof_help(void)
{
	puts("Usage: prof [OPTION...] [PROGRAM] [FILE|DIRECTORY...]\n"
	    "Show where the time of programs went that ran under libmon.so.\n"
	    "Without a name: the directory PROFDIR, or the newest run here "
	    "(mon.out).\n"
	    "Files of classic profilers (mon.out, gmon.out) are of PROGRAM, "
	    "else of a.out;\n"
	    "those of perf, callgrind, gperftools and pprof are read too, and "
	    "folded stacks.\n");
	option_help(options, OPTIONS);
	return PROF_OPTIONS_SHOWN;
}

static int
print_prof_version(void)
{
	puts("prof (libmon) " PACKAGE_VERSION);
	return PROF_OPTIONS_SHOWN;
}

static int
handle_prof_option(void *arg, int tag, const char *value)
{
	struct prof_options *s = arg;

	s->table |= tag <= TAG_ASLEEP;
	s->view |= tag <= TAG_CALLERS;
	switch (tag) {
	case TAG_BY:
		return option_value_by(s, value);
	case TAG_LINES:
		return option_value_by(s, "line");
	case TAG_MODULE:
		return add_filter_pattern(s, FILTER_MODULE, value);
	case TAG_THREAD:
		return add_filter_pattern(s, FILTER_THREAD, value);
	case TAG_PID:
		return add_filter_pattern(s, FILTER_PID, value);
	case TAG_PROGRAM:
		return add_filter_pattern(s, FILTER_PROGRAM, value);
	case TAG_FUNCTION:
		return add_filter_pattern(s, FILTER_FUNCTION, value);
	case TAG_FOCUS:
		return add_filter_pattern(s, FILTER_FOCUS, value);
	case TAG_IGNORE:
		return add_filter_pattern(s, FILTER_IGNORE, value);
	case TAG_TOP:
		return option_value_top(s, value);
	case TAG_MIN:
		return option_value_min(s, value);
	case TAG_SORT:
		return option_value_sort(s, value);
	case TAG_OUTPUT:
		return option_value_output(s, value);
	case TAG_WRITE:
		return option_value_write(s, value);
	case TAG_READ:
		return option_value_read(s, value);
	case TAG_HTML:
		return option_value_output(s, value) != 0 ? OPTION_USAGE :
		    option_value_write(s, "html");
	case TAG_GRAPH:
		return option_value_view(s, VIEW_GRAPH);
	case TAG_TREE:
		return option_value_view(s, VIEW_TREE);
	case TAG_CALLERS:
		return option_value_view(s, VIEW_CALLERS);
	case TAG_CSV:
		return option_value_form(s, DATA_TABLE_CSV);
	case TAG_JSON:
		return option_value_form(s, DATA_TABLE_JSON);
	case TAG_ANNOTATE:
		return option_value_view(s, VIEW_ANNOTATE) != 0 ? OPTION_USAGE :
		    add_filter_pattern(s, FILTER_FUNCTION, value);
	case TAG_HEAP:
		return option_value_heap(s, value);
	case TAG_DIFF:
		s->old = value;
		return 0;
	case TAG_DEBUGINFOD:
		s->remote = true;
		return option_value_debuginfod(value);
	case TAG_HELP:
		return print_prof_help();
	case TAG_VERSION:
		return print_prof_version();
	default:
		break;
	}
	s->split |= tag == TAG_KERNEL;
	s->filter.asleep |= tag == TAG_ASLEEP;
	s->no_inline |= tag == TAG_NO_INLINE;
	s->error |= tag == TAG_ERROR;
	s->info |= tag == TAG_INFO;
	s->check |= tag == TAG_CHECK;
	s->embed |= tag == TAG_EMBED;
	s->live |= tag == TAG_LIVE;
	s->control |= tag == TAG_CONTROL;
	s->footer &= tag != TAG_NO_FOOTER;
	if (tag == TAG_NO_DEMANGLE)
		s->demangle = DEMANGLE_OFF;
	if (tag == TAG_FULL_NAMES)
		s->demangle = DEMANGLE_FULL;
	return 0;
}

int
prof_options_parse(struct prof_options *s, const char **argv, size_t *rest)
{
	const char *why = NULL;
	int ret;

	memset(s, 0, sizeof(*s));
	s->demangle = DEMANGLE_SHORT;
	s->footer = true;
	ret = option_parse("prof", options, OPTIONS, argv, rest,
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
