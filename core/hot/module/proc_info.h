/* Context: S.  What /proc says of a process. */
#ifndef PROC_INFO_H
#define PROC_INFO_H

#include "base/sys.h"

/* /proc/PID and a leaf; pid 0 is the caller. */
#define PROC_INFO_PATH	48
void proc_info_path(char *place, size_t room, int pid, const char *leaf);

/* A whole small file of /proc, NUL-terminated.  Bytes read or -errno. */
long proc_info_read(const char *path, char *buf, size_t room);

/* Fields 4 and 22 of /proc/PID/stat; pid 0 is the caller.  0 or -errno. */
int proc_info_stat(int pid, int *ppid, uint64_t *start_ticks);

int proc_info_boot_id(uint8_t id[16]);

/* Inode of the caller's pid namespace, 0 unknown. */
uint64_t proc_info_pid_namespace(void);

/* Has process pid libmon.so mapped?  scratch: at least 4 KiB. */
bool proc_info_has_libmon(int pid, char *scratch, size_t room);

/*
 * Returns whether the first thread of this process has ended while others run.
 */
bool proc_info_leader_ended(void);

/*
 * Returns the status that wait(2) would give of that thread alone; 0: not
 * known.
 */
int proc_info_leader_status(void);

/*
 * Is the caller under a seccomp filter?  Of one that came over exec nothing is
 * known, and a service manager's may kill for a call that few need.
 */
bool proc_info_is_filtered(void);

/* Threads of the caller, by the link count of its task directory; 0 unknown. */
unsigned proc_info_thread_count(void);

#endif
