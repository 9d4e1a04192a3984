/*
 * Context: O.  Fuzzes core/entry: opens an ELF file, finds functions, landing
 * pads and jump targets, chooses a way for each function, and writes its stub.
 */
#include "entry_place.h"
#include "entry_stub.h"
#include "fuzz.h"
#include "instruction.h"

#include <stdlib.h>

static void
check_place(const struct unwind_function *f, const struct entry_place *p)
{
	FUZZ_MUST(p->way < ENTRY_WAYS);
	if (p->way != ENTRY_JUMP && p->way != ENTRY_TRAPPED)
		return;
	FUZZ_MUST(p->displaced <= f->bytes);
	FUZZ_MUST(p->displaced >= ENTRY_JUMP_BYTES || p->displaced == f->bytes);
	FUZZ_MUST((p->starts & ~0x1e) == 0);
}

/* Writes the stub of an entry, if it has one.  Returns whether it has. */
static bool
write_stub(struct entry_stub *s, const struct entry_place *p,
    const uint8_t *code, uint64_t from)
{
	const uint64_t at = from + (1u << 20), counters = from + (2u << 20);

	if (p->way > ENTRY_TRAPPED)
		return false;
	if (p->way == ENTRY_CALL)
		return entry_stub_write_call(s, p, from, at, counters);
	return entry_stub_write(s, p, code, from, at, counters);
}

/*
 * Checks that all of a stub can be decoded, and that each instruction stands
 * for one that is displaced.
 */
static void
check_stub(const uint8_t *code, const struct entry_place *p, uint64_t from)
{
	struct entry_stub s;
	struct instruction in;
	unsigned pushed;

	if (!write_stub(&s, p, code, from))
		return;
	FUZZ_MUST(s.bytes <= sizeof(s.code));
	for (unsigned at = 0; at < s.bytes; at += in.bytes) {
		FUZZ_MUST(instruction_decode(s.code + at, s.bytes - at, &in));
		FUZZ_MUST(entry_stub_origin(&s, at, &pushed) <= p->displaced);
	}
}

static void
choose_places(struct unwind_functions *u, const struct jump_targets *t)
{
	struct unwind_function f;
	uint64_t text = 0;
	size_t room;

	for (uint64_t i = 0; i < u->count; i++) {
		struct entry_place p;

		if (!unwind_functions_read(u, i, &f))
			continue;
		FUZZ_MUST(jump_targets_has(t, f.start));
		FUZZ_MUST(jump_targets_is_text(t, f.start + f.bytes - 1));
		p = entry_place_choose(u->image, t, &f);
		check_place(&f, &p);
		check_stub(code_image_find(u->image, f.start, &room), &p,
		    f.start);
	}
	for (uint64_t i = 0; i < t->bytes; i++)
		text += jump_targets_is_text(t, t->start + i);
	FUZZ_MUST(text == t->text_bytes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct unwind_functions u;
	struct code_image image;
	struct jump_targets t;
	size_t bytes;
	void *memory;

	if (code_image_open(&image, data, size) != CODE_IMAGE_OPEN ||
	    !unwind_functions_open(&u, &image))
		return 0;
	bytes = jump_targets_size(&t, &image);
	/* Segments of a damaged file lie far apart. */
	if (bytes == 0 || bytes > 1 << 20)
		return 0;
	memory = calloc(1, bytes);
	FUZZ_MUST(memory != NULL);
	jump_targets_find(&t, &u, memory);
	choose_places(&u, &t);
	free(memory);
	return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
    unsigned int seed)
{
	return fuzz_mutate(data, size, room, seed, 2, fuzz_mutate_bytes);
}
