/*
 * Context: O.  Adds the functions that are inlined at places of a module to the
 * model, for symbol_batch.c.
 */
#ifndef INLINES_H
#define INLINES_H

#include "base/model.h"
#include "base/hash_index.h"

/* State for one module. */
struct inlines {
	struct model *model;
	uint32_t module;
	struct hash_index by_name;	/* functions of the module */
};

/*
 * Begins the state for a module.  Functions of the module from number `first`
 * on that have a name are used again where a function of that name is inlined.
 * Returns 0 or -ENOMEM; call inlines_end() in either case.
 */
int inlines_begin(struct inlines *in, struct model *m, uint32_t module,
    size_t first);

/*
 * Adds scopes to the model for address i of *l, and sets scope and scopes of
 * *row to them.  `function` is the function that contains the address.  Texts
 * of *l are not copied and must outlive the model.  Returns 0 or -ENOMEM.
 */
int inlines_add(struct inlines *in, const struct lines *l, size_t i,
    uint32_t function, struct model_row *row);

/* Frees the state. */
void inlines_end(struct inlines *in);

#endif
