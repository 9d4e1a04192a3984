/*
 * Context: P.  Follows the jumps of a function into parts; see part_reach.h.
 */
#include "part_reach.h"
#include "jump_table.h"
#include "landing_pads.h"

/* Parts between a function and the part that is looked for. */
#define REACH_DEPTH	3

/* A function or part whose jumps are followed. */
struct reach_step {
	struct part_reach *reach;
	const struct unwind_function *part;	/* is looked for */
	struct unwind_function here;
	uint64_t seen;		/* start of the part that was last followed */
	unsigned depth;		/* parts that may still be followed */
	bool found;
};

static bool leads_from(struct part_reach *r, const struct unwind_function *from,
    const struct unwind_function *part, unsigned depth);

static bool
has_address(const struct unwind_function *f, uint64_t address)
{
	return address - f->start < f->bytes;
}

/* Takes bytes from the budget.  Returns whether it had so many. */
static bool
take_budget(struct part_reach *r, uint64_t bytes)
{
	r->budget -= bytes < r->budget ? bytes : r->budget;
	return r->budget != 0;
}

/* Looks at an address at which the code of step->here may go on. */
static void
follow_address(uint64_t address, void *reach_step)
{
	struct reach_step *step = reach_step;
	struct unwind_function other;

	if (step->found || has_address(&step->here, address))
		return;
	if (has_address(step->part, address)) {
		step->found = true;
		return;
	}
	if (step->depth == 0 || !unwind_functions_find(step->reach->functions,
	    address, &other) || !other.part || other.start == step->seen)
		return;
	step->seen = other.start;
	step->found = leads_from(step->reach, &other, step->part,
	    step->depth - 1);
}

/* Follows what may be a table, up to where mark_table() ends. */
static void
follow_table(struct reach_step *step, uint64_t table, unsigned form)
{
	struct code_reader r;
	struct unwind_function other = { 0 };

	code_reader_start(&r, step->reach->functions->image, table);
	while (!step->found) {
		const uint64_t target = jump_table_next(&r, table, form);

		if (r.failed || (!has_address(&other, target) &&
		    !unwind_functions_find(step->reach->functions, target,
		    &other)))
			return;
		follow_address(target, step);
		step->found |= !take_budget(step->reach, 1);
	}
}

static void
follow_instruction(struct reach_step *step, const struct instruction *in,
    const uint8_t *code, uint64_t address)
{
	uint64_t table;
	const unsigned forms = jump_table_find(in, code, address, &table);

	if (in->target_at != 0 && in->kind != INSTRUCTION_CALL)
		follow_address(instruction_target(in, code, address), step);
	if (forms != 0)
		follow_address(table, step);
	for (unsigned form = JUMP_TABLE_DISTANCES; form <= forms; form <<= 1)
		if ((forms & form) != 0)
			follow_table(step, table, form);
}

/* Returns whether `from` leads to the part, as part_reach_leads() says. */
static bool
leads_from(struct part_reach *r, const struct unwind_function *from,
    const struct unwind_function *part, unsigned depth)
{
	struct reach_step step = { .reach = r, .part = part, .here = *from,
	    .depth = depth };
	struct instruction in;
	size_t room;
	const uint8_t *code = code_image_find(r->functions->image, from->start,
	    &room);

	if (code == NULL || from->bytes > room || !take_budget(r, from->bytes))
		return true;
	for (size_t at = 0; at < from->bytes && !step.found; at += in.bytes) {
		if (!instruction_decode(code + at, (size_t)from->bytes - at,
		    &in))
			return true;
		follow_instruction(&step, &in, code + at, from->start + at);
	}
	if (!step.found && !landing_pads_each(r->functions->image, from,
	    follow_address, &step))
		return true;
	return step.found;
}

bool
part_reach_leads(struct part_reach *r, uint64_t start,
    const struct unwind_function *part)
{
	struct unwind_function from;

	return !unwind_functions_find(r->functions, start, &from) ||
	    from.start != start || leads_from(r, &from, part, REACH_DEPTH);
}
