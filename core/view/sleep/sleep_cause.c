/*
 * Context: O.  Finds why a thread slept, for sleep_reasons.c and the page; see
 * sleep_cause.h.
 */
#include "sleep/sleep_cause.h"

#include "base/library_code.h"

#include <errno.h>
#include <stdlib.h>

/*
 * Adds what the function says of the reason.  The innermost name that is not
 * of a futex decides: usleep() is a timer by nanosleep(), and system() waits
 * for a child by waitpid().
 */
static enum sleep_reason
refine_reason(const struct model *m, enum sleep_reason before,
    uint32_t function)
{
	const struct model_function *f = &m->functions[function];
	enum sleep_reason now;

	if (before > SLEEP_FUTEX || function == MODEL_NONE || !f->named ||
	    !library_code_has(m, function))
		return before;
	now = sleep_reason_of(f->name);
	return now != SLEEP_OTHER ? now : before;
}

static struct sleep_cause
find_sleep_cause(const struct model *m, const struct model_row *r)
{
	const struct stack_frame *frames = m->stacks.frames;
	struct sleep_cause c = { r->function, SLEEP_OTHER };
	uint32_t frame;

	if (c.function != MODEL_NONE)
		c.reason = refine_reason(m, c.reason, c.function);
	if (c.function != MODEL_NONE && !library_code_has(m, c.function))
		return c;
	frame = library_code_caller(m, r->stack);
	for (uint32_t f = r->stack; f != frame && f != 0; f = frames[f].caller)
		c.reason = refine_reason(m, c.reason, frames[f].function);
	c.function = frame != 0 ? frames[frame].function : MODEL_NONE;
	return c;
}

struct sleep_cause
sleep_cause_of(const struct model *m, const struct model_row *r)
{
	struct sleep_cause c = find_sleep_cause(m, r);

	if (m->sleep_reasons != NULL)
		c.reason = (enum sleep_reason)m->sleep_reasons[r - m->rows];
	return c;
}

int
sleep_cause_keep(struct model *m)
{
	unsigned char *kept = calloc(m->row_count + 1, sizeof(*kept));

	if (kept == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->row_count; i++)
		if (m->rows[i].kind == FORMAT_SLEEP)
			kept[i] = (unsigned char)find_sleep_cause(m,
			    &m->rows[i]).reason;
	m->sleep_reasons = kept;
	return 0;
}

bool
sleep_cause_is_elsewhere(enum sleep_reason reason)
{
	return reason == SLEEP_JOIN;
}
