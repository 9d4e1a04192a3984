/* Context: O.  For tests of core/entry: makes an ELF file with functions. */
#ifndef CODE_OBJECT_H
#define CODE_OBJECT_H

#include "unwind_functions.h"

/* Addresses, and so offsets in the file, of its parts. */
#define OBJECT_CODE	0x1000u	/* executable, 0x1000 bytes */
#define OBJECT_HEADER	0x2000u	/* .eh_frame_hdr */
#define OBJECT_FRAMES	0x2200u	/* .eh_frame */
#define OBJECT_PADS	0x2800u	/* .gcc_except_table */
#define OBJECT_DATA	0x3000u
#define OBJECT_BYTES	0x4000u

struct code_object {
	uint8_t file[OBJECT_BYTES];
	unsigned functions;
	unsigned record;	/* of the last function */
	unsigned frames_end;
	struct code_image image;
	struct unwind_functions table;
};

/* Makes a file without functions; its code is int3 throughout. */
void code_object_init(struct code_object *o);

/*
 * Puts code at an address, and a function of as many bytes; pads: the address
 * of its table of landing pads, or 0.  By rising addresses.
 */
void code_object_function(struct code_object *o, uint64_t address,
    const char *code, unsigned bytes, uint64_t pads);

/* Adds unwind rules to the record of the last function. */
void code_object_rules(struct code_object *o, const char *rules,
    unsigned bytes);

/* Writes a number of 4 or 8 bytes. */
void code_object_put(struct code_object *o, uint64_t address, uint64_t value,
    unsigned bytes);

/* Opens the image and its table.  Returns whether there are functions. */
bool code_object_open(struct code_object *o);

#endif
