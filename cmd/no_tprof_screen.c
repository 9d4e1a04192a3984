/* Context: O.  No terminal: this build has no curses. */
#include "tprof_screen.h"

bool
screen_begin(void)
{
	return false;
}

void
screen_end(void)
{
}

void
screen_resize(void)
{
}

void
screen_size(int *columns, int *rows)
{
	*columns = *rows = 0;
}

void
screen_draw(const char *text)
{
	(void)text;
}

int
screen_key(void)
{
	return -1;
}
