/*
 * Context: O.  Gives each module a range of addresses of its own, for export
 * formats that know only one process: in several processes, the same address
 * can belong to different modules.  The kernel and programs that are not
 * position-independent keep their addresses.
 */
#ifndef ADDRESS_LAYOUT_H
#define ADDRESS_LAYOUT_H

#include "base/model.h"
#include "elf/elf_layout.h"

/* The range of a module. */
struct address_layout_module {
	bool used;
	uint64_t shift;		/* what is added to an address of the module */
	/* range of its code in the layout, whole pages */
	uint64_t start, limit;
	uint64_t offset;	/* offset of `start` in its file */
};

/*
 * Returns the ranges of all modules, indexed by module, to be freed with
 * free(3).  used[] says which modules need a range.  Returns NULL if memory is
 * out.
 */
struct address_layout_module *address_layout_make(const struct model *m,
    const bool *used);

/*
 * Sets *p to the layout of the object that ran, also for object_profile.c.
 * Returns false if its file is gone or is another build; then *p is not to be
 * used.  Without a build-id the file is assumed to be the same.
 */
bool address_layout_program(const struct model_module *module,
    struct elf_layout *p);

#endif
