/*
 * Context: P.  Chooses how the entry of a function can be led to a stub: which
 * instructions are displaced, and where displaced instructions start inside the
 * jump, for doc/design/entries.md.
 */
#ifndef ENTRY_PLACE_H
#define ENTRY_PLACE_H

#include "jump_targets.h"

#define ENTRY_JUMP_BYTES	5	/* jmp rel32 */
#define ENTRY_SHORT_BYTES	2	/* jmp rel8 */

enum entry_way {
	/* whole instructions make room for a jump, and no target is inside */
	ENTRY_JUMP,
	/* a call among the first bytes is led to the stub in its place */
	ENTRY_CALL,
	/* a short jump, to a jump in the padding before the function */
	ENTRY_SHORT,
	/* as ENTRY_JUMP, with targets inside, where the jump traps */
	ENTRY_TRAPPED,
	/* None: the function stays as it is. */
	ENTRY_UNKNOWN,		/* an instruction is not known */
	ENTRY_SYSTEM,		/* a system call, or a trap */
	/*
	 * a branch of 8 bits alone, one into the jump, or one of the function
	 * back to its first byte, each turn of which would count as a call
	 */
	ENTRY_LOOP,
	/* a call that cannot be led anew, and the function has no padding */
	ENTRY_BOUND_CALL,
	ENTRY_NO_ROOM,		/* it is too short, and has no padding */
};
#define ENTRY_WAYS	(ENTRY_NO_ROOM + 1)

struct entry_place {
	uint8_t way;		/* ENTRY_* */
	uint8_t displaced;	/* bytes of the instructions that move */
	/*
	 * Bit i: an instruction that moves starts at byte i of the jump, which
	 * must trap.
	 */
	uint8_t starts;
	uint8_t call_at;	/* offset of the call of ENTRY_CALL */
	/* bytes on the stack, there, above which the return address lies */
	uint8_t call_depth;
	/*
	 * Flags and the red zone may be in use: see entry_flags.h and
	 * jump_targets_may_turn()
	 */
	bool flags_live;
};

/*
 * Chooses the way for function f of the image.  t: its targets, after
 * jump_targets_find().
 */
struct entry_place entry_place_choose(const struct code_image *image,
    const struct jump_targets *t, const struct unwind_function *f);

#endif
