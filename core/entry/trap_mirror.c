/*
 * Context: P.  Distances of jumps all bytes of which trap; see trap_mirror.h.
 */
#include "trap_mirror.h"

/*
 * int3, and opcodes that 64-bit mode does not have: first those whose distance
 * is negative.  d5 is not among them: with APX it is a prefix.  Those that
 * raise SIGSEGV are not either: that signal stays the program's.
 */
static const uint8_t traps[TRAP_MIRRORS] = {
	0xcc, 0x82, 0x9a, 0xce, 0xd4, 0xd6, 0xea,
	0x61, 0x60, 0x3f, 0x37, 0x2f, 0x27, 0x1f, 0x1e, 0x17, 0x16, 0x0e,
	0x07, 0x06,
};

int32_t
trap_mirror_distance(unsigned i)
{
	return (int32_t)(traps[i] * 0x01010101u);
}

bool
trap_mirror_has(uint8_t byte)
{
	for (unsigned i = 0; i < TRAP_MIRRORS; i++)
		if (traps[i] == byte)
			return true;
	return false;
}
