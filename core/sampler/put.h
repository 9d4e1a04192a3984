/*
 * Context: O.  tprof.out as it is written: what a sample speaks of, each once
 * and before it.
 */
#ifndef PUT_H
#define PUT_H

#include "fault.h"
#include "finder.h"
#include "tprof.h"

#include <stdio.h>

/* One of a stack, the innermost first. */
struct put_frame {
	uint32_t module;	/* as put_module() had it; 0: absolute */
	uint32_t flags;		/* TPROF_F_KERNEL, _CALLER, _CUT */
	uint64_t address;	/* in its file, by offset */
};

struct put_sample {
	uint32_t event, cpu;	/* TPROF_CPU_UNKNOWN */
	uint32_t pid, tid;
	bool kernel;
	uint64_t pc, weight;
	uint64_t time;		/* CLOCK_MONOTONIC; 0 = not known */
	uint32_t node;		/* as put_sample() had it of this stack, or 0 */
	const struct put_frame *frames;	/* then these do not matter */
	size_t depth;		/* 0: nobody knows where the pc is */
};

struct put_key {
	uint32_t caller, module, pid, flags;
	uint64_t address;
};

/*
 * Nodes are known by what they are, so that each is written once, until there
 * are PUT_NODES of them: then all are forgotten, and written again as they are
 * met.
 */
#define PUT_NODES	(1u << 20)	/* some 48 MiB */

struct put {
	FILE *out;
	struct put_key *nodes;
	size_t node_count, node_room;
	uint32_t forgotten;	/* nodes, whose numbers are given */
	struct finder by_key;
	uint64_t *kernel;	/* addresses of the kernel, each once */
	size_t kernel_count, kernel_room;
	struct finder by_address;
	uint32_t modules;
	uint64_t stats[TPROF_STATS];
	bool out_of_memory;
};

/* head: lines KEY=VALUE; real: that of CLOCK_MONOTONIC 0, ns. */
void put_begin(struct put *p, FILE *out, const char *head, uint64_t real);
void put_event(struct put *p, uint32_t number, const char *name, bool ns,
    uint64_t period);
void put_process(struct put *p, uint32_t pid, uint32_t uid, uint64_t birth,
    const char *program);
void put_thread(struct put *p, uint32_t pid, uint32_t tid, const char *name);

/* Its number. */
uint32_t put_module(struct put *p, const struct tprof_module *m,
    uint32_t flags, uint64_t bias);

/* The node of its stack, 0: it has none.  A look for each frame of it. */
uint32_t put_sample(struct put *p, const struct put_sample *s);

/* Of kernel functions, where the kernel's names may be read. */
void put_name(struct put *p, uint64_t start, uint32_t bytes, const char *name);
void put_loss(struct put *p, uint64_t samples, const char *how);
void put_count(struct put *p, uint32_t event, uint32_t cpu, uint64_t value);

/* Statistics and the end.  0, or -errno with *f set: not all was written. */
int put_end(struct put *p, int status, uint64_t now, struct fault *f);
void put_free(struct put *p);

#endif
