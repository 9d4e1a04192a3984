/*
 * Context: O.  Tells whose code a module is, for views, findings, the page and
 * charge_callers.c; see module_origin.h.
 */
#include "derive/module_origin.h"

#include <ctype.h>
#include <string.h>

/* Each name begins with an l, by which module_origin_find() leaves early. */
static const struct {
	const char *name;	/* without its ending and version */
	enum module_origin origin;
} libraries[] = {
	{ "libc", MODULE_ORIGIN_LIBC },
	{ "libm", MODULE_ORIGIN_LIBC },
	{ "libmvec", MODULE_ORIGIN_LIBC },
	{ "libpthread", MODULE_ORIGIN_LIBC },
	{ "libdl", MODULE_ORIGIN_LIBC },
	{ "librt", MODULE_ORIGIN_LIBC },
	{ "libresolv", MODULE_ORIGIN_LIBC },
	{ "ld", MODULE_ORIGIN_LOADER },
	{ "ld-linux", MODULE_ORIGIN_LOADER },
	{ "ld-linux-x86-64", MODULE_ORIGIN_LOADER },
	{ "ld-linux-aarch64", MODULE_ORIGIN_LOADER },
	{ "ld-musl-x86_64", MODULE_ORIGIN_LOADER },
	{ "ld-musl-aarch64", MODULE_ORIGIN_LOADER },
	{ "libstdc++", MODULE_ORIGIN_LIBSTDCXX },
	{ "libc++", MODULE_ORIGIN_LIBCXX },
	{ "libc++abi", MODULE_ORIGIN_LIBCXX },
	{ "libgcc_s", MODULE_ORIGIN_LIBGCC },
	{ "libjemalloc", MODULE_ORIGIN_ALLOCATOR },
	{ "libtcmalloc", MODULE_ORIGIN_ALLOCATOR },
	{ "libtcmalloc_minimal", MODULE_ORIGIN_ALLOCATOR },
	{ "libmimalloc", MODULE_ORIGIN_ALLOCATOR },
	{ "libmon", MODULE_ORIGIN_PROFILER },
};

/*
 * Returns whether `rest` ends the name of a library: ".so", or a version in the
 * name as in libc-2.31.so.  libc-client.so is another library.
 */
static bool
is_ending(const char *rest)
{
	return strncmp(rest, ".so", 3) == 0 ||
	    (rest[0] == '-' && isdigit((unsigned char)rest[1]));
}

enum module_origin
module_origin_find(const struct model_module *module)
{
	if ((module->flags & FORMAT_M_OURS) != 0)
		return MODULE_ORIGIN_PROFILER;
	if ((module->flags & FORMAT_M_VDSO) != 0 ||
	    strcmp(module->name, "[vdso]") == 0)
		return MODULE_ORIGIN_VDSO;
	if (module->name[0] != 'l')
		return MODULE_ORIGIN_USER;
	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++) {
		const size_t bytes = strlen(libraries[i].name);

		if (strncmp(module->name, libraries[i].name, bytes) == 0 &&
		    is_ending(module->name + bytes))
			return libraries[i].origin;
	}
	return MODULE_ORIGIN_USER;
}

bool
module_origin_is_cxx(const struct model_module *module)
{
	const enum module_origin origin = module_origin_find(module);

	return origin == MODULE_ORIGIN_LIBSTDCXX ||
	    origin == MODULE_ORIGIN_LIBCXX;
}

bool
module_origin_is_program(const struct model *m,
    const struct model_module *module)
{
	if ((module->flags & FORMAT_M_MAIN) != 0)
		return true;
	for (size_t i = 0; i < m->process_count; i++)
		if (strcmp(m->processes[i].program, module->name) == 0)
			return true;
	return false;
}
