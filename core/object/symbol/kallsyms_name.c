/*
 * Context: O.  Names addresses of the kernel from /proc/kallsyms, for the model
 * (names/symbolize.c); see symbol_text.h.
 */
#include "symbol/kallsyms.h"
#include "symbol/symbol_text.h"

#include <errno.h>
#include <string.h>

/* Names one address, if a symbol holds it.  Returns 0 or -ENOMEM. */
static int
name_kernel_address(const struct kallsyms *k, struct symbol *asked,
    struct arena *arena)
{
	const struct kallsym *own = kallsyms_find(k, asked->address);

	if (own == NULL)
		return 0;
	asked->start = own->start;
	asked->start_known = true;
	asked->name = arena_copy(arena, own->name, strlen(own->name));
	return asked->name == NULL ? -ENOMEM : 0;
}

int
kallsyms_name(const char *path, struct symbol *asked, size_t count,
    struct arena *arena)
{
	struct kallsyms k = { 0 };
	int ret = kallsyms_read(&k, path);

	for (size_t i = 0; i < count && ret == 0; i++)
		ret = name_kernel_address(&k, &asked[i], arena);
	kallsyms_free(&k);
	return ret;
}
