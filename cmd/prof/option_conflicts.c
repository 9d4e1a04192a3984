/*
 * Context: O.  Finds options that do not go together; see option_conflicts.h.
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

/* Returns whether each file is treated by itself, without a sum. */
static bool
is_per_file_mode(const struct prof_options *s)
{
	return s->check || s->info || s->embed;
}

static bool
is_filter_set(const struct prof_options *s, enum filter_kind what)
{
	return filter_is_on(&s->filter, what);
}

static bool
has_stack_option(const struct prof_options *s)
{
	return is_filter_set(s, FILTER_FOCUS) || is_filter_set(s,
	    FILTER_IGNORE) || s->filter.asleep || s->no_inline;
}

/*
 * Returns whether there are options without a meaning for a view of whole
 * processes.
 */
static bool
has_line_option(const struct prof_options *s)
{
	return s->group.by != 0 || s->least_given || has_stack_option(s) ||
	    (s->group.top != 0 && s->show == VIEW_SIZES);
}

const char *
option_conflicts_find(const struct prof_options *s)
{
	const bool writes = s->write != EXPORT_NONE;
	const bool tree = s->show == VIEW_TREE || s->show == VIEW_CALLERS ||
	    view_is_whole_heap(s->show);
	const bool sorted = s->group.sort != GROUP_SORT_TIME;
	const struct {
		bool clash;
		const char *why;
	} rules[] = {
		{ s->control && (is_per_file_mode(s) || s->table || writes ||
		    s->live || s->old != NULL || s->remote),
		    "--control goes with --csv, --json and --output only" },
		{ s->remote && (s->check || s->info),
		    "--check and --info look no names up: not with "
		    "--debuginfod" },
		{ s->check && (s->info || s->form || s->table),
		    "--check goes with --output only" },
		{ s->live && (is_per_file_mode(s) || s->form ||
		    s->output != NULL || writes),
		    "--live is of views on a terminal: not with --output, "
		    "--write, --html, --csv, --json, --info, --check or "
		    "--embed" },
		{ s->embed && (s->check || s->info || s->form || s->table ||
		    writes),
		    "--embed goes with --output only" },
		{ writes && (s->view || s->form || s->info || s->check),
		    "--write goes with --output and choices of processes, "
		    "threads and modules only" },
		{ writes && s->output == NULL,
		    "--write needs a place: --output=FILE" },
		{ s->old != NULL && writes && !export_compares(s->write),
		    "--diff is a table or a page: of --write that of html "
		    "alone" },
		{ s->old != NULL && (s->show != VIEW_TABLE || sorted),
		    "--diff is of tables, by change: not with --tree, "
		    "--callers, --graph, --sort or --heap=summary, growth or "
		    "sizes" },
		{ s->show == VIEW_GRAPH && s->split,
		    "--graph is of functions: not with --kernel" },
		{ (tree || s->show == VIEW_GRAPH) &&
		    !is_stack_grouping(s->group.by),
		    "stacks are --by one of module, file, function, line, "
		    "address, and any of process, program, thread" },
		{ s->show == VIEW_ANNOTATE && (s->group.by != 0 || s->split ||
		    s->error || has_stack_option(s)),
		    "--annotate is of functions alone: not with --by, "
		    "--kernel, --error or options of stacks" },
		{ tree && (s->split || sorted || is_filter_set(s,
		    FILTER_FUNCTION) || is_filter_set(s, FILTER_MODULE)),
		    s->heap ? "--tree, --callers and --heap=summary are of "
		    "whole stacks: not with --sort, --function or --module" :
		    "--tree and --callers are of whole stacks: not with "
		    "--kernel, --sort, --function or --module" },
		{ s->show == VIEW_TABLE && !export_has_stacks(s->write) &&
		    has_stack_option(s),
		    "--focus, --ignore, --asleep and --no-inline are of "
		    "stacks: with --tree, --callers, --graph or --write of "
		    "stacks" },
		{ s->heap && writes && !export_has_heap(s->write),
		    "--heap: such files hold time or calls alone; those of "
		    "html, folded, pprof, callgrind, massif, speedscope and "
		    "firefox hold allocations" },
		{ s->write == EXPORT_MASSIF && (!s->heap || s->measure !=
		    METRIC_PEAK),
		    "--write=massif is of allocations, at the peak and the "
		    "end: with --heap and nothing behind it" },
		{ s->heap && (s->split || s->filter.asleep ||
		    is_filter_set(s, FILTER_THREAD) ||
		    (s->group.by >> GROUP_THREAD & 3) != 0),
		    "--heap has no threads and modes: not with --thread, "
		    "--kernel, --asleep, --by=thread or --by=mode" },
		{ s->heap && (s->group.sort == GROUP_SORT_SAMPLES ||
		    s->group.sort == GROUP_SORT_CALLS),
		    "--heap=WHAT says what lines are sorted by, blocks or "
		    "bytes: else --sort=name or --sort=address" },
		{ s->show == VIEW_SUMMARY && (s->form || s->old != NULL ||
		    writes || s->error),
		    "--heap=summary is to be read: --heap with --csv, --json, "
		    "--write, --diff or --error has all of it" },
		{ (s->show == VIEW_GROWTH || s->show == VIEW_SIZES) &&
		    (s->old != NULL || writes || s->error ||
		    has_line_option(s)),
		    "--heap=growth and --heap=sizes are of processes: with "
		    "--pid, --program, --csv, --json, --output and --live "
		    "only" },
		{ s->info && s->table,
		    "--info goes with --csv, --json and --output only" },
	};

	for (unsigned i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (rules[i].clash)
			return rules[i].why;
	return NULL;
}
