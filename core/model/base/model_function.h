/*
 * Context: O.  Functions and source lines of the model; model.h includes it for
 * all.  symbolize_all() makes them.
 */
#ifndef MODEL_FUNCTION_H
#define MODEL_FUNCTION_H

#include <stdbool.h>
#include <stdint.h>

/* A function, or its substitute where no symbol is known. */
struct model_function {
	uint32_t module;
	uint64_t start;
	/* as stored in the symbol table, or module+0xoffset */
	const char *name;
	const char *shown;	/* demangled when first asked for; or NULL */
	/* demangled with parameters, when first asked for; or NULL */
	const char *full;
	bool named;		/* false: no symbol contains it */
};

/*
 * A function at an address, with its source line.  Scopes of an address are
 * stored together: inlined functions first, innermost first, and the compiled
 * function last.  The line of a scope is where the scope before it was inlined.
 */
struct model_scope {
	uint32_t file;	/* index in model.sources; MODEL_NONE = not known */
	uint32_t line;		/* 0 = not known */
	uint32_t function;
};

#endif
