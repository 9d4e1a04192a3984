/*
 * Context: O.  Stands for event_pfm.c in a build without libpfm4: no names of
 * processors' manuals are known; see event.h.
 */
#include "event/event.h"

bool
event_find_pfm(struct event *e, const char *name)
{
	(void)e;
	(void)name;
	return false;
}

void
event_list_pfm(event_visit *each, void *arg)
{
	(void)each;
	(void)arg;
}
