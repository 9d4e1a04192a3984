/* Context: O.  The symbols in .gnu_debugdata (LZMA), as Fedora strips. */
#ifndef MINIDEBUG_H
#define MINIDEBUG_H

#include "elf_file.h"

/* The file inside the file.  0, -ENOENT or -EINVAL: there, but no such file. */
int minidebug_open(struct elf_file *mini, const struct elf_file *f);

#endif
