/*
 * Context: O.  Finds options that do not go together, for prof_options_parse():
 * turns the options into facts, and looks these up in the table of conflicts
 * below.  See option_conflicts.h.
 */
#include "prof/option_conflicts.h"

#include "table/regroup_frames.h"

/* Returns whether stacks can be grouped so: a frame is of one unit only. */
static bool
is_stack_grouping(unsigned by)
{
	const unsigned unit = by & REGROUP_FRAMES_UNITS;

	return (unit & (unit - 1)) == 0 &&
	    (by & ~(REGROUP_FRAMES_UNITS | REGROUP_FRAMES_ROOTS)) == 0;
}

static bool
is_filter_set(const struct prof_options *s, enum filter_kind what)
{
	return filter_is_on(&s->filter, what);
}

/* Returns whether --asleep chooses the lines of a table. */
static bool
is_table_asleep(const struct prof_options *s)
{
	return s->filter.asleep && s->view == VIEW_TABLE && s->group.by != 0 &&
	    s->write == EXPORT_NONE && s->old == NULL;
}

static bool
has_stack_option(const struct prof_options *s)
{
	return is_filter_set(s, FILTER_FOCUS) || is_filter_set(s,
	    FILTER_IGNORE) || s->no_inline ||
	    (s->filter.asleep && !is_table_asleep(s));
}

/*
 * Returns whether --by, --lines, --min or an option of stacks is given, or
 * --top with --heap=sizes.  Views of whole processes cannot use them; other
 * conflicts refuse the rest.
 */
static bool
has_line_option(const struct prof_options *s)
{
	return s->group.by != 0 || s->least_given || has_stack_option(s) ||
	    (s->group.top != 0 && s->view == VIEW_SIZES);
}

/* Facts about the options.  A conflict is of one or more of them. */
enum fact {
	CHECK, INFO, EMBED, LIVE, CONTROL, SCAN, DEBUGINFOD, OUTPUT, WRITE,
	DIFF, NO_DIFF, DIFF_OPTION, MARKDOWN,
	DATA,			/* --csv or --json */
	ERROR, KERNEL, HEAP, ALL_FRAMES,
	SORTED,			/* --sort by anything but the time */
	COUNT_SORT,		/* --sort by samples or calls */
	MISSING_TOTAL,	/* --sort=total, and a table without that column */
	BY,
	MIXED_BY,		/* --by of what no frame of a stack has */
	FUNCTION, MODULE,
	STACK_OPTION, LINE_OPTION,
	TABLE,			/* an option of OF_TABLES or OF_VIEWS */
	VIEW,			/* an option of OF_VIEWS */
	OTHER_VIEW,		/* a view that is no table */
	GRAPH, ANNOTATE, SUMMARY,
	STACK_VIEW,		/* --tree, --callers, or of the whole heap */
	PROCESS_VIEW,		/* --heap=growth or --heap=sizes */
	NO_PLACE,		/* --write without --output */
	NO_STACKS,		/* a table, and no file of stacks */
	FILE_OF_ONE,		/* a file that cannot compare two profiles */
	FILE_OF_TIME,		/* a file that cannot hold allocations */
	FILE_OF_TOOLS,		/* a file for other tools: no page */
	MASSIF_OF_OTHER,	/* --write=massif of anything but the peak */
	NO_CODE, ALL_LINES,	/* no --annotate; --all-lines */
	FOOTER_OPTION,		/* --verbose or --explain */
	NO_FOOTER,
	READ, NO_NAME,		/* --read; no file is named */
	THREAD_OR_MODE,		/* asks for threads, or user and kernel time */
	FACTS
};

#define BIT(fact)	(1ull << (fact))

/*
 * Returns whether --sort=total is given, and the table is not that of functions
 * for people, which alone has this column.  --by=function is the default, and
 * not yet in the options.
 */
static bool
lacks_total(const struct prof_options *s)
{
	return s->group.sort == GROUP_SORT_INCLUSIVE && (s->split ||
	    s->form != DATA_TABLE_NONE || s->heap ||
	    (s->group.by & ~(1u << GROUP_FUNCTION)) != 0);
}

/* Returns whether the options ask for threads, or for user and kernel time. */
static bool
has_thread_option(const struct prof_options *s)
{
	return s->split || s->filter.asleep ||
	    is_filter_set(s, FILTER_THREAD) ||
	    (s->group.by >> GROUP_THREAD & 3) != 0;
}

/* Sets the facts about the file that is written. */
static void
set_file_facts(bool has[FACTS], const struct prof_options *s)
{
	const bool writes = s->write != EXPORT_NONE;

	has[OUTPUT] = s->output != NULL;
	has[WRITE] = writes;
	has[NO_PLACE] = writes && s->output == NULL;
	has[NO_STACKS] = s->view == VIEW_TABLE && !export_has_stacks(s->write);
	has[FILE_OF_ONE] = writes && !export_compares(s->write);
	has[FILE_OF_TIME] = writes && !export_has_heap(s->write);
	has[FILE_OF_TOOLS] = writes && s->write != EXPORT_HTML;
	has[MASSIF_OF_OTHER] = s->write == EXPORT_MASSIF &&
	    (!s->heap || s->measure != METRIC_PEAK);
}

