/*
 * Context: O.  Converts profiles of libmon.so into the samples of a tprof.out,
 * for backend_preload.h: profiles_add() for each, then profiles_write().
 */
#ifndef PROFILES_H
#define PROFILES_H

#include "decode/decode.h"
#include "base/hash_index.h"
#include "tprof_writer.h"

/*
 * Everything is held in memory until all files are read, because samples are
 * written in the order of time over all processes.  Memory grows with the
 * distinct stacks of each process and with the logged ticks.
 *
 * A logged tick (log=yes) becomes a sample with its time and weight.  The rest
 * of what a place counts becomes samples without a time, about as many as the
 * place counts, with weights that differ by at most a nanosecond: the weights
 * of a process add up to the time of its places.  Time asleep (clock=wall) is
 * an event of its own.  Three times are losses in milliseconds, not samples:
 * time while the program had its profile paused, time in modules that are not
 * watched, and the kernel's figure for a process beyond its samples, for
 * example that of page faults.
 *
 * The "offset" of a module is the address in its ELF headers, which profiles
 * have; the bias of an address is 0 (TPROF_M_BIASED).  A module without headers
 * (FORMAT_M_NO_ELF) has the offset in the file, and is not biased.
 *
 * A sample in a system call has the address after the call, which is one of the
 * program and not of the kernel, so it is not TPROF_F_KERNEL.  Its node is
 * TPROF_F_CALLER, so that it is looked up like a return address.
 */
enum profiles_event {
	PROFILES_CPU,	/* written by the caller, at the begin of the file */
	PROFILES_SLEEP,		/* written here, if there is any */
};

/* A module of any of the profiles. */
struct profiles_module {
	struct tprof_module id;	/* identity; the path is allocated */
	uint32_t flags;		/* TPROF_M_* */
	uint32_t kind;		/* FORMAT_M_* flags that tell modules apart */
	uint32_t number;	/* number in the output; 0: not written yet */
};

/* A process image. */
struct profiles_process {
	uint32_t pid, uid, entry;	/* entry: index in profiles.pids */
	uint64_t birth;
	uint64_t began;		/* start of this image, CLOCK_MONOTONIC */
	char *program;
};

/*
 * Process images with one pid: an entry of profiles.pids.  The output has one
 * of them at a time.
 */
struct profiles_pid {
	/* process: 1 + image that was written last; 0: none */
	uint32_t pid, process;
	uint32_t times;		/* times that an image was written */
	uint32_t newest;	/* 1 + newest image, once all were read */
};

/* A thread of a process image. */
struct profiles_thread {
	uint32_t process, tid;
	/* `times` of its pid when the thread was written last; 0: not yet */
	uint32_t reported;
	char name[17];
};

/* A frame of a call path. */
struct profiles_frame {
	uint32_t caller;	/* 1 + index of the calling frame; 0: none */
	/* its module: 1 + index in `modules` */
	struct tprof_writer_frame frame;
};

/* A node of a profile that counted something. */
struct profiles_place {
	uint32_t frame, thread;
	uint32_t node;		/* node in the output; 0: not written yet */
	enum profiles_event event;
	bool kernel;
	uint32_t kind;		/* enum format_kind of its node */
	uint64_t pc;
	uint64_t count, ns;
	uint64_t timed, timed_ns; /* number and time of its logged ticks */
	uint64_t raw_ns;	/* timed_ns before samples were scaled */
};

/* A logged tick. */
struct profiles_moment {
	uint64_t time;
	uint32_t place, ns;
};

/* Everything that was read.  Zeroed at first. */
struct profiles {
	struct profiles_module *modules;
	struct profiles_process *processes;
	struct profiles_pid *pids;
	struct profiles_thread *threads;
	struct profiles_frame *frames;
	struct profiles_place *places;
	struct profiles_moment *moments;
	size_t module_count, module_room, process_count, process_room;
	size_t pid_count, pid_room, thread_count, thread_room;
	size_t frame_count, frame_room, place_count, place_room;
	size_t moment_count, moment_room;
	struct hash_index by_path, by_pid;
	/* stack that is being written */
	struct tprof_writer_frame *stack;
	size_t stack_room;
	/* real time of CLOCK_BOOTTIME 0, ns since 1970; 0: not read yet */
	uint64_t boot_real;
	uint64_t loss[LOSS_MAX];
	uint64_t heavy;	/* samples that were merged, not written one by one */
	/* CPU time without samples: paused; in unwatched modules */
	uint64_t paused_ns, elsewhere_ns;
	/* CPU time by the kernel beyond that and the samples */
	uint64_t unsampled_ns;
	/* CPU time of all processes, as far as profiles have it */
	uint64_t known_ns;
	uint64_t empty;		/* profiles without a sample */
};

/*
 * Reads a whole profile, which the caller opens and may close afterwards: all
 * is copied.  Returns 0; or -errno with *f set, and then profiles_write()
 * writes nothing of the profile.
 */
int profiles_add(struct profiles *p, struct decode *d, struct fault *f);

/*
 * Writes processes, threads, modules, samples and losses, once, after the last
 * profiles_add().  Adds to the statistics TPROF_S_SAMPLE, _OVERFLOW and
 * _EMPTYBUF.  Returns 0 or -ENOMEM.
 */
int profiles_write(struct profiles *p, struct tprof_writer *put);

/* Frees everything. */
void profiles_free(struct profiles *p);

#endif
