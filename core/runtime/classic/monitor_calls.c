/*
 * Context: T.  Counts the calls that monitor(3C) shows, for monitor.c, under
 * its lock; see monitor_calls.h.
 */
#include "classic/monitor_calls.h"

#include "base/state.h"
#include "classic/call_totals.h"
#include "classic/monout_cells.h"

#include <errno.h>

/* Written under the lock of monitor.c. */
static struct {
	int pid;		/* process whose calls the totals hold */
	bool paused;
	/* calls that the program must not see */
	struct call_totals *hidden;
	/* while paused: the calls at the pause, after which calls are hidden */
	struct call_totals *from;
} calls STATE_SECTION("2.cold");

void
monitor_calls_begin(void)
{
	call_totals_free(calls.hidden);
	calls.hidden = call_totals_make();
	calls.paused = false;
}

void
monitor_calls_end(void)
{
	call_totals_free(calls.hidden);
	call_totals_free(calls.from);
	calls.hidden = calls.from = NULL;
}

void
monitor_calls_follow_fork(void)
{
	int pid = sys_getpid();

	if (calls.pid != 0 && calls.pid != pid)
		monitor_calls_end();
	calls.pid = pid;
}

STATE_START bool
monitor_calls_are_own(void)
{
	return calls.pid == sys_getpid();
}

bool
monitor_calls_are_paused(void)
{
	return calls.paused;
}

void
monitor_calls_set_paused(bool paused)
{
	if (paused && !calls.paused) {
		calls.from = call_totals_make();
	} else if (!paused && calls.paused) {
		calls.hidden = call_totals_add_delta(calls.hidden, calls.from,
		    call_totals_make());
		calls.from = NULL;
	}
	calls.paused = paused;
}

/* Returns how many of the calls the program may see. */
static uint64_t
visible_calls(const struct call_totals_cell *c)
{
	uint64_t to = calls.paused ? call_totals_get(calls.from, c->pc) :
	    c->calls;
	uint64_t hidden = call_totals_get(calls.hidden, c->pc);

	return to > hidden ? to - hidden : 0;
}

int
monitor_calls_fill(struct monout_file *f)
{
	struct call_totals *t = call_totals_make();
	struct monout_file_block *b = f->first;
	size_t used = 0;
	uint32_t i;

	monout_cells_clear(f);
	if (t == NULL)
		return -ENOMEM;
	for (i = 0; i < t->count; i++) {
		uint64_t n = visible_calls(&t->cell[i]);

		if (n == 0)
			continue;
		for (; b != NULL && used == b->cells; used = 0)
			b = b->next != NULL ? b->next : monout_cells_grow(f);
		if (b == NULL)
			break;
		/*
		 * Readers expect the address behind the first byte, as some
		 * arcs have it.
		 */
		b->cell[used].fnpc = (char *)t->cell[i].pc + 1;
		b->cell[used++].mcnt = (long)n;
	}
	i = t->count - i;
	call_totals_free(t);
	return i == 0 ? 0 : -ENOMEM;
}
