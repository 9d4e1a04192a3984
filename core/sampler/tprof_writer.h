/*
 * Context: O.  tprof.out as it is written: what a sample speaks of, each once
 * and before it.
 */
#ifndef TPROF_WRITER_H
#define TPROF_WRITER_H

#include "fault.h"
#include "hash_index.h"
#include "tprof.h"

#include <stdio.h>

/* One of a stack, the innermost first. */
struct tprof_writer_frame {
	/* as tprof_writer_module() had it; 0: absolute */
	uint32_t module;
	uint32_t flags;		/* TPROF_F_KERNEL, _CALLER, _CUT */
	uint64_t address;	/* in its file, by offset */
};

struct tprof_writer_sample {
	uint32_t event, cpu;	/* TPROF_CPU_UNKNOWN */
	uint32_t pid, tid;
	bool kernel;
	uint64_t pc, weight;
	uint64_t time;		/* CLOCK_MONOTONIC; 0 = not known */
	/* as tprof_writer_sample() had it of this stack, or 0 */
	uint32_t node;
	/* then these do not matter */
	const struct tprof_writer_frame *frames;
	size_t depth;		/* 0: nobody knows where the pc is */
};

struct tprof_writer_key {
	uint32_t caller, module, pid, flags;
	uint64_t address;
};

/*
 * Nodes are known by what they are, so that each is written once, until there
 * are TPROF_WRITER_NODES of them: then all are forgotten, and written again as
 * they are met.
 */
#define TPROF_WRITER_NODES	(1u << 20)	/* some 48 MiB */

struct tprof_writer {
	FILE *out;
	struct tprof_writer_key *nodes;
	size_t node_count, node_room;
	uint32_t forgotten;	/* nodes, whose numbers are given */
	struct hash_index by_key;
	uint64_t *kernel;	/* addresses of the kernel, each once */
	size_t kernel_count, kernel_room;
	struct hash_index by_address;
	uint32_t modules;
	uint64_t stats[TPROF_STATS];
	bool out_of_memory;
};

/* head: lines KEY=VALUE; real: that of CLOCK_MONOTONIC 0, ns. */
void tprof_writer_begin(struct tprof_writer *p, FILE *out, const char *head,
    uint64_t real);
void tprof_writer_event(struct tprof_writer *p, uint32_t number,
    const char *name, bool ns, uint64_t period);
void tprof_writer_process(struct tprof_writer *p, uint32_t pid, uint32_t uid,
    uint64_t birth, const char *program);
void tprof_writer_thread(struct tprof_writer *p, uint32_t pid, uint32_t tid,
    const char *name);

/* Its number. */
uint32_t tprof_writer_module(struct tprof_writer *p,
    const struct tprof_module *m, uint32_t flags, uint64_t bias);

/* The node of its stack, 0: it has none.  A look for each frame of it. */
uint32_t tprof_writer_sample(struct tprof_writer *p,
    const struct tprof_writer_sample *s);

/* Of kernel functions, where the kernel's names may be read. */
void tprof_writer_name(struct tprof_writer *p, uint64_t start, uint32_t bytes,
    const char *name);
void tprof_writer_loss(struct tprof_writer *p, uint64_t samples,
    const char *how);
void tprof_writer_count(struct tprof_writer *p, uint32_t event, uint32_t cpu,
    uint64_t value);

/* Statistics and the end.  0, or -errno with *f set: not all was written. */
int tprof_writer_end(struct tprof_writer *p, int status, uint64_t now,
    struct fault *f);
void tprof_writer_free(struct tprof_writer *p);

#endif
