/*
 * Context: O.  Declares the parts of tprof top: the data on its screen, and the
 * two sources that fill it, the kernel and a profile.  tprof_top.c has the
 * command and one struct tprof_top.  All functions here are for its main
 * thread; the thread of the sampler reads signals alone.
 */
#ifndef TPROF_TOP_H
#define TPROF_TOP_H

#include "top/top_view.h"

#include "fault.h"
#include "tprof/tprof_options.h"

/*
 * Everything that was counted, of all processes or of the profile of one, with
 * names, and the interval that is on the screen.
 */
struct top_data {
	/* all counts */
	struct aggregate aggregate;
	/* names of addresses */
	struct name_cache names;
	struct aggregate_cell *cells;	/* counts on the screen */
	struct top_process *processes;
	/* start times of the processes */
	uint64_t *births;
	size_t process_count, process_room, birth_room;
	/* finds processes */
	struct hash_index by_process;
	struct top_thread *threads;
	size_t thread_room;
	/* finds threads */
	struct hash_index by_thread;
	/* what the screen is made from */
	struct top_input in;
	char clock[16];
	/* begin of all counts, and of the interval; CLOCK_MONOTONIC, ns */
	uint64_t start, interval_start;
	uint64_t name_again;	/* resolve no names before this time */
};

struct top_kernel;
struct top_profile;

/* One call of tprof top. */
struct tprof_top {
	struct tprof_options set;
	struct top_data data;
	struct top_kernel *kernel;	/* one of the two is the source */
	struct top_profile *profile;
	int signal_fd;		/* signalfd(2) of SIGWINCH alone */
	/* a signal asked for the end; its handler sets this, others read it */
	bool ending;
	int ended_by;		/* number of that signal */
	/* the terminal has another size; any thread sets this */
	bool resized;
};

/*
 * Prepares *d (top_data_init: returns 0 or -ENOMEM), or frees it
 * (top_data_free).
 */
int top_data_init(struct top_data *d);
void top_data_free(struct top_data *d);

/*
 * Returns the number of a process and adds the process if none with this pid,
 * start and name is known; UINT32_MAX without memory.  birth: its start time.
 * The name is copied.
 */
uint32_t top_data_add_process(struct top_data *d, int32_t pid, uint64_t birth,
    const char *name);

/* Returns whether a thread is not known yet. */
bool top_data_is_new_thread(struct top_data *d, uint32_t process, uint32_t tid);

/*
 * Adds a thread that is not known yet.  process: the number of its process.
 * The name is copied.  Returns 0 or -ENOMEM.
 */
int top_data_add_thread(struct top_data *d, uint32_t process, uint32_t tid,
    const char *name);

/*
 * Ends the interval: its counts, with names, become what the screen shows,
 * unless the screen is frozen (s->frozen).  Ends that state if too much has
 * been counted meanwhile.  Returns 0 or -ENOMEM.
 */
int top_data_next_interval(struct top_data *d, struct top_state *s);

/* Sets all counts to 0. */
void top_data_clear(struct top_data *d);

/*
 * Returns whether more is known than memory is meant to hold
 * (top_data_is_full), or forgets everything, which is counted as forgotten
 * (top_data_reset: returns 0 or -ENOMEM).
 */
bool top_data_is_full(const struct top_data *d);
int top_data_reset(struct top_data *d);

/*
 * Opens the kernel as the source.  pids: a list of processes, such as "12,13";
 * NULL: all.  top_signals_open() comes before.  Returns 0, or -errno with *f
 * set; top_kernel_close() is needed in any case.
 */
int top_kernel_open(struct tprof_top *t, const char *pids, struct fault *f);

/*
 * Waits for a batch of samples, at most 125 ms, and adds it to the data; does
 * not look at `until`.  Once the processes have ended, waits for a key or a
 * signal: at most 100 ms, and not beyond the time `until` (CLOCK_MONOTONIC,
 * ns).  Returns 1; 0 if the command is to end; or -ENOMEM.
 */
int top_kernel_wait(struct tprof_top *t, uint64_t until);

/*
 * Returns whether the processes have ended and the screen has their last
 * samples.  The source must be open.
 */
bool top_kernel_has_ended(const struct tprof_top *t);

/*
 * Reads counters and statistics for the screen.  If too much is known, forgets
 * all of it instead, and clears what *s has chosen of it.  Returns 0 or
 * -ENOMEM.
 */
int top_kernel_update(struct tprof_top *t, struct top_state *s);

/* Closes the source, if it was opened. */
void top_kernel_close(struct tprof_top *t);

/*
 * Opens as the source the profile of a process under libmon.so, or those in a
 * directory of that name.  Returns 0, or -errno with *f set;
 * top_profile_close() is needed in any case.
 */
int top_profile_open(struct tprof_top *t, const char *pid, struct fault *f);

/*
 * Reads the profile into the data, unless it has ended or reading would take
 * too much of the time.  Returns 0, also if it cannot be read now; -EIO with *f
 * set if the process has ended and its profile cannot be read; or -ENOMEM.
 */
int top_profile_update(struct tprof_top *t, struct fault *f);

/* Returns whether the process has ended and its last state was read. */
bool top_profile_has_ended(const struct tprof_top *t);

/* Closes the source, if it was opened. */
void top_profile_close(struct tprof_top *t);

#endif
