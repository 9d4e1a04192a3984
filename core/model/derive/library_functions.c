/*
 * Context: O.  Tells functions of standard libraries, for prof's trees, graphs
 * and summary of the heap; see library_functions.h.
 */
#include "derive/library_functions.h"

#include "derive/module_origin.h"
#include "symbol/library_name.h"

#include <stdlib.h>

/*
 * Functions without a name are of the module.  operator new and those of the
 * ABI are named, and say what was done.
 */
static bool
is_nameless_standard(const struct model *m, const struct model_function *f)
{
	return !f->named && module_origin_is_cxx(&m->modules[f->module]);
}

bool *
library_functions_make(const struct model *m)
{
	bool *library = calloc(m->function_count + 1, sizeof(*library));

	for (size_t i = 0; i < m->function_count && library != NULL; i++)
		library[i] = library_name_is_standard(m->functions[i].name) ||
		    is_nameless_standard(m, &m->functions[i]);
	return library;
}

bool
library_functions_is_start(const struct model *m, uint32_t function)
{
	const struct model_function *f = &m->functions[function];

	return is_nameless_standard(m, f) || library_name_is_start(f->name);
}

/* Returns whether a module is libc, the dynamic linker or the C++ library. */
static bool
is_system(const struct model_module *module)
{
	const enum module_origin origin = module_origin_find(module);

	return origin == MODULE_ORIGIN_LIBC ||
	    origin == MODULE_ORIGIN_LOADER || module_origin_is_cxx(module);
}

bool *
library_functions_make_system(const struct model *m)
{
	bool *library = library_functions_make(m);

	for (size_t i = 0; i < m->function_count && library != NULL; i++)
		library[i] |= is_system(&m->modules[m->functions[i].module]);
	return library;
}
