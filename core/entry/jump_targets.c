/*
 * Context: P.  Finds jump targets by a linear sweep of functions, a sweep of
 * all other executable bytes, and the words of the file; see jump_targets.h.
 */
#include "jump_targets.h"
#include "jump_table.h"
#include "landing_pads.h"
#include "part_reach.h"

/* Most entries of one table: bounds the work on a damaged file. */
#define TABLE_MOST	65536

/* The arguments that the functions of this file share. */
struct target_search {
	struct jump_targets *targets;
	struct unwind_functions *functions;
	uint64_t end;	/* of all functions that were swept */
	struct unwind_function here; /* is swept; 0 bytes: none is */
	bool overlaps;	/* another function starts inside it */
	struct part_reach *reach;
};

/* How often a byte of the text is read, at most, to find whose parts are. */
#define REACH_TURNS	4

static bool
has_bit(const uint8_t *bits, const struct jump_targets *t, uint64_t address)
{
	const uint64_t at = address - t->start;

	return at < t->bytes && (bits[at / 8] >> at % 8 & 1) != 0;
}

bool
jump_targets_has(const struct jump_targets *t, uint64_t address)
{
	return has_bit(t->marks, t, address);
}

bool
jump_targets_is_text(const struct jump_targets *t, uint64_t address)
{
	return has_bit(t->text, t, address);
}

/* Marks the address, if a function has it. */
static void
mark_target(struct jump_targets *t, uint64_t address)
{
	const uint64_t at = address - t->start;

	if (jump_targets_is_text(t, address))
		t->marks[at / 8] |= (uint8_t)(1u << at % 8);
}

/* Returns the bytes of a set with a bit for each `part` bytes of code. */
static size_t
bytes_of_set(const struct jump_targets *t, uint64_t part)
{
	return (size_t)(t->bytes / part / 8 + 1);
}

/* Returns the bit of an address in a set with one for several bytes. */
static bool
has_part(const uint8_t *bits, const struct jump_targets *t, uint64_t address)
{
	const uint64_t at = (address - t->start) / JUMP_TARGETS_TURN;

	return address - t->start < t->bytes &&
	    (bits[at / 8] >> at % 8 & 1) != 0;
}

/* Sets the bit of an address, if a function has it. */
static void
mark_part(uint8_t *bits, const struct jump_targets *t, uint64_t address)
{
	const uint64_t at = (address - t->start) / JUMP_TARGETS_TURN;

	if (jump_targets_is_text(t, address))
		bits[at / 8] |= (uint8_t)(1u << at % 8);
}

bool
jump_targets_turns(const struct jump_targets *t, uint64_t start)
{
	return has_part(t->turns, t, start);
}

bool
jump_targets_may_turn(const struct jump_targets *t, uint64_t start)
{
	return has_part(t->computes, t, start) && has_part(t->taken, t, start);
}

/*
 * Returns whether a jump to the address, in the function or part that is swept,
 * leads back to the first byte of a function whose code runs then.
 */
static bool
leads_back(const struct target_search *s, uint64_t target)
{
	const struct unwind_function *f = &s->here;
	struct unwind_function other;

	if (f->bytes == 0 || target == f->start)
		return f->bytes != 0;
	if (!f->part && (!s->overlaps || target - f->start >= f->bytes))
		return false;
	if (!unwind_functions_find(s->functions, target, &other) ||
	    other.start != target)
		return false;
	return !f->part || part_reach_leads(s->reach, target, f);
}

/* Marks a target of a jump, and the function that turns by it, if one does. */
static void
mark_jump(const struct target_search *s, uint64_t target)
{
	mark_target(s->targets, target);
	if (leads_back(s, target))
		mark_part(s->targets->turns, s->targets, target);
}

size_t
jump_targets_size(struct jump_targets *t, const struct code_image *image)
{
	uint64_t start = UINT64_MAX, end = 0;

	for (unsigned i = 0; i < image->segment_count; i++) {
		const struct code_segment *s = &image->segments[i];

		if (!s->executable || s->bytes == 0)
			continue;
		if (s->address < start)
			start = s->address;
		if (s->address + s->bytes > end)
			end = s->address + s->bytes;
	}
	*t = (struct jump_targets) { .start = start };
	if (end <= start || end - start > JUMP_TARGETS_SPAN)
		return 0;
	t->bytes = end - start;
	return 2 * bytes_of_set(t, 1) + 3 * bytes_of_set(t, JUMP_TARGETS_TURN);
}

/*
 * Returns how many bytes of the function are before the end of those that were
 * swept: functions of hand-written code overlap, and each byte is swept once,
 * whatever a damaged table says.  Functions come in the order of their starts.
 */
static uint64_t
bytes_swept(const struct target_search *s, const struct unwind_function *f)
{
	if (s->end <= f->start)
		return 0;
	return s->end - f->start < f->bytes ? s->end - f->start : f->bytes;
}

static void
mark_text(struct target_search *s, const struct unwind_function *f)
{
	struct jump_targets *t = s->targets;

	for (uint64_t i = bytes_swept(s, f); i < f->bytes; i++) {
		const uint64_t at = f->start + i - t->start;

		t->text[at / 8] |= (uint8_t)(1u << at % 8);
		t->text_bytes++;
		s->end = f->start + i + 1;
	}
}

/*
 * Marks the targets of a table of distances, which ends where one leads out of
 * the functions.  mark_words() finds tables of words.
 */
