/* Context: O.  What a process that was told says, and does. */
#ifndef REPLY_H
#define REPLY_H

#include "ask.h"

/* One process that is told. */
struct told {
	struct ask ask;
	const char *path;
	bool asked;		/* ... and what is done from here was done */
	bool asleep;		/* its answer is not waited for */
	enum ask_answer answer;
};

/* Done, or to be done as soon as it runs. */
bool told_is_well(const struct told *t);

/* ... or why it is not; of an answer that is not well. */
void told_fault(const struct told *t, struct fault *f);

/* From being told to having done it, ns; 0 not known. */
uint64_t told_took_ns(const struct told *t);

/* What it is at one moment: it goes on meanwhile, or ends. */
struct told_state {
	struct format_header header;
	uint64_t cpu_ns;	/* of the image */
	uint64_t stopped_ns;
};

void told_look(const struct told *t, struct told_state *s);

#endif
