/* Context: O.  Changes of a profile that get past its first checks. */
#include "mutate.h"

#include "format.h"
#include "random.h"

#include <string.h>

#define AT(field) offsetof(struct format_header, field)

/* Words of the header that decide what is read; most of it is padding. */
static const uint16_t words[] = {
	AT(version), AT(header_bytes), AT(machine), AT(address_bits),
	AT(cap), AT(cap) + 4, AT(pid), AT(exe), AT(cmdline), AT(host),
	AT(options), AT(clock), AT(asked_hz), AT(tick_ns), AT(cost_shift),
	AT(state), AT(end), AT(cpu_ns), AT(cpu_birth_ns), AT(coarse_seen),
	AT(lives), AT(begin_mono), AT(lived_ns), AT(delay_ns), AT(unasked_ns),
	AT(sums), AT(living), AT(throttle_ns), AT(throttles),
	AT(children_ns), AT(children_birth_ns), AT(children),
	AT(fine_seen), AT(used), AT(used) + 4, AT(modules), AT(threads),
	AT(arcs), AT(names), AT(names_at), AT(moments),
	AT(cost_ticks), AT(cost_ns), AT(ticks), AT(loss), AT(loss) + 4 * 127,
};

/* Values at which bounds turn, and links to what is there. */
static uint32_t
value(const uint8_t *data, size_t size, uint32_t old, uint64_t *random)
{
	uint32_t units = (uint32_t)(size / FORMAT_UNIT), word;

	switch (random_below(random, 8)) {
	case 0:
		return old + random_below(random, 15) - 7;
	case 1:
		return random_below(random, 6);
	case 2:
		return units + random_below(random, 9) - 6;
	case 3:
		return (uint32_t)size + random_below(random, 65) - 32;
	case 4:
		return UINT32_MAX - random_below(random, 8);
	case 5:
		return (uint32_t)random_next(random);
	case 6:		/* some other word of the file */
		memcpy(&word, data + random_below(random,
		    (uint32_t)(size / 4)) * 4u, sizeof word);
		return word;
	default:
		return FORMAT_HEADER / FORMAT_UNIT + random_below(random,
		    units - FORMAT_HEADER / FORMAT_UNIT + 1);
	}
}

static size_t
set_word(uint8_t *data, size_t size, size_t at, uint64_t *random)
{
	uint32_t word;

	if (at + sizeof word > size)
		return size;
	memcpy(&word, data + at, sizeof word);
	word = value(data, size, word, random);
	memcpy(data + at, &word, sizeof word);
	return size;
}

static size_t
pick_unit(size_t size, uint64_t *random)
{
	return FORMAT_HEADER + FORMAT_UNIT * (size_t)random_below(random,
	    (uint32_t)((size - FORMAT_HEADER) / FORMAT_UNIT + 1));
}

/* A record, or what looks like one, over another or at the end. */
static size_t
copy_units(uint8_t *data, size_t size, size_t room, uint64_t *random)
{
	size_t from = pick_unit(size, random), to = pick_unit(size, random);
	size_t count = FORMAT_UNIT * (1 + (size_t)random_below(random, 7));
	uint64_t used;

	if (from + count > size || to + count > room)
		return size;
	memmove(data + to, data + from, count);
	if (to + count <= size)
		return size;
	used = to + count;
	memcpy(data + AT(used), &used, sizeof used);
	return to + count;
}

static size_t
change_profile(uint8_t *data, size_t size, size_t room, uint64_t *random)
{
	uint32_t state = 1 + random_below(random, 2);

	if (size <= FORMAT_HEADER)
		return fuzz_mutate_bytes(data, size, room, random);
	switch (random_below(random, 16)) {
	case 0:
	case 1:
	case 2:
		return set_word(data, size, words[random_below(random,
		    sizeof words / sizeof *words)], random);
	case 3:
		memcpy(data + AT(state), &state, sizeof state);
		return size;
	case 4:
	case 5:
		return copy_units(data, size, room, random);
	case 6:
		return fuzz_mutate_bytes(data, size, room, random);
	default:
		return set_word(data, size, pick_unit(size, random) +
		    4 * random_below(random, 4), random);
	}
}

size_t
mutate_profile(uint8_t *data, size_t size, size_t room, unsigned int seed)
{
	return fuzz_mutate(data, size, room, seed, 4, change_profile);
}
