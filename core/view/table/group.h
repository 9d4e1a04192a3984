/* Context: O.  Rows of the model added up into the lines of a table. */
#ifndef GROUP_H
#define GROUP_H

#include "base/model.h"

/* What a line can be of; several at once.  The order is that of columns. */
enum group_by {
	GROUP_PROCESS,
	GROUP_PROGRAM,
	GROUP_THREAD,
	GROUP_MODE,
	GROUP_MODULE,
	GROUP_FILE,		/* of the source, with its module */
	GROUP_FUNCTION,		/* with its module */
	GROUP_LINE,		/* with its function, also an inlined one */
	GROUP_ADDRESS,		/* with its function */
	GROUP_COUNT,
};

enum group_sort {
	GROUP_SORT_TIME,
	GROUP_SORT_NAME,
	GROUP_SORT_ADDRESS,
	GROUP_SORT_SAMPLES,
	GROUP_SORT_CALLS,
};

struct group_options {
	unsigned by;		/* 1 << enum group_by */
	enum group_sort sort;
	uint64_t top;		/* 0 = all */
	double least;		/* percent */
	bool callers;		/* functions too that did nothing but call */
	bool whole_heap;	/* blocks and mappings, whichever is weighed */
};

struct group_line {
	uint32_t process;	/* MODEL_NONE where not grouped by it */
	uint32_t thread;
	uint32_t module;
	uint32_t function;
	uint32_t file;		/* of model.sources; also where not known */
	uint32_t line;		/* 0 likewise */
	const char *program;	/* NULL likewise */
	uint64_t address;
	unsigned mode;		/* enum group_mode */
	uint64_t count;
	uint64_t ns;
	uint64_t calls;
	struct model_heap heap;	/* where that is what was counted */
};

enum group_mode { GROUP_USER, GROUP_KERNEL, GROUP_SLEEP, GROUP_MODES };

struct group {
	struct group_line *lines;	/* sorted; sleep behind CPU time */
	size_t count;
	size_t cpu_lines;	/* of them CPU time */
	size_t hidden;		/* left out by top or least ... */
	uint64_t hidden_ns;	/* ... and their CPU time */
	uint64_t total_ns;	/* CPU time of all that was picked */
	uint64_t total_sleep;
};

/* What must be kept while loading for that grouping. */
unsigned group_keep(unsigned by);

int group_make(struct group *g, struct model *m,
    const struct group_options *o);
void group_free(struct group *g);

/* NULL when there is no such number. */
const char *group_by_name(unsigned by);
const char *group_mode_name(unsigned mode);

#endif
