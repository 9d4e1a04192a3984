/*
 * Context: O.  The answer and the state of one process; see control_target.h.
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
		return "it is behind a seccomp filter, and can do no more "
		    "than it does";
	case EOPNOTSUPP:
		return "it cannot count that: there are time and heap, which "
		    "beside other allocators has to begin with the program";
	case EINVAL:
		return "it can have no such interval: from 0.05 ms to 10 s";
	default:
		return "it refused, and does not say why";
	}
}

static void
fault_no_answer(struct fault *f, const struct format_header *h)
{
	fault_set(f, "it ran, and did not answer", FAULT_NO_OFFSET, 0);
	if (h->kick_signal == 0)
		f->remedy = "its stacks for signal handlers hold no more than "
		    "those: it takes it at its next tick beside them";
}

void
control_target_fault(const struct control_target *t, struct fault *f)
{
	if (t->answer == CONTROL_CLIENT_REFUSED)
		fault_set(f, refusal_reason(t->ask.header->answer),
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
}
