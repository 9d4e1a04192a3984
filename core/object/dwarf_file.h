/* Context: O.  The debug information of an ELF file. */
#ifndef DWARF_FILE_H
#define DWARF_FILE_H

#include "elf_file.h"
#include "lines.h"

#include <elfutils/libdw.h>

struct dwarf_file {
	Dwarf *dwarf;
	struct elf_file alt;	/* what dwz took out of several */
	Dwarf *alt_dwarf;
};

/*
 * Opens the debug information of a file.  Returns 0, or -ENOENT if it has none
 * that can be read.  *fault says which part cannot be read, even if the rest
 * can.
 */
int dwarf_file_open(struct dwarf_file *d, const struct elf_file *f,
    enum lines_fault *fault);
void dwarf_file_close(struct dwarf_file *d);

#endif
