/*
 * Context: P.  Counted calls in a profile: libmon.so adds them
 * (hot/count/arc.c), decode_arcs() visits them.  Part of format.h.
 */
#ifndef FORMAT_ARCS_H
#define FORMAT_ARCS_H

#include <stdint.h>

/*
 * Calls from one place to one function.  An arc exists once `self` is not 0:
 * `self` is stored last and stands first, because a copy is made in that order.
 * Two arcs of one key mean their sum.
 */
struct format_arc {
	uint64_t self;		/* an address in the called function */
	uint64_t from;		/* return address of the call */
	uint64_t count;
	uint32_t self_module;	/* 0: the address is absolute */
	uint32_t from_module;
};

/*
 * A block of arcs.  The padding before the first arc keeps threads in separate
 * cache lines.
 */
struct format_arcs {
	uint32_t next;
	uint32_t room;		/* arcs that there is space for */
	uint8_t pad[56];
	struct format_arc arc[];
};

_Static_assert(sizeof(struct format_arc) == 32, "arc");
_Static_assert(sizeof(struct format_arcs) == 64, "arcs");

#endif
