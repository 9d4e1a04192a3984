/*
 * Context: O.  Reports faults and progress of prof(1) on standard error, for
 * the other files of cmd/prof, also as callbacks of readers; see prof_state.h.
 */
#include "prof/prof_state.h"

#include "base/term.h"
#include "common/print_fault.h"

#include <stdio.h>
#include <string.h>

void
prof_state_hide_progress(struct prof_state *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
}

void
prof_state_report(struct prof_state *p, const struct fault *f)
{
	struct fault own = *f;

	if (p->standard_input[0] != '\0' && f->file != NULL &&
	    strcmp(f->file, p->standard_input) == 0)
		own.file = STANDARD_INPUT;
	prof_state_hide_progress(p);
	p->status = EXIT_DATA;
	if (p->live == NULL || !live_note_fault(p->live, &own))
		print_fault(&own);
}

void
prof_state_on_fault(void *arg, const struct fault *f)
{
	struct prof_state *p = arg;

	if (!p->again)
		prof_state_report(p, f);
}

static double
seconds_since(const struct timespec *then, const struct timespec *now)
{
	return (double)(now->tv_sec - then->tv_sec) +
	    (double)(now->tv_nsec - then->tv_nsec) / 1e9;
}

void
prof_state_on_progress(void *arg, size_t done, size_t all, const char *what)
{
	const struct term on_stderr = { .out = stderr };
	struct prof_state *p = arg;
	struct timespec now;

	if (!p->terminal)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (seconds_since(&p->started, &now) < 1 ||
	    seconds_since(&p->last, &now) < 0.1)
		return;
	fprintf(stderr, "\r\033[Kprof: %zu of %zu: ", done, all);
	term_text(&on_stderr, what, 40);
	p->last = now;
	p->shown = true;
}
