/* Context: O.  The functions that are inlined at the places of a module. */
#ifndef INLINES_H
#define INLINES_H

#include "base/model.h"
#include "hash_index.h"

struct inlines {
	struct model *model;
	uint32_t module;
	struct hash_index by_name;	/* its functions */
};

/*
 * Those of the module that have a name already, from function `first` on, are
 * the same when they are inlined.  0 or -ENOMEM.
 */
int inlines_begin(struct inlines *in, struct model *m, uint32_t module,
    size_t first);

/*
 * What the lines say of address i, whose function is that one, into the model's
 * scopes; the row, or any like it, has them.  0 or -ENOMEM.
 */
int inlines_add(struct inlines *in, const struct lines *l, size_t i,
    uint32_t function, struct model_row *row);
void inlines_end(struct inlines *in);

#endif
