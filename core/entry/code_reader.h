/*
 * Context: P.  Reads numbers and pointers of an ELF file in memory, one behind
 * the other, for the readers of unwind tables, landing pads and jump tables.
 */
#ifndef CODE_READER_H
#define CODE_READER_H

#include "code_image.h"

/* The form of a pointer that is not there (DW_EH_PE_omit). */
#define CODE_READER_OMITTED	0xff
/* The bits of a form that say how its value is written. */
#define CODE_READER_VALUE	0x0f

/*
 * The position of a sequence of reads.  A read beyond the segment returns 0 and
 * sets `failed`; all later reads fail, too.
 */
struct code_reader {
	const struct code_image *image;
	const uint8_t *at;	/* the next byte */
	size_t room;		/* bytes from there to the end */
	uint64_t address;	/* of the next byte */
	bool failed;
};

/* Begins to read at `address`. */
void code_reader_start(struct code_reader *r, const struct code_image *image,
    uint64_t address);

/* Reads an unsigned number of 1, 2, 4 or 8 bytes. */
uint64_t code_reader_number(struct code_reader *r, unsigned bytes);

/* Reads a number in the LEB128 form of DWARF. */
uint64_t code_reader_uleb(struct code_reader *r);
int64_t code_reader_sleb(struct code_reader *r);

/*
 * Reads a pointer in a form DW_EH_PE_* of .eh_frame.  base: the address that
 * distances of the form DW_EH_PE_datarel count from.  Indirect pointers, and
 * forms that are not known, fail.
 */
uint64_t code_reader_pointer(struct code_reader *r, unsigned form,
    uint64_t base);

/* Leaves out bytes. */
void code_reader_skip(struct code_reader *r, uint64_t bytes);

#endif
