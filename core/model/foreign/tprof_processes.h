/*
 * Context: O.  Finds the processes and threads that a tprof.out names.  For
 * read_tprof.c and tprof_stacks.c; read_tprof.c owns the state.
 */
#ifndef TPROF_PROCESSES_H
#define TPROF_PROCESSES_H

#include "foreign/import_processes.h"
#include "classic/tprof.h"

/* Kinds of entries. */
enum tprof_processes_kind {
	/* the program that a pid runs at this place of the file */
	TPROF_PROCESSES_CURRENT,
	TPROF_PROCESSES_IMAGE,		/* a process: a pid with a program */
	TPROF_PROCESSES_THREAD,		/* a thread of such a process */
};

/* An entry.  The key is all fields before `images`. */
struct tprof_processes_entry {
	enum tprof_processes_kind kind;
	uint32_t pid, tid;
	/* NULL = not named, or TPROF_PROCESSES_CURRENT */
	const char *program;
	/*
	 * TPROF_PROCESSES_CURRENT: number of images; else number of the image
	 */
	uint32_t images;
	uint32_t uid;
	uint64_t birth;		/* ns since 1970; 0 = not known */
	/* name of the current program, or of the thread; NULL = not named */
	const char *name;
};

/*
 * Processes and threads of one file, which is read twice.  A process is a pid
 * with a program.  The reader sets `boot` and `booted` after the first pass.
 */
struct tprof_processes {
	struct import_processes processes;
	/* only boot_id and pid_namespace are set */
	struct format_header boot;
	bool booted;		/* the file has named its boot */
	struct tprof_processes_entry *all;
	size_t count, room;
	struct hash_index by_key;
};

/* Begins the state for one file that is read into the model. */
void tprof_processes_begin(struct tprof_processes *o, struct model *m);

/*
 * Notes a TPROF_N_PROCESS or TPROF_N_THREAD.  The last name of a thread counts,
 * so in the second pass the caller notes processes only.  Returns 0 or -ENOMEM.
 */
int tprof_processes_note(struct tprof_processes *o, const struct tprof_note *n,
    const char *text, size_t bytes);

/*
 * Returns a sample that has the process and thread of pid and tid at this place
 * of the file, with their names, as import_processes_find() takes it.
 */
struct import_sample tprof_processes_find(const struct tprof_processes *o,
    uint32_t pid, uint32_t tid);

/*
 * Fills in what is known of the processes in the model, after the first pass
 * has noted all samples and o->boot is set, and prepares the second pass.
 */
void tprof_processes_finish(struct tprof_processes *o);

/* Returns whether some process of the file runs a program with that name. */
bool tprof_processes_has(const struct tprof_processes *o, const char *name);

/* Frees what the state holds. */
void tprof_processes_free(struct tprof_processes *o);

#endif
