/* Context: O.  Profiles of libmon.so as the samples of a tprof.out. */
#ifndef PROFILES_H
#define PROFILES_H

#include "decode.h"
#include "hash_index.h"
#include "tprof_writer.h"

/*
 * Holds all that was read, until all files are read, because samples are
 * written in the order of time over all processes.  Memory grows with the
 * distinct stacks of each process and with the moments.
 *
 * A sample of the time line (log=yes) has its time and weight.  The rest of
 * what a place counts becomes samples without a time, as many as the place
 * counts, with weights that differ by at most a nanosecond: the weights of a
 * process add up to the time of its places.  Time asleep (clock=wall) is an
 * event of its own.  Three times are losses in milliseconds, not samples: time
 * while the program had its profile paused, time in modules that are not
 * watched, and the kernel's figure for a process beyond its samples, for
 * example that of page faults.
 *
 * A module's "offset" is the address in its ELF headers, which profiles have;
 * the bias of an address is 0 (TPROF_M_BIASED).  A module without headers
 * (FORMAT_M_NO_ELF) has the offset in the file, and is not biased.
 *
 * A sample in a system call has the address after the call, which is one of the
 * program and not of the kernel, so it is not TPROF_F_KERNEL.  Its node is
 * TPROF_F_CALLER, so that it is looked up as a return address is.
 */
enum profiles_event {
	PROFILES_CPU,		/* written by who begins the file */
	PROFILES_SLEEP,		/* by us, where there is any */
};

struct profiles_module {
	struct tprof_module id;	/* path: ours */
	uint32_t flags;		/* TPROF_M_* */
	uint32_t kind;		/* FORMAT_M_*, of those that tell them apart */
	uint32_t number;	/* in the stream; 0 = not there yet */
};

struct profiles_process {
	uint32_t pid, uid, slot;
	uint64_t birth;
	uint64_t began;		/* this image: CLOCK_MONOTONIC */
	char *program;
};

/* Process images of one number, of which the stream has one at a time. */
struct profiles_pid {
	uint32_t pid, process;	/* + 1: told last; 0 none */
	uint32_t times;		/* that one was told */
	uint32_t newest;	/* + 1; when all were read */
};

struct profiles_thread {
	uint32_t process, tid;
	uint32_t told;		/* `times` of its slot then */
	char name[17];
};

struct profiles_frame {
	uint32_t caller;	/* + 1; 0 none */
	struct tprof_writer_frame frame;	/* module: + 1 in `modules` */
};

/* Where something was counted. */
struct profiles_place {
	uint32_t frame, thread;
	uint32_t node;		/* in the stream; 0 = not there yet */
	enum profiles_event event;
	bool kernel;
	uint32_t kind;		/* enum format_kind of its node */
	uint64_t pc;
	uint64_t count, ns;
	uint64_t timed, timed_ns; /* of them in moments */
	uint64_t raw_ns;	/* timed_ns before samples were scaled */
};

struct profiles_moment {
	uint64_t time;
	uint32_t place, ns;
};

struct profiles {
	struct profiles_module *modules;
	struct profiles_process *processes;
	struct profiles_pid *slots;
	struct profiles_thread *threads;
	struct profiles_frame *frames;
	struct profiles_place *places;
	struct profiles_moment *moments;
	size_t module_count, module_room, process_count, process_room;
	size_t slot_count, slot_room, thread_count, thread_room;
	size_t frame_count, frame_room, place_count, place_room;
	size_t moment_count, moment_room;
	struct hash_index by_path, by_pid;
	struct tprof_writer_frame *stack;	/* one, as it goes out */
	size_t stack_room;
	uint64_t boot_real;	/* of CLOCK_BOOTTIME 0, ns since 1970; 0 = not
				   asked yet */
	uint64_t loss[LOSS_MAX];
	uint64_t heavy;		/* that were not written one by one */
	uint64_t paused_ns, elsewhere_ns;	/* CPU time that is no sample */
	uint64_t unsampled_ns;	/* by the kernel, beyond that and samples */
	uint64_t known_ns;	/* CPU time of all processes, as known here */
	uint64_t empty;		/* profiles without a sample */
};

/* All of a profile or, where that fails, nothing: 0 or -errno with *f set. */
int profiles_add(struct profiles *p, struct decode *d, struct fault *f);

/*
 * Processes, threads, modules, samples, and losses.  0 or -ENOMEM;
 * adds TPROF_S_SAMPLE, _OVERFLOW and _EMPTYBUF to the statistics.
 */
int profiles_write(struct profiles *p, struct tprof_writer *put);
void profiles_free(struct profiles *p);

#endif
