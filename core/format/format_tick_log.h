/*
 * Context: P.  Samples with their times, of log=yes: libmon.so adds them
 * (hot/clock/tick_log.c), decode_tick_log() visits them.  Part of format.h.
 */
#ifndef FORMAT_TICK_LOG_H
#define FORMAT_TICK_LOG_H

#include <stdint.h>

/*
 * The time of a sample, kept with log=yes.  It exists once `mono` is not 0,
 * which is stored last.
 */
struct format_logged_tick {
	uint64_t mono;		/* ns, CLOCK_MONOTONIC */
	uint32_t node;
	/* Time that it stands for; a longer time takes several entries */
	uint32_t ns;
};

/* A block of logged ticks of one thread, in order. */
struct format_tick_log {
	uint32_t next;
	uint32_t thread;	/* struct format_thread */
	uint32_t room;		/* ticks that there is space for */
	uint32_t pad;
	struct format_logged_tick moment[];
};

_Static_assert(sizeof(struct format_logged_tick) == 16, "moment");
_Static_assert(sizeof(struct format_tick_log) == 16, "moments");

#endif
