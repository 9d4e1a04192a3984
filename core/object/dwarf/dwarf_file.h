/*
 * Context: O.  Opens the debug information of an ELF file through libdw, for
 * lines.c.
 */
#ifndef DWARF_FILE_H
#define DWARF_FILE_H

#include "elf/elf_file.h"
#include "dwarf/lines.h"

#include <elfutils/libdw.h>

/* Open debug information. */
struct dwarf_file {
	Dwarf *dwarf;
	/* File of the parts that dwz moved out of several files */
	struct elf_file alt;
	Dwarf *alt_dwarf;
};

/*
 * Opens the debug information of a file, which must stay open.  Returns 0, and
 * dwarf_file_close() is needed; or -ENOENT if the file has none that can be
 * read.  *fault must be LINES_OK, and says then which part cannot be read, even
 * if the rest can.
 */
int dwarf_file_open(struct dwarf_file *d, const struct elf_file *f,
    enum lines_fault *fault);
/* Closes the debug information, not the ELF file. */
void dwarf_file_close(struct dwarf_file *d);

#endif
