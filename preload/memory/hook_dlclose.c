/*
 * Context: T.  dlclose may unmap text.  dlopen is left alone: libc looks at its
 * caller for RUNPATH and $ORIGIN, and a new object is found when a tick first
 * hits it.
 */
#include "base/state.h"
#include "hook.h"
#include "life/start.h"
#include "module/modules.h"

#include <dlfcn.h>
#include <elf.h>

/* As <link.h> has it, which a header of ours hides. */
struct objects {
	Elf64_Addr address;
	const char *name;
	const Elf64_Phdr *headers;
	Elf64_Half count;
	unsigned long long adds, subs;
};

static int
read_unload_count(struct dl_phdr_info *info, size_t bytes, void *subs)
{
	const struct objects *o = (const void *)info;

	if (bytes >= sizeof *o)
		*(unsigned long long *)subs = o->subs;
	return 1;
}

/* How many objects were ever unloaded: most calls only count a user less. */
static unsigned long long
count_unloads(void)
{
	unsigned long long subs = 0;

	REAL(dl_iterate_phdr)(read_unload_count, &subs);
	return subs;
}

MON_EXPORT int
dlclose(void *handle)
{
	unsigned long long before;
	int ret;
	bool gone;

	real_begin();
	if (!start_active())
		return REAL(dlclose)(handle);
	before = count_unloads();
	modules_unload_begin();
	ret = REAL(dlclose)(handle);
	gone = count_unloads() != before;
	modules_unloaded(gone);
	/* No call of what comes there next may count for what was there. */
	if (gone && atomic_load(&mon->shards) != NULL)
		modules_refresh();
	return ret;
}
