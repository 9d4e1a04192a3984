/* Context: O.  What a process that was told says, and does. */
#ifndef CONTROL_TARGET_H
#define CONTROL_TARGET_H

#include "control_client.h"

/* One process that is told. */
struct control_target {
	struct control_client ask;
	const char *path;
	bool asked;		/* ... and what is done from here was done */
	bool asleep;		/* its answer is not waited for */
	enum control_client_answer answer;
};

/* Done, or to be done as soon as it runs. */
bool control_target_accepted(const struct control_target *t);

/* ... or why it is not; of an answer that is not well. */
void control_target_fault(const struct control_target *t, struct fault *f);

/* From being told to having done it, ns; 0 not known. */
uint64_t control_target_latency_ns(const struct control_target *t);

/* What it is at one moment: it goes on meanwhile, or ends. */
struct control_target_state {
	struct format_header header;
	uint64_t cpu_ns;	/* of the image */
	uint64_t stopped_ns;
};

void control_target_get_state(const struct control_target *t,
    struct control_target_state *s);

#endif
