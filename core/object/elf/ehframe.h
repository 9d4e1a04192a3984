/*
 * Context: O.  Finds where functions start and end by the unwind table of an
 * ELF file.  object.c opens it; symbol_lookup.c asks it for symbols without a
 * size.
 */
#ifndef EHFRAME_H
#define EHFRAME_H

#include "elf/elf_file.h"

/* The link-time bounds of a function. */
struct ehframe_range {
	uint64_t start;
	uint64_t end;
};

/*
 * The unwind table of a file.  .eh_frame_hdr is searched in place; a file
 * without it has its .eh_frame read once.
 */
struct ehframe {
	const struct elf_file *file;
	/* Table of .eh_frame_hdr, sorted, or NULL */
	const unsigned char *table;
	uint64_t table_base;	/* address that its entries are relative to */
	size_t count;		/* functions, of either kind of table */
	struct ehframe_range *ranges;	/* functions of .eh_frame, sorted */
	size_t room;
};

/*
 * Opens the unwind table of `f`, which must stay open.  Returns 0, also if the
 * file has no unwind table (count is 0), or -ENOMEM.
 */
int ehframe_open(struct ehframe *e, const struct elf_file *f);
/* Frees the memory of the table. */
void ehframe_close(struct ehframe *e);

/*
 * Finds the last function that starts at or before pc, a link-time address.
 * Returns false if there is none, or its record cannot be read.
 */
bool ehframe_before(const struct ehframe *e, uint64_t pc,
    struct ehframe_range *range);

#endif
