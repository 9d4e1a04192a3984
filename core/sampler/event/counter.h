/*
 * Context: O.  Opens and reads counters of the kernel, one event on one
 * processor each, for the sampler and for `tprof count`; the tools read their
 * values for the screen and the statistics.  Takes no lock: one thread at a
 * time changes a list.
 */
#ifndef COUNTER_H
#define COUNTER_H

#include "event/event.h"

#include <sys/types.h>

/* An event on a processor. */
struct counter {
	int fd;
	uint32_t event;	/* number of the event, as given to counters_open() */
	uint32_t cpu;
	uint32_t task;		/* number of the task, as counters.task was */
	uint64_t id;		/* id in samples */
};

/* Several counters.  Zeroed at first. */
struct counters {
	struct counter *all;
	size_t count, room;
	bool user_only;		/* the kernel refused to count its own mode */
	bool lost;		/* the kernel counts lost samples */
	/* number that counters_open() gives to counters */
	uint32_t task;
};

/* Values that were read from a counter. */
struct counter_value {
	uint64_t value;
	/* ns; `running` is less where counters took turns */
	uint64_t enabled, running;
	uint64_t lost;		/* samples that found no room in the buffer */
};

/*
 * Returns the numbers of the processors that are online, *count of them; the
 * caller frees them.  *count is 0, with errno set, if they cannot be read or if
 * memory is out.
 */
unsigned *counter_cpus(size_t *count);

/*
 * Opens an event on each of the processors, switched off: for all processes
 * (pid -1), or for one thread, and the threads and processes that it starts
 * from then on.  number: number of the event.  how: attributes beside the
 * event; enable_on_exec switches it on at the next exec.  Returns 0, or -errno
 * with *f set; counters that were opened stay in *c.
 */
int counters_open(struct counters *c, const struct event *e, uint32_t number,
    pid_t pid, const unsigned *cpus, size_t cpu_count,
    const struct perf_event_attr *how, struct fault *f);

/* Switches all counters on or off. */
void counters_switch(const struct counters *c, bool on);

/*
 * Reads the counter `own` of *c into *v.  Returns false, with *v as it was, if
 * it cannot be read.
 */
bool counter_read(const struct counters *c, const struct counter *own,
    struct counter_value *v);

/*
 * Adds up the counters of an event on a processor, those of all tasks, in *v.
 * Returns false, with *v zeroed, if none can be read.
 */
bool counters_sum(const struct counters *c, uint32_t event, uint32_t cpu,
    struct counter_value *v);

/*
 * Returns what the counter `own` of `count` that count one event together
 * counted from before[own] to now[own], with their turns on the hardware
 * meanwhile made up for.  Sets *shared if they took turns, else leaves it.
 */
uint64_t counter_scaled_since(const struct counter_value *now,
    const struct counter_value *before, size_t count, size_t own,
    bool *shared);

/* Closes all counters. */
void counters_close(struct counters *c);

#endif
