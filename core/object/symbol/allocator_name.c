/*
 * Context: O.  Tells functions that allocate by name, for skip_allocators.c and
 * the findings of core/view; see allocator_name.h.
 */
#include "symbol/allocator_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct allocator_word {
	const char *name;
	enum allocator_name kind;
};

/* Beginnings of names. */
static const struct allocator_word beginnings[] = {
	{ "_Znw", ALLOCATOR_NAME_REQUEST },
	{ "_Zna", ALLOCATOR_NAME_REQUEST },
	{ "operator new", ALLOCATOR_NAME_REQUEST },
	{ "__rust_alloc", ALLOCATOR_NAME_REQUEST },
	{ "__rust_realloc", ALLOCATOR_NAME_REQUEST },
	{ "__rdl_alloc", ALLOCATOR_NAME_REQUEST },
	{ "__rdl_realloc", ALLOCATOR_NAME_REQUEST },
	{ "runtime.mallocgc", ALLOCATOR_NAME_REQUEST },
	{ "runtime.newobject", ALLOCATOR_NAME_REQUEST },
	{ "runtime.makeslice", ALLOCATOR_NAME_REQUEST },
	{ "runtime.growslice", ALLOCATOR_NAME_REQUEST },
	{ "_Zdl", ALLOCATOR_NAME_RELEASE },
	{ "_Zda", ALLOCATOR_NAME_RELEASE },
	{ "operator delete", ALLOCATOR_NAME_RELEASE },
	{ "__rust_dealloc", ALLOCATOR_NAME_RELEASE },
	{ "__rdl_dealloc", ALLOCATOR_NAME_RELEASE },
	{ "runtime.gcAssistAlloc", ALLOCATOR_NAME_PART },
	{ "_int_malloc", ALLOCATOR_NAME_PART },
	{ "_int_free", ALLOCATOR_NAME_PART },
	{ "_int_realloc", ALLOCATOR_NAME_PART },
	{ "_int_memalign", ALLOCATOR_NAME_PART },
	{ "malloc_consolidate", ALLOCATOR_NAME_PART },
	{ "sysmalloc", ALLOCATOR_NAME_PART },
	{ "systrim", ALLOCATOR_NAME_PART },
	{ "tcache_", ALLOCATOR_NAME_PART },
	{ "unlink_chunk", ALLOCATOR_NAME_PART },
};

/* Whole names, also with "__" or "__libc_" before them. */
static const struct allocator_word names[] = {
	{ "malloc", ALLOCATOR_NAME_REQUEST },
	{ "calloc", ALLOCATOR_NAME_REQUEST },
	{ "realloc", ALLOCATOR_NAME_REQUEST },
	{ "reallocarray", ALLOCATOR_NAME_REQUEST },
	{ "memalign", ALLOCATOR_NAME_REQUEST },
	{ "aligned_alloc", ALLOCATOR_NAME_REQUEST },
	{ "posix_memalign", ALLOCATOR_NAME_REQUEST },
	{ "valloc", ALLOCATOR_NAME_REQUEST },
	{ "pvalloc", ALLOCATOR_NAME_REQUEST },
	{ "strdup", ALLOCATOR_NAME_COPY },
	{ "strndup", ALLOCATOR_NAME_COPY },
	{ "wcsdup", ALLOCATOR_NAME_COPY },
	{ "free", ALLOCATOR_NAME_RELEASE },
	{ "cfree", ALLOCATOR_NAME_RELEASE },
};

/* Most names of C++ programs: no operator new or delete. */
static bool
is_other_mangled(const char *name)
{
	return name[0] == '_' && name[1] == 'Z' && name[2] != 'n' &&
	    name[2] != 'd';
}

enum allocator_name
allocator_name_find(const char *name)
{
	size_t bytes;

	if (is_other_mangled(name))
		return ALLOCATOR_NAME_NONE;
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (*name == *beginnings[i].name && strncmp(name,
		    beginnings[i].name, strlen(beginnings[i].name)) == 0)
			return beginnings[i].kind;
	if (strncmp(name, "__libc_", 7) == 0)
		name += 7;
	else if (strncmp(name, "__", 2) == 0)
		name += 2;
	/* malloc@plt is the stub through which it is called. */
	bytes = strcspn(name, "@");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (*name == *names[i].name &&
		    strncmp(name, names[i].name, bytes) == 0 &&
		    names[i].name[bytes] == '\0')
			return names[i].kind;
	return ALLOCATOR_NAME_NONE;
}
