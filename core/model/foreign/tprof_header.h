/*
 * Context: O.  Collects what a tprof.out says about itself: head, events and
 * losses.  For read_tprof.c, whose first pass fills it.
 */
#ifndef TPROF_HEADER_H
#define TPROF_HEADER_H

#include "base/model.h"
#include "classic/tprof.h"

/* An event of the file. */
struct tprof_header_event {
	/* it is settled: the file has described it, or a sample came first */
	bool settled;
	bool ns;		/* weights are nanoseconds */
	/* weight of a sample without a weight of its own */
	uint64_t period;
	const char *name;	/* NULL = not named */
	uint64_t value;		/* sum of its samples so far */
};

/* State while one file is read. */
struct tprof_header {
	struct model *model;
	const char *asked;	/* name of the wanted event; NULL = the first */
	bool all;
	/* number of the event that is read; TPROF_EVENTS = not known yet */
	uint32_t event;
	uint64_t real;	/* real time at CLOCK_MONOTONIC 0, ns since 1970 */
	const char *boot, *pid_namespace;
	struct tprof_header_event events[TPROF_EVENTS];
	struct model_tprof sum;
	struct model_loss *lost;	/* losses of this file */
	size_t lost_count, lost_room;
};

/*
 * Begins the state for one file.  `asked` is the name of the wanted event, NULL
 * for the first, and must outlive *h; `all` with asked == NULL takes all
 * events.  End it with tprof_header_free().
 */
void tprof_header_begin(struct tprof_header *h, struct model *m,
    const char *asked, bool all);

/*
 * Takes a note of any kind with its text; kinds that are not about the file as
 * a whole are ignored.  Returns 0 or -ENOMEM.
 */
int tprof_header_note(struct tprof_header *h, const struct tprof_note *n,
    const char *text);

/*
 * Returns whether samples of that event are read; event: less than
 * TPROF_EVENTS.  The first event that matches is chosen; a sample of an event
 * that the file has not described counts as an event without a name.
 */
bool tprof_header_selects(struct tprof_header *h, uint32_t event);

/*
 * Notes that a sample was taken at `time` (CLOCK_MONOTONIC, ns), for the time
 * that the summary covers; 0: the file does not say when.  The head has come
 * before.
 */
void tprof_header_note_time(struct tprof_header *h, uint64_t time);

/* Returns the time that one unit of the event is taken as, ns. */
uint64_t tprof_header_unit_ns(const struct tprof_header_event *e);

/*
 * Returns the weight of a sample of that event that has no weight of its own,
 * in the unit of the event.
 */
uint64_t tprof_header_period(const struct tprof_header *h, uint32_t event);

/*
 * Returns whether the wanted event was found, or none was asked for; call it
 * after all was read.
 */
bool tprof_header_event_found(const struct tprof_header *h);

/*
 * Sets boot_id and pid_namespace of *boot, and all else of it to 0.  Returns
 * false if the file has no valid boot_id.
 */
bool tprof_header_boot(const struct tprof_header *h,
    struct format_header *boot);

/*
 * Adds the file's losses and its line of the footer to the model, after all
 * samples were added.  Returns 0 or -ENOMEM.
 */
int tprof_header_finish(struct tprof_header *h);

/* Frees what the state holds. */
void tprof_header_free(struct tprof_header *h);

#endif
