/*
 * Context: O.  Opens the symbols in .gnu_debugdata (LZMA), which Fedora's
 * stripped files have.  For object_files.c.
 */
#ifndef MINIDEBUG_H
#define MINIDEBUG_H

#include "elf/elf_file.h"

/*
 * Opens the ELF file inside the section .gnu_debugdata of `f`.  Returns 0,
 * -ENOENT if there is no such section, or -EINVAL if it holds no valid file.
 */
int minidebug_open(struct elf_file *mini, const struct elf_file *f);

#endif
