/* Context: T.  monitor(3C); doc/internals.md, section 16. */
#ifndef MONITOR_H
#define MONITOR_H

#include "mon.h"

#include <stdbool.h>

/* What stands above this layer. */
struct monitor_calls {
	/* profil(2) as the program would call it. */
	int (*profil)(unsigned short *, size_t, size_t, unsigned);
	/* perror(3) with that errno, in a signal handler too. */
	void (*complain)(int error, const char *path);
};

/*
 * monitor(3C) with a range.  The buffer is monitor's until it stops.  Is this
 * the first since?
 */
bool monitor_start(char *low, char *high, WORD *buffer, size_t words,
    size_t cells, const struct monitor_calls *calls);

/*
 * Write the file, if something was begun, and stop, or let it go on.  From
 * signal handlers too.
 */
void monitor_write(bool stop);

/* The process ends: the same, by who began it. */
void monitor_end(void);

/* It may end here, or go on. */
void monitor_save(void);

/* moncontrol: 0 or 1, what it was, or -1 where nothing was begun. */
int monitor_control(int mode);

#endif
