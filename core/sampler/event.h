/* Context: O.  What is counted: an event of the kernel, by name. */
#ifndef EVENT_H
#define EVENT_H

#include "fault.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

/* Periods are of so many samples a second, unless one is asked for. */
#define EVENT_HZ	1000u

struct event {
	char name[128];		/* as it was asked for, less the period */
	struct perf_event_attr attr;	/* which; and of whom: exclude_* */
	bool ns;		/* it counts nanoseconds of CPU time */
	bool cycles;		/* it counts those of the processor */
	bool paced;		/* the kernel finds the period for the rate */
	uint64_t period;	/* else it is this */
};

struct events {
	struct event *all;
	size_t count, room;
};

/*
 * One more, of NAME[:u|:k|:uk][,SCALE].  SCALE N, of an event that comes N
 * times less often than a cycle; =N, a sample each N events.  hz: samples a
 * second of a processor that is busy.  0 or -errno with *f set.
 */
int events_add(struct events *e, const char *spec, unsigned hz,
    struct fault *f);

/* Cycles where the processor counts them, else its clock.  As above. */
int events_add_default(struct events *e, unsigned hz, struct fault *f);

void events_free(struct events *e);

/* Which event a name is; false: none.  Of the kernel's lists, or libpfm's. */
bool event_name(struct event *e, const char *name);
bool event_pfm(struct event *e, const char *name);

/* Can it be counted by who asks, of himself? */
bool event_is_there(const struct event *e);

/* All names, each once, with a word on where they are from. */
typedef void event_visit(void *arg, const char *from, const char *name,
    const struct event *e);
void event_list(event_visit *each, void *arg);
void event_list_pfm(event_visit *each, void *arg);

#endif
