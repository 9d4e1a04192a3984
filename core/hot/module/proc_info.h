/*
 * Context: S.  Reads facts about a process from /proc.  All of the target uses
 * it.
 *
 * proc_info_read(), proc_info_stat(), proc_info_boot_id(),
 * proc_info_has_libmon() and proc_info_leader_status() open a descriptor.
 * Beside other threads, call them in private_fds_run(), or in a thread that has
 * a descriptor table of its own.  Call no function in a frozen process but
 * proc_info_path(), which makes no system call.
 */
#ifndef PROC_INFO_H
#define PROC_INFO_H

#include "base/sys.h"

/* Room for a path of proc_info_path(). */
#define PROC_INFO_PATH	48

/*
 * Writes "/proc/PID" and then `leaf`, which begins with "/", to `place`, which
 * has `room` bytes.  pid 0 means the caller (/proc/self).
 */
void proc_info_path(char *place, size_t room, int pid, const char *leaf);

/*
 * Reads a small file of /proc into buf by one read(2), room - 1 bytes at most,
 * NUL-terminated.  Needs no relocation, libc or errno (preload/real.c).
 * Returns the bytes read or -errno.
 */
long proc_info_read(const char *path, char *buf, size_t room);

/*
 * Reads fields 4 (parent) and 22 (start time, in clock ticks) of
 * /proc/PID/stat.  pid 0 means the caller.  Returns 0; -EINVAL if the file is
 * not understood; or the -errno of the open or the read.
 */
int proc_info_stat(int pid, int *ppid, uint64_t *start_ticks);

/*
 * Reads the kernel's boot id.  Returns 0; -EINVAL if it is not understood; or
 * the -errno of the open or the read.
 */
int proc_info_boot_id(uint8_t id[16]);

/* Returns the inode number of the caller's pid namespace, or 0: not known. */
uint64_t proc_info_pid_namespace(void);

/*
 * Returns whether process pid has a file libmon.so mapped, or one whose name
 * begins so; false if its memory map cannot be read.  scratch: a buffer of
 * `room` bytes, at least 4 KiB.
 */
bool proc_info_has_libmon(int pid, char *scratch, size_t room);

/*
 * Returns whether the first thread of this process has ended while others run.
 */
bool proc_info_leader_ended(void);

/*
 * Returns the status that wait(2) would report for the process's first thread
 * alone, or 0: not known.
 */
int proc_info_leader_status(void);

/*
 * Returns whether the caller is under a seccomp filter, by prctl(2).  The rules
 * of the filter may be unknown, so callers avoid calls that few programs make,
 * such as perf_event_open(2).
 */
bool proc_info_is_filtered(void);

/*
 * Returns whether the calling thread is under a seccomp filter that was not
 * there when the image began: one that the program has set by a call that no
 * hook has seen.  It may kill for the calls that a file of /proc takes.
 */
bool proc_info_filter_came(void);

/*
 * Returns the number of the caller's threads, from the link count of its task
 * directory, or 0: not known.
 */
unsigned proc_info_thread_count(void);

#endif
