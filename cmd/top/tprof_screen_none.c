/*
 * Context: O.  Stubs of the screen for a build without curses:
 * tprof_screen_begin() fails, so tprof_top.c prints one refresh as text and
 * calls no other function of these; see tprof_screen.h.
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