static void
mark_table(const struct target_search *s, uint64_t table)
{
	struct code_reader r;

	code_reader_start(&r, s->functions->image, table);
	for (unsigned i = 0; i < TABLE_MOST; i++) {
		const uint64_t target = jump_table_next(&r, table,
		    JUMP_TABLE_DISTANCES);

		if (r.failed || !jump_targets_is_text(s->targets, target))
			return;
		mark_jump(s, target);
	}
}

/* Marks what the instruction at `address` jumps to, or takes the address of. */
static void
mark_operands(const struct target_search *s, const struct instruction *in,
    const uint8_t *code, uint64_t address)
{
	uint64_t table;
	const unsigned forms = jump_table_find(in, code, address, &table);

	if (in->kind == INSTRUCTION_CALL)
		mark_target(s->targets, instruction_target(in, code, address));
	else if (in->target_at != 0)
		mark_jump(s, instruction_target(in, code, address));
	else if (in->kind == INSTRUCTION_JUMP_INDIRECT)
		mark_part(s->targets->computes, s->targets, s->here.start);
	if ((forms & JUMP_TABLE_DISTANCES) == 0)
		return;
	if (jump_targets_is_text(s->targets, table)) {
		mark_target(s->targets, table);
		mark_part(s->targets->taken, s->targets, table);
	} else {
		mark_table(s, table);
	}
}

/* Decodes at each byte: some of what is found is no code. */
static void
sweep_bytes(const struct target_search *s, const uint8_t *code, size_t bytes,
    uint64_t address)
{
	struct instruction in;

	for (size_t i = 0; i < bytes; i++)
		if (instruction_decode(code + i, bytes - i, &in))
			mark_operands(s, &in, code + i, address + i);
}

/*
 * Sweeps s->here: decodes one instruction after the other; at each byte where
 * it is not sure which byte begins one.
 */
static void
sweep_function(struct target_search *s)
{
	const struct unwind_function *f = &s->here;
	struct instruction in;
	const uint8_t *code;
	size_t room, at = (size_t)bytes_swept(s, f);
	const bool sure = at == 0;

	code = code_image_find(s->functions->image, f->start, &room);
	mark_target(s->targets, f->start);
	if (at < f->bytes)
		s->end = f->start + f->bytes;
	while (sure && at < f->bytes && instruction_decode(code + at,
	    (size_t)f->bytes - at, &in)) {
		mark_operands(s, &in, code + at, f->start + at);
		at += in.bytes;
	}
	s->targets->undecoded += f->bytes - at;
	sweep_bytes(s, code + at, (size_t)f->bytes - at, f->start + at);
}

static void
mark_landing_pad(uint64_t address, void *search)
{
	mark_target(((const struct target_search *)search)->targets, address);
}

static void
sweep_functions(struct target_search *s)
{
	struct unwind_function f;

	for (uint64_t i = 0; i < s->functions->count; i++)
		if (unwind_functions_read(s->functions, i, &f))
			mark_text(s, &f);
	s->reach->budget = REACH_TURNS * s->targets->text_bytes;
	s->end = 0;
	for (uint64_t i = 0; i < s->functions->count; i++) {
		if (!unwind_functions_read(s->functions, i, &s->here))
			continue;
		s->overlaps = unwind_functions_read(s->functions, i + 1, &f) &&
		    f.start - s->here.start < s->here.bytes;
		sweep_function(s);
		landing_pads_each(s->functions->image, &s->here,
		    mark_landing_pad, s);
	}
	s->here = (struct unwind_function) { 0 };
}

/* Sweeps the executable bytes that no function has. */
static void
sweep_gaps(const struct target_search *s, const struct code_segment *segment)
{
	uint64_t from = 0;

	for (uint64_t i = 0; i <= segment->bytes; i++) {
		if (i < segment->bytes && !jump_targets_is_text(s->targets,
		    segment->address + i))
			continue;
		if (i > from)
			sweep_bytes(s, segment->file + from, (size_t)(i - from),
			    segment->address + from);
		from = i + 1;
	}
}

/*
 * Marks words that are the address of a byte of a function: pointers to
 * functions, tables of addresses, and the addends of relocations, which lie in
 * words of the file, too.
 */
static void
mark_words(const struct target_search *s, const struct code_segment *segment)
{
	struct code_reader r;

	code_reader_start(&r, s->functions->image,
	    (segment->address + 7) & ~(uint64_t)7);
	while (!r.failed) {
		const uint64_t here = r.address;
		const uint64_t word = code_reader_number(&r, 8);

		if (r.failed || jump_targets_is_text(s->targets, here))
			continue;
		mark_target(s->targets, word);
		mark_part(s->targets->taken, s->targets, word);
	}
}

void
jump_targets_find(struct jump_targets *t, struct unwind_functions *u,
    void *memory)
{
	struct part_reach reach = { .functions = u };
	struct target_search s = { .targets = t, .functions = u,
	    .reach = &reach };

	t->functions = u;
	t->marks = memory;
	t->text = t->marks + bytes_of_set(t, 1);
	t->turns = t->text + bytes_of_set(t, 1);
	t->computes = t->turns + bytes_of_set(t, JUMP_TARGETS_TURN);
	t->taken = t->computes + bytes_of_set(t, JUMP_TARGETS_TURN);
	sweep_functions(&s);
	for (unsigned i = 0; i < u->image->segment_count; i++) {
		if (u->image->segments[i].executable)
			sweep_gaps(&s, &u->image->segments[i]);
		mark_words(&s, &u->image->segments[i]);
	}
}
