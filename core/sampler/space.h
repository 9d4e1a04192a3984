/* Context: O.  What each process has mapped, as the kernel tells it. */
#ifndef SPACE_H
#define SPACE_H

#include "krecord.h"
#include "library.h"

#define SPACE_NAME	16	/* bytes of a thread's name, as the kernel has it */

struct mapping {
	uint64_t start, end;
	uint64_t offset;	/* of `start` in the file */
	uint32_t library;
};

struct thread_name {
	int32_t tid;
	uint32_t told;		/* for who uses them */
	uint64_t ended;		/* CLOCK_MONOTONIC; 0 = it has not */
	char name[SPACE_NAME];
};

struct space {
	int32_t pid;
	bool used;		/* false: nothing is known yet */
	bool loaded;		/* mappings are known */
	bool ended;
	uint64_t since;		/* CLOCK_MONOTONIC of what is known: a fork, or
				   when it was read */
	uint32_t uid;
	uint64_t birth;		/* real time, ns; 0 not known */
	bool named;
	char program[SPACE_NAME];
	uint32_t told;		/* for who uses it; 0 when its name changes */
	struct mapping *maps;	/* ascending, none over another */
	size_t map_count, map_room;
	struct thread_name *threads;	/* ascending by tid */
	size_t thread_count, thread_room;
	size_t threads_ended;
	uint32_t dump;		/* a library, + 1, that names generated code:
				   jit-PID.dump; 0 = none */
	void *unwinder;		/* of unwind.h; NULL = none yet */
};

struct spaces {
	struct libraries libraries;
	struct space **all;
	size_t count, room;
	struct finder by_pid;
	uint64_t real;		/* of CLOCK_MONOTONIC 0 */
	size_t ended;		/* of them since the last sweep ... */
	uint64_t swept;		/* ... at this time */
	bool out_of_memory;
};

void spaces_init(struct spaces *s);
void spaces_free(struct spaces *s);

/*
 * That of a process, read from /proc where nothing is known; NULL: no memory.
 */
struct space *spaces_of(struct spaces *s, int32_t pid);

/* What a record that is no sample says. */
void spaces_note(struct spaces *s, const struct krecord *k);

/* NULL: nothing is known to be there. */
const struct mapping *space_find(const struct space *own, uint64_t address);

/*
 * Returns the bias that turns a run-time address in the mapping into the
 * address in the headers of its library, whose file has been read
 * (TPROF_M_BIASED).
 */
uint64_t space_bias(const struct spaces *s, const struct mapping *m);

/*
 * What it is called; who could not be looked at has ended, or was never here.
 */
const char *space_program(const struct space *own);

/* Its name; made when it is not there.  NULL: no memory. */
struct thread_name *space_thread(struct space *own, int32_t tid);

/* NULL: it is not there. */
struct thread_name *space_find_thread(const struct space *own, int32_t tid);

/* A new one, without a name where it is not there.  NULL: no memory. */
struct thread_name *space_add_thread(struct space *own, int32_t tid);

/* Those that ended before then are forgotten. */
void space_forget_threads(struct space *own, uint64_t then);

#endif
