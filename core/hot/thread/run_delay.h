/*
 * Context: S.  Reads how long a thread has waited for a processor.  Called by
 * the helper of clock=wall, at the ends of threads, and for the sums of elapsed
 * time (thread_life.c, seal_sums.c); not in a frozen process.
 */
#ifndef RUN_DELAY_H
#define RUN_DELAY_H

#include <stdint.h>

/* Value of run_delay_read(): the kernel does not say it. */
#define RUN_DELAY_UNKNOWN	UINT64_MAX

/*
 * Returns how long thread tid of this process has waited for a processor since
 * it was made, in ns: the second number of its schedstat in /proc.  tid 0 means
 * the first thread, which can have ended.  Returns RUN_DELAY_UNKNOWN if the
 * thread is gone, if there is no /proc, or if the kernel does not count it.
 * Opens a descriptor for 5 us: call it where proc_info.h allows that.
 */
uint64_t run_delay_read(int tid);

#endif
