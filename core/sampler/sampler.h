/*
 * Context: O.  Samples by the kernel: a thread empties its rings, and who calls
 * sampler_next() gets what was in them, in the order of time.
 */
#ifndef SAMPLER_H
#define SAMPLER_H

#include "address_space.h"
#include "counter.h"
#include "queue.h"
#include "tprof_writer.h"

enum sampler_stacks {
	SAMPLER_STACKS_OFF,
	SAMPLER_STACKS_FP,	/* by frame pointers, in the kernel */
	SAMPLER_STACKS_COPY,	/* from copies of the stack, by tables */
};

/* Bytes of a stack that are copied, as perf(1) does. */
#define SAMPLER_COPY	8192u

struct sampler_options {
	const struct events *events;
	pid_t pid;		/* of a process that is to exec; -1 = all */
	enum sampler_stacks stacks;
	/* Called where watch_fd can be read; true: it is over. */
	int watch_fd;
	bool (*watch)(void *arg);
	void *arg;
};

struct sampler_place {
	struct code_file *library;	/* NULL: none is known, or kernel */
	uint32_t flags;		/* TPROF_F_* */
	/* offset in the library's file, else absolute */
	uint64_t address;
};

struct sampler_seen {
	uint32_t event, cpu;
	int32_t pid, tid;
	bool kernel;
	uint64_t pc, weight, time;
	struct address_space *space;
	struct code_files *libraries;
	const struct sampler_place *places;	/* the innermost first */
	size_t depth;
};

/* 0, or what ends it. */
typedef int sampler_take(void *arg, const struct sampler_seen *seen);

struct sampler {
	struct sampler_options set;
	struct counters counters;	/* of the events ... */
	struct counters trackers;	/* ... and of processes and mappings */
	struct perf_buffer *buffers;
	size_t buffer_count;
	unsigned *cpus;
	size_t cpu_count;
	struct perf_record_form form;
	struct hash_index by_id;	/* of counters */

	struct queue queue;
	pthread_t reader;
	bool reading;
	int stop_fd;		/* eventfd(2) */

	struct address_spaces spaces;
	struct entry *entries;	/* of `held`, not handed out yet */
	size_t entry_count, entry_room;
	unsigned char *held;
	size_t held_bytes, held_room;
	uint64_t before;	/* when the last batch but one began */
	struct sampler_place *places;
	uint64_t stats[TPROF_STATS];
	uint64_t strange;	/* records that could not be understood */
	uint64_t untold;	/* of what processes do, that found no room */
};

/* 0 or -errno with *f set: what was there, is closed. */
int sampler_open(struct sampler *s, const struct sampler_options *o,
    struct fault *f);

/* Events begin to count, of all processes; of one they do so at its exec. */
int sampler_start(struct sampler *s, struct fault *f);

/*
 * What a batch made ready: at least every 125 ms.  1, 0: it was the last one;
 * else what `take` returned, or -ENOMEM.
 */
int sampler_next(struct sampler *s, sampler_take *take, void *arg);

/* Ends it from elsewhere; batches go on until the last. */
void sampler_stop(struct sampler *s);

/* How many found no room in a ring; all of them after the last batch. */
void sampler_total(struct sampler *s);
void sampler_close(struct sampler *s);

#endif
