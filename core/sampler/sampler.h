/*
 * Context: O.  Takes samples by the kernel, for the kernel backend of tprof
 * monitor (prof record uses it, too) and for tprof top.  A thread of its own
 * empties the ring buffers; the caller's thread gets what was in them, in the
 * order of time, by sampler_next().
 */
#ifndef SAMPLER_H
#define SAMPLER_H

#include "process/address_space.h"
#include "process/attached.h"
#include "event/counter.h"
#include "ring/queue.h"
#include "tprof_writer.h"

#include <poll.h>

/* How call stacks are found. */
enum sampler_stacks {
	SAMPLER_STACKS_OFF,
	SAMPLER_STACKS_FP,	/* the kernel follows frame pointers */
	SAMPLER_STACKS_COPY,	/* copies of the stack, unwound by tables */
};

/* Bytes of a stack that are copied, as in perf(1). */
#define SAMPLER_COPY	8192u

/* Options of a sampler. */
struct sampler_options {
	const struct events *events;
	pid_t pid;		/* a process that is about to exec; -1: all */
	/* processes that run already: sampled instead of `pid`; NULL: none */
	struct attached *attached;
	enum sampler_stacks stacks;
	/*
	 * When watch_fd is readable, the reading thread calls watch(arg), which
	 * reads it and returns whether sampling is to end.  -1: nothing is
	 * watched.
	 */
	int watch_fd;
	bool (*watch)(void *arg);
	void *arg;
};

/* A frame of a sample. */
struct sampler_place {
	struct code_file *library;	/* NULL: not known, or the kernel */
	uint32_t flags;		/* TPROF_F_* */
	/* offset in the file of `library`, else absolute */
	uint64_t address;
};

/* A sample. */
struct sampler_seen {
	uint32_t event, cpu;
	int32_t pid, tid;
	bool kernel;
	uint64_t pc, weight, time;
	struct address_space *space;
	struct code_files *libraries;
	/* frames, the innermost first */
	const struct sampler_place *places;
	size_t depth;
};

/*
 * Takes a sample, in the thread that calls sampler_next().  *seen and all that
 * it points to are valid during the call only.  Returns 0; another value ends
 * the delivery.
 */
typedef int sampler_take(void *arg, const struct sampler_seen *seen);

/* A sampler. */
struct sampler {
	struct sampler_options set;
	struct counters counters;	/* counters of the events */
	/* dummy events that report processes and mappings */
	struct counters trackers;
	struct perf_buffer *buffers;
	size_t buffer_count;
	unsigned *cpus;
	size_t cpu_count;
	struct perf_record_form form;
	struct hash_index by_id;	/* finds a counter by its id */

	struct queue queue;
	pthread_t reader;
	/* `reader` runs */
	bool reading;
	int stop_fd;		/* eventfd(2) that ends the reading thread */
	struct pollfd *polled;	/* descriptors that this thread waits for */

	struct address_spaces spaces;
	/* ring entries in `held` that are not delivered yet */
	struct entry *entries;
	size_t entry_count, entry_room;
	unsigned char *held;
	size_t held_bytes, held_room;
	uint64_t before;	/* start of the batch before the present one */
	struct sampler_place *places;
	/* of the batches that sampler_next() took; for its thread alone */
	uint64_t stats[TPROF_STATS];
	/* ring entries that could not be decoded, or of an unknown counter */
	uint64_t strange;
	/* samples left out because another counter took them as well */
	uint64_t doubled;
	/* threads of running processes started until the last look */
	bool unsettled;
	/* ring entries of what processes do that found no room */
	uint64_t unplaced;
};

/*
 * Opens everything.  *o is copied; what it points to must outlive the sampler.
 * Returns 0; or -errno with *f set, and everything is closed.
 */
int sampler_open(struct sampler *s, const struct sampler_options *o,
    struct fault *f);

/*
 * Starts the reading thread, which has the signal mask of the caller, and the
 * events, unless those start at an exec.  Returns 0, or -errno with *f set; the
 * caller then closes the sampler.
 */
int sampler_start(struct sampler *s, struct fault *f);

/*
 * Waits for a batch, which comes every 125 ms at the latest, and delivers the
 * samples that are ready to `take`.  Always called by one thread, and not again
 * once s->reading is false.  Returns 1; 0 after the last batch; what `take`
 * returned; or -ENOMEM.  An error does not end the sampling.
 */
int sampler_next(struct sampler *s, sampler_take *take, void *arg);

/*
 * Ends the sampling, from any thread.  sampler_next() goes on until the last
 * batch.
 */
void sampler_stop(struct sampler *s);

/*
 * Stores how many samples found no room in a ring buffer in s->stats, and such
 * other ring entries in s->unplaced.  Complete after the last batch; called by
 * the thread of sampler_next().
 */
void sampler_total(struct sampler *s);

/* Stops and closes everything.  Only after a sampler_open() that succeeded. */
void sampler_close(struct sampler *s);

#endif
