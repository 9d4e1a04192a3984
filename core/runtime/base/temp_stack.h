/*
 * Context: T.  Calls a function on a temporary stack: the writers of classic
 * files (classic/format_writers.c, classic/monitor.c), also at an exec and in a
 * handler of a signal that kills.
 */
#ifndef TEMP_STACK_H
#define TEMP_STACK_H

/*
 * Calls fn(arg) on a stack of 64 KiB that is mapped for the call, because the
 * caller may run on the stack of a fiber, a thread or a signal handler of 8
 * KiB.  Returns 0, or -ENOMEM if fn was not called.  Safe in signal handlers.
 */
int temp_stack_call(void (*fn)(void *), void *arg);

#endif
