/*
 * Context: O.  Writes a tprof.out: for recorder.h samples of the kernel, for
 * libmon/profiles.h those of libmon.so; recording.c of cmd/tprof ends it.  All
 * that a sample refers to is written before it.  Only tprof_writer_end()
 * reports that a write has failed.
 */
#ifndef TPROF_WRITER_H
#define TPROF_WRITER_H

#include "fault.h"
#include "base/hash_index.h"
#include "classic/tprof.h"

#include <stdio.h>

/* A frame of a stack; stacks begin with the innermost frame. */
struct tprof_writer_frame {
	/* number from tprof_writer_module(); 0: absolute */
	uint32_t module;
	uint32_t flags;		/* TPROF_F_KERNEL, _CALLER, _CUT */
	uint64_t address;	/* offset in the file of the module */
};

/*
 * Writes a sample and those nodes of its stack that are new.  Returns the node
 * of its stack; 0 if it has none, or without memory, which tprof_writer_end()
 * reports.  Searches once for each frame.
 */
struct tprof_writer_sample {
	/* cpu: TPROF_CPU_UNKNOWN if it is not known */
	uint32_t event, cpu;
	uint32_t pid, tid;
	bool kernel;
	uint64_t pc, weight;
	uint64_t time;		/* CLOCK_MONOTONIC; 0: not known */
	/* result of tprof_writer_sample() for the same stack, or 0 */
	uint32_t node;
	/* the stack; ignored if `node` is not 0 */
	const struct tprof_writer_frame *frames;
	size_t depth;		/* 0: the place of the pc is not known */
};

/* Contents that identify a node. */
struct tprof_writer_key {
	uint32_t caller, module, pid, flags;
	uint64_t address;
};

/*
 * Most nodes that are remembered.  Nodes are identified by their contents, so
 * that each is written once.  When there are this many, all are forgotten and
 * written again as they occur.
 */
#define TPROF_WRITER_NODES	(1u << 20)	/* about 48 MiB */

/* The output. */
struct tprof_writer {
	FILE *out;
	struct tprof_writer_key *nodes;
	size_t node_count, node_room;
	/* nodes that were forgotten; their numbers stay used */
	uint32_t forgotten;
	struct hash_index by_key;
	uint64_t *kernel;	/* addresses in the kernel, each once */
	size_t kernel_count, kernel_room;
	struct hash_index by_address;
	uint32_t modules;
	uint64_t stats[TPROF_STATS];
	/* some stacks are missing */
	bool out_of_memory;
};

/*
 * Begins the output, which stays the caller's.  head: KEY=VALUE lines.  real:
 * real time of CLOCK_MONOTONIC 0, ns.
 */
void tprof_writer_begin(struct tprof_writer *p, FILE *out, const char *head,
    uint64_t real);

/* Writes an event.  ns: it counts nanoseconds.  period: 0 if it varies. */
void tprof_writer_event(struct tprof_writer *p, uint32_t number,
    const char *name, bool ns, uint64_t period);

/* Writes a process, or its new program.  birth: its start in real time, ns. */
void tprof_writer_process(struct tprof_writer *p, uint32_t pid, uint32_t uid,
    uint64_t birth, const char *program);

/* Writes a thread, or its new name. */
void tprof_writer_thread(struct tprof_writer *p, uint32_t pid, uint32_t tid,
    const char *name);

/*
 * Writes a module and returns its number, from 1 on.  flags: TPROF_M_*.  The
 * caller remembers which modules it has written.
 */
uint32_t tprof_writer_module(struct tprof_writer *p,
    const struct tprof_module *m, uint32_t flags, uint64_t bias);

/*
 * Writes a sample and those nodes of its stack that are new.  Returns the node
 * of its stack; 0 if it has none.  Searches once for each frame.
 */
uint32_t tprof_writer_sample(struct tprof_writer *p,
    const struct tprof_writer_sample *s);

/*
 * Writes the name of a kernel function, for users who may read the kernel's
 * names.
 */
void tprof_writer_name(struct tprof_writer *p, uint64_t start, uint32_t bytes,
    const char *name);

/* Writes that samples, or another unit that begins `how`, were lost. */
void tprof_writer_loss(struct tprof_writer *p, uint64_t samples,
    const char *how);

/* Writes the count of an event on a processor. */
void tprof_writer_count(struct tprof_writer *p, uint32_t event, uint32_t cpu,
    uint64_t value);

/*
 * Writes the statistics p->stats and the end.  status: exit status of the
 * command.  now: CLOCK_MONOTONIC, ns.  Returns 0; or -errno with *f set if not
 * everything was written.
 */
int tprof_writer_end(struct tprof_writer *p, int status, uint64_t now,
    struct fault *f);

/* Frees the writer; the output stays open. */
void tprof_writer_free(struct tprof_writer *p);

#endif
