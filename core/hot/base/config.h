/* Context: S.  What the environment asked for; constant after the start. */
#ifndef CONFIG_H
#define CONFIG_H

#include <linux/limits.h>
#include <stdbool.h>
#include <stdint.h>

enum config_tier {
	CONFIG_TIER_AUTO,
	CONFIG_TIER_PERF,
	CONFIG_TIER_TIMER,
	CONFIG_TIER_PROCESS,
};

enum config_place {
	CONFIG_PLACE_OFF,	/* PROFDIR is empty, secure, excluded ... */
	CONFIG_PLACE_PLAIN,	/* mon.out in the directory of the start */
	CONFIG_PLACE_DIR,	/* directory/pid.progname */
	CONFIG_PLACE_FILE,	/* a name from a pattern, file= */
	CONFIG_PLACE_MEMORY,	/* none: for what the program itself asks */
};

enum config_format {
	CONFIG_FORMAT_NATIVE,
	CONFIG_FORMAT_GMON,	/* and a gmon.out, GNU's */
	CONFIG_FORMAT_MONOUT,	/* and a mon.out, System V's */
	CONFIG_FORMAT_PROF,	/* and a mon.out, Solaris's */
	CONFIG_FORMATS,
};

struct config {
	bool begun;		/* it has been read, or is being */
	bool linked;		/* not preloaded: the program's calls rule */
	bool starting;		/* by one of them: for nobody else yet */
	bool wiped;		/* the kernel wipes the state at a fork */
	enum config_place place;
	enum config_tier tier;
	unsigned hz;		/* 0 = auto */
	unsigned clock;		/* enum format_clock */
	unsigned kernel;	/* 1 = kernel functions too */
	unsigned format;	/* enum config_format */
	unsigned stack;		/* enum format_stack */
	unsigned depth;		/* most frames of a stack */
	int signal;		/* the tick's signal */
	uint64_t size;		/* cap of the file, bytes */
	uint64_t heap_period;	/* bytes between counted ones, 0 all are */
	bool blocks;		/* of allocations: those of functions ... */
	bool maps;		/* ... and mappings */
	uint64_t heap_size;	/* of the table of live blocks, bytes */
	bool time;		/* what is counted: time ... */
	bool heap;		/* ... allocations */
	bool start;		/* count from the start on */
	bool follow;		/* children too */
	bool log;		/* when each tick was, too */
	bool empty;		/* a file for processes that counted nothing */
	bool message;		/* a note on stderr at the end */
	/* the first name is the program's monitor()'s */
	bool yields;

	uint64_t tick_ns;	/* the scheduler's tick */
	bool task_work;		/* CPU timers never interrupt a call */
	bool pointer_direct;	/* an instruction reads the thread pointer */
	unsigned frame;		/* bytes that the kernel pushes for a signal */
	uint64_t page;
	uintptr_t stack_top;	/* of the first thread: where it was begun */

	char pattern[256];	/* file=, "" none; see mon(7) */
	char progname[NAME_MAX + 1];
	char options[512];	/* PROFOPTS as given */
	char directory[PATH_MAX];	/* absolute, no final slash */
};

extern struct config config;

/*
 * The handler times one run in 2^6: the reading costs 0.2 us, a run 0.3.  The
 * first 2^6 all are, as they are like no others.
 */
#define CONFIG_COST_SHIFT	6

/* What a tick needs beyond the kernel's frame; checked against the build. */
#define CONFIG_STACK	4096u

/* Mean period of the fine clock, ns; 0 = there is to be none. */
uint64_t config_period(void);

/* CPU time of a thread on the fine clock, ns; 0 = for good. */
uint64_t config_budget(void);

/* Past it, while the thread is switched: mean period, ns; 0 = none. */
uint64_t config_reduced_period(void);

#endif
