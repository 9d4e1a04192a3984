/* Context: O.  Counters of the kernel: an event on a processor. */
#ifndef COUNTER_H
#define COUNTER_H

#include "event.h"

#include <sys/types.h>

struct counter {
	int fd;
	uint32_t event;		/* of those that were given */
	uint32_t cpu;
	uint64_t id;		/* as samples have it */
};

struct counters {
	struct counter *all;
	size_t count, room;
	bool user_only;		/* the kernel was asked for, and refused */
	bool lost;		/* lost samples are counted by the kernel */
};

struct counter_value {
	uint64_t value;
	uint64_t enabled, running;	/* ns; less, where counters took turns */
	uint64_t lost;		/* samples that found no room */
};

/* Of the machine: numbers of processors that are there; malloced. */
unsigned *counter_cpus(size_t *count);

/*
 * An event on each of these; of all processes, pid -1, or of one and those that
 * it starts, from its next exec on.  `how` has what is asked beside the event.
 * 0 or -errno with *f set.
 */
int counters_open(struct counters *c, const struct event *e, uint32_t number,
    pid_t pid, const unsigned *cpus, size_t cpu_count,
    const struct perf_event_attr *how, struct fault *f);

/* On or off, all of them. */
void counters_switch(const struct counters *c, bool on);

/* False: it cannot be read. */
bool counter_read(const struct counters *c, const struct counter *own,
    struct counter_value *v);
void counters_close(struct counters *c);

#endif
