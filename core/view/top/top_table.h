/* Context: O.  Tables of tprof top: what was counted, by what. */
#ifndef TOP_TABLE_H
#define TOP_TABLE_H

#include "derive/aggregate.h"
#include "names/name_cache.h"

enum top_by { TOP_FUNCTIONS, TOP_PROCESSES, TOP_THREADS, TOP_BYS };
enum top_sort { TOP_RATE, TOP_NAME, TOP_MODULE, TOP_SORTS };

struct top_event {
	const char *name;
	bool ns;		/* weights are nanoseconds */
};

/* Keys of cells have numbers of these. */
struct top_process {
	int32_t pid;
	const char *name;
};

struct top_thread {
	uint32_t process, tid;
	const char *name;
};

#define TOP_STATS	8u

/* Statistics beside NetBSD's, which are shown once there is something. */
#define TOP_NOT_UNDERSTOOD	"not_understood"
#define TOP_UNREPORTED		"untold"

/* What a screen is made of; of one look, and it stays while that is frozen. */
struct top_input {
	const struct aggregate *census;	/* its nodes */
	const struct aggregate_cell *cells;	/* now: of what is shown */
	size_t cell_count;
	const struct name_cache *namer;
	const struct top_event *events;
	size_t event_count;
	const unsigned *cpus;	/* their numbers */
	size_t cpu_count;	/* 0: nobody knows where it ran */
	const struct top_process *processes;
	const struct top_thread *threads;
	size_t thread_count;
	const char *scope;	/* whose samples */
	const char *clock;	/* time of day */
	double now_seconds, all_seconds;
	const char *stat_names[TOP_STATS];
	uint64_t stats[TOP_STATS], stats_before[TOP_STATS];
	size_t stat_count;
	const uint64_t *counts, *counts_before;	/* by event and CPU; or NULL */
	uint64_t forgotten;	/* samples; see aggregate.h */
	const char *note;	/* what has to be said; or NULL */
};

/* What the user chose. */
struct top_state {
	enum top_by by;
	enum top_sort sort;
	bool accumulate, counters, merge_users, frozen, help;
	uint32_t event;
	/* Of one process or thread alone; the functions of it. */
	uint32_t only_process, only_tid;	/* HASH_INDEX_NONE = all */
	uint32_t callers_of;	/* a function; HASH_INDEX_NONE = the table */
	size_t selected, first;	/* a line; the first that is shown */
	uint64_t selected_key;	/* it is followed when lines move ... */
	bool follow;		/* ... once the user has chosen it */
};

struct top_line {
	uint64_t key;
	const char *name, *module;
	char own[48];		/* the name, where it has no other */
	bool kernel;
	bool plain;		/* a caller with the share of the line above */
	unsigned depth;
	uint32_t process, tid, function;	/* or HASH_INDEX_NONE */
	struct aggregate_value value;
};

struct top_table {
	struct top_line *lines;
	size_t count, room;
	struct hash_index by_key;
	uint64_t *cpus;		/* samples, cpu_count a line */
	struct aggregate_value all, kernel;
	struct aggregate_value shown;	/* of what lines have a share: all, or
					   the function whose callers they are */
	uint64_t *all_cpus, *kernel_cpus;
};

void top_state_init(struct top_state *s);

/* 0 or -ENOMEM. */
int top_table_make(struct top_table *t, const struct top_input *in,
    const struct top_state *s);
void top_table_free(struct top_table *t);

/* What the cell counts, in the interval or since the beginning. */
static inline struct aggregate_value
top_value(const struct top_state *s, const struct aggregate_cell *own)
{
	return s->accumulate ? own->all : own->now;
}

/* Is it asked for? */
static inline bool
top_cell_selected(const struct top_state *s, const struct aggregate_cell *own)
{
	const struct aggregate_value v = top_value(s, own);

	return own->key.event == s->event && (v.count | v.weight) != 0 &&
	    (s->only_process == HASH_INDEX_NONE ||
	    own->key.process == s->only_process) &&
	    (s->only_tid == HASH_INDEX_NONE || own->key.tid == s->only_tid);
}

/* Of top_callers.c: a tree, the function itself first; 0 or -ENOMEM. */
int top_callers_make(struct top_table *t, const struct top_input *in,
    const struct top_state *s);

#endif
