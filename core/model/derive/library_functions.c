/*
 * Context: O.  Says which functions are of standard libraries, for prof's trees
 * (cmd/prof/report.c), graphs (view/stack/graph.c) and heap summary
 * (view/heap/heap_summary.c); see library_functions.h.
 */
#include "derive/library_functions.h"

#include "derive/module_origin.h"
#include "symbol/library_name.h"

#include <stdlib.h>

/*
 * Returns whether a function lies in the C++ library and has no name.  One with
 * a name is judged by the name: operator new and functions of the ABI, such as
 * __cxa_throw, say what was done, and are not folded.
 */
static bool
is_nameless_in_cxx(const struct model *m, const struct model_function *f)
{
	return !f->named && module_origin_is_cxx(&m->modules[f->module]);
}

/*
 * Returns by function whether it is of a standard library, to be freed by the
 * caller; NULL without memory.
 */
bool *
library_functions_make(const struct model *m)
{
	/* + 1: calloc(0) may return NULL. */
	bool *library = calloc(m->function_count + 1, sizeof(*library));

	for (size_t i = 0; i < m->function_count && library != NULL; i++)
		library[i] = library_name_is_standard(m->functions[i].name) ||
		    is_nameless_in_cxx(m, &m->functions[i]);
	return library;
}

/*
 * Returns whether a function only starts the program or a thread, such as
 * _start and start_thread; a function of the C++ library without a name is
 * taken for one.
 */
bool
library_functions_is_start(const struct model *m, uint32_t function)
{
	const struct model_function *f = &m->functions[function];

	return is_nameless_in_cxx(m, f) || library_name_is_start(f->name);
}

/* Returns whether a module is libc, the dynamic linker or the C++ library. */
static bool
is_system(const struct model_module *module)
{
	const enum module_origin origin = module_origin_find(module);

	return origin == MODULE_ORIGIN_LIBC ||
	    origin == MODULE_ORIGIN_LOADER || module_origin_is_cxx(module);
}

/*
 * Returns as library_functions_make(), and true also for all functions of libc,
 * of the dynamic linker and of the C++ library.
 */
bool *
library_functions_make_system(const struct model *m)
{
	bool *library = library_functions_make(m);

	for (size_t i = 0; i < m->function_count && library != NULL; i++)
		library[i] |= is_system(&m->modules[m->functions[i].module]);
	return library;
}
