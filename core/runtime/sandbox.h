/* Context: T.  A seccomp filter is coming. */
#ifndef SANDBOX_H
#define SANDBOX_H

struct sock_fprog;

/*
 * Make now all that will be needed, and make no system call from here on but
 * the return from a handler; where the filter forbids even that, the clocks
 * stop.  filter: NULL for strict mode.  Undone if the call fails.
 */
void sandbox_enter(const struct sock_fprog *filter);
void sandbox_failed(void);

#endif
