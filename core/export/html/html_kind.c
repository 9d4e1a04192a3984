/*
 * Context: O.  Says whose code a function is, for html_tree.c; see html_kind.h.
 */
#include "html/html_kind.h"

#include "derive/module_origin.h"
#include "symbol/library_name.h"

/* Returns the kind of a module that is a file or the vdso. */
static enum html_kind
kind_of_file(const struct model *m, const struct model_module *module)
{
	switch (module_origin_find(module)) {
	case MODULE_ORIGIN_LIBC:
	case MODULE_ORIGIN_LOADER:
	case MODULE_ORIGIN_VDSO:
		return HTML_KIND_SYSTEM;
	default:
		return module_origin_is_program(m, module) ?
		    HTML_KIND_PROGRAM : HTML_KIND_LIBRARY;
	}
}

static enum html_kind
kind_of_module(const struct model *m, uint32_t module)
{
	const struct model_module *own = &m->modules[module];

	if (module == MODEL_MODULE_KERNEL || module == MODEL_MODULE_REBOOTED ||
	    (own->flags & FORMAT_M_KERNEL) != 0)
		return HTML_KIND_KERNEL;
	if (model_is_generated(module))
		return HTML_KIND_GENERATED;
	if (module < MODEL_MODULES)
		return HTML_KIND_UNKNOWN;
	return kind_of_file(m, own);
}

enum html_kind
html_kind_of_function(const struct model *m, uint32_t function)
{
	const struct model_function *f = &m->functions[function];
	const enum html_kind kind = kind_of_module(m, f->module);

	return kind == HTML_KIND_PROGRAM && library_name_is_standard(f->name) ?
	    HTML_KIND_STANDARD : kind;
}
