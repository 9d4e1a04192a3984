/*
 * Context: T.  Creates the profile and reads the memory map before files are
 * out of reach.  For the hooks of calls that take access away (hook_syscall.c,
 * hook_credentials.c, hook_unshare.c, hook_fork.c), and for exec_image.c.  None
 * does anything in a vfork child, a frozen process, or one whose profile is no
 * file.
 */
#ifndef PRECREATE_H
#define PRECREATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The hooks of calls by which a process loses access to files call one of the
 * functions precreate_before_...() first.  These create the file although
 * nothing is counted yet.  If nothing is ever counted, the seal and an exec
 * remove it again while they can.  Fork children that cannot create a file
 * later count that as a loss in this file.
 *
 * All keep errno.  If the file is not there, a call takes as long as a first
 * tick would have taken; those that read the memory map take its time besides.
 */

/*
 * Prepares for another root directory or for rules about paths, after which
 * /proc may be out of reach as well.
 */
void precreate_before_chroot(void);

/*
 * Prepares for another effective user; -1: no change.  Does nothing if that
 * user can create files in the directory of the profiles anyway.
 */
void precreate_before_setuid(uid_t user);

/*
 * Prepares for other groups.  Does nothing for root, and for a user who can
 * create files in the directory of the profiles without a group's rights.
 */
void precreate_before_setgid(void);

/* Prepares for fewer capabilities: root is then a user like any other. */
void precreate_before_capset(void);

/*
 * Returns whether the program that the caller is about to execute will find no
 * way to create its file.  Tries to create a file without a name, but only in a
 * process that called one of the functions above, or whose ancestor did.
 */
bool precreate_exec_will_fail(void);

/*
 * Prepares for a resource limit (RLIMIT_*), if it forbids to make a file or to
 * open /proc, or leaves little address space; then the file's mapping becomes
 * small as well.  most: its new value, in bytes or files.
 */
void precreate_before_setrlimit(int resource, uint64_t most);

#endif
