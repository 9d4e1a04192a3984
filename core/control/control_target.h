/*
 * Context: O.  One process of a control session: its answer to the command, and
 * its state.  Used by the session, and by those that print or pass on its
 * answers (cmd/control, the prof device, libmontell), before
 * control_session_close().
 */
#ifndef CONTROL_TARGET_H
#define CONTROL_TARGET_H

#include "control_client.h"

/* One process of a control session. */
struct control_target {
	/* connection to the process */
	struct control_client ask;
	/* its profile; belongs to control_session.in */
	const char *path;
	/* the order was written, and the tool's own part was done */
	bool asked;
	bool asleep;		/* it sleeps: its answer is not waited for */
	enum control_client_answer answer;
};

/*
 * Returns whether the process has taken the order, or will take it as soon as
 * it runs.
 */
bool control_target_accepted(const struct control_target *t);

/*
 * Sets *f to the reason why the process did not take the order.  Only for a
 * target that control_target_accepted() denies.
 */
void control_target_fault(const struct control_target *t, struct fault *f);

/*
 * Returns the time from the order to the answer, in ns; 0 if it is not known.
 */
uint64_t control_target_latency_ns(const struct control_target *t);

/* State of a process at one moment.  The process may go on or end meanwhile. */
struct control_target_state {
	struct format_header header;
	uint64_t cpu_ns;	/* CPU time of the process image, ns */
	/* CPU time in which no time was counted, ns */
	uint64_t stopped_ns;
	bool waits;		/* an order waits to be taken */
	/* the settings of the last order that it has not refused */
	bool ordered_stop;
	uint64_t ordered_interval_ns;
	uint32_t ordered_modes;
};

/*
 * Returns whether the process counts: `running`, or "stopped"; "starting" or
 * "stopping" if an order that changes it waits.
 */
const char *control_target_state_name(const struct control_target_state *s,
    const char *running);

/* Reads the present state of the process into *s. */
void control_target_get_state(const struct control_target *t,
    struct control_target_state *s);

#endif
