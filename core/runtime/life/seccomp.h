/* Context: T.  System calls of ours are about to be forbidden. */
#ifndef SECCOMP_H
#define SECCOMP_H

#include <stdbool.h>

struct sock_fprog;

/*
 * A filter that allows no call at all.  It stands for syscall user dispatch,
 * where the kernel hands each call to the program's handler of SIGSYS.
 */
extern const struct sock_fprog seccomp_deny_all;

/*
 * Make now all that will be needed, and make no system call from here on but
 * the return from a handler; where the filter forbids even that, the clocks
 * stop.  filter: NULL for strict mode.  True: this call did it, and the
 * program's own call is to be followed by seccomp_freeze_end(), which undoes it
 * all if that was refused.
 */
bool seccomp_freeze(const struct sock_fprog *filter);
void seccomp_freeze_end(bool refused);

#endif
