/*
 * Context: O.  Sums the rows of the model to the lines of a table.  cmd/prof
 * (report.c, prof_diff.c) and the page (export_html.c, html_head.c) make the
 * lines; all that prints tables, heads and feet reads them.
 */
#ifndef GROUP_H
#define GROUP_H

#include "base/model.h"
#include "derive/inclusive.h"

/*
 * Keys by which lines of a table are grouped, several at once.  From
 * GROUP_MODULE on each key is finer than those before it, and code depends on
 * this order: a key from GROUP_FUNCTION on also groups by function.
 */
enum group_by {
	GROUP_PROCESS,
	GROUP_PROGRAM,
	GROUP_THREAD,
	GROUP_MODE,
	GROUP_MODULE,
	GROUP_FILE,		/* source file, with its module */
	GROUP_FUNCTION,		/* function, with its module */
	/* source line, with its function, which may be inlined */
	GROUP_LINE,
	GROUP_ADDRESS,		/* address, with its function */
	GROUP_COUNT,
};

/* Keys by which lines are sorted. */
enum group_sort {
	GROUP_SORT_TIME,
	GROUP_SORT_NAME,
	GROUP_SORT_ADDRESS,
	GROUP_SORT_SAMPLES,
	GROUP_SORT_CALLS,
	GROUP_SORT_INCLUSIVE,
	GROUP_SORT_INTERVAL,	/* time since the table before */
};

struct group_interval;

/* Grouping, order and limits of a table. */
struct group_options {
	unsigned by;		/* set of 1 << enum group_by */
	enum group_sort sort;
	/* most lines of CPU time, and of time asleep; 0 = all */
	uint64_t top;
	/*
	 * percent of all CPU time, or of all time asleep, that a line must have
	 */
	double least;
	bool callers;		/* include functions that only called others */
	/* with blocks and mappings, whichever metric is in use */
	bool any_allocation;
	/* inlined functions have lines of their own, where they are known */
	bool inlined;
	/* time of functions with their callees; NULL: not shown */
	const struct inclusive *inclusive;
	/* the table before; NULL: the time since then is not shown */
	struct group_interval *interval;
};

/*
 * One line.  Fields that the table is not grouped by are MODEL_NONE, NULL or 0.
 */
struct group_line {
	uint32_t process;
	uint32_t thread;
	uint32_t module;
	uint32_t function;
	/* index in model.sources; MODEL_NONE also = not known */
	uint32_t file;
	uint32_t line;		/* 0 also = not known */
	const char *program;
	uint64_t address;
	unsigned mode;		/* enum group_mode */
	uint64_t count;
	uint64_t ns;
	uint64_t calls;
	/* time of the function with what it called, if that was asked for */
	uint64_t inclusive_ns;
	/* time since the table before, if that was asked for */
	uint64_t last_ns;
	struct model_heap heap;	/* set if the model holds allocations */
};

/*
 * Where time was spent: a line without the grouping by mode has GROUP_USER for
 * all CPU time.
 */
enum group_mode { GROUP_USER, GROUP_KERNEL, GROUP_SLEEP, GROUP_MODES };

/* The lines of a table. */
struct group {
	/* sorted; time asleep follows CPU time */
	struct group_line *lines;
	size_t count;
	size_t cpu_lines;	/* number of lines of CPU time */
	size_t hidden;		/* lines left out by top or least */
	uint64_t hidden_ns;	/* CPU time of these lines */
	/*
	 * CPU time (or the model's metric) of all rows, also of those that are
	 * not selected
	 */
	uint64_t total_ns;
	uint64_t total_sleep;	/* time asleep of all rows */
};

/*
 * Returns the MODEL_KEEP_* bits that a model needs for the grouping `by`, a set
 * of 1 << enum group_by.
 */
unsigned group_keep(unsigned by);

/*
 * Makes the lines of the rows that the filters of modules and functions select,
 * after symbolize_all().  *g need not be set before; its texts are in the
 * model, which must outlive it.  Sets m->met for these filters, and updates
 * *o->interval unless that is NULL.  Returns 0 or -ENOMEM; call group_free() in
 * either case.
 */
int group_make(struct group *g, struct model *m,
    const struct group_options *o);

/* Frees the lines. */
void group_free(struct group *g);

/*
 * group_by_name() returns the name of an enum group_by, group_mode_name() that
 * of an enum group_mode, as options and data tables have them; NULL if there is
 * no such number.
 */
const char *group_by_name(unsigned by);
const char *group_mode_name(unsigned mode);

#endif
