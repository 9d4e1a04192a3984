/* Context: O.  Tests of core/object/symbol/allocator_name.c. */
#include "symbol/allocator_name.h"

#include <criterion/criterion.h>

Test(allocator_name, tells_what_a_function_does)
{
	static const struct {
		const char *name;
		enum allocator_name kind;
	} names[] = {
		{ "malloc", ALLOCATOR_NAME_REQUEST },
		{ "malloc@plt", ALLOCATOR_NAME_REQUEST },
		{ "malloc@@GLIBC_2.2.5", ALLOCATOR_NAME_REQUEST },
		{ "__libc_calloc", ALLOCATOR_NAME_REQUEST },
		{ "__posix_memalign", ALLOCATOR_NAME_REQUEST },
		{ "_Znwm", ALLOCATOR_NAME_REQUEST },
		{ "_ZnamSt11align_val_t", ALLOCATOR_NAME_REQUEST },
		{ "operator new[](unsigned long)", ALLOCATOR_NAME_REQUEST },
		{ "__rust_alloc_zeroed", ALLOCATOR_NAME_REQUEST },
		{ "__rdl_realloc", ALLOCATOR_NAME_REQUEST },
		{ "runtime.mallocgc", ALLOCATOR_NAME_REQUEST },
		{ "strdup", ALLOCATOR_NAME_COPY },
		{ "__strdup", ALLOCATOR_NAME_COPY },
		{ "free", ALLOCATOR_NAME_RELEASE },
		{ "_ZdlPvm", ALLOCATOR_NAME_RELEASE },
		{ "__rdl_dealloc", ALLOCATOR_NAME_RELEASE },
		{ "_int_malloc", ALLOCATOR_NAME_PART },
		{ "tcache_init", ALLOCATOR_NAME_PART },
		{ "sysmalloc.constprop.0", ALLOCATOR_NAME_PART },
		{ "my_malloc", ALLOCATOR_NAME_NONE },
		{ "malloc_usable_size", ALLOCATOR_NAME_NONE },
		{ "mall", ALLOCATOR_NAME_NONE },
		{ "freeaddrinfo", ALLOCATOR_NAME_NONE },
		{ "@plt", ALLOCATOR_NAME_NONE },
		{ "__", ALLOCATOR_NAME_NONE },
		{ "", ALLOCATOR_NAME_NONE },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		cr_expect_eq(allocator_name_find(names[i].name), names[i].kind,
		    "%s", names[i].name);
}
