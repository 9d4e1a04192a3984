/* Context: O.  What a process that was told says, and does. */
#include "reply.h"

#include "alive.h"
#include "header.h"

#include <errno.h>

bool
told_is_well(const struct told *t)
{
	return t->answer == ASK_DONE || t->answer == ASK_ARMED;
}

static const char *
why_refused(int error)
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
silent(struct fault *f, const struct format_header *h)
{
	fault_set(f, "it ran, and did not answer", FAULT_NO_OFFSET, 0);
	if (h->kick_signal == 0)
		f->remedy = "its stacks for signal handlers hold no more than "
		    "those: it takes it at its next tick beside them";
}

void
told_fault(const struct told *t, struct fault *f)
{
	if (t->answer == ASK_REFUSED)
		fault_set(f, why_refused(t->ask.header->answer),
		    FAULT_NO_OFFSET, 0);
	else if (t->answer == ASK_SILENT)
		silent(f, t->ask.header);
	else
		fault_set(f, "it ended before it answered", FAULT_NO_OFFSET,
		    0);
}

uint64_t
told_took_ns(const struct told *t)
{
	const uint64_t at = t->ask.header->answer_mono;

	return at > t->ask.asked_mono ? at - t->ask.asked_mono : 0;
}

void
told_look(const struct told *t, struct told_state *s)
{
	const struct format_header *h = &s->header;
	uint64_t cpu;

	s->header = *t->ask.header;
	s->header.watch[FORMAT_WATCH - 1] = '\0';
	cpu = alive_cpu(h->pid);
	if (cpu < h->cpu_ns)
		cpu = h->cpu_ns;
	s->cpu_ns = cpu > h->cpu_birth_ns ? cpu - h->cpu_birth_ns : 0;
	s->stopped_ns = header_stopped_ns(h, cpu);
}
