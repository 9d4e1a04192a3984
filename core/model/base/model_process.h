/*
 * Context: O.  Processes, threads and runs of the model; model.h includes it
 * for all.  process_image.c and import_processes.c fill them in.
 */
#ifndef MODEL_PROCESS_H
#define MODEL_PROCESS_H

#include "decode/decode.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * State of a process when its file was read.  MODEL_ENDED: the profile is
 * sealed or a dump, or another profiler's file names the process.
 * MODEL_KILLED: it is gone and has not sealed its profile.  MODEL_UNKNOWN: its
 * profile is not sealed, and from here it cannot be told whether it runs.
 */
enum model_process_state { MODEL_ENDED, MODEL_RUNNING, MODEL_KILLED,
    MODEL_UNKNOWN };

/* A process image.  For another profiler's file: a process. */
struct model_process {
	/* Identity, as shown.  process_image.c tells images apart. */
	uint8_t boot_id[16];
	uint64_t start_ticks;
	int32_t pid;
	uint32_t image;

	const char *program;	/* last part of the executable's path */
	/*
	 * its arguments with blanks between, and the node name; "" if the file
	 * does not have them
	 */
	const char *command, *host;
	enum model_process_state life;
	uint64_t birth_real;	/* first count of the image, ns since 1970 */
	uint64_t birth_mono;	/* the same instant, CLOCK_MONOTONIC, ns */
	uint64_t birth_cpu;	/* CPU time of the process then, ns */
	/* start of the process, CLOCK_MONOTONIC, ns; at most birth_mono */
	uint64_t start_mono;
	uint64_t end_real;	/* ns since 1970; 0 = not known */
	uint32_t euid;
	bool same_boot;		/* the machine has not been booted since */
	/* its pid means the same process in our pid namespace */
	bool here;
	/* from another profiler's file: only pid and program are known */
	bool foreign;

	/*
	 * How it was sampled, as in struct format_header: the rate asked for (0
	 * = automatic), sets of bits 1 << state of the clocks that threads have
	 * had, the first errors, and what the clocks were set to, in ns.
	 */
	uint32_t asked_hz;
	uint32_t coarse_seen;
	uint32_t fine_seen;
	int32_t coarse_errno;
	int32_t fine_errno;
	/* why kernel=detail was refused; 0 = it was not */
	int32_t kernel_errno;
	uint64_t tick_ns;
	uint64_t period_ns;
	uint64_t budget_ns;
	uint64_t later_ns;
	/*
	 * system time of the whole process, ns, by the kernel; final if the
	 * process has ended
	 */
	uint64_t system_ns;
	bool wall;
	/* one of its files was truncated: samples are missing */
	bool cut;
	/*
	 * live bytes at its peak, summed over its call paths; set where
	 * allocations are kept
	 */
	uint64_t heap_peak;
	/* heap_peak is of mappings: no blocks were counted */
	bool maps_alone;

	/* Relations to other processes; see unprofiled_time.h. */
	uint64_t pid_namespace;
	int32_t ppid, end_ppid;	/* ppid at the start; ppid at the seal, or 0 */
	int32_t session;
	uint32_t children;	/* number of processes that this image made */
	/* CPU time of the children that it waited for, ns */
	uint64_t children_ns;
	uint64_t children_birth_ns; /* children_ns at the start of this image */
	/* CLOCK_MONOTONIC when the kernel's figures were read, ns */
	uint64_t last_mono;
	/*
	 * the profile was reset: the kernel's figures also include the time
	 * before the reset
	 */
	bool anew;

	/*
	 * Where the time of its threads went, in ns, up to last_mono or, if it
	 * runs, up to now: lived_ns is all of it, 0 if the file does not say
	 * it; in delay_ns they waited for a processor; in unasked_ns they had
	 * no processor, and ended before they were asked why.  begin_mono: when
	 * the image began, or start_mono.
	 */
	uint64_t begin_mono;
	uint64_t lived_ns, delay_ns, unasked_ns;
	/* what the CPU quota of its control group held back since birth_mono */
	uint64_t throttle_ns;
	uint32_t throttles;
	uint32_t lives;		/* number of its threads */
	uint32_t unseen;	/* those whose birth or end was not seen */
	uint32_t sums;		/* FORMAT_SUMS_* */

	/* CPU time by the kernel while samples were taken, ns; 0 = not known */
	uint64_t cpu_ns;
	/* CPU time while sampling was stopped, ns; not included in cpu_ns */
	uint64_t stopped_ns;
	uint64_t sample_ns;	/* CPU time that its samples stand for, ns */
	/* CPU time that scaling has subtracted from its samples, ns */
	uint64_t scaled_ns;
	uint64_t samples;
};

/*
 * A thread as its file describes it; `process` is an index in model.processes.
 */
struct model_thread {
	struct format_thread thread;
	uint32_t process;
};

/*
 * Sets *ns to the CPU time of the thread in this image, by the kernel, in ns.
 * Returns false if it is not known; then *ns means nothing.
 */
static inline bool
model_thread_cpu(const struct model_thread *t, uint64_t *ns)
{
	*ns = t->thread.cpu_ns - t->thread.cpu_start_ns;
	return t->thread.cpu_ns > t->thread.cpu_start_ns;
}

/*
 * A run: processes that started each other, with one clock for all.  Real time
 * may have been set between the starts of two processes; CLOCK_MONOTONIC cannot
 * be set, so all files of a run use the offset of the first file.
 */
struct model_run {
	uint8_t boot_id[16];
	int32_t pid;
	uint64_t start, pid_namespace;
	/* real time less CLOCK_MONOTONIC in the first file of the run, ns */
	uint64_t real;
};

#endif
