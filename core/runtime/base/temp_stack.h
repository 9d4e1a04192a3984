/* Context: T.  Calls on a stack of our own. */
#ifndef TEMP_STACK_H
#define TEMP_STACK_H

/*
 * Calls fn(arg) on a stack of 64 KiB that is made for it, because the caller's
 * may be that of a fibre, of a thread or of a signal handler, of 8 KiB.
 * Returns 0, or -ENOMEM: fn was not called.  Safe in signal handlers.
 */
int temp_stack_call(void (*fn)(void *), void *arg);

#endif
