/*
 * Context: O.  Opens and reads counters of the kernel: one event on one
 * processor each.
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
	uint64_t id;		/* id in samples */
};

/* Several counters.  Zeroed at first. */
struct counters {
	struct counter *all;
	size_t count, room;
	bool user_only;		/* the kernel refused to count its own mode */
	bool lost;		/* the kernel counts lost samples */
};

/* Values that were read from a counter. */
struct counter_value {
	uint64_t value;
	/* ns; `running` is less where counters took turns */
	uint64_t enabled, running;
	uint64_t lost;		/* samples that found no room in the buffer */
};

/*
 * Returns the numbers of the processors that are online; the caller frees them.
 * *count is 0 if they cannot be read.
 */
unsigned *counter_cpus(size_t *count);

/*
 * Opens an event on each of the processors: for all processes (pid -1), or for
 * one process and those that it starts, from its next exec on.  number: number
 * of the event.  how: attributes beside the event.  Returns 0, or -errno with
 * *f set; counters that were opened stay in *c.
 */
int counters_open(struct counters *c, const struct event *e, uint32_t number,
    pid_t pid, const unsigned *cpus, size_t cpu_count,
    const struct perf_event_attr *how, struct fault *f);

/* Switches all counters on or off. */
void counters_switch(const struct counters *c, bool on);

/* Reads a counter.  Returns false if it cannot be read. */
bool counter_read(const struct counters *c, const struct counter *own,
    struct counter_value *v);

/* Closes all counters. */
void counters_close(struct counters *c);

#endif
