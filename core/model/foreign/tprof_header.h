/* Context: O.  What a tprof.out says of itself: head, events, losses. */
#ifndef TPROF_HEADER_H
#define TPROF_HEADER_H

#include "base/model.h"
#include "tprof.h"

struct tprof_header_event {
	bool told;
	bool ns;
	uint64_t period;
	const char *name;	/* NULL where it is not told */
	uint64_t value;		/* of its samples, so far */
};

struct tprof_header {
	struct model *model;
	const char *asked;	/* the event; NULL: the first */
	bool all;
	uint32_t event;		/* that is taken; TPROF_EVENTS: not yet */
	uint64_t real;		/* ns since 1970 at CLOCK_MONOTONIC 0 */
	const char *boot, *pid_namespace;
	struct tprof_header_event events[TPROF_EVENTS];
	struct model_tprof sum;
	struct model_loss *lost;	/* of this file */
	size_t lost_count, lost_room;
};

void tprof_header_begin(struct tprof_header *h, struct model *m,
    const char *asked, bool all);

/* Any note.  0 or -ENOMEM. */
int tprof_header_note(struct tprof_header *h, const struct tprof_note *n,
    const char *text);

/* Is it a sample that is taken?  Where no event was told the first one is. */
bool tprof_header_selects(struct tprof_header *h, uint32_t event);

/* The time that one of what it counts is taken as, ns. */
uint64_t tprof_header_unit_ns(const struct tprof_header_event *e);

/* What a sample with no weight stands for. */
uint64_t tprof_header_period(const struct tprof_header *h, uint32_t event);

/* All was read: is there such an event? */
bool tprof_header_event_found(const struct tprof_header *h);

/* boot_id and pid_namespace; false: it does not tell its boot. */
bool tprof_header_boot(const struct tprof_header *h,
    struct format_header *boot);

/* All was added: what the footer says.  0 or -ENOMEM. */
int tprof_header_finish(struct tprof_header *h);

void tprof_header_free(struct tprof_header *h);

#endif