/* Returns a BIT() for each fact that the options have. */
static unsigned long long
list_facts(const struct prof_options *s, size_t names)
{
	bool has[FACTS] = {
		[CHECK] = s->check,
		[INFO] = s->info,
		[EMBED] = s->embed,
		[LIVE] = s->live,
		[CONTROL] = s->control,
		[SCAN] = s->scan,
		[DEBUGINFOD] = s->remote,
		[DIFF] = s->old != NULL,
		[NO_DIFF] = s->old == NULL,
		[DIFF_OPTION] = s->markdown || s->per_work ||
		    s->fail_over_given,
		[MARKDOWN] = s->markdown,
		[DATA] = s->form != DATA_TABLE_NONE,
		[ERROR] = s->error,
		[KERNEL] = s->split,
		[HEAP] = s->heap,
		[ALL_FRAMES] = s->all_frames,
		[SORTED] = s->group.sort != GROUP_SORT_TIME,
		[COUNT_SORT] = s->group.sort == GROUP_SORT_SAMPLES ||
		    s->group.sort == GROUP_SORT_CALLS,
		[MISSING_TOTAL] = lacks_total(s),
		[BY] = s->group.by != 0,
		[MIXED_BY] = !is_stack_grouping(s->group.by),
		[FUNCTION] = is_filter_set(s, FILTER_FUNCTION),
		[MODULE] = is_filter_set(s, FILTER_MODULE),
		[STACK_OPTION] = has_stack_option(s),
		[LINE_OPTION] = has_line_option(s),
		[TABLE] = s->table_option_given,
		[VIEW] = s->view_option_given,
		[OTHER_VIEW] = s->view != VIEW_TABLE,
		[GRAPH] = s->view == VIEW_GRAPH,
		[ANNOTATE] = s->view == VIEW_ANNOTATE,
		[SUMMARY] = s->view == VIEW_SUMMARY,
		[STACK_VIEW] = s->view == VIEW_TREE ||
		    s->view == VIEW_CALLERS || view_is_whole_heap(s->view),
		[PROCESS_VIEW] = s->view == VIEW_GROWTH ||
		    s->view == VIEW_SIZES,
		[THREAD_OR_MODE] = has_thread_option(s),
		[NO_CODE] = s->view != VIEW_ANNOTATE,
		[ALL_LINES] = s->all_lines,
		[FOOTER_OPTION] = s->verbose || s->explain,
		[NO_FOOTER] = !s->footer,
		[READ] = s->read != IMPORT_NONE,
		[NO_NAME] = names == 0,
	};
	unsigned long long facts = 0;

	set_file_facts(has, s);
	for (unsigned i = 0; i < FACTS; i++)
		facts |= has[i] ? BIT(i) : 0;
	return facts;
}

/* A conflict: all facts of `all`, and one of `any` unless that is 0. */
struct conflict {
	unsigned long long all, any;
	const char *why;
};

#define PER_FILE	(BIT(CHECK) | BIT(INFO) | BIT(EMBED))

