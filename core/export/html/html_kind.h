/*
 * Context: O.  Says whose code a function is, so that the page can give the
 * program, its libraries and the system different colors.  For html_tree.c;
 * KINDS of palette.js is in the order of these numbers.
 */
#ifndef HTML_KIND_H
#define HTML_KIND_H

#include "base/model.h"

/* Kinds of code; the page has them as these numbers. */
enum html_kind {
	HTML_KIND_PROGRAM,	/* an executable */
	HTML_KIND_LIBRARY,
	HTML_KIND_SYSTEM,	/* the C library, its loader and the vdso */
	HTML_KIND_KERNEL,
	HTML_KIND_GENERATED,	/* code made at run time */
	HTML_KIND_UNKNOWN,	/* stands for what is in no module */
	/* a standard library compiled into the program: shown as a library */
	HTML_KIND_STANDARD,
};

/* Returns the kind of a function of the model. */
enum html_kind html_kind_of_function(const struct model *m, uint32_t function);

#endif
