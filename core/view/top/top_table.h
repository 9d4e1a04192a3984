/*
 * Context: O.  Makes the tables of tprof top: what was counted, by function,
 * process or thread.  cmd/top/tprof_top.c makes a table of each look at the
 * counts, shows it by top_view.h, and frees it; all in the main thread.
 */
#ifndef TOP_TABLE_H
#define TOP_TABLE_H

#include "derive/aggregate.h"
#include "names/name_cache.h"

/* Things that lines stand for. */
enum top_by { TOP_FUNCTIONS, TOP_PROCESSES, TOP_THREADS, TOP_BYS };

/* Keys by which lines are sorted. */
enum top_sort { TOP_RATE, TOP_NAME, TOP_MODULE, TOP_SORTS };

/* An event. */
struct top_event {
	const char *name;
	bool ns;		/* weights are nanoseconds */
};

/* A process.  Keys of cells have its index in top_input.processes. */
struct top_process {
	int32_t pid;
	const char *name;
};

/* A thread; `process` is an index in top_input.processes. */
struct top_thread {
	uint32_t process, tid;
	const char *name;
};

/* Most statistics. */
#define TOP_STATS	8u

/* Statistics that NetBSD does not have; they are shown only when not 0. */
#define TOP_NOT_UNDERSTOOD	"not_understood"
#define TOP_UNREPORTED		"untold"

/*
 * All data of one screen, which cmd/top owns.  It belongs to one look at the
 * counts, and does not change while the screen is frozen.
 */
struct top_input {
	const struct aggregate *aggregate;	/* its nodes */
	/* cells; `now` is of the interval that is shown */
	const struct aggregate_cell *cells;
	size_t cell_count;
	const struct name_cache *names;
	const struct top_event *events;
	size_t event_count;
	const unsigned *cpus;	/* numbers of the processors */
	size_t cpu_count;	/* 0 = the processor of a sample is not known */
	const struct top_process *processes;
	const struct top_thread *threads;
	size_t thread_count;
	const char *scope;	/* whose samples are taken, as text */
	const char *clock;	/* time of day, as text */
	/* seconds of the interval, and since the beginning */
	double now_seconds, all_seconds;
	const char *stat_names[TOP_STATS];
	uint64_t stats[TOP_STATS], stats_before[TOP_STATS];
	size_t stat_count;
	/* by event and processor; or NULL */
	const uint64_t *counts, *counts_before;
	uint64_t forgotten;	/* samples of dropped cells; see aggregate.h */
	const char *note;	/* message for the user; or NULL */
};

/* Choices of the user.  top_state_init() sets the defaults. */
struct top_state {
	enum top_by by;
	enum top_sort sort;
	bool accumulate, counters, merge_users, frozen, help;
	uint32_t event;
	/* Show only the functions of this process or thread. */
	uint32_t only_process, only_tid;	/* HASH_INDEX_NONE = all */
	/* function whose callers are shown; HASH_INDEX_NONE = the table */
	uint32_t callers_of;
	/* index of the selected line, and of the first one shown */
	size_t selected, first;
	/* key of the selected line, which stays selected when lines move */
	uint64_t selected_key;
	bool follow;		/* the user has selected the line */
};

/* A line of a table. */
struct top_line {
	uint64_t key;
	const char *name, *module;
	char own[48];		/* the name, if `name` is NULL */
	bool kernel;
	bool plain;	/* a caller with the same share as the line above */
	unsigned depth;
	/* what it stands for; or HASH_INDEX_NONE */
	uint32_t process, tid, function;
	struct aggregate_value value;
};

/* A table. */
struct top_table {
	struct top_line *lines;
	size_t count, room;
	struct hash_index by_key;
	/*
	 * samples by processor, cpu_count for each line; not valid while
	 * callers are shown
	 */
	uint64_t *cpus;
	/* sums of all lines, and of the kernel */
	struct aggregate_value all, kernel;
	/*
	 * sum to which shares of lines refer: all, or the function whose
	 * callers are shown
	 */
	struct aggregate_value shown;
	uint64_t *all_cpus, *kernel_cpus;
};

/* Sets the state in which tprof top begins. */
void top_state_init(struct top_state *s);

/*
 * Makes the table that *s asks for.  Its lines have texts of in->names and
 * in->processes, which must live as long as the table.  Returns 0 or -ENOMEM;
 * call top_table_free() in either case.
 */
int top_table_make(struct top_table *t, const struct top_input *in,
    const struct top_state *s);

/* Frees the table. */
void top_table_free(struct top_table *t);

/*
 * Returns what a cell counts, in the interval or since the beginning, as *s
 * asks for.
 */
static inline struct aggregate_value
top_value(const struct top_state *s, const struct aggregate_cell *own)
{
	return s->accumulate ? own->all : own->now;
}

/* Returns whether *s asks for a cell, and the cell has counted anything. */
static inline bool
top_cell_selected(const struct top_state *s, const struct aggregate_cell *own)
{
	const struct aggregate_value v = top_value(s, own);

	return own->key.event == s->event && (v.count | v.weight) != 0 &&
	    (s->only_process == HASH_INDEX_NONE ||
	    own->key.process == s->only_process) &&
	    (s->only_tid == HASH_INDEX_NONE || own->key.tid == s->only_tid);
}

/*
 * Replaces the lines of a table by the tree of callers of s->callers_of, the
 * function itself first; there are none if no cell is of that function.  Only
 * top_table_make() calls it, if s->callers_of is set.  Defined in
 * top_callers.c.  Returns 0 or -ENOMEM.
 */
int top_callers_make(struct top_table *t, const struct top_input *in,
    const struct top_state *s);

#endif
