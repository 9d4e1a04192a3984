/* Context: O.  tprof top: what its screen is made of, and where from. */
#ifndef TPROF_TOP_H
#define TPROF_TOP_H

#include "top/top_view.h"

#include "fault.h"
#include "tprof/tprof_options.h"

/* Of all processes, or of the profile of one: counts, names, and one look. */
struct top_data {
	struct aggregate census;
	struct name_cache namer;
	struct aggregate_cell *cells;	/* of the look that is shown */
	struct top_process *processes;
	uint64_t *births;
	size_t process_count, process_room, birth_room;
	struct hash_index by_process;
	struct top_thread *threads;
	size_t thread_room;
	struct hash_index by_thread;
	struct top_input in;
	char clock[16];
	uint64_t cleared, turned;	/* CLOCK_MONOTONIC, ns */
	uint64_t name_again;	/* not before: naming takes its time */
};

struct top_kernel;
struct top_profile;

/* A source of them. */
struct tprof_top {
	struct tprof_options set;
	struct top_data data;
	struct top_kernel *kernel;	/* one of the two */
	struct top_profile *file;
	int signals;		/* signalfd(2) */
	bool over;		/* who runs us wants it to end ... */
	int ended_by;		/* ... by that signal */
	bool resized;
};

/* Where `signals` can be read.  True: it is over.  Of any thread. */
bool tprof_top_signals(void *top);

int top_data_init(struct top_data *d);
void top_data_free(struct top_data *d);

/* Their numbers; UINT32_MAX: no memory.  The names are copied. */
uint32_t top_data_add_process(struct top_data *d, int32_t pid, uint64_t birth,
    const char *name);

/* False: it is there already. */
bool top_data_is_new_thread(struct top_data *d, uint32_t process, uint32_t tid);
int top_data_add_thread(struct top_data *d, uint32_t process, uint32_t tid,
    const char *name);

/*
 * What was counted since the last time becomes what is shown, unless that is
 * frozen, with names; another interval begins.  0 or -ENOMEM.
 */
int top_data_next_interval(struct top_data *d, struct top_state *s);

/* Counts begin at 0. */
void top_data_clear(struct top_data *d);

/* More is known than there should be: all begins anew, counted as forgotten. */
bool top_data_is_full(const struct top_data *d);
int top_data_reset(struct top_data *d);

/* 0 or -errno with *f set. */
int top_kernel_open(struct tprof_top *t, struct fault *f);

/* Samples until then, CLOCK_MONOTONIC, or some of them.  1; 0: it is over. */
int top_kernel_wait(struct tprof_top *t, uint64_t until);
int top_kernel_update(struct tprof_top *t, struct top_state *s);
void top_kernel_close(struct tprof_top *t);

/* The same of a process under libmon.so. */
int top_profile_open(struct tprof_top *t, const char *pid, struct fault *f);
int top_profile_wait(struct tprof_top *t, uint64_t until);
int top_profile_update(struct tprof_top *t, struct fault *f);
bool top_profile_has_ended(const struct tprof_top *t);
void top_profile_close(struct tprof_top *t);

#endif
