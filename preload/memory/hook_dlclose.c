/*
 * Context: T.  Hooks dlclose(), because it may unmap code; its calls may nest.
 * dlopen() has no hook: libc looks at its caller for RUNPATH and $ORIGIN, and a
 * new object is found when a tick first hits it.
 */
#include "base/profiling.h"
#include "base/state.h"
#include "hook.h"
#include "module/modules.h"

#include <dlfcn.h>
#include <elf.h>

/*
 * The layout of struct dl_phdr_info, which <link.h> defines; this file does not
 * include that.
 */
struct objects {
	Elf64_Addr address;
	const char *name;
	const Elf64_Phdr *headers;
	Elf64_Half count;
	unsigned long long adds, subs;
};

/*
 * Stores the number of unloaded objects in *subs.  Returns 1: the first object
 * is enough.
 */
static int
read_unload_count(struct dl_phdr_info *info, size_t bytes, void *subs)
{
	const struct objects *o = (const void *)info;

	if (bytes >= sizeof(*o))
		*(unsigned long long *)subs = o->subs;
	return 1;
}

/*
 * Returns how many objects were ever unloaded.  Most calls of dlclose() unload
 * none, and only decrease a number of users.
 */
static unsigned long long
count_unloads(void)
{
	unsigned long long subs = 0;

	REAL(dl_iterate_phdr)(read_unload_count, &subs);
	return subs;
}

/*
 * Calls the real dlclose(), and makes the table of modules forget the objects
 * that it unmapped.
 */
MON_EXPORT int
dlclose(void *handle)
{
	unsigned long long before;
	int ret;
	bool gone;

	real_begin();
	if (!profiling_is_active())
		return REAL(dlclose)(handle);
	before = count_unloads();
	modules_unload_begin();
	ret = REAL(dlclose)(handle);
	gone = count_unloads() != before;
	modules_unloaded(gone);
	/*
	 * Calls of code that is mapped there next must not be counted for what
	 * was there.
	 */
	if (gone && atomic_load(&mon->shards) != NULL)
		modules_refresh();
	return ret;
}
