/*
 * Context: T.  The first call of an allocation function, which can be the loader's,
 * before our constructor: where do they go?
 */
#include "heapway.h"
#include "hook.h"
#include "loaded.h"

#include <dlfcn.h>
#include <elf.h>
#include <sys/auxv.h>

void heap_first(void);

static bool
look_behind(void)
{
	if (loaded_first == NULL)
		loaded_begin((const Elf64_Phdr *)getauxval(AT_PHDR),
		    getauxval(AT_PHNUM));
	return heap_look_behind();
}

/* Where there is no list of the loader's, its lookup is taken. */
static void
look_up(void)
{
	unsigned i;

	for (i = 0; i < HEAP_COUNT; i++)
		heap_real[i] = dlsym(RTLD_NEXT, heap_names[i]);
}

void
heap_first(void)
{
	int saved = errno;

	if (!look_behind())
		look_up();
	heap_lead();
	errno = saved;
}
