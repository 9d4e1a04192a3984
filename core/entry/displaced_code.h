/*
 * Context: P.  Writes the displaced instructions of an entry for the place that
 * they move to: what is relative to the place is led anew, and a jump leads
 * back behind them; doc/design/entries.md.
 */
#ifndef DISPLACED_CODE_H
#define DISPLACED_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Most instructions of an entry: one at each byte of the jump.  The last can
 * begin at its last byte.
 */
#define DISPLACED_INSTRUCTIONS	5
/* Most of their bytes in the function. */
#define DISPLACED_MOST		(4 + 15)
/*
 * Most bytes that are written: a branch of 2 bytes takes 6, and the jump back
 * takes 5.
 */
#define DISPLACED_CODE_MOST	(4 * 6 + 15 + 5)

struct displaced_code {
	uint8_t code[DISPLACED_CODE_MOST];
	uint8_t bytes;		/* of code[] that are used */
	uint8_t count;		/* instructions, without the jump back */
	/* by instruction: its offset in the function, and in code[] */
	uint8_t from[DISPLACED_INSTRUCTIONS], to[DISPLACED_INSTRUCTIONS];
	/* offset behind the last in the function; offset of the jump back */
	uint8_t from_end, to_end;
};

/*
 * Writes the instructions in the `bytes` bytes at `code`, which run at the
 * address `from`, to *d, so that they do the same at the address `to` and then
 * go on behind themselves.  `bytes` is entry_place.displaced, so the last
 * instruction ends there.  Returns false if an instruction is not known, is a
 * call, a system call, a trap or a loop, or if a distance does not fit into 32
 * bits.  Any thread and any signal handler may call it.
 */
bool displaced_code_write(struct displaced_code *d, const uint8_t *code,
    size_t bytes, uint64_t from, uint64_t to);

#endif
