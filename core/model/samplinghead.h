/* Context: O.  What a tprof.out says of itself: head, events, losses. */
#ifndef SAMPLINGHEAD_H
#define SAMPLINGHEAD_H

#include "model.h"
#include "tprof.h"

struct sampling_event {
	bool told;
	bool ns;
	uint64_t period;
	const char *name;	/* NULL where it is not told */
	uint64_t value;		/* of its samples, so far */
};

struct sampling_head {
	struct model *model;
	const char *asked;	/* the event; NULL: the first */
	bool all;
	uint32_t event;		/* that is taken; TPROF_EVENTS: not yet */
	uint64_t real;		/* ns since 1970 at CLOCK_MONOTONIC 0 */
	const char *boot, *pid_namespace;
	struct sampling_event events[TPROF_EVENTS];
	struct model_sampling sum;
	struct model_lost *lost;	/* of this file */
	size_t lost_count, lost_room;
};

void samplinghead_begin(struct sampling_head *h, struct model *m,
    const char *asked, bool all);

/* Any note.  0 or -ENOMEM. */
int samplinghead_note(struct sampling_head *h, const struct tprof_note *n,
    const char *text);

/* Is it a sample that is taken?  Where no event was told the first one is. */
bool samplinghead_wants(struct sampling_head *h, uint32_t event);

/* The time that one of what it counts is taken as, ns. */
uint64_t samplinghead_each_ns(const struct sampling_event *e);

/* What a sample with no weight stands for. */
uint64_t samplinghead_period(const struct sampling_head *h, uint32_t event);

/* All was read: is there such an event? */
bool samplinghead_settle(const struct sampling_head *h);

/* boot_id and pid_namespace; false: it does not tell its boot. */
bool samplinghead_boot(const struct sampling_head *h,
    struct format_header *boot);

/* All was added: what the footer says.  0 or -ENOMEM. */
int samplinghead_end(struct sampling_head *h);

void samplinghead_free(struct sampling_head *h);

#endif
