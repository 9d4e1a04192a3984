/* Context: O.  Processes, threads and runs of the model. */
#ifndef MODEL_PROCESS_H
#define MODEL_PROCESS_H

#include "decode/decode.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * State of a process when its file was read.  MODEL_KILLED: it is gone and has
 * not sealed its profile.
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
	enum model_process_state life;
	uint64_t birth_real;
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
	 * had, the first errors, and intervals of the clocks in ns.
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
	/* peak of its live blocks, bytes; set where a heap is kept */
	uint64_t heap_peak;
	/* heap_peak is of mappings: no blocks were counted */
	bool maps_alone;

	/* Relations to other processes; see unprofiled_time.h. */
	uint64_t pid_namespace;
	int32_t ppid, end_ppid;	/* ppid at the start; ppid at the seal, or 0 */
	int32_t session;
	uint32_t children;	/* number of processes that it made */
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
 * Sets *ns to the CPU time of the thread in this image, by the kernel.  Returns
 * false if it is not known.
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
