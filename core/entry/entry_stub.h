/*
 * Context: P.  Writes the stub of an entry: it calls the counter, runs what the
 * jump at the entry displaces, and goes on behind it; doc/design/entries.md.
 */
#ifndef ENTRY_STUB_H
#define ENTRY_STUB_H

#include "displaced_code.h"
#include "entry_place.h"

/* Most bytes that come before the displaced code. */
#define ENTRY_STUB_CALL_MOST	21
#define ENTRY_STUB_MOST		(ENTRY_STUB_CALL_MOST + DISPLACED_CODE_MOST)

/*
 * Counters of a module: words in memory with the address to call.  Above its
 * own return address a counter finds the return address of the function that
 * it counts: at once (PLAIN); behind ENTRY_STUB_KEPT bytes (CAREFUL); behind
 * the return address of the call in the entry and the bytes pushed before it
 * (DEEP).  How many these are stands in the stub, ENTRY_STUB_DEPTH_AT bytes
 * behind the counter's return address.
 */
enum entry_stub_counter {
	ENTRY_STUB_PLAIN,	/* the flags are dead */
	ENTRY_STUB_CAREFUL,	/* the stub keeps flags and red zone */
	ENTRY_STUB_DEEP,	/* the stub stands for a call in the entry */
};
#define ENTRY_STUB_KEPT	(128 + 8)
#define ENTRY_STUB_DEPTH_AT	3

struct entry_stub {
	uint8_t code[ENTRY_STUB_MOST];
	uint8_t bytes;		/* of code[] that are used */
	uint8_t counter;	/* enum entry_stub_counter */
	uint8_t returns;	/* offset where the counter returns to */
	/* offset of the displaced code in code[] */
	uint8_t displaced_at;
	struct displaced_code displaced;
};

/*
 * Writes the stub of the entry at `entry`, whose bytes are at `code`, to *s, so
 * that it runs at `at`.  p: its place, of a way with displaced instructions.
 * counters: address of the words by enum entry_stub_counter.  Returns false
 * as displaced_code_write() does, or if the words are more than 2 GiB away.
 * Any thread and any signal handler may call it.
 */
bool entry_stub_write(struct entry_stub *s, const struct entry_place *p,
    const uint8_t *code, uint64_t entry, uint64_t at, uint64_t counters);

/*
 * Writes the stub of an entry that is led to it by a call of its own, to
 * `target`: it calls the counter and goes on there.  p: its place, of
 * ENTRY_CALL.  at, counters: as in entry_stub_write().  Returns false if the
 * words or the target are more than 2 GiB away.  Any thread and any signal
 * handler may call it.
 */
bool entry_stub_write_call(struct entry_stub *s, const struct entry_place *p,
    uint64_t target, uint64_t at, uint64_t counters);

/*
 * Returns the offset in the function of the instruction that offset `at` of the
 * stub stands for, and sets *pushed to how many bytes the stack has more there
 * than at that instruction: what a walk of the stack must know.  `at` must be
 * the start of an instruction, or where the counter returns to.  The stub of a
 * call stands for the first instruction of what is called.
 */
unsigned entry_stub_origin(const struct entry_stub *s, unsigned at,
    unsigned *pushed);

#endif
