/*
 * Context: P.  Lists the functions of an ELF file that its table of unwind
 * rules, .eh_frame_hdr, has.  This folder calls their bytes the text of the
 * file; all other bytes, executable or not, may be data.
 */
#ifndef UNWIND_FUNCTIONS_H
#define UNWIND_FUNCTIONS_H

#include "code_image.h"

/* A function, or a part of one that the compiler laid elsewhere. */
struct unwind_function {
	uint64_t start;		/* address */
	uint64_t bytes;
	uint64_t landing_pads;	/* address of its table; 0: it has none */
	/*
	 * It is no function: code reaches it with a frame, as the cold part of
	 * one, a PLT, or the return of a signal handler.
	 */
	bool part;
};

/* A record that functions have in common: a CIE. */
struct unwind_common {
	uint64_t address;	/* of the record; 0: none is known */
	uint8_t pointers;	/* form of starts and lengths */
	uint8_t tables;		/* form of the address of landing pads */
	bool has_bytes;		/* the record says how long its extras are */
};

struct unwind_functions {
	const struct code_image *image;
	uint64_t header;	/* address of .eh_frame_hdr */
	uint64_t entries;	/* address of its table */
	uint64_t count;		/* functions in it */
	struct unwind_common last;
};

/*
 * Opens the table of an image, which must stay open.  Returns false, with a
 * count of 0, if it has none, or one in a form that no linker writes: not
 * sorted, or with distances of other sizes.
 */
bool unwind_functions_open(struct unwind_functions *u,
    const struct code_image *image);

/*
 * Reads the function `index`, from 0 on, in the order of addresses.  Returns
 * false if its record cannot be read or is that of another place, or its code
 * is not in an executable segment of the file.
 */
bool unwind_functions_read(struct unwind_functions *u, uint64_t index,
    struct unwind_function *function);

/*
 * Reads the function that has the address: of several, the one that starts
 * last.  Returns false if there is none.
 */
bool unwind_functions_find(struct unwind_functions *u, uint64_t address,
    struct unwind_function *function);

#endif
