/*
 * Context: O.  Gives modules ranges of addresses of their own, for export
 * formats that know only one process: in several processes, the same address
 * can belong to different modules.  Kernels of the input files and programs
 * that are not position-independent keep their addresses.  The fixed modules
 * (below MODEL_MODULES), the running kernel among them, get no range and keep
 * their addresses, too.  For sample_paths.c; object_profile.c asks for the
 * layout of a file only.
 */
#ifndef ADDRESS_LAYOUT_H
#define ADDRESS_LAYOUT_H

#include "base/model.h"
#include "elf/elf_layout.h"

/* The range of a module.  If `used` is false, only `shift`, 0, is meant. */
struct address_layout_module {
	bool used;
	uint64_t shift;		/* what is added to an address of the module */
	/* range of its code in the layout, whole pages */
	uint64_t start, limit;
	uint64_t offset;	/* offset of `start` in its file */
};

/*
 * Returns the ranges of all modules, indexed by module, to be freed with
 * free(3).  used[] says which modules need a range; the fixed modules are
 * ignored in it.  Opens the files of these modules.  To be called after
 * symbolize_all().  Returns NULL if memory is out.
 */
struct address_layout_module *address_layout_make(const struct model *m,
    const bool *used);

/*
 * Sets *p to the layout of the file at the module's path, which should be the
 * object that ran.  Returns false if there is no such file or it has another
 * build-id; then *p is not to be used.  Without a build-id in the profile the
 * file is assumed to be the same.
 */
bool address_layout_read(const struct model_module *module,
    struct elf_layout *p);

#endif
