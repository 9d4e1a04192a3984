/* Context: O.  tprof top: what its screen is made of, and where from. */
#ifndef TPROF_TOP_H
#define TPROF_TOP_H

#include "topview.h"

#include "fault.h"
#include "tprof_options.h"

/* Of all processes, or of the profile of one: counts, names, and one look. */
struct topdata {
	struct census census;
	struct namer namer;
	struct census_cell *cells;	/* of the look that is shown */
	struct top_process *processes;
	uint64_t *births;
	size_t process_count, process_room, birth_room;
	struct finder by_process;
	struct top_thread *threads;
	size_t thread_room;
	struct finder by_thread;
	struct top_input in;
	char clock[16];
	uint64_t cleared, turned;	/* CLOCK_MONOTONIC, ns */
	uint64_t name_again;	/* not before: naming takes its time */
};

struct topkernel;
struct topfile;

/* A source of them. */
struct tprof_top {
	struct tprof_options set;
	struct topdata data;
	struct topkernel *kernel;	/* one of the two */
	struct topfile *file;
	int signals;		/* signalfd(2) */
	bool over;		/* who runs us wants it to end ... */
	int ended_by;		/* ... by that signal */
	bool resized;
};

/* Where `signals` can be read.  True: it is over.  Of any thread. */
bool tprof_top_signals(void *top);

int topdata_init(struct topdata *d);
void topdata_free(struct topdata *d);

/* Their numbers; UINT32_MAX: no memory.  The names are copied. */
uint32_t topdata_process(struct topdata *d, int32_t pid, uint64_t birth,
    const char *name);

/* False: it is there already. */
bool topdata_is_new(struct topdata *d, uint32_t process, uint32_t tid);
int topdata_thread(struct topdata *d, uint32_t process, uint32_t tid,
    const char *name);

/*
 * What was counted since the last time becomes what is shown, unless that is
 * frozen, with names; another interval begins.  0 or -ENOMEM.
 */
int topdata_turn(struct topdata *d, struct top_state *s);

/* Counts begin at 0. */
void topdata_clear(struct topdata *d);

/* More is known than there should be: all begins anew, counted as forgotten. */
bool topdata_is_full(const struct topdata *d);
int topdata_restart(struct topdata *d);

/* 0 or -errno with *f set. */
int topkernel_open(struct tprof_top *t, struct fault *f);

/* Samples until then, CLOCK_MONOTONIC, or some of them.  1; 0: it is over. */
int topkernel_wait(struct tprof_top *t, uint64_t until);
int topkernel_look(struct tprof_top *t, struct top_state *s);
void topkernel_close(struct tprof_top *t);

/* The same of a process under libmon.so. */
int topfile_open(struct tprof_top *t, const char *pid, struct fault *f);
int topfile_wait(struct tprof_top *t, uint64_t until);
int topfile_look(struct tprof_top *t, struct fault *f);
bool topfile_has_ended(const struct tprof_top *t);
void topfile_close(struct tprof_top *t);

#endif
