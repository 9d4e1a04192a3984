/* Context: O.  Processes and threads that a tprof.out names. */
#ifndef OWNERS_H
#define OWNERS_H

#include "tprof.h"
#include "whose.h"

enum owner_kind {
	OWNER_NOW,		/* what program a pid runs at this place */
	OWNER_IMAGE,		/* that pid with that program */
	OWNER_THREAD,		/* a thread of those */
};

/* Its key is all before images. */
struct owner {
	enum owner_kind kind;
	uint32_t pid, tid;
	const char *program;	/* NULL: not told, OWNER_NOW */
	uint32_t images;	/* of OWNER_NOW: how many; else which */
	uint32_t uid;
	uint64_t birth;		/* ns since 1970; 0 = not known */
	const char *name;	/* of OWNER_NOW its program */
};

/* Of one file, which is read twice; a process is a pid with a program. */
struct owners {
	struct whose whose;
	struct format_header boot;	/* its boot_id and pid_namespace */
	bool booted;		/* those were told */
	struct owner *all;
	size_t count, room;
	struct finder by_key;
};

void owners_begin(struct owners *o, struct model *m);

/*
 * Of a TPROF_N_PROCESS or TPROF_N_THREAD; the last name of a thread counts, so
 * the second time only processes are noted.  0 or -ENOMEM.
 */
int owners_note(struct owners *o, const struct tprof_note *n,
    const char *text, size_t bytes);

/* Whose sample it is at this place of the file, as `whose` has it. */
struct import_sample owners_of(const struct owners *o, uint32_t pid,
    uint32_t tid);

/* It was read once, all samples were noted: what is known of processes. */
void owners_settle(struct owners *o);

/* Is it, by its name, a program that one of them runs? */
bool owners_run(const struct owners *o, const char *name);

void owners_free(struct owners *o);

#endif
