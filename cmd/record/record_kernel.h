/*
 * Context: O.  Records a command by the kernel, as tprof monitor --tree does,
 * for programs that libmon.so cannot be in.  prof_record.c calls this in place
 * of running the command itself.
 */
#ifndef RECORD_KERNEL_H
#define RECORD_KERNEL_H

#include "record/record_summary.h"

/*
 * Runs the command of *run, and writes the kernel's samples of it and of what
 * it starts, and what was lost, to the file tprof.out, or tprof.PID.out if that
 * exists, in the directory of its output.  Sets `status`, `ran` and `failed` of
 * *run.  Returns as recording_kernel() does; 1 without an event to sample.
 */
int record_kernel(struct record_run *run);

#endif
