/*
 * Context: T.  Reads variables of the environment, also before libc has set it
 * up; see environment.h.
 */
#include "options/environment.h"

#include "base/str.h"
#include "base/sys.h"
#include "module/proc_info.h"

#include <stddef.h>
#include <sys/syscall.h>

char **
environment_find(char **environment, const char *head)
{
	char **e;

	for (e = environment; e != NULL && *e != NULL; e++)
		if (str_begins(*e, head))
			return e;
	return NULL;
}

const char *
environment_get(char **environment, const char *head)
{
	char **e = environment_find(environment, head);

	return e == NULL ? NULL : *e + str_length(head);
}

bool
environment_is_of_profiled(void)
{
	int parent = (int)SYS(getppid, 0, 0, 0, 0, 0, 0);
	char maps[4096];

	return proc_info_has_libmon(parent, maps, sizeof(maps));
}
