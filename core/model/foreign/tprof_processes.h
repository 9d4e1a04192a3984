/* Context: O.  Processes and threads that a tprof.out names. */
#ifndef TPROF_PROCESSES_H
#define TPROF_PROCESSES_H

#include "foreign/import_processes.h"
#include "tprof.h"

enum tprof_processes_kind {
	/* what program a pid runs at this place */
	TPROF_PROCESSES_CURRENT,
	TPROF_PROCESSES_IMAGE,		/* that pid with that program */
	TPROF_PROCESSES_THREAD,		/* a thread of those */
};

/* Its key is all before images. */
struct tprof_processes_entry {
	enum tprof_processes_kind kind;
	uint32_t pid, tid;
	const char *program;	/* NULL: not told, TPROF_PROCESSES_CURRENT */
	/* of TPROF_PROCESSES_CURRENT: how many; else which */
	uint32_t images;
	uint32_t uid;
	uint64_t birth;		/* ns since 1970; 0 = not known */
	const char *name;	/* of TPROF_PROCESSES_CURRENT its program */
};

/* Of one file, which is read twice; a process is a pid with a program. */
struct tprof_processes {
	struct import_processes whose;
	struct format_header boot;	/* its boot_id and pid_namespace */
	bool booted;		/* those were told */
	struct tprof_processes_entry *all;
	size_t count, room;
	struct hash_index by_key;
};

void tprof_processes_begin(struct tprof_processes *o, struct model *m);

/*
 * Of a TPROF_N_PROCESS or TPROF_N_THREAD; the last name of a thread counts, so
 * the second time only processes are noted.  0 or -ENOMEM.
 */
int tprof_processes_note(struct tprof_processes *o, const struct tprof_note *n,
    const char *text, size_t bytes);

/* Whose sample it is at this place of the file, as `whose` has it. */
struct import_sample tprof_processes_find(const struct tprof_processes *o,
    uint32_t pid, uint32_t tid);

/* It was read once, all samples were noted: what is known of processes. */
void tprof_processes_finish(struct tprof_processes *o);

/* Is it, by its name, a program that one of them runs? */
bool tprof_processes_has(const struct tprof_processes *o, const char *name);

void tprof_processes_free(struct tprof_processes *o);

#endif
