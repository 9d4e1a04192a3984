/*
 * Context: T.  Finds libc's own functions, for which the hooks stand, and
 * starts the library at the first call of a hook; real.h tells which functions
 * are found when, and why.
 */
#include "real.h"

#include "life/start.h"
#include "module/link_map.h"
#include "module/proc_info.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/auxv.h>

extern char **environ;

struct real real;

static bool found;

/* Fills `real` with the EARLY functions.  Changes errno. */
static void
find_early_functions(void)
{
	found = true;
#define REAL_FIND(result, name, arguments) \
	real.name = (result (*) arguments)dlsym(RTLD_NEXT, #name);
	REAL_EARLY(REAL_FIND)
#undef REAL_FIND
}

void
real_find_late(void **place, const char *name)
{
	if (*place == NULL)
		*place = dlsym(RTLD_NEXT, name);
}

void
real_begin(void)
{
	int saved;

	if (found)
		return;
	saved = errno;
	find_early_functions();
	errno = saved;
	/*
	 * In a .preinit_array libc has no environment yet: the constructor
	 * starts the library then.
	 */
	if (environ != NULL)
		start_library(environ);
}

void
real_find_objects(void)
{
	if (link_map_first == NULL)
		link_map_init((const Elf64_Phdr *)getauxval(AT_PHDR),
		    getauxval(AT_PHNUM), getauxval(AT_EXECFN));
}

void *
real_find_next(const char *name)
{
	int saved = errno;
	void *function;

	real_find_objects();
	function = link_map_next_function(name);
	if (function == NULL)
		function = dlsym(RTLD_NEXT, name);
	errno = saved;
	return function;
}

/* Room for the kernel's list of pairs, up to AT_NULL: some 20 pairs. */
#define AUXV_BYTES	1024u

void *
real_find_unrelocated(const char *name)
{
	uint64_t words[AUXV_BYTES / 8], headers = 0, count = 0;
	long n = proc_info_read("/proc/self/auxv", (char *)words,
	    sizeof(words)), i;

	for (i = 0; i + 1 < n / 8; i += 2) {
		if (words[i] == AT_PHDR)
			headers = words[i + 1];
		if (words[i] == AT_PHNUM)
			count = words[i + 1];
	}
	if (headers == 0)
		return NULL;
	link_map_init((const Elf64_Phdr *)headers, count, 0);
	return link_map_next_function(name);
}
