/* Context: T.  The file and the memory map, before they are out of reach. */
#ifndef AHEAD_H
#define AHEAD_H

#include <stdint.h>
#include <sys/types.h>

/*
 * The hooks of calls by which a process gives up its way to files call one of
 * these first.  The file is created now, although nothing is counted yet; if
 * nothing ever is, the seal and an exec remove it again while they can.  Fork
 * children, which cannot create theirs later, count that in this one.
 *
 * All keep errno.  A call costs 1 us where the file is there already, and else
 * what the first tick would have cost.
 */

/* Another root, or rules for paths: /proc may be out of reach as well. */
void ahead_of_root(void);

/*
 * Another effective user, -1 the same.  Nothing is done if that one can create
 * files in the directory of the profiles anyway.
 */
void ahead_of_user(uid_t user);

/* Fewer capabilities: root is then a user like any other. */
void ahead_of_capabilities(void);

/* A limit (RLIMIT_*) is set to `bytes`, or as many files. */
void ahead_of_limit(int resource, uint64_t most);

#endif