/* The conflicts; the first one that the options have is reported. */
static const struct conflict conflicts[] = {
	{ BIT(SCAN), 0,
	    "--scan must be the first word: prof --scan FILE" },
	{ BIT(CONTROL), PER_FILE | BIT(TABLE) | BIT(WRITE) | BIT(LIVE) |
	    BIT(DIFF) | BIT(DEBUGINFOD),
	    "--control goes with --csv, --json and --output only" },
	{ BIT(DEBUGINFOD), BIT(CHECK) | BIT(INFO),
	    "--check and --info look up no names: they do not go with "
	    "--debuginfod" },
	{ BIT(CHECK), BIT(INFO) | BIT(DATA) | BIT(TABLE),
	    "--check goes with --output only" },
	{ BIT(LIVE), PER_FILE | BIT(DATA) | BIT(OUTPUT) | BIT(WRITE),
	    "--live shows views on a terminal: it does not go with "
	    "--output, --write, --html, --csv, --json, --info, --check "
	    "or --embed" },
	{ BIT(EMBED), BIT(CHECK) | BIT(INFO) | BIT(DATA) | BIT(TABLE) |
	    BIT(WRITE),
	    "--embed goes with --output only" },
	{ BIT(WRITE), BIT(VIEW) | BIT(DATA) | BIT(INFO) | BIT(CHECK),
	    "--write and --html write a file: they do not go with options "
	    "of tables, such as --by, --sort, --top or --csv" },
	{ BIT(ALL_FRAMES) | BIT(FILE_OF_TOOLS), 0,
	    "--all-frames: files for other tools always have all "
	    "functions; of the formats of --write, it goes with html only" },
	{ BIT(NO_PLACE), 0,
	    "--write needs a file for this format: use --output=FILE" },
	{ BIT(NO_DIFF) | BIT(DIFF_OPTION), 0,
	    "--per, --fail-over and --markdown go with --diff" },
	{ BIT(MARKDOWN) | BIT(DATA), 0,
	    "--markdown, --csv and --json: one at a time" },
	{ BIT(DIFF) | BIT(FILE_OF_ONE), 0,
	    "--diff makes a table or a page: of the formats of "
	    "--write, it goes with html only" },
	{ BIT(DIFF), BIT(OTHER_VIEW) | BIT(SORTED),
	    "--diff makes tables, sorted by change: it does not go "
	    "with --tree, --callers, --graph, --sort or "
	    "--heap=summary, growth or sizes" },
	{ BIT(MISSING_TOTAL), 0,
	    "--sort=total: only the table of functions has a total; it does "
	    "not go with --by, --lines, --kernel, --heap, --csv or --json" },
	{ BIT(GRAPH) | BIT(KERNEL), 0,
	    "--graph shows functions: it does not go with --kernel" },
	{ BIT(MIXED_BY), BIT(STACK_VIEW) | BIT(GRAPH),
	    "views of stacks go with --by and one of module, file, "
	    "function, line, address, and any of process, program, "
	    "thread" },
	{ BIT(ANNOTATE), BIT(BY) | BIT(KERNEL) | BIT(ERROR) |
	    BIT(STACK_OPTION),
	    "--annotate shows functions: it does not go with --by, "
	    "--kernel, --error or options of stacks" },
	{ BIT(STACK_VIEW) | BIT(HEAP), BIT(KERNEL) | BIT(SORTED) |
	    BIT(FUNCTION) | BIT(MODULE),
	    "--tree, --callers and --heap=summary show whole "
	    "stacks: they do not go with --sort, --function or "
	    "--module" },
	{ BIT(STACK_VIEW), BIT(KERNEL) | BIT(SORTED) | BIT(FUNCTION) |
	    BIT(MODULE),
	    "--tree and --callers show whole stacks, of a function "
	    "with --focus=NAME: they do not go with --kernel, --sort, "
	    "--function or --module" },
	{ BIT(NO_STACKS) | BIT(STACK_OPTION), 0,
	    "--focus, --ignore, --asleep and --no-inline are of stacks: "
	    "they go with --tree, --callers, --graph or --write of "
	    "stacks" },
	{ BIT(HEAP) | BIT(FILE_OF_TIME), 0,
	    "--heap: files of this format hold only time or calls; "
	    "those of html, folded, pprof, callgrind, massif, "
	    "speedscope and firefox hold allocations" },
	{ BIT(MASSIF_OF_OTHER), 0,
	    "--write=massif writes allocations at the peak and the "
	    "end: use --heap without a value" },
	{ BIT(HEAP) | BIT(THREAD_OR_MODE), 0,
	    "--heap has no threads and modes: it does not go with "
	    "--thread, --kernel, --asleep, --by=thread or --by=mode" },
	{ BIT(HEAP) | BIT(COUNT_SORT), 0,
	    "--heap=WHAT chooses the blocks or bytes to sort by: it "
	    "goes with --sort=name and --sort=address only" },
	{ BIT(SUMMARY), BIT(DATA) | BIT(DIFF) | BIT(WRITE) | BIT(ERROR),
	    "--heap=summary is for people: use --heap with --csv, "
	    "--json, --write, --diff or --error" },
	{ BIT(PROCESS_VIEW), BIT(DIFF) | BIT(WRITE) | BIT(ERROR) |
	    BIT(LINE_OPTION),
	    "--heap=growth and --heap=sizes show processes: they do not "
	    "go with --by, --lines, --min, --diff, --write, --error or "
	    "options of stacks, nor --heap=sizes with --top" },
	{ BIT(INFO) | BIT(TABLE), 0,
	    "--info goes with --csv, --json and --output only" },
	{ BIT(ALL_LINES) | BIT(NO_CODE), 0,
	    "--all-lines goes with --annotate=PATTERN" },
	{ BIT(FOOTER_OPTION), BIT(NO_FOOTER) | BIT(DATA) | BIT(DIFF),
	    "--verbose and --explain print lines below a report: they do "
	    "not go with --no-footer, --csv, --json or --diff" },
	{ BIT(READ) | BIT(NO_NAME), 0,
	    "--read is the format of files that are named: name one" },
};

const char *
option_conflicts_find(const struct prof_options *s, size_t names)
{
	const unsigned long long facts = list_facts(s, names);

	for (size_t i = 0; i < sizeof(conflicts) / sizeof(conflicts[0]); i++)
		if ((facts & conflicts[i].all) == conflicts[i].all &&
		    (conflicts[i].any == 0 || (facts & conflicts[i].any) != 0))
			return conflicts[i].why;
	return NULL;
}
