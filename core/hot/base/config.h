/*
 * Context: S.  The settings of this process: what the environment asks for and
 * what the start measures of the system.  Constant after the start, except
 * where a field says otherwise.  core/runtime/options and the start write them;
 * all of the target reads them.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include <linux/limits.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The clocks that may be used: all that fit (AUTO), perf events at full rate
 * for good (PERF), thread timers alone (TIMER), or one timer of the process
 * (PROCESS).
 */
enum config_tier {
	CONFIG_TIER_AUTO,
	CONFIG_TIER_PERF,
	CONFIG_TIER_TIMER,
	CONFIG_TIER_PROCESS,
};

/* The places where the profile can go. */
enum config_place {
	/*
	 * no profile: PROFDIR is empty, the program is secure (AT_SECURE) or
	 * excluded, this is a fork child with follow=no, or the like
	 */
	CONFIG_PLACE_OFF,
	CONFIG_PLACE_PLAIN,	/* mon.out in the directory of the start */
	CONFIG_PLACE_DIR,	/* directory/pid.progname */
	CONFIG_PLACE_FILE,	/* a name from a pattern, file= */
	/* private memory instead of a file, for what the program itself asks */
	CONFIG_PLACE_MEMORY,
};

/* The files that this process writes at its end. */
enum config_format {
	CONFIG_FORMAT_NATIVE,
	CONFIG_FORMAT_GMON,	/* also a gmon.out, GNU's */
	CONFIG_FORMAT_MONOUT,	/* also a mon.out, System V's */
	CONFIG_FORMAT_PROF,	/* also a mon.out, Solaris's */
	CONFIG_FORMATS,
};

/* The settings of the process.  A fork child inherits them. */
struct config {
	/* the start has read the options, or is reading them */
	bool begun;
	/*
	 * not preloaded: the program is linked with the library, and its calls
	 * decide when profiling begins
	 */
	bool linked;
	/*
	 * the call that begins a linked library's profiling is still running,
	 * so other threads must not count yet
	 */
	bool starting;
	/* the kernel zeroes `struct mon` in a fork child */
	bool wiped;
	enum config_place place;	/* a fork child may set it to OFF */
	enum config_tier tier;
	unsigned hz;		/* samples per CPU second; 0 = automatic */
	unsigned clock;		/* enum format_clock */
	unsigned kernel;	/* 1 = samples of kernel functions, too */
	unsigned format;	/* enum config_format */
	unsigned stack;		/* enum format_stack */
	unsigned depth;		/* most frames of a call path */
	int signal;		/* the tick's signal that was asked for */
	uint64_t size;		/* largest size of the file, bytes */
	/* mean bytes between counted allocations; 0 = all are counted */
	uint64_t heap_period;
	bool blocks;		/* count calls of allocation functions */
	bool maps;		/* count mappings */
	uint64_t heap_size;	/* size of the table of live blocks, bytes */
	bool time;		/* count time */
	bool heap;		/* count allocations */
	/* count from the start, not only when a tool says so */
	bool start;
	bool follow;		/* profile child processes, too */
	bool chosen;		/* only= or exclude= names the programs */
	bool log;		/* log the time of each sample, too */
	/* make a file even for a process that counted nothing */
	bool empty;
	bool message;		/* a note on stderr at the end */
	/*
	 * The first name of a profile belongs to the program's own monitor(3C).
	 * Set when the program calls that.
	 */
	bool yields;

	/* interval of the kernel's scheduler tick, ns */
	uint64_t tick_ns;
	/*
	 * The kernel runs CPU timers in task work (on the way to user mode), so
	 * their signals never interrupt a system call.
	 */
	bool task_work;
	/* one instruction reads the thread pointer, without a system call */
	bool pointer_direct;
	/*
	 * Bytes of the kernel's signal frame.  The start takes AT_MINSIGSTKSZ;
	 * altstack.c measures it once, where it matters.
	 */
	unsigned frame;
	uint64_t page;		/* bytes of a memory page */
	uintptr_t stack_top;	/* where the stack of the first thread began */

	char pattern[256];	/* value of file=, "" for none; see mon(7) */
	char progname[NAME_MAX + 1];	/* base name of the program */
	char options[512];	/* PROFOPTS as given */
	char directory[PATH_MAX];	/* absolute, no final slash */
};

/* The settings of this process. */
extern struct config config;

/*
 * The handler measures what one tick in 2^CONFIG_COST_SHIFT costs, because
 * reading the clock takes 0.2 us and a tick 0.3 us.  It measures each of the
 * first 2^CONFIG_COST_SHIFT ticks, because those cost more than all later ones.
 */
#define CONFIG_COST_SHIFT	6

/*
 * Bytes of stack that a tick needs beyond the kernel's signal frame.  A check
 * after the build compares it with the real use.
 */
#define CONFIG_STACK	4096u

#endif
