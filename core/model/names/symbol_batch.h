/*
 * Context: O.  A batch of rows whose functions are looked up at once: collect
 * the addresses, name them, assign the functions.  For symbolize.c;
 * profiler_functions.c adds a function, too.
 */
#ifndef SYMBOL_BATCH_H
#define SYMBOL_BATCH_H

#include "base/model.h"
#include "dwarf/lines.h"

/* Rows of one module and, if model_is_absolute(module), of one process. */
struct symbol_batch {
	struct model_row *rows;
	size_t count;
	/* distinct addresses of the rows, ascending; allocated */
	struct symbol *asked;
	size_t asked_count;
	struct lines lines;	/* of these symbols, where lines are kept */
};

/*
 * Collects the addresses of the rows, of which there is at least one, in
 * b->asked, without names; the caller frees it.  Returns 0 or -ENOMEM.
 */
int symbol_batch_collect(struct symbol_batch *b);

/*
 * Makes the functions of the asked symbols, which have their names now, and
 * sets function, module and scopes of the rows.  `module` is the module of all
 * of them.  Returns 0 or -ENOMEM.
 */
int symbol_batch_assign(struct model *m, struct symbol_batch *b,
    uint32_t module);

/*
 * Appends a function to the model.  `name` must live as long as the model.
 * Returns 0, or -ENOMEM, also if `name` is NULL.
 */
int symbol_batch_add_function(struct model *m, uint32_t module, uint64_t start,
    const char *name, bool named);

#endif
