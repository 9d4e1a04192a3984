/*
 * Context: P.  Tells whether the status flags matter at an entry; see
 * entry_flags.h.
 */
#include "entry_flags.h"

#include "instruction.h"

#define LOOK_MOST	16	/* instructions */

/*
 * Returns whether the answer is known by an instruction that keeps the flags
 * and, if so, sets *live to it; if not, sets *address to the next instruction.
 */
static bool
ends_look(const struct instruction *in, const uint8_t *code, uint64_t *address,
    bool *live)
{
	*live = false;
	switch (in->kind) {
	case INSTRUCTION_PLAIN:
		*address += in->bytes;
		return false;
	case INSTRUCTION_JUMP:
		*address = instruction_target(in, code, *address);
		return false;
	case INSTRUCTION_CALL:
	case INSTRUCTION_CALL_INDIRECT:
	case INSTRUCTION_JUMP_INDIRECT:
	case INSTRUCTION_RETURN:
		return true;
	default:
		*live = true;
		return true;
	}
}

bool
entry_flags_are_live(const struct code_image *image, uint64_t address)
{
	struct instruction in;
	bool live;

	for (unsigned i = 0; i < LOOK_MOST; i++) {
		size_t room;
		const uint8_t *code = code_image_find(image, address, &room);

		if (code == NULL || !instruction_decode(code, room, &in))
			return true;
		if (in.flags != INSTRUCTION_FLAGS_KEPT)
			return in.flags == INSTRUCTION_FLAGS_READ;
		if (ends_look(&in, code, &address, &live))
			return live;
	}
	return true;
}
