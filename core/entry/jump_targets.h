/*
 * Context: P.  Finds the addresses in the code of an ELF file that something
 * may jump to, so that no jump of ours is written over one of them unknowingly.
 * It rather names too many than too few: data can look like an address.
 */
#ifndef JUMP_TARGETS_H
#define JUMP_TARGETS_H

#include "unwind_functions.h"

struct jump_targets {
	uint64_t start;		/* lowest address of executable segments */
	uint64_t bytes;		/* from there to the highest */
	uint8_t *marks;		/* a bit a byte: something may jump there */
	uint8_t *text;		/* a bit a byte: a function has it */
	/*
	 * Bits for each JUMP_TARGETS_TURN bytes: a function that begins there
	 * jumps to its own first byte; jumps to an address that it computes;
	 * data or code have an address there, which such a jump may take.
	 */
	uint8_t *turns, *computes, *taken;
	struct unwind_functions *functions;	/* the caller's */
	uint64_t text_bytes;	/* bits that are set in text */
	uint64_t undecoded;	/* bytes of functions behind an unknown one */
};

/*
 * Returns how many bytes of memory the sets of bits take, and sets start and
 * bytes of *t; 0 if the image has no executable segment, or these lie further
 * apart than JUMP_TARGETS_SPAN.
 */
size_t jump_targets_size(struct jump_targets *t,
    const struct code_image *image);

#define JUMP_TARGETS_SPAN	((uint64_t)1 << 31)
/* Functions are aligned so; of closer ones one speaks for all. */
#define JUMP_TARGETS_TURN	16u

/*
 * Finds the targets of the functions of u: starts of functions, targets of
 * jumps and calls, tables of distances, words that are addresses, addresses
 * that code takes, and landing pads.  memory: that many bytes of 0; the caller
 * keeps these and *u while *t is used.  It took 21 ns a byte of text over all
 * of one machine's /usr.
 */
void jump_targets_find(struct jump_targets *t, struct unwind_functions *u,
    void *memory);

/* Returns whether the address is one, or is in a function. */
bool jump_targets_has(const struct jump_targets *t, uint64_t address);
bool jump_targets_is_text(const struct jump_targets *t, uint64_t address);

/*
 * Returns whether the function that starts at the address jumps there itself,
 * as a loop does; maybe also if another one within JUMP_TARGETS_TURN bytes of
 * it does.
 */
bool jump_targets_turns(const struct jump_targets *t, uint64_t start);

/*
 * Returns whether the function that starts at the address may jump there by an
 * address that it computes, as interpreters do: it has such a jump, and
 * something has the address.  Most functions of both kinds never do.
 */
bool jump_targets_may_turn(const struct jump_targets *t, uint64_t start);

#endif
