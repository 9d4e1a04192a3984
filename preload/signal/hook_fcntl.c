/*
 * Context: T.  Hook of fcntl(2): F_SETSIG makes a descriptor send a signal.  If
 * it is the signal of the ticks, these move to another one first.
 */
#include "hook.h"
#include "signal/signal_move.h"

#include <stdarg.h>
#include <stdint.h>

MON_EXPORT int
fcntl(int fd, int command, ...)
{
	va_list ap;
	void *a;

	/* An int, a pointer or nothing: libc also reads a pointer. */
	va_start(ap, command);
	a = va_arg(ap, void *);
	va_end(ap);
	real_begin();
	if (command == F_SETSIG)
		signal_move_if_used((int)(intptr_t)a);
	return real.fcntl(fd, command, a);
}

MON_EXPORT int fcntl64(int fd, int command, ...)
    __attribute__((alias("fcntl")));
