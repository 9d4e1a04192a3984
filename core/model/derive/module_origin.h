/*
 * Context: O.  Tells by the file name and the flags of a module whose code it
 * is.  Folds (library_functions.c), --mine (charge_callers.c), findings, the
 * summary of the heap and the page ask here which modules are libraries of the
 * system, so that they agree.
 */
#ifndef MODULE_ORIGIN_H
#define MODULE_ORIGIN_H

#include "base/model.h"

/* Who provides the code of a module. */
enum module_origin {
	/* the user: the program itself, or a library that is no other kind */
	MODULE_ORIGIN_USER = 0,
	MODULE_ORIGIN_LIBC,	/* the C library and its parts, as libm */
	MODULE_ORIGIN_LOADER,	/* the dynamic linker */
	MODULE_ORIGIN_VDSO,
	MODULE_ORIGIN_LIBSTDCXX,	/* the C++ library of GCC */
	MODULE_ORIGIN_LIBCXX,	/* the C++ library of LLVM, with its ABI */
	MODULE_ORIGIN_LIBGCC,	/* the compiler's own functions */
	MODULE_ORIGIN_ALLOCATOR,	/* a replacement of malloc() */
	MODULE_ORIGIN_PROFILER,	/* libmon.so */
};

/*
 * Returns the origin of a module.  Any module of the model may be asked for:
 * the kernel, generated code and places without a module are
 * MODULE_ORIGIN_USER, too.  The version in a name does not matter: libc.so.6 is
 * as libc-2.31.so.
 */
enum module_origin module_origin_find(const struct model_module *module);

/* Returns whether the module is one of the two C++ libraries. */
bool module_origin_is_cxx(const struct model_module *module);

/*
 * Returns whether the module is the executable of a process of the model.
 * Files of other profilers do not mark it: there the name of the program tells
 * it.
 */
bool module_origin_is_program(const struct model *m,
    const struct model_module *module);

#endif
