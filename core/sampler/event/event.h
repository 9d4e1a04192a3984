/*
 * Context: O.  Finds the events, of the kernel or of libpfm4, that command
 * lines of tprof name, for tprof_options.c, and lists them for tprof list.  The
 * sampler and the counters read struct event.
 */
#ifndef EVENT_H
#define EVENT_H

#include "fault.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

/* Samples a second by which periods are chosen, unless a period is given. */
#define EVENT_HZ	1000u

/* An event to be counted. */
struct event {
	char name[128];		/* name as it was given, without the period */
	/* the event, and the modes in exclude_* */
	struct perf_event_attr attr;
	bool ns;		/* it counts nanoseconds of CPU time */
	bool cycles;		/* it counts cycles of the processor */
	bool paced;		/* the kernel adapts the period to a rate */
	/* events between samples; the rate in Hz if `paced` */
	uint64_t period;
};

/* Several events.  Zeroed at first. */
struct events {
	struct event *all;
	size_t count, room;
};

/*
 * Adds the event of NAME[:u|:k|:uk][,SCALE].  SCALE is N for an event that is N
 * times rarer than a cycle, or =N for one sample each N events.  hz: samples a
 * second of a busy processor.  Does not try whether the event can be counted.
 * Returns 0, or -errno with *f set; *f borrows `spec`.
 */
int events_add(struct events *e, const char *spec, unsigned hz,
    struct fault *f);

/*
 * Adds cycles if the processor counts them, else the CPU clock.  Returns as
 * events_add().
 */
int events_add_default(struct events *e, unsigned hz, struct fault *f);

/* Frees the events. */
void events_free(struct events *e);

/*
 * Finds an event by its name in the lists of the kernel (event_find_kernel) or
 * of libpfm4 (event_find_pfm).  event_find_kernel() sets type, configs and
 * exclude_idle of e->attr, whose configs are 0 before, and e->ns and e->cycles;
 * event_find_pfm() sets all of e->attr, and e->ns.  Returns false if there is
 * none; then event_find_kernel() may have changed *e.
 */
bool event_find_kernel(struct event *e, const char *name);
bool event_find_pfm(struct event *e, const char *name);

/*
 * Returns whether the kernel counts such an event for this user in a process,
 * perhaps in user mode alone; or on a whole processor, also if it refuses that
 * to this user for lack of privileges.
 */
bool event_is_there(const struct event *e);

/*
 * Visits the named events of the kernel (event_list) or of libpfm4
 * (event_list_pfm; not those that need a unit mask), each by one name, whether
 * or not they can be counted here.  from: where the name comes from, for
 * example "cache".
 */
typedef void event_visit(void *arg, const char *from, const char *name,
    const struct event *e);
void event_list(event_visit *each, void *arg);
void event_list_pfm(event_visit *each, void *arg);

#endif
