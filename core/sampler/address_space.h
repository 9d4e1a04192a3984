/* Context: O.  What each process has mapped, as the kernel tells it. */
#ifndef ADDRESS_SPACE_H
#define ADDRESS_SPACE_H

#include "code_file.h"
#include "perf_record.h"

/* Bytes of a thread's name, as the kernel has it */
#define ADDRESS_SPACE_NAME	16

struct address_mapping {
	uint64_t start, end;
	uint64_t offset;	/* of `start` in the file */
	uint32_t library;
};

struct address_space_thread {
	int32_t tid;
	uint32_t told;		/* for who uses them */
	uint64_t ended;		/* CLOCK_MONOTONIC; 0 = it has not */
	char name[ADDRESS_SPACE_NAME];
};

struct address_space {
	int32_t pid;
	bool used;		/* false: nothing is known yet */
	bool loaded;		/* mappings are known */
	bool ended;
	uint64_t since;		/* CLOCK_MONOTONIC of what is known: a fork, or
				   when it was read */
	uint32_t uid;
	uint64_t birth;		/* real time, ns; 0 not known */
	bool named;
	char program[ADDRESS_SPACE_NAME];
	uint32_t told;		/* for who uses it; 0 when its name changes */
	struct address_mapping *maps;	/* ascending, none over another */
	size_t map_count, map_room;
	struct address_space_thread *threads;	/* ascending by tid */
	size_t thread_count, thread_room;
	size_t threads_ended;
	uint32_t dump;		/* a library, + 1, that names generated code:
				   jit-PID.dump; 0 = none */
	void *unwinder;		/* of perf_unwind.h; NULL = none yet */
};

struct address_spaces {
	struct code_files libraries;
	struct address_space **all;
	size_t count, room;
	struct hash_index by_pid;
	uint64_t real;		/* of CLOCK_MONOTONIC 0 */
	size_t ended;		/* of them since the last sweep ... */
	uint64_t swept;		/* ... at this time */
	bool out_of_memory;
};

void address_spaces_init(struct address_spaces *s);
void address_spaces_free(struct address_spaces *s);

/*
 * That of a process, read from /proc where nothing is known; NULL: no memory.
 */
struct address_space *address_spaces_get(struct address_spaces *s, int32_t pid);

/* What a record that is no sample says. */
void address_spaces_update(struct address_spaces *s,
    const struct perf_record *k);

/* NULL: nothing is known to be there. */
const struct address_mapping *address_space_find(
    const struct address_space *own,
    uint64_t address);

/*
 * Returns the bias that turns a run-time address in the mapping into the
 * address in the headers of its library, whose file has been read
 * (TPROF_M_BIASED).
 */
uint64_t address_space_bias(const struct address_spaces *s,
    const struct address_mapping *m);

/*
 * What it is called; who could not be looked at has ended, or was never here.
 */
const char *address_space_program(const struct address_space *own);

/* Its name; made when it is not there.  NULL: no memory. */
struct address_space_thread *address_space_get_thread(struct address_space *own,
    int32_t tid);

/* NULL: it is not there. */
struct address_space_thread *address_space_find_thread(
    const struct address_space *own,
    int32_t tid);

/* A new one, without a name where it is not there.  NULL: no memory. */
struct address_space_thread *address_space_add_thread(struct address_space *own,
    int32_t tid);

/* Those that ended before then are forgotten. */
void address_space_drop_threads(struct address_space *own, uint64_t then);

#endif
