/* Context: T.  System calls of ours are about to be forbidden. */
#ifndef SANDBOX_H
#define SANDBOX_H

#include <stdbool.h>

struct sock_fprog;

/*
 * A filter that allows no call at all.  It stands for syscall user dispatch,
 * where the kernel hands each call to the program's handler of SIGSYS.
 */
extern const struct sock_fprog sandbox_nothing;

/*
 * Make now all that will be needed, and make no system call from here on but
 * the return from a handler; where the filter forbids even that, the clocks
 * stop.  filter: NULL for strict mode.  True: this call did it, and the
 * program's own call is to be followed by sandbox_done(), which undoes it all
 * if that was refused.
 */
bool sandbox_enter(const struct sock_fprog *filter);
void sandbox_done(bool refused);

#endif
