/*
 * Context: O.  Opens the vdso of the tool itself, which is the one that a
 * profiled process had if the kernel is the same.  For names (object_files.c)
 * and for the sampler (code_file.c), which asks for the build-id.
 */
#ifndef OWN_VDSO_H
#define OWN_VDSO_H

#include "elf/elf_file.h"

/* Most bytes of a build-id. */
#define OWN_VDSO_BUILD_ID_MAX 32

/*
 * Opens the vdso in the memory of this process into *f, which the caller
 * closes.  Returns 0; -ENOENT if there is none; or -ENOEXEC if it is no ELF
 * file.
 */
int own_vdso_open(struct elf_file *f);

/*
 * Stores the build-id of the vdso in `id`, of OWN_VDSO_BUILD_ID_MAX bytes.
 * Returns its number of bytes, 0 if there is none.
 */
size_t own_vdso_build_id(unsigned char *id);

#endif
