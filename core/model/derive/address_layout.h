/*
 * Context: O.  A place for each module, as formats want them that know one
 * process: in many the same address is of several.
 */
#ifndef ADDRESS_LAYOUT_H
#define ADDRESS_LAYOUT_H

#include "base/model.h"
#include "elf_layout.h"

struct address_layout_module {
	bool used;
	uint64_t shift;		/* to an address of it: where it is here */
	uint64_t start, limit;	/* of its code here, whole pages ... */
	uint64_t offset;	/* ... and in its file */
};

/* By module.  NULL: no memory.  For free(3). */
struct address_layout_module *address_layout_make(const struct model *m,
    const bool *used);

/* The object that ran; false where its file is not there any more. */
bool address_layout_program(const struct model_module *module,
    struct elf_layout *p);

#endif
