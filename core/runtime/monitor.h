/* Context: T.  monitor(3C); doc/internals.md, section 16. */
#ifndef MONITOR_H
#define MONITOR_H

#include "mon.h"

#include <stdbool.h>

/* profil(2) as the program would call it. */
typedef int monitor_profil(unsigned short *, size_t, size_t, unsigned);

/*
 * monitor(3C) with a range.  The buffer is monitor's from here on.  Is this the
 * first that was begun?
 */
bool monitor_start(char *low, char *high, WORD *buffer, size_t words,
    size_t cells, monitor_profil *profil);

/*
 * Stop the histogram, or let it go on, and write the file; *path is its name.
 * 0 or -errno; 0 too where nothing was begun.
 */
int monitor_write(bool stop, const char **path);

/* The process ends: what was begun and never ended is written. */
void monitor_end(void);

/* It may end here, or go on.  From signal handlers too. */
void monitor_save(void);

/* moncontrol: 0 or 1, what it was, or -1 where nothing was begun. */
int monitor_control(int mode);

#endif
