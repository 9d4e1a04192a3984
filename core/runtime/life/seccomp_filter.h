/*
 * Context: T.  Runs a seccomp filter as the kernel would, to learn which system
 * calls it allows.  For seccomp.c, before the program installs the filter; the
 * hook of prctl(2) passes seccomp_filter_deny_all.
 */
#ifndef SECCOMP_FILTER_H
#define SECCOMP_FILTER_H

#include <stdbool.h>

struct sock_fprog;

/*
 * A filter that allows no call at all.  It stands for syscall user dispatch,
 * where the kernel passes each call to the program's handler of SIGSYS.
 */
extern const struct sock_fprog seccomp_filter_deny_all;

/*
 * Returns whether the kernel can read the filter, which is not NULL.  A filter
 * that it refuses unread must not be run here, because that might fault.  Makes
 * a system call for each instruction.
 */
bool seccomp_filter_is_valid(const struct sock_fprog *filter);

/*
 * Returns whether the filter plainly allows the system call `nr`, whose
 * arguments are 0; for rt_sigprocmask, with the unknown `how` that this file
 * uses.  filter: valid, or NULL for strict mode.
 */
bool seccomp_filter_allows(const struct sock_fprog *filter, int nr);

#endif
