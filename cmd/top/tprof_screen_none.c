/*
 * Context: O.  No terminal, for a build without curses: tprof_top.c then prints
 * one interval as text; see tprof_screen.h.
 */
#include "top/tprof_screen.h"

bool
tprof_screen_begin(void)
{
	return false;
}

void
tprof_screen_end(void)
{
}

void
tprof_screen_resize(void)
{
}

void
tprof_screen_size(int *columns, int *rows)
{
	*columns = *rows = 0;
}

void
tprof_screen_draw(const char *text)
{
	(void)text;
}

int
tprof_screen_key(void)
{
	return -1;
}
