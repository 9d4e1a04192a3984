/*
 * Context: O.  Times a walk of N frames, beside those of the others:
 * walks N TIMES.  Nanoseconds: ours, the first of ours, libunwind's
 * unw_backtrace and the first of it, libc's backtrace.
 */
#define _GNU_SOURCE
#include "life/stack_bounds.h"
#include "module/modules.h"
#include "target.h"
#include "unwind/stack_walk.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROOM	512

static unsigned times;
static struct thread_slot *slot;
static unsigned frames;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void
ours(unsigned times_of)
{
	volatile unsigned n = times_of;	/* getcontext() is as setjmp() */
	uint64_t room[ROOM];
	uintptr_t unknown;
	struct stack_walk_start from;
	ucontext_t here;

	/* A tick has it from the kernel. */
	getcontext(&here);
	stack_walk_start_tick(&from, &here);
	for (; n > 0; n = n - 1) {
		frames = stack_walk(slot, &from, room, ROOM, &unknown);
		if (unknown != 0 || (room[frames - 1] & STACK_WALK_CUT) != 0)
			abort();	/* a whole walk is what is measured */
	}
}

static int (*unwind)(void **, int);

static void
libunwinds(unsigned n)
{
	void *room[ROOM];

	while (n-- > 0 && unwind != NULL)
		unwind(room, ROOM);
}

static void
libcs(unsigned n)
{
	void *room[ROOM];

	while (n-- > 0)
		backtrace(room, ROOM);
}

static void
measure(const char *what, void (*walks)(unsigned n), unsigned n)
{
	double began = now(), first;

	walks(1);
	first = now() - began;
	began = now();
	walks(n);
	printf("%s %.1f\n%s_first %.0f\n", what, (now() - began) / n, what,
	    first);
}

static void
measure_all(void)
{
	measure("ours", ours, times);
	measure("libunwind", libunwinds, times);
	measure("backtrace", libcs, times / 10 + 1);
}

/* Each a frame of its own; built without frame pointers. */
__attribute__((noinline)) static void
descend(unsigned n)
{
	volatile char room[48];

	room[0] = (char)n;
	if (n == 0)
		measure_all();
	else
		descend(n - 1);
	__asm__ volatile("" :: "r"(room[0]) : "memory");
}

int
main(int argc, char **argv)
{
	void *library = dlopen("libunwind.so.8", RTLD_NOW);

	if (argc != 3)
		return 2;
	if (library != NULL)
		*(void **)&unwind = dlsym(library, "unw_backtrace");
	times = (unsigned)strtoul(argv[2], NULL, 10);
	target_init();
	config.stack = FORMAT_STACK_AUTO;
	config.stack_top = (uintptr_t)(argv - 1);
	target_birth();
	slot = target_slot();
	stack_bounds_find(slot);
	modules_refresh();
	descend((unsigned)strtoul(argv[1], NULL, 10));
	printf("frames %u\n", frames);
	target_fini();
	return 0;
}
