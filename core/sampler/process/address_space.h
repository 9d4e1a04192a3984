/*
 * Context: O.  Keeps track of what each process has mapped, from ring entries
 * of the kernel and from /proc, so that the addresses of samples lead to files.
 * event_order.c updates it; the unwinder, the recorder and tprof top read it.
 * Only the thread that calls sampler_next() uses it.
 */
#ifndef ADDRESS_SPACE_H
#define ADDRESS_SPACE_H

#include "process/code_file.h"
#include "ring/perf_record.h"

/* bytes of a thread's name in the kernel, with the NUL */
#define ADDRESS_SPACE_NAME	16

/* A mapping of code. */
struct address_mapping {
	uint64_t start, end;
	uint64_t offset;	/* offset of `start` in the file */
	/* index of the file in address_spaces.libraries */
	uint32_t library;
};

/* A thread of a process. */
struct address_space_thread {
	int32_t tid;
	/* free for the user of the samples; 0 when the name changes */
	uint32_t reported;
	uint64_t ended;		/* end, CLOCK_MONOTONIC; 0: it runs */
	/* 1 + the task whose counters sample it; 0: none yet */
	uint32_t watcher;
	char name[ADDRESS_SPACE_NAME];
};

/* A process and its mappings. */
struct address_space {
	int32_t pid;
	bool used;		/* false: nothing is known yet */
	bool loaded;		/* the mappings are known */
	/* its first thread has ended */
	bool ended;
	/* when it forked, executed, or was read from /proc; CLOCK_MONOTONIC */
	uint64_t since;
	uint32_t uid;
	uint64_t birth;		/* start in real time, ns; 0: not known */
	/* `program` is known */
	bool named;
	char program[ADDRESS_SPACE_NAME];
	/* free for the user of the samples; 0 when the name changes */
	uint32_t reported;
	struct address_mapping *maps;	/* ascending, without overlaps */
	size_t map_count, map_room;
	struct address_space_thread *threads;	/* ascending by tid */
	size_t thread_count, thread_room;
	/* threads in the list that have ended */
	size_t threads_ended;
	/* 1 + index of jit-PID.dump, which names generated code; 0: none */
	uint32_t dump;
	void *unwinder;		/* see perf_unwind_state.h; NULL: none yet */
};

/* All processes. */
struct address_spaces {
	struct code_files libraries;
	struct address_space **all;
	size_t count, room;
	struct hash_index by_pid;
	uint64_t real;		/* real time of CLOCK_MONOTONIC 0, ns */
	size_t ended;		/* processes that ended since the last sweep */
	uint64_t swept;		/* time of the last sweep, CLOCK_MONOTONIC */
	/* something was not recorded for lack of memory */
	bool out_of_memory;
};

/* Prepares *s (address_spaces_init), or frees it (address_spaces_free). */
void address_spaces_init(struct address_spaces *s);
void address_spaces_free(struct address_spaces *s);

/*
 * Returns the address space of a process, which stays until a sweep after its
 * end.  Reads it from /proc if nothing is known of the process.  Returns NULL
 * without memory.
 */
struct address_space *address_spaces_get(struct address_spaces *s, int32_t pid);

/*
 * Updates the processes by a ring entry that is no sample.  Lack of memory sets
 * s->out_of_memory.
 */
void address_spaces_update(struct address_spaces *s,
    const struct perf_record *k);

/* Returns the mapping that contains the address; NULL if none is known. */
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
 * Returns the name of the program: "[idle]" for pid 0, "[gone]" for a process
 * that ended before it could be looked at or that never was here.
 */
const char *address_space_program(const struct address_space *own);

/*
 * Returns a thread, valid until one is added or dropped; adds it with its name
 * from /proc if it is not known, or with the program's name if the thread is
 * gone.  Returns NULL without memory.
 */
struct address_space_thread *address_space_get_thread(struct address_space *own,
    int32_t tid);

/* Returns a thread; NULL if it is not known. */
struct address_space_thread *address_space_find_thread(
    const struct address_space *own,
    int32_t tid);

/*
 * Returns a thread that has just started; adds it without a name if it is not
 * known.  A known thread of this number counts as one that runs and that no
 * counter samples yet.  Returns NULL without memory.
 */
struct address_space_thread *address_space_add_thread(struct address_space *own,
    int32_t tid);

/* Forgets the threads that ended before the time `then`, CLOCK_MONOTONIC. */
void address_space_drop_threads(struct address_space *own, uint64_t then);

#endif
