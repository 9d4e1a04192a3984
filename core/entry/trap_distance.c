/*
 * Context: P.  Distances of a jump whose bytes trap; see trap_distance.h.
 */
#include "trap_distance.h"

#include <stddef.h>

#define FIELD_BYTES	4	/* of a distance */

/*
 * Opcodes that 64-bit mode does not have, and int3; ascending.  d5 is not among
 * them: with APX it is a prefix.  Those that raise SIGSEGV are not either: that
 * signal stays the program's.  Each raised its signal with ten kinds of bytes
 * behind it.
 */
static const uint8_t trap_bytes[] = {
	0x06, 0x07, 0x0e, 0x16, 0x17, 0x1e, 0x1f, 0x27, 0x2f, 0x37, 0x3f,
	0x60, 0x61, 0x82, 0x9a, 0xcc, 0xce, 0xd4, 0xd6, 0xea,
};

#define TRAP_BYTES	sizeof(trap_bytes)

bool
trap_byte_is(uint8_t byte)
{
	for (size_t i = 0; i < TRAP_BYTES; i++)
		if (trap_bytes[i] == byte)
			return true;
	return false;
}

/*
 * Sets *byte to the least one that is *byte or more and may stand at its place;
 * traps: it must trap.  The order is that of `flip ^ byte`, because the byte
 * with the sign ascends from 0x80 to 0x7f.  Returns false if there is none.
 */
static bool
next_byte(bool traps, uint8_t flip, uint8_t *byte)
{
	for (unsigned i = flip ^ *byte; i <= UINT8_MAX; i++) {
		*byte = (uint8_t)(i ^ flip);
		if (!traps || trap_byte_is(*byte))
			return true;
	}
	return false;
}

static uint8_t
sign_flip(unsigned place)
{
	return place == FIELD_BYTES - 1 ? 0x80 : 0;
}

/* Returns whether the byte of the distance at `place`, 0 to 3, must trap. */
static bool
traps_at(unsigned starts, unsigned place)
{
	return (starts >> (place + 1) & 1) != 0;
}

/* Sets the bytes below `place` to the least that may stand there. */
static void
set_least_below(unsigned starts, unsigned place, uint8_t *field)
{
	while (place-- > 0) {
		field[place] = 0;
		next_byte(traps_at(starts, place), 0, &field[place]);
	}
}

/*
 * Raises the field at `place` or above, by as little as can be, and sets what
 * lies below to the least.  Returns false if it is the last one.
 */
static bool
carry(unsigned starts, unsigned place, uint8_t *field)
{
	for (; place < FIELD_BYTES; place++) {
		const uint8_t flip = sign_flip(place);

		if ((field[place] ^ flip) == UINT8_MAX)
			continue;
		/* the next one in the order of next_byte() */
		field[place] = (uint8_t)((field[place] ^ flip) + 1) ^ flip;
		if (next_byte(traps_at(starts, place), flip, &field[place])) {
			set_least_below(starts, place, field);
			return true;
		}
	}
	return false;
}

bool
trap_distance_next(unsigned starts, int32_t from, int32_t *found)
{
	const uint32_t bits = (uint32_t)from;
	uint8_t field[FIELD_BYTES];

	for (unsigned i = 0; i < FIELD_BYTES; i++)
		field[i] = (uint8_t)(bits >> 8 * i);
	/* From the highest byte down: the first that cannot stand is raised. */
	for (unsigned i = FIELD_BYTES; i-- > 0;) {
		if (!traps_at(starts, i) || trap_byte_is(field[i]))
			continue;
		if (next_byte(true, sign_flip(i), &field[i]))
			set_least_below(starts, i, field);
		else if (!carry(starts, i + 1, field))
			return false;
		break;
	}
	*found = (int32_t)((uint32_t)field[0] | (uint32_t)field[1] << 8 |
	    (uint32_t)field[2] << 16 | (uint32_t)field[3] << 24);
	return true;
}
