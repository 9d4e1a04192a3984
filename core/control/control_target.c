/*
 * Context: O.  Tells the answer and the state of one process of a control
 * session, for those who run it; see control_target.h.
 */
#include "control_target.h"

#include "decode/header.h"
#include "process_state.h"

#include <errno.h>

bool
control_target_accepted(const struct control_target *t)
{
	return t->answer == CONTROL_CLIENT_DONE ||
	    t->answer == CONTROL_CLIENT_ARMED;
}

static const char *
refusal_reason(int error)
{
	switch (error) {
	case EPERM:
		return "it is behind a seccomp filter, and cannot change what "
		    "it does";
	case EOPNOTSUPP:
		return "it cannot count that: it can count time, and heap, "
		    "which must be on from its start if it has its own "
		    "allocator";
	case EINVAL:
		return "it cannot use that interval; use 0.05 ms to 10 s";
	default:
		return "it refused, and gave no reason";
	}
}

static void
fault_no_answer(struct fault *f, const struct format_header *h)
{
	fault_set(f, "it ran, and did not answer", FAULT_NO_OFFSET, 0);
	if (h->kick_signal == 0)
		f->remedy = "its signal stacks have no room to obey inside its "
		    "handlers: it obeys at its next tick outside of them";
}

void
control_target_fault(const struct control_target *t, struct fault *f)
{
	if (t->answer == CONTROL_CLIENT_REFUSED)
		fault_set(f, refusal_reason(control_client_refusal(&t->ask)),
		    FAULT_NO_OFFSET, 0);
	else if (t->answer == CONTROL_CLIENT_SILENT)
		fault_no_answer(f, t->ask.header);
	else
		fault_set(f, "it ended before it answered", FAULT_NO_OFFSET,
		    0);
}

uint64_t
control_target_latency_ns(const struct control_target *t)
{
	const uint64_t at = t->ask.header->answer_mono;

	return at > t->ask.asked_mono ? at - t->ask.asked_mono : 0;
}

/*
 * `asked` is odd while a tool writes the order, or if it was killed over that:
 * such settings are no order yet.
 */
static void
get_ordered_settings(struct control_target_state *s)
{
	const struct format_header *h = &s->header;

	s->waits = h->asked % 2 == 0 && h->asked != h->answered;
	s->ordered_stop = s->waits ? h->ask_stop != 0 : header_is_stopped(h);
	s->ordered_interval_ns = s->waits ? h->ask_interval_ns :
	    h->interval_ns;
	s->ordered_modes = s->waits ? h->ask_modes : h->modes;
}

const char *
control_target_state_name(const struct control_target_state *s,
    const char *running)
{
	const bool stopped = header_is_stopped(&s->header);

	if (stopped != s->ordered_stop)
		return stopped ? "starting" : "stopping";
	return stopped ? "stopped" : running;
}

void
control_target_get_state(const struct control_target *t,
    struct control_target_state *s)
{
	const struct format_header *h = &s->header;
	uint64_t cpu;

	s->header = *t->ask.header;
	s->header.watch[FORMAT_WATCH - 1] = '\0';
	cpu = process_state_cpu_ns(h->pid);
	if (cpu < h->cpu_ns)
		cpu = h->cpu_ns;
	s->cpu_ns = cpu > h->cpu_birth_ns ? cpu - h->cpu_birth_ns : 0;
	s->stopped_ns = header_stopped_ns(h, cpu);
	get_ordered_settings(s);
}
